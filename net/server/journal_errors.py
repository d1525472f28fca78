"""Errors of a journal by kind and reason, and how errors of SQLite and the system become one."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path


class Obstacle(StrEnum):
    """Reason for which a journal cannot be written now."""

    FULL = "full"
    READ_ONLY = "read-only"  # the file, its folder or the whole disk; or no permission
    GONE = "gone"  # its file was deleted or replaced
    IO = "io"  # anything else that the system reports


class Damage(StrEnum):
    """Reason for which a file cannot be read as a journal."""

    NOT_A_JOURNAL = "not-a-journal"  # no database, or another program's
    NEWER_FORMAT = "newer-format"  # written by a later Sabtui
    OLDER_FORMAT = "older-format"  # written by an earlier Sabtui
    DAMAGED = "damaged"  # cut off or altered
    STEPS_MISSING = "steps-missing"  # whole, except for steps that were taken out


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
    """Raised if a write failed: nothing of it is in the journal, and it may be tried again.

    That holds after a failed sync too, which the system reports only once: a retry writes the same
    pages of the log again and syncs them. If the host is killed before the retry, the write may be
    on disk after all, as after a kill in the middle of any commit.
    """

    def __init__(self, path: Path, obstacle: Obstacle) -> None:
        super().__init__(path, obstacle)
        self.obstacle = obstacle


class JournalBroken(JournalError):
    """Raised if a file is no whole journal. None of it is used, and none is overwritten.

    `number` is the first missing step, or the file's format if that is another than ours.
    """

    def __init__(self, path: Path, damage: Damage, number: int | None = None) -> None:
        super().__init__(path, damage, number)
        self.damage = damage
        self.number = number


_OBSTACLES = {
    sqlite3.SQLITE_FULL: Obstacle.FULL,
    sqlite3.SQLITE_READONLY: Obstacle.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Obstacle.READ_ONLY,  # of the log: the file itself exists
    sqlite3.SQLITE_PERM: Obstacle.READ_ONLY,
    # SQLite opens a read-only file for reading, and is then refused the exclusive lock.
    sqlite3.SQLITE_IOERR_LOCK: Obstacle.READ_ONLY,
    sqlite3.SQLITE_IOERR: Obstacle.IO,
}

_SYSTEM_OBSTACLES = {
    errno.ENOSPC: Obstacle.FULL,
    errno.EDQUOT: Obstacle.FULL,
    errno.EROFS: Obstacle.READ_ONLY,
    errno.EACCES: Obstacle.READ_ONLY,
    errno.EPERM: Obstacle.READ_ONLY,
}


def from_sqlite(path: Path, error: sqlite3.Error) -> JournalError:
    """Return the JournalError for SQLite's error; one without a code comes from altered bytes."""
    extended: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    code = extended & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return JournalBusy(path)
    if obstacle := _OBSTACLES.get(extended) or _OBSTACLES.get(code):
        return JournalUnwritable(path, obstacle)
    alien = code == sqlite3.SQLITE_NOTADB
    return JournalBroken(path, Damage.NOT_A_JOURNAL if alien else Damage.DAMAGED)


def from_system(path: Path, error: OSError) -> JournalUnwritable:
    """Return the JournalUnwritable for the system's error."""
    return JournalUnwritable(path, _SYSTEM_OBSTACLES.get(error.errno or 0, Obstacle.IO))


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system into a JournalError; errors that are our bugs pass."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error as error:
        raise from_sqlite(path, error) from error
    except UnicodeDecodeError as error:  # SQLite does not check that text is UTF-8
        raise JournalBroken(path, Damage.DAMAGED) from error
    except FileExistsError:
        raise
    except OSError as error:
        raise from_system(path, error) from error
