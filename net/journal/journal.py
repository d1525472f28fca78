"""The SQLite file of a journal: its schema and its rows, and the open journal of one table.

Every row carries a seal, a BLAKE2b hash of its table, key and value: SQLite has no checksums of its
own, and a flipped bit in a payload would be replayed as a different game. Seals find accidents;
they are no defence against somebody who can write the file.

An open journal may move from one thread to another, but only one thread at a time may use it.
"""

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Final, Self, assert_never

from net.journal import lock, wal_check
from net.journal.errors import (
    Damage,
    JournalBroken,
    JournalFinished,
    JournalUnwritable,
    Obstacle,
    typed,
)

APPLICATION_ID: Final = int.from_bytes(b"SabT", "big")
FORMAT_NUMBER: Final = 2
"""The format that is written, as SQLite's `user_version`."""

OLDEST: Final = 1
"""The oldest format that can be read. It had one more table, `snapshots`, always empty."""

PAGE_BYTES: Final = 4096  # bytes

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

RowKey = str | int


@dataclass(frozen=True, slots=True)
class JournalHeader:
    """The facts about a table that its journal opens with.

    `created` is in seconds since 1970. `incarnation` counts how often the journal was opened for
    hosting, this time included. `unsaved_after` is the last step on disk if the host went on
    without saving, else None.
    """

    table: str
    name: str
    created: float
    incarnation: int = 0
    finished: bool = False
    unsaved_after: int | None = None


def write_row(connection: sqlite3.Connection, table: str, key: RowKey, value: bytes) -> None:
    """Write one row with its seal; a step's number must be new."""
    connection.execute(_INSERT[table], (key, value, _seal(table, key, value)))


def write_new(
    connection: sqlite3.Connection, header: JournalHeader, meta: Mapping[str, bytes]
) -> None:
    """Turn an empty database into a journal."""
    connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={FORMAT_NUMBER}")
    for statement in _SCHEMA.values():
        connection.execute(statement)
    for key, value in (
        ("table", header.table.encode()),
        ("name", header.name.encode()),
        ("created", repr(header.created).encode()),
        ("incarnation", b"%d" % header.incarnation),
    ):
        write_row(connection, "header", key, value)
    for key, value in meta.items():
        write_row(connection, "kept", key, value)
    connection.execute("COMMIT")


def read_header(connection: sqlite3.Connection, path: Path) -> JournalHeader:
    """Return the header of a file, checked to be a journal that we can read.

    Raises:
        JournalBroken: it is no journal, a damaged one, or one of a newer format.
        sqlite3.Error: SQLite cannot read the file.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise JournalBroken(path, Damage.NOT_A_JOURNAL)
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > FORMAT_NUMBER:
        raise JournalBroken(path, Damage.NEWER_FORMAT, version)
    schema = dict(connection.execute("SELECT name, sql FROM sqlite_schema"))
    if version == OLDEST:
        schema.pop("snapshots", None)
    if version < OLDEST or schema != _SCHEMA:
        raise JournalBroken(path, Damage.DAMAGED)
    rows = dict(read_rows(connection, path, "header"))
    if not rows.keys() >= {"table", "name", "created", "incarnation"}:
        raise JournalBroken(path, Damage.DAMAGED)
    unsaved_after = rows.get("unsaved_after")
    return JournalHeader(
        table=rows["table"].decode(),
        name=rows["name"].decode(),
        created=float(rows["created"]),
        incarnation=int(rows["incarnation"]),
        finished="finished" in rows,
        unsaved_after=None if unsaved_after is None else int(unsaved_after),
    )


def bring_up(connection: sqlite3.Connection) -> None:
    """Bring an older format up to ours, so that no older Sabtui opens the journal any more.

    Each statement commits by itself; a kill between them leaves a file that we can still read.
    """
    connection.execute("DROP TABLE IF EXISTS snapshots")
    connection.execute(f"PRAGMA user_version={FORMAT_NUMBER}")


def read_rows(connection: sqlite3.Connection, path: Path, table: str) -> list[tuple[RowKey, bytes]]:
    """Read the rows of a table and check their seals; steps come in the order of their numbers.

    All rows are fetched at once: a half-read cursor, kept alive by an exception's traceback, would
    keep the connection open and the file locked.
    """
    with closing(connection.execute(_SELECT[table])) as cursor:
        rows = cursor.fetchall()
    for key, value, seal in rows:
        if not isinstance(value, bytes) or seal != _seal(table, key, value):
            raise JournalBroken(path, Damage.DAMAGED)
    return [(key, value) for key, value, _ in rows]


def check_file(connection: sqlite3.Connection, path: Path) -> int:
    """Check the whole file except its header; return the last step's number, or 0."""
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise JournalBroken(path, Damage.DAMAGED)
    read_rows(connection, path, "kept")
    last = 0
    for number, _ in read_rows(connection, path, "steps"):
        if number != last + 1:
            raise JournalBroken(path, Damage.STEPS_MISSING, last + 1)
        last += 1
    return last


def _seal(table: str, key: RowKey, value: bytes) -> bytes:
    """Return the seal of a row, 8 bytes."""
    data = str(key).encode() + b"\0" + value
    return blake2b(data, digest_size=8, person=table.encode()).digest()


@dataclass(frozen=True, slots=True)
class AppendStep:
    """The write of one step of the room. Numbers run 1, 2, 3 and so on, without a gap."""

    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class PutMeta:
    """The write of a metadata value under a key; it overwrites an older value."""

    key: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Finish:
    """The write that closes a table for good; it cannot be resumed."""


Write = AppendStep | PutMeta | Finish

SPARE_BYTES: Final = 65_536  # bytes; the last note takes one page of log


class Journal:
    """The open journal of one table, locked by this process until closed or the process dies.

    Made by `create` or `open`. Every method may raise a JournalError: JournalUnwritable when
    writing, JournalBroken when the disk returns other bytes than were written.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, header: JournalHeader, last: int
    ) -> None:
        """Keep what `open` has checked; call `create` or `open` instead."""
        self.path = path
        self.header = header
        self.last = last
        """Number of the last step on disk, 0 before the first."""
        self._connection = connection
        self._file = _identity(path)
        self._spare = path.with_name(path.name + ".spare")

    @classmethod
    def create(
        cls, path: Path, *, table: str, name: str, created: float, meta: Mapping[str, bytes]
    ) -> Self:
        """Create a journal that only its owner can read, and open it for hosting.

        Its folder is created if missing, and closed to other users. The file appears whole or not
        at all.

        Raises:
            FileExistsError: there is a file of that name already.
            JournalUnwritable: the folder or the disk cannot be written.
        """
        with typed(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.chmod(0o700)
            if path.exists():
                raise FileExistsError(path)
            fresh = path.with_name(path.name + ".new")
            leftovers = (fresh, path.with_name(path.name + ".new-journal"))
            _remove(leftovers)
            try:
                os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                connection = lock.connect(fresh, "mode=rw")
                try:
                    write_new(connection, JournalHeader(table, name, created), meta)
                    connection.execute("PRAGMA journal_mode=WAL")
                finally:
                    connection.close()
                fresh.rename(path)  # durable with the first sync of the log beside it
            except BaseException:
                _remove(leftovers)
                raise
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a journal to host its table again, after checking all of it.

        The incarnation is counted up, on disk, before this returns.

        Raises:
            JournalMissing: no such file.
            JournalBusy: another host holds it; found within `lock.LOCK_TIMEOUT_S`.
            JournalFinished: the table was closed for good.
            JournalBroken: not a whole journal.
            JournalUnwritable: the disk is full or read-only.
        """
        with typed(path):
            path.stat()
            if wal_check.was_altered(path, PAGE_BYTES) and not lock.is_locked(path):
                raise JournalBroken(path, Damage.DAMAGED)
            connection = lock.hold(path)
            try:
                return cls._resume(path, connection)
            except BaseException:
                connection.close()
                raise

    @classmethod
    def _resume(cls, path: Path, connection: sqlite3.Connection) -> Self:
        """Check a file that is locked, and count its incarnation up."""
        header = read_header(connection, path)
        last = check_file(connection, path)
        if header.finished:
            raise JournalFinished(path)
        path.chmod(0o600)
        connection.execute("PRAGMA journal_mode=WAL")
        bring_up(connection)
        header = replace(header, incarnation=header.incarnation + 1)
        write_row(connection, "header", "incarnation", b"%d" % header.incarnation)
        journal = cls(path, connection, header, last)
        journal._put_by()
        return journal

    def _put_by(self) -> None:
        """Create the spare file that lets us note a full disk, unless an earlier host left one."""
        try:
            self._spare.touch(mode=0o600)
            if self._spare.stat().st_size < SPARE_BYTES:
                self._spare.write_bytes(os.urandom(SPARE_BYTES))  # random: it cannot be compressed
        except OSError:
            self._spare.unlink(missing_ok=True)

    def kept(self) -> dict[str, bytes]:
        """Return the metadata values that the host keeps, by key."""
        with typed(self.path):
            rows = read_rows(self._connection, self.path, "kept")
        return {str(key): value for key, value in rows}

    def steps(self) -> list[AppendStep]:
        """Return the steps, in order."""
        with typed(self.path):
            rows = read_rows(self._connection, self.path, "steps")
        return [AppendStep(int(key), value) for key, value in rows]

    def commit(self, writes: Sequence[Write]) -> None:
        """Write all `writes`, in order, in one transaction that is on disk on return.

        After an error, none of them is written.

        Raises:
            ValueError: a step does not follow the last one.
        """
        last, header = self.last, self.header
        with typed(self.path):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._look_for_file()
                for write in writes:
                    last, header = self._write(write, last, header)
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise
        self.last, self.header = last, header
        if header.finished:  # a listing reads the file without its log
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _look_for_file(self) -> None:
        """Raise `JournalUnwritable` if the open file, or its log, was deleted or replaced.

        SQLite goes on writing into deleted files without an error, and no table could be resumed
        from them.
        """
        try:
            here = _identity(self.path)
        except OSError:
            here = None
        if here != self._file:
            raise JournalUnwritable(self.path, Obstacle.GONE)

    def _write(self, write: Write, last: int, header: JournalHeader) -> tuple[int, JournalHeader]:
        """Make one write inside a transaction; return the last step and the header after it."""
        put, connection = write_row, self._connection
        match write:
            case AppendStep(number, payload):
                if number != last + 1:
                    raise ValueError(f"step {number} does not follow {last}")
                put(connection, "steps", number, payload)
                if header.unsaved_after is not None:  # resumed from there, and now saved again
                    connection.execute("DELETE FROM header WHERE key = 'unsaved_after'")
                    header = replace(header, unsaved_after=None)
                return number, header
            case PutMeta(key, value):
                put(connection, "kept", key, value)
                return last, header
            case Finish():
                put(connection, "header", "finished", b"1")
                return last, replace(header, finished=True)
            case _:
                assert_never(write)

    def end_unsaved(self) -> None:
        """Record on disk that the table goes on unsaved after the last step.

        To make space on a full disk, the SPARE_BYTES reserved at opening are freed first.
        """
        with typed(self.path):
            self._spare.unlink(missing_ok=True)
            write_row(self._connection, "header", "unsaved_after", b"%d" % self.last)
        self.header = replace(self.header, unsaved_after=self.last)

    def close(self) -> None:
        """Fold the log into the file, remove the spare file and release the lock."""
        with suppress(OSError):
            self._spare.unlink(missing_ok=True)
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _identity(path: Path) -> tuple[tuple[int, int], ...]:
    """Return device and inode numbers of a journal's file and of its log."""
    found = [file.stat() for file in (path, path.with_name(path.name + "-wal"))]
    return tuple((file.st_dev, file.st_ino) for file in found)


def _remove(paths: Iterable[Path]) -> None:
    """Remove those of the files that exist."""
    for path in paths:
        path.unlink(missing_ok=True)
