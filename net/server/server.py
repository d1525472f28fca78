"""The table server: listener, room, journal, bots and announcer of one table, joined in one loop.

It takes no decision of the game; the room does.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from net.discovery.advert import HIGHEST_TERM, OURS, Advert, AdvertStage, DoorPorts, read_port
from net.discovery.announcer import Announcer
from net.discovery.sockets import PortClaim
from net.protocol.election import Standby
from net.protocol.framing import BadFrame, decode
from net.protocol.messages import CLIENT_KINDS, ClientMessage, DiskStatus, DoorNow
from net.protocol.requests import DoorKind
from net.room import inputs
from net.room.computers import Origin
from net.room.effects import TICK_S, Effects
from net.room.succession import term_of
from net.secure.authenticate import accept_peer
from net.secure.code import RoomCode
from net.secure.connection import Connection, ConnectionFailed
from net.secure.guess_limiter import GuessLimiter, WrongCodes, home_of
from net.secure.listener import listen
from net.secure.server import HostHandshake, TableTrust
from net.server.bot_pool import BotPool
from net.server.bot_process import WORKER_ARGUMENTS
from net.server.bots import BotPace, BotScheduler
from net.server.door_answers import DoorTable, GuestKeys
from net.server.door_messages import DoorOrder
from net.server.doors import Doors
from net.server.output import ClientConnections, WriteAhead
from net.server.standbys import StandbyProbes
from net.server.tables import HostedTable

TICKS_AT_REST: Final = 3
"""Times `TICK_S` from one tick to the next if nothing happens: less than `MAX_CLOCK_STEP_S`."""

_log = logging.getLogger(__name__)


def origin_of(connection: Connection) -> Origin:
    """Return the place that a connection to a table comes from."""
    return Origin(connection.peer, connection.is_here)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a table server.

    `announce`: advertise the table on the network. `idle_seconds`: time without any connection
    after which the server stops (the table can be resumed); `over_seconds`: the same once the game
    is over, if that is less, as such a table is on no list. `pace`: the time that bots take.
    `worker`: arguments of Python that start a process of bots; `doors`: those that start the
    process of each door that there is, with its state in `doors_folder`, speaking `language`;
    `on_door`: called with the state of a door, which the host is sent as well. `starts_with`: see
    `net.room.room.Room`. `origin`: tells the place that a connection comes from.
    """

    announce: bool = True
    idle_seconds: float = math.inf
    over_seconds: float = 60.0
    pace: BotPace = field(default_factory=BotPace)
    worker: Sequence[str] = WORKER_ARGUMENTS
    doors: Mapping[DoorKind, Sequence[str]] = field(default_factory=dict)
    doors_folder: Path = Path()
    on_door: Callable[[DoorNow], None] = lambda _: None
    language: str = "en"
    starts_with: int = 0
    origin: Callable[[Connection], Origin] = origin_of


class TableServer:
    """Runs a table on a claimed port, and owns both. Make it in the event loop that runs it."""

    def __init__(
        self, table: HostedTable, claim: PortClaim, options: ServerOptions | None = None
    ) -> None:
        self.table = table
        self.announcer: Announcer | None = None
        self._options = options or ServerOptions()
        self._claim = claim
        self._room = table.room
        self._room.starts_with = self._options.starts_with
        self._connections = ClientConnections()
        self._write_ahead = WriteAhead(table.journal, self._connections.deliver, self._note_disk)
        self._bot_pool = BotPool(self._give_up_bot, self._options.worker)
        self._bots = BotScheduler(
            self._room, self._bot_pool, self._options.pace, self._apply_effects
        )
        self._guesses = GuessLimiter()
        self._guest_keys = GuestKeys()
        self._door_code = table.code
        self._standbys = StandbyProbes(lambda: self._room.standbys, self._note_standby)
        self._doors = Doors(self._door_table(), self._options.doors)
        self._outline = self._room.lobby, self._room.stage
        self._stopped = asyncio.Event()
        self._linked_at = self._ticked_at = self._tick_at = time.monotonic()
        self._tick_is_sooner = asyncio.Event()
        if self._options.announce:
            self.announcer = Announcer(
                self._advert(), claim.port, claim.udp, self._announcing_troubled
            )

    def stop(self) -> None:
        """Stop, closing all connections without a message, so that clients look for the table."""
        self._stopped.set()

    async def run(self) -> None:
        """Run the table until it is closed for good, stopped, or this task is cancelled."""
        async with AsyncExitStack() as stack:
            stack.callback(self._claim.close)
            stack.push_async_callback(self._write_ahead.close)
            if self.announcer is not None:
                await stack.enter_async_context(self.announcer)
            stack.push_async_callback(self._bot_pool.close)
            stack.push_async_callback(self._doors.close)
            for kind in self.table.doors:
                self._doors.switch(kind, is_open=True)
            if self._claim.port != self.table.port:
                self._write_ahead.put_meta("port", b"%d" % self._claim.port)
            if self.table.is_resumed:
                self._apply_effects(inputs.reopen(self._room, time.monotonic()))
            await self._work()

    async def _work(self) -> None:
        """Run all concurrent tasks until the server is stopped."""
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(listen(self._claim.tcp, self.table.certificate, self._greet)),
                group.create_task(self._tick()),
                group.create_task(self._bots.run()),
                group.create_task(self._see_it_finished()),
                group.create_task(self._standbys.run()),
            ]
            await self._stopped.wait()
            for task in tasks:
                task.cancel()

    async def _see_it_finished(self) -> None:
        """Record the end once the table is closed and its last frames are released, then stop.

        The listener lets those frames leave before it ends their connections.
        """
        await self._write_ahead.finished.wait()
        await self._write_ahead.finish()
        self.stop()

    async def _tick(self) -> None:
        """Advance the room's clock, check the connections, and stop a table that is idle."""
        while True:
            rests = self._room.is_at_rest and not self._connections.are_waiting
            self._ticked_at = now = time.monotonic()
            self._tick_at = now + TICK_S * (TICKS_AT_REST if rests else 1)
            await self._tick_due()
            now = time.monotonic()
            self._apply_effects(inputs.tick(self._room, now))
            self._bots.look()
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
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._tick_is_sooner.wait()
            self._tick_is_sooner.clear()

    def _tick_soon(self) -> None:
        """Bring the next tick forward to `TICK_S` after the last one, if it is later."""
        if self._tick_at > (soon := self._ticked_at + TICK_S):
            self._tick_at = soon
            self._tick_is_sooner.set()

    def _patience(self) -> float:
        """Return the seconds without any connection after which the table stops."""
        idle = self._options.idle_seconds
        return min(idle, self._options.over_seconds) if self._is_over() else idle

    def _is_over(self) -> bool:
        return self._room.stage is AdvertStage.OVER

    # Clients.

    async def _greet(self, connection: Connection) -> None:
        """Serve one connection, from its handshake until it is gone."""
        welcomed = await accept_peer(
            connection, HostHandshake(self._trust(), connection.peer), self._alarm
        )
        number = self._connections.add(connection)
        self._announce()
        _log.info("connection %d is up", number)
        address = home_of(self._guest_keys.address_of(welcomed.key, connection.peer))
        origin, now = self._options.origin(connection), time.monotonic()
        self._apply_effects(
            inputs.add_connection(self._room, now, number, welcomed.key, address, origin)
        )
        try:
            await connection.serve(partial(self._receive, number))
        except (ConnectionFailed, BadFrame) as end:
            connection.abort()
            _log.info("connection %d is gone: %s", number, end)
        finally:
            self._connections.remove(number)
            self._write_ahead.forget(number)
            inputs.drop_connection(self._room, time.monotonic(), number)
            self._announce()

    def _receive(self, number: int, value: object) -> None:
        message: ClientMessage = decode(value, *CLIENT_KINDS)
        self._apply_effects(inputs.receive(self._room, time.monotonic(), number, message))
        if isinstance(message, Standby):
            self._standbys.look()

    def _trust(self) -> TableTrust:
        """Return all that decides about strangers, by the table's current settings."""
        fingerprint = self.table.certificate.fingerprint
        return TableTrust(fingerprint, OURS, self._code(), self._guesses, self._may_return)

    def _code(self) -> RoomCode | None:
        """Return the room code that newcomers need now, None while the table is open."""
        return None if self._room.lobby.settings.is_open else self.table.code

    def _may_return(self, key: bytes) -> bool:
        """Return True if this key may enter without the code: it has a seat, or a door let it."""
        if self._is_seated(key):
            self._guest_keys.note_entry(key)
            return True
        return self._guest_keys.may_enter(key, time.monotonic())

    def _is_seated(self, key: bytes) -> bool:
        """Return True if this key may return without the code: a player's, or the host's own."""
        return key == self.table.host_key or self._room.state.member_with(key) is not None

    def _alarm(self, wrong: WrongCodes) -> None:
        _log.warning("%d wrong codes were tried", wrong.tried)
        self._apply_effects(inputs.note_wrong_codes(self._room, time.monotonic(), wrong.tried))

    # Effects.

    def _apply_effects(self, effects: Effects) -> None:
        self._write_ahead.submit(effects)
        if self.table.code != self._door_code:
            self._door_code = self.table.code
            self._guest_keys.revoke()
        for switch in effects.switches:
            self._doors.switch(switch.kind, is_open=switch.open)
            self._write_ahead.put_meta("doors", " ".join(self._doors.kinds).encode())
        if effects.steps:
            self._bots.look()
            if (outline := (self._room.lobby, self._room.stage)) != self._outline:
                self._outline = outline
                self._standbys.look()
                self._announce()
            self._tick_soon()
        elif time.monotonic() - self._ticked_at >= TICK_S:
            self._tick_soon()  # at once: what came in has woken the process up anyway

    def _announce(self) -> None:
        """Announce the table as it is now; not at all if its game is over and nobody is there."""
        if self.announcer is not None:
            listed = not self._is_over() or bool(self._connections)
            self.announcer.update(self._advert(), listed=listed)

    def _door_is(self, door: DoorNow) -> None:
        self._options.on_door(door)
        self._apply_effects(inputs.note_door(self._room, time.monotonic(), door))
        self._announce()

    def _note_standby(self, member: int, is_reachable: bool) -> None:  # noqa: FBT001 - a callback
        now = time.monotonic()
        self._apply_effects(inputs.note_standby(self._room, now, member, reachable=is_reachable))

    def _door_table(self) -> DoorTable:
        """Return the part of this table that doors may know and ask."""
        table, options = self.table, self._options
        order = DoorOrder(
            table=table.id,
            title=self._room.lobby.name,
            port=self._claim.port,
            pin=table.certificate.fingerprint,
            folder=str(options.doors_folder),
            language=options.language,
        )
        return DoorTable(
            order,
            self._code,
            self._guesses,
            self._guest_keys,
            self._is_seated,
            self._alarm,
            self._door_is,
        )

    def _give_up_bot(self, bot: str) -> None:
        self._apply_effects(inputs.retire_bot(self._room, time.monotonic(), bot))

    def _note_disk(self, disk: DiskStatus) -> None:
        self._apply_effects(inputs.note_disk(self._room, time.monotonic(), disk))
        self._bots.look()

    def _announcing_troubled(self, trouble: OSError | None) -> None:
        self._apply_effects(
            inputs.note_announcing(self._room, time.monotonic(), works=trouble is None)
        )

    def _advert(self) -> Advert:
        """Return the advert of the table: all that strangers may know of it."""
        room = self._room
        seats = len(room.lobby.chairs)
        ports = {kind: read_port(door.port) for kind, door in self._doors.now.items()}
        return Advert(
            self.table.id,
            room.lobby.name,
            OURS,
            room.stage,
            room.lobby.players,
            seats,
            DoorPorts(ports.get(DoorKind.SSH, 0), ports.get(DoorKind.WEB, 0)),
            min(term_of(room.incarnation), HIGHEST_TERM),
        )
