"""The journal of a table: open for its host, written beside an event loop, or one of a folder.

`net.server.journal_format` has what is in the file. Each commit appends one frame and waits until
the disk has it. A lock beside the file, held as long as the host runs, keeps a second host away.

An open journal may move from one thread to another, but only one thread at a time may use it.

Writes that are requested in one turn of the loop, or while a commit runs, become one commit (group
commit), so that ten steps at once cost one sync.

A write error (a full disk) fails all waiting writes, once, in order, and none of them is on disk.
The host then either submits the same steps again when it likes, or calls `go_unsaved`.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Final, Self, TypeAlias

from net.files import create, file_lock, is_held, private_folder, replace, sync
from net.room.effects import JournalStep
from net.server.journal_format import (
    Contents,
    Finish,
    Founded,
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
    Obstacle,
    Opened,
    PutMeta,
    Unreadable,
    Write,
    begin_file,
    read_file,
    translate_errors,
    write_frame,
)

MAX_STALE_BYTES: Final = 1 << 20
"""Bytes of overwritten values beyond which a journal is written anew as it is opened."""

_SUFFIX: Final = ".table"
_LOCK_SUFFIX: Final = ".lock"


class Journal:
    """The open journal of one table, locked by this process until closed or the process dies.

    Made by `create` or `open`.
    """

    def __init__(self, path: Path, contents: Contents, file: IO[bytes], held: ExitStack) -> None:
        """Keep what `open` has read and opened; call `create` or `open` instead."""
        self.path = path
        self.founded = contents.founded
        self.incarnation = contents.incarnation + 1
        self.kept: Mapping[str, bytes] = contents.kept
        """The metadata values that were there when the journal was opened, by key."""
        self.steps: Sequence[JournalStep] = contents.steps
        """The steps that were there when the journal was opened."""
        self.last = contents.last
        """Number of the last step on disk, 0 before the first."""
        self._size = contents.size
        self._file = file
        self._held = held

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        table: str,
        name: str,
        meta: Mapping[str, bytes],
        steps: Sequence[bytes] = (),
    ) -> Self:
        """Create a journal that only its owner can read, with these steps; open it for hosting.

        Its folder is created if missing, and closed to other users. The file appears whole or not
        at all.

        Raises:
            FileExistsError: there is a file of that name already.
            JournalUnwritable: the folder or the disk cannot be written.
        """
        writes: list[Write] = [PutMeta(key, value) for key, value in meta.items()]
        writes += [JournalStep(number, payload) for number, payload in enumerate(steps, 1)]
        if path.exists():
            raise FileExistsError(path)
        with translate_errors(path):
            private_folder(path.parent)
            path.parent.chmod(0o700)
            create(path, begin_file(Founded(table, name, time.time()), writes))
        try:
            return cls.open(path)
        except BaseException:
            with suppress(OSError):  # nobody has it, so nobody is to resume it
                remove_journal(path)
            raise

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a journal to host its table again, after checking all of it.

        A commit that was cut off is removed. The incarnation is counted up, on disk, before this
        returns.

        Raises:
            JournalMissing: no such file.
            JournalBusy: another host holds it.
            JournalFinished: the table was closed for good.
            JournalBroken: not a whole journal.
            JournalUnwritable: the disk is full or read-only.
        """
        if not path.exists():
            raise JournalMissing(path)
        with ExitStack() as held:
            with translate_errors(path):
                file = held.enter_context(path.open("r+b", buffering=0))
            if not held.enter_context(file_lock(_lock_of(path))):
                raise JournalBusy(path)
            with translate_errors(path):
                path.chmod(0o600)
                contents = _parse(path, file.read())
                if contents.finished:
                    raise JournalFinished(path)
                if contents.stale > MAX_STALE_BYTES:
                    replace(path, contents.write())
                    file = held.enter_context(path.open("r+b", buffering=0))
                    contents = _parse(path, file.read())
            journal = cls(path, contents, file, held.pop_all())
        try:
            journal._append([Opened(journal.incarnation)])
        except BaseException:
            journal.close()
            raise
        return journal

    def commit(self, writes: Sequence[Write]) -> None:
        """Write all `writes`, in order; they are on disk on return. After an error none of them is.

        Raises:
            JournalUnwritable: the disk is full, or the file is gone.
            ValueError: a step does not follow the last one.
        """
        last = self.last
        for write in writes:
            if isinstance(write, JournalStep):
                if write.number != last + 1:
                    raise ValueError(f"step {write.number} does not follow {last}")
                last = write.number
        self._append(writes)
        self.last = last

    def _append(self, writes: Sequence[Opened | Write]) -> None:
        """Append a frame where the last whole one ends, over what a failed write has left there."""
        frame = write_frame(writes)
        with translate_errors(self.path):
            if not self._is_in_place():
                raise JournalUnwritable(self.path, Obstacle.GONE)
            self._file.truncate(self._size)
            self._file.seek(self._size)
            written = self._file.write(frame)
            if written < len(frame):  # the disk is full: writing the rest says so
                self._file.write(frame[written:])
            sync(self._file)
        self._size += len(frame)

    def _is_in_place(self) -> bool:
        """Return True unless the open file was deleted or replaced: writing would go on unseen."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        return False

    def close(self) -> None:
        """Close the file and release the lock."""
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def remove_journal(path: Path) -> None:
    """Remove a journal that nobody has open, and its lock.

    Raises OSError: a file cannot be removed.
    """
    path.unlink(missing_ok=True)
    _lock_of(path).unlink(missing_ok=True)


def read_contents(path: Path) -> Contents:
    """Return what a journal holds, without opening it to write. Raises JournalError: it cannot."""
    if not path.exists():
        raise JournalMissing(path)
    with translate_errors(path):
        data = path.read_bytes()
    return _parse(path, data)


def _lock_of(path: Path) -> Path:
    return path.with_suffix(_LOCK_SUFFIX)


def _parse(path: Path, data: bytes) -> Contents:
    try:
        return read_file(data)
    except Unreadable as error:
        raise JournalBroken(path, error.damage, error.format) from error


# The journals in a folder.


@dataclass(frozen=True, slots=True)
class JournalInfo:
    """A table that has a journal. Times are in seconds since 1970."""

    path: Path
    table: str
    name: str
    created: float
    changed: float
    """Time of the last write to the journal."""
    finished: bool
    busy: bool
    """True if a host runs the table now."""


@dataclass(frozen=True, slots=True)
class UnreadableJournal:
    """A file that is named as a journal but cannot be read, with the error."""

    path: Path
    changed: float
    error: JournalError


def path_of(table: str, folder: Path) -> Path:
    """Return the path of a table's journal; `table` is its id, of letters and digits only."""
    assert table.isalnum(), table
    return folder / f"{table}{_SUFFIX}"


def list_journals(folder: Path) -> list[JournalInfo | UnreadableJournal]:
    """Return the journals in a folder, last changed first; none if there is no folder.

    Those of running tables are read, too, as far as they are written.
    """
    return sorted(_look(folder), key=lambda entry: entry.changed, reverse=True)


def remove_finished(folder: Path, before: float) -> list[Path]:
    """Remove the journals of finished tables last changed before a time; return their paths.

    No host can open one of them meanwhile, as a finished table is not resumed. `before` is in
    seconds since 1970.

    Raises JournalUnwritable: a file cannot be removed.
    """
    old = [
        entry.path
        for entry in list_journals(folder)
        if isinstance(entry, JournalInfo)
        and entry.finished
        and not entry.busy
        and entry.changed < before
    ]
    for path in old:
        with translate_errors(path):
            remove_journal(path)
    return old


def _look(folder: Path) -> Iterator[JournalInfo | UnreadableJournal]:
    """Yield an entry for each journal of a folder."""
    for path in folder.glob(f"*{_SUFFIX}"):
        try:
            changed = path.stat().st_mtime
            try:
                with translate_errors(path):
                    data = path.read_bytes()
                contents = _parse(path, data)
            except JournalError as error:
                yield UnreadableJournal(path, changed, error)
                continue
        except FileNotFoundError:  # removed meanwhile
            continue
        founded, busy = contents.founded, is_held(_lock_of(path))
        yield JournalInfo(
            path,
            founded.table,
            founded.name,
            founded.created,
            changed,
            finished=contents.finished,
            busy=busy,
        )


Batch: TypeAlias = list[tuple[Write, asyncio.Future[None]]]
Work: TypeAlias = Callable[[], None]
Ended: TypeAlias = Callable[[BaseException | None], None]


class WorkThread:
    """A thread that does one work after the other, and calls back in the loop that made it.

    An executor would do, at twice the cost: this makes nothing for a work but its place in a queue,
    and what follows is called in the turn of the loop that hears of its end, not two turns later.
    """

    def __init__(self, name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue = SimpleQueue[tuple[Work, Ended] | None]()
        # A daemon, so that a program that ends without `stop` ends, as if it had been killed.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def do(self, work: Work, ended: Ended) -> None:
        """Do a work in the thread, then call `ended` in the loop, with its error if it raised."""
        self._queue.put((work, ended))

    async def do_and_wait(self, work: Work) -> None:
        """Do a work in the thread, and wait until it is done. Raises what it raises."""
        future = self._loop.create_future()
        self.do(work, partial(_settle, future))
        await future

    def stop(self) -> None:
        """End the thread once everything is done."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (given := self._queue.get()) is not None:
            work, ended = given
            error: BaseException | None = None
            try:
                work()
            except BaseException as raised:  # noqa: BLE001 - whoever gave the work hears of it
                error = raised
            with suppress(RuntimeError):  # the loop is closed, and nobody hears of it any more
                self._loop.call_soon_threadsafe(ended, error)


class JournalWriter:
    """Writes a journal in a thread, in order; owns the journal from now until `close`.

    Both callbacks are called in the event loop. `on_trouble`: with the error when writing begins to
    fail (not again for retries that fail), and with None once a write succeeds again. `on_written`:
    with the number of the last step that needs no more waiting, as soon as a commit is done.
    """

    def __init__(
        self,
        journal: Journal,
        on_trouble: Callable[[JournalError | None], None],
        on_written: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.trouble: JournalError | None = None
        self.unsaved = False
        self._journal = journal
        self._on_trouble = on_trouble
        self._on_written = on_written
        self._next = journal.last + 1
        self._closed = False
        self._waiting: Batch = []
        self._idle = asyncio.Event()  # set while no commit runs or is about to
        self._idle.set()
        self._loop = asyncio.get_running_loop()
        self._thread = WorkThread("journal")

    @property
    def due(self) -> int:
        """Number of the step to be written next: those before it are on disk, or about to be."""
        return self._next

    def write(self, write: Write) -> asyncio.Future[None]:
        """Request a write; the future resolves once it is on disk, or fails with a JournalError.

        After a failure, the next step must be the first that failed; a later one fails at once.
        After `go_unsaved`, everything but Finish resolves at once and is not written; `on_written`
        is then called a turn later.

        Raises ValueError: a step is out of order, which is a bug of the host.
        """
        assert not self._closed, "the writer is closed"
        future = self._loop.create_future()
        match write:
            case JournalStep(number) if number > self._next and self.trouble is not None:
                _settle(future, self.trouble)
                return future
            case JournalStep(number) if number != self._next:
                raise ValueError(f"step {number} where {self._next} was due")
            case JournalStep():
                self._next += 1
            case _:
                pass
        if self.unsaved and not isinstance(write, Finish):
            future.set_result(None)
            if isinstance(write, JournalStep):
                self._loop.call_soon(self._on_written, write.number)
            return future
        self._waiting.append((write, future))
        if self._idle.is_set():
            self._idle.clear()
            self._loop.call_soon(self._begin)
        return future

    async def go_unsaved(self) -> None:
        """Stop saving steps from now on."""
        while not self._idle.is_set():  # a write may be requested before we resume
            await self._idle.wait()
        self.unsaved, self.trouble = True, None

    async def close(self) -> None:
        """Wait until every requested write is on disk or has failed, then close the journal."""
        while not self._idle.is_set():
            await self._idle.wait()
        self._closed = True
        await self._thread.do_and_wait(self._journal.close)
        self._thread.stop()

    def _begin(self) -> None:
        """Commit all waiting writes."""
        batch, self._waiting = self._waiting, []
        writes = [write for write, _ in batch]
        self._thread.do(partial(self._journal.commit, writes), partial(self._settle_commit, batch))

    def _settle_commit(self, batch: Batch, error: BaseException | None) -> None:
        """Settle the futures of a finished commit, and begin the next one."""
        if error is None:
            if self._waiting:
                self._begin()
            else:
                self._idle.set()
            for _, future in batch:
                _settle(future, None)
            numbers = [write.number for write, _ in batch if isinstance(write, JournalStep)]
            if numbers:
                self._on_written(numbers[-1])
            if self.trouble is not None:
                self.trouble = None
                self._on_trouble(None)
            return
        self._idle.set()
        failed, self._waiting = batch + self._waiting, []
        self._next -= sum(isinstance(write, JournalStep) for write, _ in failed)
        for _, future in failed:
            _settle(future, error)
        assert isinstance(error, JournalError), "the journal failed in a way it does not name"
        fresh, self.trouble = self.trouble is None, error
        if fresh:
            self._on_trouble(error)


def _settle(future: asyncio.Future[None], error: BaseException | None) -> None:
    """Resolve or fail a future, unless it was cancelled."""
    if future.cancelled():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
        future.exception()  # asyncio logs one that nobody asks for; `on_trouble` tells of it
