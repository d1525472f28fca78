"""A file held by this process until it lets go or dies: advisory, whole, on POSIX and Windows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Hold a file, and tell whether it could be: another may hold it, or it cannot be written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError:
        yield False
        return
    with file:
        try:
            _lock(file)
        except OSError:
            yield False
            return
        yield True


def is_held(path: Path) -> bool:
    """Whether another program, or another part of this one, holds a file."""
    if not path.exists():
        return False
    with suppress(OSError), path.open("ab") as file:
        try:
            _lock(file)
        except OSError:
            return True
    return False
