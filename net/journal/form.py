"""The form of a journal's file: its tables, its seals, and what must hold of a whole one.

Knows the schema and reads. Must not take locks or write anything but a new file's first contents.

Every row carries a seal, a BLAKE2b hash of its table, key and value: SQLite has no checksums of
its own, and a flipped bit in a payload would be replayed as a different game. Seals find accidents;
they are no defence against whoever can write the file.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from net.journal.errors import Damage, JournalBroken

APPLICATION: Final = int.from_bytes(b"SabT", "big")
FORMAT: Final = 2
OLDEST: Final = 1
"""The oldest format that is read: it had a table more, for snapshots, in which nothing ever was."""

PAGE: Final = 4096  # bytes

_SCHEMA = {
    "header": "CREATE TABLE header (key TEXT PRIMARY KEY, value BLOB NOT NULL,"
    " seal BLOB NOT NULL) WITHOUT ROWID",
    "kept": "CREATE TABLE kept (key TEXT PRIMARY KEY, value BLOB NOT NULL,"
    " seal BLOB NOT NULL) WITHOUT ROWID",
    "steps": "CREATE TABLE steps (key INTEGER PRIMARY KEY, value BLOB NOT NULL,"
    " seal BLOB NOT NULL)",
}
_SELECT = {
    "header": "SELECT key, value, seal FROM header",
    "kept": "SELECT key, value, seal FROM kept",
    "steps": "SELECT key, value, seal FROM steps ORDER BY key",
}
_INSERT = {
    "header": "INSERT OR REPLACE INTO header VALUES (?, ?, ?)",
    "kept": "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)",
    "steps": "INSERT INTO steps VALUES (?, ?, ?)",
}

Key = str | int


@dataclass(frozen=True, slots=True)
class Header:
    """What a journal says of its table.

    `created` is in seconds since 1970. `incarnation` counts the openings for hosting, this one
    included. `unsaved_after` is the last step on disk where the host went on without saving.
    """

    table: str
    name: str
    created: float
    incarnation: int = 0
    finished: bool = False
    unsaved_after: int | None = None


def put(connection: sqlite3.Connection, table: str, key: Key, value: bytes) -> None:
    """Write one sealed row; a step's number must be new."""
    connection.execute(_INSERT[table], (key, value, _seal(table, key, value)))


def write_new(connection: sqlite3.Connection, header: Header, kept: Mapping[str, bytes]) -> None:
    """Make an empty database a journal."""
    connection.execute(f"PRAGMA page_size={PAGE}")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id={APPLICATION}")
    connection.execute(f"PRAGMA user_version={FORMAT}")
    for statement in _SCHEMA.values():
        connection.execute(statement)
    for key, value in (
        ("table", header.table.encode()),
        ("name", header.name.encode()),
        ("created", repr(header.created).encode()),
        ("incarnation", b"%d" % header.incarnation),
    ):
        put(connection, "header", key, value)
    for key, value in kept.items():
        put(connection, "kept", key, value)
    connection.execute("COMMIT")


def read_header(connection: sqlite3.Connection, path: Path) -> Header:
    """Check that a file is a journal that we can read, and read its header.

    Raises JournalBroken, or sqlite3.Error where SQLite cannot make anything of the file.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise JournalBroken(path, Damage.NOT_A_JOURNAL)
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > FORMAT:
        raise JournalBroken(path, Damage.NEWER_FORMAT, version)
    schema = dict(connection.execute("SELECT name, sql FROM sqlite_schema"))
    if version == OLDEST:
        schema.pop("snapshots", None)
    if version < OLDEST or schema != _SCHEMA:
        raise JournalBroken(path, Damage.DAMAGED)
    rows = dict(read(connection, path, "header"))
    if not rows.keys() >= {"table", "name", "created", "incarnation"}:
        raise JournalBroken(path, Damage.DAMAGED)
    unsaved_after = rows.get("unsaved_after")
    return Header(
        table=rows["table"].decode(),
        name=rows["name"].decode(),
        created=float(rows["created"]),
        incarnation=int(rows["incarnation"]),
        finished="finished" in rows,
        unsaved_after=None if unsaved_after is None else int(unsaved_after),
    )


def bring_up(connection: sqlite3.Connection) -> None:
    """Make a journal of an older format one of ours, so that no older Sabtui takes it for its own.

    Both commit by themselves; a kill between them leaves a file that is still read.
    """
    connection.execute("DROP TABLE IF EXISTS snapshots")
    connection.execute(f"PRAGMA user_version={FORMAT}")


def read(connection: sqlite3.Connection, path: Path, table: str) -> list[tuple[Key, bytes]]:
    """Read the rows of a table in the order of their keys, each with its seal checked.

    All at once, as a half-read cursor, kept alive by an exception's traceback, would keep the
    connection from closing and the file locked.
    """
    with closing(connection.execute(_SELECT[table])) as cursor:
        rows = cursor.fetchall()
    for key, value, seal in rows:
        if not isinstance(value, bytes) or seal != _seal(table, key, value):
            raise JournalBroken(path, Damage.DAMAGED)
    return [(key, value) for key, value, _ in rows]


def check(connection: sqlite3.Connection, path: Path) -> int:
    """Check all of the file behind the header; return the last step's number, or 0."""
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise JournalBroken(path, Damage.DAMAGED)
    read(connection, path, "kept")
    last = 0
    for number, _ in read(connection, path, "steps"):
        if number != last + 1:
            raise JournalBroken(path, Damage.STEPS_MISSING, last + 1)
        last += 1
    return last


def _seal(table: str, key: Key, value: bytes) -> bytes:
    """Hash a row, 8 bytes."""
    data = str(key).encode() + b"\0" + value
    return blake2b(data, digest_size=8, person=table.encode()).digest()
