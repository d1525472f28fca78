"""Nothing leaves before it is on disk: what comes of a room is held back, and let out in order."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from net.journal import Finish, Journal, JournalError, JournalWriter, PutMeta
from net.protocol.messages import DiskStatus
from net.room import Effects, JournalStep, Output
from net.tasks import cancel_and_wait, finish

WRITE_RETRY_S: Final = 1.0
"""Seconds between two tries to write to a disk that did not take it."""

_log = logging.getLogger(__name__)


class WriteAhead:
    """Saves what came of things, and lets it out; owns the journal from now until `close`.

    `let_out` is called with what may be done now, `disk_is` when the disk begins to refuse, when
    it takes all again, and when the table goes on without it. `finished` is set once all are told
    that the table is closed. Make it in its loop.
    """

    def __init__(
        self,
        journal: Journal,
        let_out: Callable[[tuple[Output, ...]], None],
        disk_is: Callable[[DiskStatus], None],
    ) -> None:
        self.finished = asyncio.Event()
        self._let_out = let_out
        self._disk_is = disk_is
        self._writer = JournalWriter(journal, self._on_trouble)
        self._saved = journal.last
        self._unsaved: deque[JournalStep] = deque()
        self._waiting: deque[Effects] = deque()
        self._give_up = asyncio.Event()
        self._mending: asyncio.Task[None] | None = None
        self._closing = False

    def submit(self, effects: Effects) -> None:
        """Save the steps of an outcome, and let the rest out as soon as may be."""
        if effects.go_unsaved:
            self._give_up.set()
        self._unsaved += effects.steps
        self._write(effects.steps)
        if effects.after == 0:
            self._let_out(effects.do)
        else:
            self._waiting.append(effects)
            self._release()

    def put_meta(self, key: str, value: bytes) -> None:
        """Keep a value in place of what was kept; of trouble all are told like of any other."""
        self._writer.write(PutMeta(key, value)).add_done_callback(_exception_of)

    def forget(self, link: int) -> None:
        """Hold nothing back for a link that is gone."""
        self._waiting = deque(
            replace(effects, do=tuple(do for do in effects.do if do.link != link))
            for effects in self._waiting
        )

    async def finish(self) -> None:
        """Note that the table is closed for good. Where the disk refuses, it can be resumed."""
        try:
            await self._writer.write(Finish())
        except JournalError as error:
            _log.warning("the journal could not be finished: %s", error)

    async def close(self) -> None:
        """Wait until all is on disk that can be, and let go of the journal."""
        self._closing = True
        try:
            if self._mending is not None:
                await cancel_and_wait(self._mending)
        finally:
            await finish(self._writer.close())
        if self._unsaved:
            _log.warning("%d steps that nobody was told of are not saved", len(self._unsaved))

    def _write(self, steps: Iterable[JournalStep]) -> list[asyncio.Future[None]]:
        futures = [self._writer.append(step.number, step.payload) for step in steps]
        for future in futures:
            future.add_done_callback(self._written)
        return futures

    def _written(self, future: asyncio.Future[None]) -> None:
        """The oldest step is on disk, or none is."""
        if not future.cancelled() and _exception_of(future) is None:
            self._saved = self._unsaved.popleft().number
            self._release()

    def _release(self) -> None:
        """Let out what does not wait for the disk any more."""
        while self._waiting and self._waiting[0].after <= self._saved:
            effects = self._waiting.popleft()
            self._let_out(effects.do)
            if effects.finished:
                self.finished.set()

    # A disk that refuses.

    def _on_trouble(self, error: JournalError | None) -> None:
        """The keeper tells how writing goes; that it goes well again is seen in `_mend`."""
        if error is None or self._writer.unsaved or self._mending is not None:
            return
        _log.warning("the journal cannot be written: %s", error)
        if self._closing:
            return
        self._give_up.clear()
        self._mending = asyncio.create_task(self._mend())
        self._disk_is(DiskStatus.FULL)

    async def _mend(self) -> None:
        """Write what failed again until it is on disk, or until the host goes on without.

        What was held back leaves first: it says of the disk what was true then.
        """
        disk = DiskStatus.FULL
        while disk is DiskStatus.FULL:
            with suppress(TimeoutError):
                async with asyncio.timeout(WRITE_RETRY_S):
                    await self._give_up.wait()
            if self._give_up.is_set():
                noted = await self._writer.go_unsaved()
                _log.warning("the table goes on unsaved; noted in the journal: %s", noted)
            failures = await asyncio.gather(*self._write(self._unsaved), return_exceptions=True)
            if not any(failures):
                disk = DiskStatus.UNSAVED if self._writer.unsaved else DiskStatus.OK
        self._mending = None
        self._disk_is(disk)


def _exception_of(future: asyncio.Future[None]) -> BaseException | None:
    """Why a write failed, if it did; asking keeps asyncio from complaining that nobody did."""
    return None if future.cancelled() else future.exception()
