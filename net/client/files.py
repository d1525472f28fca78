"""Files of the player's programs: for this user alone, locked while in use, replaced all at once.

A lock is an advisory one on a file (POSIX and Windows). The system releases it when the program
dies, however it dies.
"""

from __future__ import annotations

import os
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
def file_lock(path: Path) -> Iterator[bool]:
    """Lock a file and yield True; yield False if another holds it or it cannot be written."""
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


def is_locked(path: Path) -> bool:
    """Return True if a file is locked, by another program or by another part of this one."""
    if not path.exists():
        return False
    with suppress(OSError), path.open("ab") as file:
        try:
            _lock(file)
        except OSError:
            return True
    return False


def owner_only(path: str, flags: int) -> int:
    """Open a file that only this user may read or write: an `opener` for `open`."""
    return os.open(path, flags, 0o600)


def replace_file(path: Path, data: bytes, *, lasting: bool) -> None:
    """Put a file for this user alone in the place of another, at once: all of it, or none.

    With `lasting`, it outlives a loss of power, too.

    Raises OSError: the disk is full, or the folder cannot be written.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        with open(fresh, "wb", opener=owner_only) as file:
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink()
        raise
    if lasting and sys.platform != "win32":  # where a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
