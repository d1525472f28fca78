"""Write-ahead: the room's output is held back until its steps are on disk, then sent in order."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from net.journal.errors import JournalError
from net.journal.format import Finish, PutMeta
from net.journal.journal import Journal
from net.journal.writer import JournalWriter
from net.protocol.messages import DiskStatus
from net.room.effects import Effects, JournalStep, Output, without
from net.tasks import cancel_and_wait, finish

WRITE_RETRY_S: Final = 1.0
"""Seconds between two attempts to write after a write error."""

_log = logging.getLogger(__name__)


class WriteAhead:
    """Saves the steps of effects, then releases their output; owns the journal until `close`.

    `let_out` is called with the output that may be sent now; `disk_is` when writing begins to fail,
    when it works again, and when the table goes on unsaved. `finished` is set once the frames that
    close the table have been released. Make it in the event loop that runs it.
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
        self._writer = JournalWriter(journal, self._on_trouble, self._written)
        self._saved = journal.last
        self._unsaved: deque[JournalStep] = deque()
        self._waiting: deque[Effects] = deque()
        self._give_up = asyncio.Event()
        self._mending: asyncio.Task[None] | None = None
        self._closing = False

    def submit(self, effects: Effects) -> None:
        """Save the steps of these effects, and release their output as soon as it may be sent."""
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
        """Overwrite a metadata value. A write error is reported like any other."""
        _ = self._writer.write(PutMeta(key, value))

    def forget(self, connection: int) -> None:
        """Drop the output that is held back for a connection that is gone."""
        self._waiting = deque(
            replace(effects, do=without(connection, effects.do)) for effects in self._waiting
        )

    async def finish(self) -> None:
        """Record that the table is closed for good. If that fails, the table can be resumed."""
        try:
            await self._writer.write(Finish())
        except JournalError as error:
            _log.warning("the journal could not be finished: %s", error)

    async def close(self) -> None:
        """Wait until everything that can be written is on disk, then close the journal."""
        self._closing = True
        try:
            if self._mending is not None:
                await cancel_and_wait(self._mending)
        finally:
            await finish(self._writer.close())
        if self._unsaved:
            _log.warning("%d steps that nobody was told of are not saved", len(self._unsaved))

    def _write(self, steps: Iterable[JournalStep]) -> list[asyncio.Future[None]]:
        return [self._writer.append(step.number, step.payload, step.rewritten) for step in steps]

    def _written(self, number: int) -> None:
        """Handle a finished write: all steps up to this one are on disk."""
        while self._unsaved and self._unsaved[0].number <= number:
            self._unsaved.popleft()
        self._saved = number
        self._release()

    def _release(self) -> None:
        """Release, in order, the output whose steps are on disk."""
        while self._waiting and self._waiting[0].after <= self._saved:
            effects = self._waiting.popleft()
            self._let_out(effects.do)
            if effects.finished:
                self.finished.set()

    # Write errors.

    def _on_trouble(self, error: JournalError | None) -> None:
        """Handle a write error by starting to retry; `_mend` itself notices that writing works."""
        if error is None or self._writer.unsaved or self._mending is not None:
            return
        _log.warning("the journal cannot be written: %s", error)
        if self._closing:
            return
        self._give_up.clear()
        self._mending = asyncio.create_task(self._mend())
        self._disk_is(DiskStatus.FULL)

    async def _mend(self) -> None:
        """Retry the unsaved steps until they are on disk, or until the host decides to go unsaved.

        Held-back output is released before `disk_is` is called, as it was made while the disk was
        full and says so.
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
