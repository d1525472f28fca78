"""The exclusive lock of a journal: holding it for life, and checking it without taking it."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import uniform
from typing import Final

LOCK_TIMEOUT_S: Final = 0.1  # seconds to wait for the lock: a listing holds one for an instant


def connect(path: Path, how: str) -> sqlite3.Connection:
    """Open a database with the URI parameters `how`; the caller begins transactions itself.

    `isolation_level=None` means the same in Python 3.11 as in 3.12 and later, which have
    `autocommit` besides. One thread at a time may use the connection.
    """
    address = f"{path.absolute().as_uri()}?{how}"
    return sqlite3.connect(
        address, timeout=0, isolation_level=None, check_same_thread=False, uri=True
    )


def hold(path: Path) -> sqlite3.Connection:
    """Open a file for writing and lock it for the life of the connection.

    A listing holds a shared lock for an instant, and two hosts may each hold a shared lock that
    keeps the other from the exclusive one. Hence a failed attempt releases its lock, and the next
    comes after a random pause.

    Raises:
        sqlite3.Error: with SQLITE_BUSY if another process held the lock for LOCK_TIMEOUT_S.
    """
    until = time.monotonic() + LOCK_TIMEOUT_S
    while True:
        connection = connect(path, "mode=rw")
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")  # before the log is touched
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA checkpoint_fullfsync=ON")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except BaseException as error:  # of any kind: an open connection would keep its lock
            connection.close()
            busy = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(uniform(0.002, 0.01))
        else:
            return connection


def is_locked(path: Path) -> bool:
    """Return True if a process holds a file; neither writes to it nor creates one beside it.

    Reading needs a shared lock, which the holder's lock refuses. If nobody holds the file, SQLite
    next wants the exclusive lock for the log. A file opened read-only cannot give it, so nothing is
    read or created; on Windows it can, for an instant, and the read succeeds.
    """
    with closing(connect(path, "mode=ro")) as connection:
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False
