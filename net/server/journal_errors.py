"""Errors of a journal by kind and reason, and how errors of the system become one."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final


class Obstacle(StrEnum):
    """Reason for which a journal cannot be written now."""

    FULL = "full"
    READ_ONLY = "read-only"  # the file, its folder or the whole disk; or no permission
    GONE = "gone"  # its file was deleted or replaced
    IO = "io"  # anything else that the system reports


class Damage(StrEnum):
    """Reason for which a file cannot be read as a journal."""

    NOT_A_JOURNAL = "not-a-journal"
    NEWER_FORMAT = "newer-format"  # written by a later Sabtui
    DAMAGED = "damaged"  # altered, or parts of it are missing


class JournalError(Exception):
    """Base of all errors of the journal at `path`."""

    def __init__(self, path: Path, *details: object) -> None:
        super().__init__(str(path), *details)
        self.path = path


class JournalMissing(JournalError):
    """Raised if there is no file of that name."""


class JournalBusy(JournalError):
    """Raised if another host holds this journal."""


class JournalFinished(JournalError):
    """Raised if the table of this journal was closed for good."""


class JournalUnwritable(JournalError):
    """Raised if a write failed: nothing of it is in the journal, and it may be tried again."""

    def __init__(self, path: Path, obstacle: Obstacle) -> None:
        super().__init__(path, obstacle)
        self.obstacle = obstacle


class JournalBroken(JournalError):
    """Raised if a file is no whole journal. None of it is used, and none is overwritten.

    `number` is the file's format if that is another than ours.
    """

    def __init__(self, path: Path, damage: Damage, number: int | None = None) -> None:
        super().__init__(path, damage, number)
        self.damage = damage
        self.number = number


_OBSTACLES: Final = {
    errno.ENOSPC: Obstacle.FULL,
    errno.EDQUOT: Obstacle.FULL,
    errno.EFBIG: Obstacle.FULL,
    errno.EROFS: Obstacle.READ_ONLY,
    errno.EACCES: Obstacle.READ_ONLY,
    errno.EPERM: Obstacle.READ_ONLY,
}


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turn errors of the system while a journal is written into `JournalUnwritable`."""
    try:
        yield
    except OSError as error:
        raise JournalUnwritable(path, _OBSTACLES.get(error.errno or 0, Obstacle.IO)) from error
