"""What can go wrong with a journal, by kind and reason, and how a system's error becomes one."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path


class Obstacle(StrEnum):
    """Why a journal cannot be written now."""

    FULL = "full"
    READ_ONLY = "read-only"  # the file, its folder or the whole disk; or not ours to write
    GONE = "gone"  # its file was deleted, or another put in its place
    IO = "io"  # anything else that the system reports


class Damage(StrEnum):
    """Why a file cannot be read as a journal."""

    NOT_A_JOURNAL = "not-a-journal"  # no database, or of another program
    NEWER_FORMAT = "newer-format"  # written by a later Sabtui
    DAMAGED = "damaged"  # cut off or altered
    STEPS_MISSING = "steps-missing"  # whole, but for steps that somebody took out


class JournalError(Exception):
    """Any trouble with the journal at `path`."""

    def __init__(self, path: Path, *details: object) -> None:
        super().__init__(str(path), *details)
        self.path = path


class JournalMissing(JournalError):
    """There is no file of that name."""


class JournalBusy(JournalError):
    """Another host holds this journal."""


class JournalFinished(JournalError):
    """The table of this journal was closed for good."""


class JournalUnwritable(JournalError):
    """What was to be written is not in the journal, all of it, and may be tried again.

    After a failed sync too, which the system reports only once: a retry writes the same pages of
    the log anew and syncs them again. A host killed before that may find it written after all, as
    after a kill in the midst of any commit.
    """

    def __init__(self, path: Path, obstacle: Obstacle) -> None:
        super().__init__(path, obstacle)
        self.obstacle = obstacle


class JournalBroken(JournalError):
    """The file is no whole journal. Nothing is taken from it, and nothing of it is overwritten.

    `number` is the first missing step, or the format found where it is too new.
    """

    def __init__(self, path: Path, damage: Damage, number: int | None = None) -> None:
        super().__init__(path, damage, number)
        self.damage = damage
        self.number = number


_OBSTACLES = {
    sqlite3.SQLITE_FULL: Obstacle.FULL,
    sqlite3.SQLITE_READONLY: Obstacle.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Obstacle.READ_ONLY,  # the log, as the file itself was there
    sqlite3.SQLITE_PERM: Obstacle.READ_ONLY,
    # What may only be read, SQLite opens for reading, and is then refused the exclusive lock.
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
    """Tell what SQLite's error means; what it does not number comes of reading altered bytes."""
    extended: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    code = extended & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return JournalBusy(path)
    if obstacle := _OBSTACLES.get(extended) or _OBSTACLES.get(code):
        return JournalUnwritable(path, obstacle)
    alien = code == sqlite3.SQLITE_NOTADB
    return JournalBroken(path, Damage.NOT_A_JOURNAL if alien else Damage.DAMAGED)


def from_system(path: Path, error: OSError) -> JournalError:
    """Tell what the system's error means."""
    if isinstance(error, FileNotFoundError):
        return JournalMissing(path)
    return JournalUnwritable(path, _SYSTEM_OBSTACLES.get(error.errno or 0, Obstacle.IO))


@contextmanager
def typed(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system into a JournalError; our own bugs pass."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error as error:
        raise from_sqlite(path, error) from error
    except UnicodeDecodeError as error:  # text that SQLite handed over unread
        raise JournalBroken(path, Damage.DAMAGED) from error
    except FileExistsError:
        raise
    except OSError as error:
        raise from_system(path, error) from error
