"""The open journal of one table, for the host that runs it.

An open journal may move from one thread to another, but only one thread at a time may use it.
"""

import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Self, assert_never

from net.files import new_file, private_folder
from net.room.journal_step import JournalStep
from net.server import journal_database as database
from net.server.journal_database import read_rows, write_row
from net.server.journal_errors import (
    Damage,
    JournalBroken,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
    Obstacle,
    translate_errors,
)
from net.server.journal_format import Finish, JournalHeader, PutMeta, Write

SPARE_BYTES: Final = 65_536  # bytes kept back for the last note, which takes one page of log


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
        self._files = path, database.log_of(path)
        self._identity = _identity(self._files)
        self._spare = spare_of(path)

    @classmethod
    def create(  # noqa: PLR0913 - all that a new journal begins with
        cls,
        path: Path,
        *,
        table: str,
        name: str,
        meta: Mapping[str, bytes],
        created: float | None = None,
        steps: Iterable[bytes] = (),
    ) -> Self:
        """Create a journal that only its owner can read, with these steps; open it for hosting.

        Its folder is created if missing, and closed to other users. The file appears whole or not
        at all. It is `created` now, if no other time is given, in seconds since 1970.

        Raises:
            FileExistsError: there is a file of that name already.
            JournalUnwritable: the folder or the disk cannot be written.
        """
        with translate_errors(path):
            private_folder(path.parent)
            path.parent.chmod(0o700)
            if path.exists():
                raise FileExistsError(path)
            fresh = new_file(path.parent)
            try:
                connection = database.connect(fresh, "mode=rw")
                try:
                    header = JournalHeader(table, name, time.time() if created is None else created)
                    database.write_new(connection, header, meta, steps)
                    connection.execute("PRAGMA journal_mode=WAL")
                finally:
                    connection.close()
                fresh.replace(path)  # durable with the first sync of the log beside it
            except BaseException:
                _remove((fresh, fresh.with_name(f"{fresh.name}-journal")))
                raise
        try:
            return cls.open(path)
        except BaseException:
            with suppress(OSError):  # nobody has it, so nobody is to resume it
                remove_journal(path)
            raise

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a journal to host its table again, after checking all of it.

        The incarnation is counted up, on disk, before this returns.

        Raises:
            JournalMissing: no such file.
            JournalBusy: another host holds it; found within `LOCK_TIMEOUT_S`.
            JournalFinished: the table was closed for good.
            JournalBroken: not a whole journal.
            JournalUnwritable: the disk is full or read-only.
        """
        with translate_errors(path):
            try:
                path.stat()
            except FileNotFoundError:
                raise JournalMissing(path) from None
            if database.is_altered(path) and not database.is_locked(path):
                raise JournalBroken(path, Damage.DAMAGED)
            connection = database.hold(path)
            try:
                return cls._resume(path, connection)
            except BaseException:
                connection.close()
                raise

    @classmethod
    def _resume(cls, path: Path, connection: sqlite3.Connection) -> Self:
        """Check a file that is locked, and count its incarnation up."""
        header = database.read_header(connection, path)
        last = database.check_file(connection, path)
        if header.finished:
            raise JournalFinished(path)
        path.chmod(0o600)
        connection.execute("PRAGMA journal_mode=WAL")
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

    def read_kept(self) -> dict[str, bytes]:
        """Return the metadata values that the host keeps, by key."""
        with translate_errors(self.path):
            rows = read_rows(self._connection, self.path, "kept")
        return {str(key): value for key, value in rows}

    def steps(self) -> list[JournalStep]:
        """Return the steps, in order."""
        with translate_errors(self.path):
            rows = read_rows(self._connection, self.path, "steps")
        return [JournalStep(int(key), value) for key, value in rows]

    def commit(self, writes: Sequence[Write]) -> None:
        """Write all `writes`, in order, in one transaction that is on disk on return.

        After an error, none of them is written.

        Raises ValueError: a step does not follow the last one.
        """
        last, header = self.last, self.header
        with translate_errors(self.path):
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
            here = _identity(self._files)
        except OSError:
            here = None
        if here != self._identity:
            raise JournalUnwritable(self.path, Obstacle.GONE)

    def _write(self, write: Write, last: int, header: JournalHeader) -> tuple[int, JournalHeader]:
        """Make one write inside a transaction; return the last step and the header after it."""
        put, connection = write_row, self._connection
        match write:
            case JournalStep(number, payload):
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
        with translate_errors(self.path):
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

    def __exit__(self, *_: object) -> None:
        self.close()


def spare_of(path: Path) -> Path:
    """Return the path of the spare file beside an open journal."""
    return path.with_name(path.name + ".spare")


def remove_journal(path: Path) -> None:
    """Remove a journal that nobody has open, and what an earlier program has left beside it.

    Raises OSError: a file cannot be removed.
    """
    # The file last: the others are found by it.
    _remove((database.log_of(path), spare_of(path), path))


def _identity(files: Iterable[Path]) -> tuple[tuple[int, int], ...]:
    """Return device and inode numbers of a journal's file and of its log."""
    found = map(os.stat, files)
    return tuple([(file.st_dev, file.st_ino) for file in found])


def _remove(paths: Iterable[Path]) -> None:
    """Remove those of the files that exist."""
    for path in paths:
        path.unlink(missing_ok=True)
