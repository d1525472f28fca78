"""Processes of our own: how they are started, how much they log, and what others see of them.

A table's process holds every secret of its game. Other users cannot look into it anyway; other
processes of the same user could, by a debugger, by `/proc` or in a core dump.
"""

from __future__ import annotations

import ctypes
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

_ROOT: Final = str(Path(__file__).parents[2])
"""Folder that our packages `engine`, `net` and `sabtui` are in."""

_PR_SET_DUMPABLE: Final = 4
"""From `<linux/prctl.h>`."""

MAX_LOG_BYTES: Final = 1 << 20
"""Bytes (1 MiB) that a process may log, and as many again of warnings and errors. Strangers can
make it log, and a full disk stops the game."""


class BoundedLog(logging.StreamHandler[TextIO]):
    """Log on a stream, by default the standard error; after `most` bytes the rest is dropped.

    Warnings and errors are counted by themselves, so that nothing else crowds them out.
    """

    def __init__(self, stream: TextIO | None = None, most: int = MAX_LOG_BYTES) -> None:
        super().__init__(stream)
        self._left = {False: most, True: most}

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record, if there is room for any more of its kind."""
        is_warning = record.levelno >= logging.WARNING
        if self._left[is_warning] <= 0:
            return
        self._left[is_warning] -= len(self.format(record).encode("utf-8", "replace"))
        super().emit(record)
        if self._left[is_warning] <= 0:
            with suppress(OSError, ValueError):  # a full disk, or a stream that was closed
                self.stream.write("no more of this kind is logged\n")
                self.flush()


def log_on_stderr(layout: str) -> None:
    """Log on the standard error, within bounds; `layout` is that of a line, as logging has it."""
    logging.basicConfig(level=logging.INFO, format=layout, handlers=[BoundedLog()])


def python(*words: str) -> tuple[str, ...]:
    """Return a command that runs Python, such as `python("-m", "net.server.bot_worker")`.

    With `-P` the child never imports from the current directory, which may hold a player's files.
    """
    return (sys.executable, "-P", *words)


def environment() -> dict[str, str]:
    """Return environment variables with which the child imports from our installation."""
    paths = [_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def hide_memory() -> None:
    """Keep this process's memory from core dumps and, on Linux, from the user's other processes.

    A process that is not dumpable writes no core file, cannot be attached to by a debugger, and its
    files in `/proc`, such as its memory, belong to root. On macOS and Windows we know of nothing
    like it that a program could do by itself; there only the core file is forbidden, where the
    system knows such a limit. Root can look into every process.
    """
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library without it
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
