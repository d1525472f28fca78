"""One table as it runs: its room, journal and bots, and the connections of those who came.

The room's output is held back by `WriteAhead` until its steps are on disk, and sent in order by
`ClientConnections`: it has the trusted connections of a table, or of a hall, by number.

It takes no decision of the game; the room does. How people get here is not its affair:
`net.server.server` runs a table with an entrance of its own, `net.server.club` many behind one. A
`LiveRoom` is what a table and a hall have in common: connections, and a clock that ticks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AsyncExitStack
from functools import partial
from typing import Concatenate, ParamSpec, assert_never

from net.discovery.advert import AdvertStage
from net.protocol.framing import MAX_HOST_FRAME_BYTES, BadFrame, decode, pack
from net.protocol.lobby import Lobby
from net.protocol.messages import CLIENT_KINDS, DiskStatus
from net.protocol.requests import SwitchDoor
from net.room import inputs
from net.room.effects import (
    TICK_S,
    CloseConnection,
    Effects,
    Output,
    SendFrame,
)
from net.room.room import Room
from net.room.standing import Standing
from net.secure.connection import Connection, ConnectionFailed
from net.server.bots import BotPool, BotScheduler, OurBots
from net.server.journal import Journal, JournalWriter
from net.server.journal_format import Finish, PutMeta
from net.server.tables import HostedTable, ServerOptions
from net.tasks import finish

P = ParamSpec("P")

_log = logging.getLogger(__name__)


class ClientConnections:
    """All open, trusted connections by number. Numbers are never used twice.

    Frames wait for who reads slowly. A connection for which too many wait is cut, and its client
    comes back for what it has missed.
    """

    def __init__(self) -> None:
        self._connections: dict[int, Connection] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._connections)

    def add(self, connection: Connection) -> int:
        """Add a connection and return its number."""
        self._last += 1
        self._connections[self._last] = connection
        return self._last

    async def serve(self, number: int, receive: Callable[[bytes], None]) -> None:
        """Call `receive` with what comes on a connection, until it is gone or breaks the rules."""
        connection = self._connections[number]
        try:
            while True:
                receive(await connection.recv())
        except (ConnectionFailed, BadFrame) as end:
            connection.abort()
            _log.info("connection %d is gone: %s", number, end)

    def remove(self, number: int) -> None:
        """Remove a connection that is gone, if it is there."""
        self._connections.pop(number, None)

    def deliver(self, do: Iterable[Output]) -> None:
        """Carry out what a room or a hall puts out, but for connections that are gone by now."""
        for one in do:
            match one:
                case SendFrame(numbers, message):
                    frame = pack(message, MAX_HOST_FRAME_BYTES)
                    for number in numbers:
                        self._send(number, frame)
                case CloseConnection(number):
                    if number in self._connections:
                        self._connections[number].close()
                case _:
                    assert_never(one)

    def _send(self, number: int, frame: bytes) -> None:
        connection = self._connections.get(number)
        if connection is not None:
            try:
                connection.send_packed(frame)
            except ConnectionFailed:
                connection.abort()

    def cut_all(self) -> None:
        """Abort all connections."""
        for connection in self._connections.values():
            connection.abort()


class WriteAhead:
    """Saves the steps of effects, then releases their output; owns the journal until `close`.

    `let_out` is called with the output that may be sent now; `note_disk` when writing begins to
    fail, when it works again, and when the table goes on unsaved. `finished` is set once the frames
    that close the table have been released. Make it in the event loop that runs it.
    """

    def __init__(
        self,
        journal: Journal,
        let_out: Callable[[tuple[Output, ...]], None],
        note_disk: Callable[[DiskStatus], None],
    ) -> None:
        self.finished = asyncio.Event()
        self._let_out = let_out
        self._writer = JournalWriter(journal, note_disk, self._release)
        self._waiting: deque[Effects] = deque()

    def submit(self, effects: Effects) -> None:
        """Save the steps of these effects, and release their output as soon as it may be sent."""
        for step in effects.steps:
            self._writer.write(step)
        if effects.go_unsaved:
            self._writer.go_unsaved()
        if effects.after == 0:
            self._let_out(effects.do)
        else:
            self._waiting.append(effects)
            self._release()

    def put_meta(self, key: str, value: bytes) -> None:
        """Overwrite a metadata value."""
        self._writer.write(PutMeta(key, value))

    def finish(self) -> None:
        """Record that the table is closed for good. If that fails, the table can be resumed."""
        self._writer.write(Finish())

    async def close(self) -> None:
        """Wait until everything that can be written is on disk, then close the journal."""
        await finish(self._writer.close())

    def _release(self) -> None:
        """Release, in order, the output whose steps are on disk."""
        while self._waiting and self._waiting[0].after <= self._writer.saved:
            effects = self._waiting.popleft()
            self._let_out(effects.do)
            if effects.finished:
                self.finished.set()


class LiveRoom(ABC):
    """Runs a room: its connections, and its clock. Make it in the event loop that runs it."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._connections = ClientConnections()
        self._stopped = asyncio.Event()
        self._linked_at = time.monotonic()

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
        """Advance the room's clock, and stop a room in which nobody is for long."""
        while True:
            await asyncio.sleep(TICK_S)
            now = time.monotonic()
            self.happen(inputs.tick)
            self._look()
            if self._connections:
                self._linked_at = now
            elif now - self._linked_at >= self._patience():
                _log.info("nobody has been here for long: the table stops")
                self.stop()

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

    async def serve_as(self, number: int, receive: Callable[[bytes], None]) -> None:
        """Pass on what comes on a connection of ours, until it is gone or breaks the rules."""
        await self._connections.serve(number, receive)

    def attach(
        self, connection: Connection, key: bytes, address: str, *, at_door: bool = False
    ) -> int:
        """Add a trusted connection from an address, and return its number."""
        number = self._connections.add(connection)
        self._announce()
        _log.info("connection %d is up", number)
        self.happen(inputs.add_connection, number, key, address, at_door)
        return number

    def detach(self, number: int) -> None:
        """Forget a connection that is gone."""
        self._connections.remove(number)
        self.happen(inputs.drop_connection, number)
        self._announce()

    def receive(self, number: int, value: bytes) -> None:
        """Handle what came on a connection. Raises BadFrame: it is no message."""
        message = decode(value, *CLIENT_KINDS)
        self.happen(inputs.receive, number, message)

    # Effects.

    def happen(
        self,
        what: Callable[Concatenate[Room, float, P], Effects],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Let something happen to the room now, one of `net.room.inputs`; do what follows."""
        self._apply_effects(what(self._room, time.monotonic(), *args, **kwargs))

    @abstractmethod
    def _apply_effects(self, effects: Effects) -> None:
        """Do what the room has to do: send, now or once it is saved, and what else follows."""

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
                self.happen(inputs.reopen)
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
        self._write_ahead.finish()
        self.stop()

    def _look(self) -> None:
        self._bots.look()

    def _patience(self) -> float:
        idle = self._options.idle_seconds
        return min(idle, self._options.over_seconds) if self._is_over() else idle

    def _is_over(self) -> bool:
        return self._room.stage is AdvertStage.OVER

    def _apply_effects(self, effects: Effects) -> None:
        self._write_ahead.submit(effects)
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
        self.happen(inputs.retire_bot, bot)

    def _note_disk(self, disk: DiskStatus) -> None:
        self.happen(inputs.note_disk, disk)
        self._bots.look()
