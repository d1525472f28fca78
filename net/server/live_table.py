"""One table as it runs: its room, journal and bots, and the connections of those who came.

It takes no decision of the game; the room does. How people get here is not its affair:
`net.server.server` runs a table with an entrance of its own, `net.server.club` many behind one. A
`LiveRoom` is what a table and a hall have in common: connections, and a clock that ticks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from typing import Final

from net.discovery.advert import AdvertStage
from net.protocol.framing import decode
from net.protocol.lobby import Lobby
from net.protocol.messages import CLIENT_KINDS, DiskStatus
from net.protocol.requests import SwitchDoor
from net.room import inputs
from net.room.effects import TICK_S, Effects
from net.room.room import Room
from net.room.standing import Standing
from net.secure.connection import Connection
from net.server.bot_pool import BotPool, OurBots
from net.server.bots import BotScheduler
from net.server.options import ServerOptions
from net.server.output import ClientConnections, WriteAhead
from net.server.tables import HostedTable
from net.tasks import wait_for_event

TICKS_AT_REST: Final = 3
"""Times `TICK_S` from one tick to the next if nothing happens: less than `MAX_CLOCK_STEP_S`."""

_log = logging.getLogger(__name__)


class LiveRoom(ABC):
    """Runs a room: its connections, and its clock. Make it in the event loop that runs it."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._connections = ClientConnections()
        self._stopped = asyncio.Event()
        self._linked_at = self._ticked_at = self._tick_at = time.monotonic()
        self._tick_is_sooner = asyncio.Event()

    def stop(self) -> None:
        """Stop, closing all connections without a message, so that clients look for the room."""
        self._stopped.set()

    def _tasks(self) -> list[Coroutine[object, object, None]]:
        """Return what runs until the room is stopped."""
        return [self._tick()]

    async def _work(self) -> None:
        """Run all concurrent tasks until the room is stopped."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(task) for task in self._tasks()]
            await self._stopped.wait()
            for task in tasks:
                task.cancel()

    async def _tick(self) -> None:
        """Advance the room's clock, check the connections, and stop a room that is idle."""
        while True:
            rests = self._room.is_at_rest and not self._connections.are_waiting
            self._ticked_at = now = time.monotonic()
            self._tick_at = now + TICK_S * (TICKS_AT_REST if rests else 1)
            await self._tick_due()
            now = time.monotonic()
            self._apply_effects(inputs.tick(self._room, now))
            self._look()
            self._connections.cut_stuck()
            for number in self._connections.find_starved():
                self._apply_effects(inputs.note_behind(self._room, now, number))
            if self._connections:
                self._linked_at = now
            elif now - self._linked_at >= self._patience():
                _log.info("nobody has been here for long: the table stops")
                self.stop()

    async def _tick_due(self) -> None:
        """Wait for the next tick, which `_tick_soon` may bring forward."""
        while (left := self._tick_at - time.monotonic()) > 0:
            await wait_for_event(self._tick_is_sooner, left)
            self._tick_is_sooner.clear()

    def _tick_soon(self) -> None:
        """Bring the next tick forward to `TICK_S` after the last one, if it is later."""
        if self._tick_at > (soon := self._ticked_at + TICK_S):
            self._tick_at = soon
            self._tick_is_sooner.set()

    # Clients.

    async def serve(
        self, connection: Connection, key: bytes, address: str, *, at_door: bool = False
    ) -> None:
        """Serve a trusted connection, whose client has proven this seat key, until it is gone."""
        number = self.attach(connection, key, address, at_door=at_door)
        try:
            await self._connections.serve(number, partial(self.receive, number))
        finally:
            self.detach(number)

    async def serve_as(self, number: int, receive: Callable[[object], None]) -> None:
        """Pass on what comes on a connection of ours, until it is gone or breaks the rules."""
        await self._connections.serve(number, receive)

    def attach(
        self, connection: Connection, key: bytes, address: str, *, at_door: bool = False
    ) -> int:
        """Add a trusted connection from an address, and return its number."""
        number = self._connections.add(connection)
        self._announce()
        _log.info("connection %d is up", number)
        now = time.monotonic()
        self._apply_effects(inputs.add_connection(self._room, now, number, key, address, at_door))
        return number

    def detach(self, number: int) -> None:
        """Forget a connection that is gone."""
        self._connections.remove(number)
        self._apply_effects(inputs.drop_connection(self._room, time.monotonic(), number))
        self._announce()

    def receive(self, number: int, value: object) -> None:
        """Handle what came on a connection. Raises BadFrame: it is no message."""
        message = decode(value, *CLIENT_KINDS)
        self._apply_effects(inputs.receive(self._room, time.monotonic(), number, message))

    # Effects.

    def _apply_effects(self, effects: Effects) -> None:
        """Let out what the room has to say; the next tick is at once if one is overdue anyway."""
        self._let_out(effects)
        if effects.steps or time.monotonic() - self._ticked_at >= TICK_S:
            self._tick_soon()

    @abstractmethod
    def _let_out(self, effects: Effects) -> None:
        """Send what these effects send, now or once their steps are saved."""

    @abstractmethod
    def _look(self) -> None:
        """Look with each tick what is to be done."""

    @abstractmethod
    def _patience(self) -> float:
        """Return the seconds without any connection after which the room stops."""

    @abstractmethod
    def _announce(self) -> None:
        """Say that the room, or who is there, looks different now."""


class LiveTable(LiveRoom):
    """Runs a table, and owns its journal.

    Our bots think in the processes `bots` if several tables share them.
    """

    def __init__(
        self, table: HostedTable, options: ServerOptions, bots: OurBots | None = None
    ) -> None:
        super().__init__(table.room)
        self.table = table
        self._options = options
        self._room.begin_with(table.starts_with)
        self._write_ahead = WriteAhead(table.journal, self._connections.deliver, self._note_disk)
        self._bot_pool = BotPool(self._give_up_bot, self._options.worker, ours=bots)
        self._bots = BotScheduler(
            self._room, self._bot_pool, self._options.pace, self._apply_effects
        )
        self._outline = self._make_outline()

    async def run(self) -> None:
        """Run the table until it is closed for good, stopped, or this task is cancelled."""
        async with AsyncExitStack() as stack:
            await self._open(stack)
            if self.table.is_resumed:
                self._apply_effects(inputs.reopen(self._room, time.monotonic()))
            await self._work()

    async def _open(self, stack: AsyncExitStack) -> None:
        """Open what the table needs, and let the stack close it."""
        stack.push_async_callback(self._write_ahead.close)
        stack.push_async_callback(self._bot_pool.close)

    def _tasks(self) -> list[Coroutine[object, object, None]]:
        return [*super()._tasks(), self._bots.run(), self._see_it_finished()]

    async def _see_it_finished(self) -> None:
        """Record the end once the table is closed and its last frames are released, then stop.

        Whoever listens lets those frames leave before it ends their connections.
        """
        await self._write_ahead.finished.wait()
        await self._write_ahead.finish()
        self.stop()

    def _look(self) -> None:
        self._bots.look()

    def _patience(self) -> float:
        idle = self._options.idle_seconds
        return min(idle, self._options.over_seconds) if self._is_over() else idle

    def _is_over(self) -> bool:
        return self._room.stage is AdvertStage.OVER

    def detach(self, number: int) -> None:
        """Forget a connection that is gone, and what was held back for it."""
        self._write_ahead.forget(number)
        super().detach(number)

    def _let_out(self, effects: Effects) -> None:
        self._write_ahead.submit(effects)

    def _apply_effects(self, effects: Effects) -> None:
        super()._apply_effects(effects)
        for switch in effects.switches:
            self._switch(switch)
        if effects.steps:
            self._bots.look()
        outline = self._make_outline()
        if outline != self._outline:  # without a step, too: of those who come to one that gathers
            self._outline = outline
            self._announce()

    def _make_outline(self) -> tuple[Lobby, AdvertStage, Standing]:
        """Return what an advert depends on."""
        return self._room.lobby, self._room.stage, self._room.standing

    @abstractmethod
    def _switch(self, switch: SwitchDoor) -> None:
        """Open or close a door beside the table."""

    def _give_up_bot(self, bot: str) -> None:
        self._apply_effects(inputs.retire_bot(self._room, time.monotonic(), bot))

    def _note_disk(self, disk: DiskStatus) -> None:
        self._apply_effects(inputs.note_disk(self._room, time.monotonic(), disk))
        self._bots.look()
