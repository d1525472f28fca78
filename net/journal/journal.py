"""The open journal of one table: made, resumed, written, closed.

Knows SQLite's locks and transactions, and that a commit which has returned is on disk. Must not
know the event loop (that is the keeper's), nor what the bytes mean. A journal may move from one
thread to another, but only one at a time may use it.
"""

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self, assert_never

from net.journal import form, lock, log
from net.journal.errors import (
    Damage,
    JournalBroken,
    JournalFinished,
    JournalUnwritable,
    Obstacle,
    typed,
)
from net.journal.form import Header
from net.journal.writes import Finish, Keep, Step, Write

SPARE: Final = 65_536  # bytes; the last word takes one page of log


class Journal:
    """One table's journal, held by this process alone until closed or dead.

    Made by `create` or `open`. Every method may raise a JournalError: JournalUnwritable when
    writing, JournalBroken when the disk gives back other bytes than it was given.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, header: Header, last: int
    ) -> None:
        """Only for `open`."""
        self.path = path
        self.header = header
        self.last = last
        """The number of the last step on disk, 0 before the first."""
        self._connection = connection
        self._file = _identity(path)
        self._spare = path.with_name(path.name + ".spare")

    @classmethod
    def create(
        cls, path: Path, *, table: str, name: str, created: float, kept: Mapping[str, bytes]
    ) -> Self:
        """Make a journal, readable by its owner alone, and open it for hosting.

        Its folder is made where it is missing, and closed to others. The file appears whole or
        not at all.

        Raises:
            FileExistsError: there is a file of that name already.
            JournalUnwritable: the folder or the disk does not take it.
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
                    form.write_new(connection, Header(table, name, created), kept)
                    connection.execute("PRAGMA journal_mode=WAL")
                finally:
                    connection.close()
                fresh.rename(path)  # made to last by the first sync of the log beside it
            except BaseException:
                _remove(leftovers)
                raise
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Take a journal to host its table again, all of it checked first.

        The incarnation is counted up, on disk, before this returns.

        Raises:
            JournalMissing: no such file.
            JournalBusy: another host has it; known within `lock.GRACE`.
            JournalFinished: the table was closed for good.
            JournalBroken: not a whole journal.
            JournalUnwritable: it cannot be hosted from a disk that is full or read-only.
        """
        with typed(path):
            path.stat()
            if log.was_altered(path, form.PAGE) and not lock.is_held(path):
                raise JournalBroken(path, Damage.DAMAGED)
            connection = lock.hold(path)
            try:
                return cls._resume(path, connection)
            except BaseException:
                connection.close()
                raise

    @classmethod
    def _resume(cls, path: Path, connection: sqlite3.Connection) -> Self:
        """Check a file that is held, and count its incarnation up."""
        header = form.read_header(connection, path)
        last = form.check(connection, path)
        if header.finished:
            raise JournalFinished(path)
        path.chmod(0o600)
        connection.execute("PRAGMA journal_mode=WAL")
        form.bring_up(connection)
        header = replace(header, incarnation=header.incarnation + 1)
        form.put(connection, "header", "incarnation", b"%d" % header.incarnation)
        journal = cls(path, connection, header, last)
        journal._put_by()
        return journal

    def _put_by(self) -> None:
        """Take the room for a last word, if it is not there from an earlier host."""
        try:
            self._spare.touch(mode=0o600)
            if self._spare.stat().st_size < SPARE:
                self._spare.write_bytes(os.urandom(SPARE))  # nothing a file system can shrink
        except OSError:
            self._spare.unlink(missing_ok=True)

    def kept(self) -> dict[str, bytes]:
        """Return what the host keeps, by key."""
        with typed(self.path):
            rows = form.read(self._connection, self.path, "kept")
        return {str(key): value for key, value in rows}

    def steps(self) -> list[Step]:
        """Return the steps, in order."""
        with typed(self.path):
            rows = form.read(self._connection, self.path, "steps")
        return [Step(int(key), value) for key, value in rows]

    def commit(self, writes: Sequence[Write]) -> None:
        """Write all of it, in order; on disk on return, or nothing of it.

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
        """Raise `JournalUnwritable` where the file that is open, or its log, has no name any more.

        SQLite goes on to write into deleted files without a word, and nothing could be brought
        back from them.
        """
        try:
            here = _identity(self.path)
        except OSError:
            here = None
        if here != self._file:
            raise JournalUnwritable(self.path, Obstacle.GONE)

    def _write(self, write: Write, last: int, header: Header) -> tuple[int, Header]:
        """Write one thing inside a transaction; return the last step and the header after it."""
        put, connection = form.put, self._connection
        match write:
            case Step(number, payload):
                if number != last + 1:
                    raise ValueError(f"step {number} does not follow {last}")
                put(connection, "steps", number, payload)
                if header.unsaved_after is not None:  # resumed from there, and saved again
                    connection.execute("DELETE FROM header WHERE key = 'unsaved_after'")
                    header = replace(header, unsaved_after=None)
                return number, header
            case Keep(key, value):
                put(connection, "kept", key, value)
                return last, header
            case Finish():
                put(connection, "header", "finished", b"1")
                return last, replace(header, finished=True)
            case _:
                assert_never(write)

    def end_unsaved(self) -> None:
        """Note on disk that the table goes on unsaved after the last step.

        For the full disk there are SPARE bytes put by at opening, which are now given up.
        """
        with typed(self.path):
            self._spare.unlink(missing_ok=True)
            form.put(self._connection, "header", "unsaved_after", b"%d" % self.last)
        self.header = replace(self.header, unsaved_after=self.last)

    def close(self) -> None:
        """Fold the log into the file, and let go of both."""
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
    """Return by what the system knows the files of a journal: its own and its log's."""
    found = [file.stat() for file in (path, path.with_name(path.name + "-wal"))]
    return tuple((file.st_dev, file.st_ino) for file in found)


def _remove(paths: Iterable[Path]) -> None:
    """Remove the files that there are."""
    for path in paths:
        path.unlink(missing_ok=True)
