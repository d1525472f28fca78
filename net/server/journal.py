"""The journal of a table: open for its host, written beside an event loop, or listed in a folder.

`net.server.journal_format` has what is in the file. Each commit appends one frame and waits until
the disk has it. A lock beside the file, held as long as the host runs, keeps a second host away.

An open journal may move from one thread to another, but only one thread at a time may use it.

Writes that are requested while a commit runs become one commit (group commit), so that ten steps at
once cost two syncs.

After a write error (a full disk) nothing of a commit is on disk, and it is tried again.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Self, TypeAlias

from net.files import LockState, create, file_lock, is_held, private_folder, replace, sync
from net.protocol.messages import DiskStatus
from net.room.effects import JournalStep
from net.server.journal_format import (
    FORMAT,
    Contents,
    Finish,
    Founded,
    JournalBusy,
    JournalError,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
    Opened,
    PutMeta,
    Write,
    begin_file,
    read_file,
    translate_errors,
    write_frame,
)
from net.tasks import finish, wait_for_event

MAX_STALE_BYTES: Final = 1 << 20
"""Bytes of overwritten values beyond which a journal is rewritten when it is opened. A club's file
grows by its whole night whenever that changes."""

QUICK_S: Final = 0.002
"""A sync that takes less than this is done in the event loop: a thread would take longer."""

_SUFFIX: Final = ".table"
_LOCK_SUFFIX: Final = ".lock"
_log = logging.getLogger(__name__)


class Journal:
    """The open journal of a table, locked until closed; made by `create` or `open`."""

    def __init__(self, path: Path, contents: Contents, file: IO[bytes], held: ExitStack) -> None:
        """Keep what `open` has read and opened; call `create` or `open` instead."""
        self.path = path
        self._file_name = os.fspath(path)
        self.founded = contents.founded
        self.incarnation = contents.incarnation + 1
        self.kept: Mapping[str, bytes] = contents.kept
        """The metadata values that were there when the journal was opened, by key."""
        self.steps: Sequence[JournalStep] = contents.steps
        """The steps that were there when the journal was opened."""
        self.last = contents.last  # number of the last step on disk, 0 before the first
        self._size = contents.size
        self._file = file
        self._stat = os.fstat(file.fileno())
        self._held = held
        self._is_at_end = False  # the file ends with a whole frame, and is positioned there
        self.is_quick = False  # True if the last commit took less than `QUICK_S`
        self.is_locked = True
        """False if no disk here has locks: another program may have it open, too."""
        self.has_lost_end: Final = contents.has_lost_end
        """True if something else followed the last commit that can be read."""

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

        Raises FileExistsError, or JournalUnwritable: the folder or the disk cannot be written.
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
            with suppress(OSError):  # it was never used, so nobody should resume it
                remove_journal(path)
            raise

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a journal to host its table again, after checking all of it.

        A commit that was cut off is removed. The incarnation is incremented, on disk, before this
        returns.

        Raises JournalMissing; JournalBusy: another host holds it; JournalFinished: the table was
        closed for good; JournalBroken: not a whole journal; JournalUnwritable.
        """
        with ExitStack() as held:
            with translate_errors(path):
                if not path.exists():
                    raise JournalMissing(path)
                file = held.enter_context(path.open("r+b", buffering=0))
            with translate_errors(path):
                lock = held.enter_context(file_lock(_lock_of(path)))
            if lock is LockState.TAKEN:
                raise JournalBusy(path)
            with translate_errors(path):
                path.chmod(0o600)
                contents = read_file(path, file.read())
                if contents.finished:
                    raise JournalFinished(path)
                if contents.stale > MAX_STALE_BYTES or contents.format < FORMAT:
                    replace(path, contents.write())
                    file = held.enter_context(path.open("r+b", buffering=0))
                    contents = read_file(path, file.read())
            journal = cls(path, contents, file, held.pop_all())
            journal.is_locked = lock is LockState.OURS
        try:
            journal._append([Opened(journal.incarnation)])
        except BaseException:  # such as a full disk: nobody else would release the lock
            journal.close()
            raise
        return journal

    def commit(self, writes: Sequence[Write]) -> None:
        """Write all `writes`, in order; they are on disk on return. After an error none of them is.

        The caller ensures that each step follows the one before.

        Raises JournalUnwritable: the disk is full, or the file is gone.
        """
        self._append(writes)
        self.last += sum(isinstance(write, JournalStep) for write in writes)

    def _append(self, writes: Sequence[Opened | Write]) -> None:
        """Append a frame where the last whole one ends, over what a failed write has left there."""
        frame = write_frame(writes)
        try:
            if not self._is_in_place():
                gone = os.strerror(errno.ENOENT)
                raise FileNotFoundError(errno.ENOENT, gone, str(self.path))
            began = time.perf_counter()
            if not self._is_at_end:
                self._file.truncate(self._size)
                self._file.seek(self._size)
            self._is_at_end = False
            written = self._file.write(frame)
            if written < len(frame):  # the disk is full: writing the rest raises the error
                self._file.write(frame[written:])
            sync(self._file)
            self.is_quick = time.perf_counter() - began < QUICK_S
        except OSError as error:
            raise JournalUnwritable(self.path, error) from error
        self._is_at_end = True
        self._size += len(frame)

    def _is_in_place(self) -> bool:
        """Return True unless the open file was deleted or replaced: writes would then go unseen."""
        try:
            now = os.stat(self._file_name)  # noqa: PTH116 - a Path takes longer, and each move waits
        except OSError:  # no file has its name now
            return False
        return os.path.samestat(self._stat, now)

    def close(self) -> None:
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def remove_journal(path: Path) -> None:
    """Remove a journal that nobody has open, and its lock. Raises OSError."""
    path.unlink(missing_ok=True)
    _lock_of(path).unlink(missing_ok=True)


def read_contents(path: Path) -> Contents:
    """Read a journal without opening it to write. Raises JournalError: it cannot."""
    with translate_errors(path):
        if not path.exists():
            raise JournalMissing(path)
        data = path.read_bytes()
    return read_file(path, data)


def _lock_of(path: Path) -> Path:
    return path.with_suffix(_LOCK_SUFFIX)


# The journals in a folder.


@dataclass(frozen=True, slots=True)
class JournalInfo:
    """A table that has a journal. Times are in seconds since 1970."""

    path: Path
    table: str
    name: str
    created: float
    changed: float  # time of the last write to the journal
    finished: bool
    busy: bool  # True if a host runs the table now


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
    """Return the journals in a folder, last changed first, including those of running tables."""
    found: list[JournalInfo | UnreadableJournal] = []
    for path in folder.glob(f"*{_SUFFIX}"):
        try:
            changed = path.stat().st_mtime
        except FileNotFoundError:  # removed meanwhile
            continue
        except OSError as error:  # one bad file must not keep other tables from being opened
            found.append(UnreadableJournal(path, 0.0, JournalUnwritable(path, error)))
            continue
        try:
            contents = read_contents(path)
        except JournalError as error:
            found.append(UnreadableJournal(path, changed, error))
            continue
        founded, busy = contents.founded, is_held(_lock_of(path))
        about = founded.table, founded.name, founded.created
        found.append(JournalInfo(path, *about, changed, contents.finished, busy))
    return sorted(found, key=lambda entry: entry.changed, reverse=True)


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


WRITE_RETRY_S: Final = 1.0  # seconds between two attempts: somebody may clear the disk meanwhile

_STATUSES: Final = {
    errno.ENOSPC: DiskStatus.FULL,
    errno.EFBIG: DiskStatus.FULL,
    errno.EDQUOT: DiskStatus.QUOTA,
    errno.EROFS: DiskStatus.READ_ONLY,
    errno.ESTALE: DiskStatus.CUT_OFF,
    errno.EIO: DiskStatus.FAULTY,
}

_Entry: TypeAlias = tuple[tuple[Write, ...], Callable[[], None]]


class JournalWriter:
    """Writes a journal in order, in a thread unless the disk is quick; owns it until `close`.

    Failed writes are tried again each second, with what has been added meanwhile, until the disk
    has them or `go_unsaved` is called. `note_disk` is called in the event loop when writing begins
    to fail or fails for another reason, when all is written again, and when the table goes on
    unsaved.
    """

    def __init__(self, journal: Journal, note_disk: Callable[[DiskStatus], None]) -> None:
        self._journal = journal
        self._note_disk = note_disk
        self._next = journal.last + 1
        self._disk = DiskStatus.OK
        self._is_unsaved = self._is_closing = False
        self._queue: list[_Entry] = []  # the writes that are not on disk yet
        self._committing = 0  # entries of the queue in the commit that runs
        self._changed = asyncio.Event()  # something waits, or the writer is closing
        self._hurry = asyncio.Event()  # try again now what has failed
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._task = asyncio.create_task(self._run())

    def write(self, writes: Iterable[Write], then: Callable[[], None] = lambda: None) -> None:
        """Request writes; `then` is called once they, and all before, are on disk or need not be.

        Raises ValueError: a step is out of order, which is a bug of the host.
        """
        writes = tuple(writes)
        assert not (writes and self._task.done()), "the writer is closed"
        for write in writes:
            if isinstance(write, JournalStep):
                if write.number != self._next:
                    raise ValueError(f"step {write.number} where {self._next} was due")
                self._next += 1
        if not self._queue and (not writes or self._commit_at_once(writes)):
            then()
        elif not self._task.done():  # else earlier writes were not saved: keep this one secret
            self._queue.append((writes, then))
            self._changed.set()

    def _commit_at_once(self, writes: Sequence[Write]) -> bool:
        """Commit now if the disk was quick last time; return True if it has these writes."""
        if not self._journal.is_quick or self._is_unsaved or self._is_closing:
            return False
        try:
            self._journal.commit(writes)
        except JournalUnwritable:
            self._journal.is_quick = False  # the thread tries again, and reports the error
            return False
        return True

    def go_unsaved(self) -> None:
        """Save no more steps and values, not even those that wait; the end is still tried."""
        _log.warning("the table goes on unsaved")
        self._is_unsaved = True
        self._hurry.set()

    async def close(self) -> None:
        await finish(self._close())

    async def _close(self) -> None:
        self._is_closing = True
        self._hurry.set()
        self._changed.set()
        try:
            await self._task
        finally:  # a commit may have failed because of a bug of ours
            self._thread.shutdown()
            self._journal.close()
        if self._queue:
            _log.warning("%d writes that nobody was told of are not saved", len(self._queue))

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue or not self._is_closing:
            if not self._queue:
                self._changed.clear()
                await self._changed.wait()
                continue
            self._committing = len(self._queue)
            writes = [write for entry, _ in self._queue for write in entry]
            if self._is_unsaved:
                writes = [write for write in writes if isinstance(write, Finish)]
            try:
                if writes:
                    await loop.run_in_executor(self._thread, self._journal.commit, writes)
            except JournalUnwritable as error:
                if self._is_closing:
                    return
                await self._wait_for_disk(error)
                continue
            for _, then in self._queue[: self._committing]:
                then()
            del self._queue[: self._committing]
            if not self._queue:
                self._set_disk(DiskStatus.UNSAVED if self._is_unsaved else DiskStatus.OK)

    async def _wait_for_disk(self, error: JournalUnwritable) -> None:
        self._hurry.clear()
        if self._disk is DiskStatus.OK:
            _log.warning("the journal cannot be written: %s", error)
        if self._disk is not DiskStatus.UNSAVED:
            self._set_disk(_STATUSES.get(error.error.errno or 0, DiskStatus.OTHER))
        await wait_for_event(self._hurry, WRITE_RETRY_S)

    def _set_disk(self, disk: DiskStatus) -> None:
        if disk is not self._disk:
            self._disk = disk
            self._note_disk(disk)
