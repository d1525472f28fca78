"""The journal beside an event loop: writes go in, and each has a future that resolves once on disk.

Writes that are requested in one turn of the loop, or while a commit runs, become one commit (group
commit), so that ten steps at once cost one sync.

A write error (a full disk) fails all waiting writes, once, in order, and none of them is on disk.
The host then either submits the same steps again when it likes, or calls `go_unsaved`.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

from net.room.journal_step import JournalStep
from net.server.journal import Journal
from net.server.journal_errors import JournalError
from net.server.journal_format import Finish, Write

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
