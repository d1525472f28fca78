"""Our own processes: how they start and end, what they may use, what others can see of them.

A table's process holds every secret of its game. Other users cannot look into it anyway; other
processes of the same user could, with a debugger, through `/proc` or in a core dump.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import resource

_ROOT: Final = str(Path(__file__).parents[2])
"""Folder that our packages `engine`, `net` and `sabtui` are in."""

_YOUNG_OBJECTS: Final = 20_000  # new objects until a collection; Python's default is 700

_PR_SET_DUMPABLE: Final = 4  # from `<linux/prctl.h>`


def python(*words: str) -> tuple[str, ...]:
    """Return a command that runs Python, such as `python("-m", "sabtui.doors.program")`.

    With `-P` the child never imports from the current directory, which may hold a player's files.
    """
    return (sys.executable, "-P", *words)


USERS_PATH: Final = "SABTUI_PYTHONPATH"
"""The environment variable in which our processes keep the user's own PYTHONPATH."""


def environment() -> dict[str, str]:
    """Return environment variables with which a child imports from our installation."""
    users = os.environ.get(USERS_PATH, os.environ.get("PYTHONPATH", ""))
    paths = os.pathsep.join(filter(None, (_ROOT, users)))
    return {**os.environ, "PYTHONPATH": paths, USERS_PATH: users}


def give_environment_back() -> None:
    """Undo `environment` in a process that started with it, before it starts others' programs.

    With our folder in their PYTHONPATH, they would import our packages instead of their own.
    """
    users = os.environ.pop(USERS_PATH, None)
    if users:
        os.environ["PYTHONPATH"] = users
    elif users is not None:
        os.environ.pop("PYTHONPATH", None)


def limit_memory(most: int) -> None:
    """Limit this process, and each one it starts, to this many bytes of data.

    That works where the system has such a limit: on Linux, and on macOS as far as it enforces it.
    Beyond the limit, Python raises `MemoryError`.
    """
    if sys.platform != "win32":
        with suppress(OSError, ValueError):  # the limit is lower already
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def collect_rarely() -> None:
    """Make garbage collection rare in a server, now that it is loaded.

    All tables wait during a collection, which takes 10 ms or more in a club with many: it goes
    through what their moves have replaced. Present objects are exempt for good.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS)


def hide_memory() -> None:
    """Keep this process's memory from core dumps and, on Linux, from the user's other processes.

    A process that is not dumpable writes no core file, cannot be attached to by a debugger, and its
    files in `/proc`, such as its memory, belong to root. On macOS and Windows we know of nothing
    similar that a program could do by itself; there only the core file is forbidden, if the system
    has such a limit. Root can look into every process.
    """
    if sys.platform != "win32":
        with suppress(OSError, ValueError):  # this limit cannot be changed here
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library without it
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
