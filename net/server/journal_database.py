"""The SQLite database of a journal: its lock, its schema, and reading and writing its rows."""

import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from random import uniform
from typing import Final

from net.server.journal_errors import Damage, JournalBroken
from net.server.journal_format import (
    APPLICATION_ID,
    FORMAT_NUMBER,
    PAGE_BYTES,
    JournalHeader,
    RowKey,
    check_digests,
    check_numbers,
    digest_of,
    header_rows,
    loses_commits,
    parse_header,
)

LOCK_TIMEOUT_S: Final = 0.1  # seconds to wait for the lock: a listing holds one for an instant

_SCHEMA: Final = {
    "header": "CREATE TABLE header (key TEXT PRIMARY KEY, value BLOB NOT NULL,"
    " digest BLOB NOT NULL) WITHOUT ROWID",
    "kept": "CREATE TABLE kept (key TEXT PRIMARY KEY, value BLOB NOT NULL,"
    " digest BLOB NOT NULL) WITHOUT ROWID",
    "steps": "CREATE TABLE steps (key INTEGER PRIMARY KEY, value BLOB NOT NULL,"
    " digest BLOB NOT NULL)",
}
_SELECT: Final = {
    "header": "SELECT key, value, digest FROM header",
    "kept": "SELECT key, value, digest FROM kept",
    "steps": "SELECT key, value, digest FROM steps ORDER BY key",
}
_INSERT: Final = {
    "header": "INSERT OR REPLACE INTO header VALUES (?, ?, ?)",
    "kept": "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)",
    "steps": "INSERT INTO steps VALUES (?, ?, ?)",
}


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

    Raises sqlite3.Error: with SQLITE_BUSY if another process held the lock for LOCK_TIMEOUT_S.
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


def write_row(connection: sqlite3.Connection, table: str, key: RowKey, value: bytes) -> None:
    """Write one row with its digest; a step's number must be new."""
    connection.execute(_INSERT[table], (key, value, digest_of(table, key, value)))


def write_new(
    connection: sqlite3.Connection,
    header: JournalHeader,
    meta: Mapping[str, bytes],
    steps: Iterable[bytes] = (),
) -> None:
    """Turn an empty database into a journal with these first steps."""
    connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={FORMAT_NUMBER}")
    for statement in _SCHEMA.values():
        connection.execute(statement)
    for key, value in header_rows(header).items():
        write_row(connection, "header", key, value)
    for key, value in meta.items():
        write_row(connection, "kept", key, value)
    for number, payload in enumerate(steps, 1):
        write_row(connection, "steps", number, payload)
    connection.execute("COMMIT")


def read_header(connection: sqlite3.Connection, path: Path) -> JournalHeader:
    """Return the header of a file, checked to be a journal that we can read.

    Raises:
        JournalBroken: it is no journal, a damaged one, or one of another format.
        sqlite3.Error: SQLite cannot read the file.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise JournalBroken(path, Damage.NOT_A_JOURNAL)
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > FORMAT_NUMBER:
        raise JournalBroken(path, Damage.NEWER_FORMAT, version)
    if 0 < version < FORMAT_NUMBER:
        raise JournalBroken(path, Damage.OLDER_FORMAT, version)
    if not version or dict(connection.execute("SELECT name, sql FROM sqlite_schema")) != _SCHEMA:
        raise JournalBroken(path, Damage.DAMAGED)
    return parse_header(dict(read_rows(connection, path, "header")), path)


def read_rows(connection: sqlite3.Connection, path: Path, table: str) -> list[tuple[RowKey, bytes]]:
    """Read the rows of a table and check their digests; steps come in the order of their numbers.

    All rows are fetched at once: a half-read cursor, kept alive by an exception's traceback, would
    keep the connection open and the file locked.
    """
    with closing(connection.execute(_SELECT[table])) as cursor:
        rows = cursor.fetchall()
    return check_digests(rows, table, path)


def check_file(connection: sqlite3.Connection, path: Path) -> int:
    """Check the whole file except its header; return the last step's number, or 0."""
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise JournalBroken(path, Damage.DAMAGED)
    read_rows(connection, path, "kept")
    return check_numbers(read_rows(connection, path, "steps"), path)


def log_of(path: Path) -> Path:
    """Return the path of the write-ahead log that SQLite keeps beside an open journal."""
    return path.with_name(path.name + "-wal")


def is_altered(path: Path) -> bool:
    """Return True if opening a journal would lose acknowledged commits: its log was altered."""
    log_path = log_of(path)
    return log_path.exists() and loses_commits(log_path.read_bytes())
