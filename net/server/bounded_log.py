"""The log of a table's process and of its doors, which strangers cannot make fill a disk."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Final, TextIO

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
