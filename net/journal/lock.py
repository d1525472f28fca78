"""Who holds a journal: taking the lock for a life, and asking without taking it."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import uniform
from typing import Final

LOCK_TIMEOUT_S: Final = 0.1  # seconds to wait for a lock, as a listing takes one for an instant


def connect(path: Path, how: str) -> sqlite3.Connection:
    """Open a database, `how` being SQLite's URI parameters; transactions are begun by hand.

    With `isolation_level=None` this is the same in Python 3.11 as in 3.12 and later, which have
    an `autocommit` beside it. One thread at a time may use it.
    """
    address = f"{path.absolute().as_uri()}?{how}"
    return sqlite3.connect(
        address, timeout=0, isolation_level=None, check_same_thread=False, uri=True
    )


def hold(path: Path) -> sqlite3.Connection:
    """Open a file for writing and lock it for the life of the connection.

    A listing holds a shared lock for an instant, and two hosts may each hold one that keeps the
    other from the exclusive one; hence letting go, and trying anew at moments that differ.

    Raises:
        sqlite3.Error: with SQLITE_BUSY when another held it for all of GRACE.
    """
    until = time.monotonic() + LOCK_TIMEOUT_S
    while True:
        connection = connect(path, "mode=rw")
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")  # before the log is touched
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA checkpoint_fullfsync=ON")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except BaseException as error:  # of any kind: a connection left open is a lock kept
            connection.close()
            busy = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(uniform(0.002, 0.01))
        else:
            return connection


def is_locked(path: Path) -> bool:
    """Tell whether somebody holds a file, without writing to it or making another beside it.

    Reading needs a shared lock, which a holder's lock refuses. What comes next, the exclusive lock
    that the log wants of us, a read-only file cannot give, so that nothing is read or made; on
    Windows it can, for an instant, and the reading goes well.
    """
    with closing(connect(path, "mode=ro")) as connection:
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False
