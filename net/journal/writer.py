"""The journal beside an event loop: writes go in, and each has a future that resolves once on disk.

Writes that are requested in one turn of the loop, or while a commit runs, become one commit (group
commit), so that ten steps at once cost one sync.

A write error (a full disk) fails all waiting writes, once, in order, and none of them is on disk.
The host then either submits the same steps again when it likes, or calls `go_unsaved`.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from net.journal.errors import JournalError
from net.journal.format import AppendStep, Finish, Write
from net.journal.journal import Journal

Batch = list[tuple[Write, asyncio.Future[None]]]


class JournalWriter:
    """Writes a journal in a thread, in order; owns the journal from now until `close`.

    `on_trouble` is called in the event loop: with the error when writing begins to fail (not again
    for retries that fail), and with None once a write succeeds again.
    """

    def __init__(self, journal: Journal, on_trouble: Callable[[JournalError | None], None]) -> None:
        self.trouble: JournalError | None = None
        self.unsaved = False
        self._journal = journal
        self._on_trouble = on_trouble
        self._next = journal.last + 1
        self._closed = False
        self._waiting: Batch = []
        self._idle = asyncio.Event()  # set while no commit runs or is about to
        self._idle.set()
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")

    def append(
        self, number: int, payload: bytes, rewritten: tuple[tuple[int, bytes], ...] = ()
    ) -> asyncio.Future[None]:
        """Request the write of a step: `write(AppendStep(number, payload, rewritten))`."""
        return self.write(AppendStep(number, payload, rewritten))

    def write(self, write: Write) -> asyncio.Future[None]:
        """Request a write; the future resolves once it is on disk, or fails with a JournalError.

        After a failure, the next step must be the first that failed; a later one fails at once.
        After `go_unsaved`, everything but Finish resolves at once and is not written.

        Raises:
            ValueError: a step is out of order, which is a bug of the host.
        """
        assert not self._closed, "the writer is closed"
        future = self._loop.create_future()
        match write:
            case AppendStep(number) if number > self._next and self.trouble is not None:
                future.set_exception(self.trouble)
                return future
            case AppendStep(number) if number != self._next:
                raise ValueError(f"step {number} where {self._next} was due")
            case AppendStep():
                self._next += 1
            case _:
                pass
        if self.unsaved and not isinstance(write, Finish):
            future.set_result(None)
            return future
        self._waiting.append((write, future))
        if self._idle.is_set():
            self._idle.clear()
            self._loop.call_soon(self._begin)
        return future

    async def go_unsaved(self) -> bool:
        """Stop saving steps from now on, and record in the journal after which step.

        Returns True if that record is on disk. If not, `close` tries again, and the caller may.
        """
        while not self._idle.is_set():  # a write may be requested before we resume
            await self._idle.wait()
        self.unsaved, self.trouble = True, None
        try:
            await self._loop.run_in_executor(self._thread, self._journal.end_unsaved)
        except JournalError:
            return False
        return True

    async def close(self) -> None:
        """Wait until every requested write is on disk or has failed, then close the journal."""
        while not self._idle.is_set():
            await self._idle.wait()
        self._closed = True
        await self._loop.run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        """Close the journal; runs in the thread."""
        if self.unsaved and self._journal.header.unsaved_after is None:
            with suppress(JournalError):
                self._journal.end_unsaved()
        self._journal.close()

    def _begin(self) -> None:
        """Commit all waiting writes."""
        batch, self._waiting = self._waiting, []
        writes = [write for write, _ in batch]
        commit = self._loop.run_in_executor(self._thread, self._journal.commit, writes)
        commit.add_done_callback(partial(self._done, batch))

    def _done(self, batch: Batch, commit: asyncio.Future[None]) -> None:
        """Settle the futures of a finished commit, and begin the next one."""
        error = commit.exception()
        if error is None:
            for _, future in batch:
                _settle(future, None)
            if self._waiting:
                self._begin()
            else:
                self._idle.set()
            if self.trouble is not None:
                self.trouble = None
                self._on_trouble(None)
            return
        self._idle.set()
        failed, self._waiting = batch + self._waiting, []
        self._next -= sum(isinstance(write, AppendStep) for write, _ in failed)
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
