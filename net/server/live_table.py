"""One running table: its room, journal and bots, its entrance, and its clients.

The room's output is held back until its steps are on disk, and sent in order. Frames wait for
clients that read slowly. If too many wait, the connection is cut, and its client reconnects for
what it has missed.

It makes no decision about the game; the room does. A `LiveRoom` is what a table and the hall of a
club have in common: connections, and a clock that ticks. A `TableServer` is a table with an
entrance of its own; a club has one for its hall and all its tables.

At an `Entrance` strangers prove the room code, people who have been here before prove their key,
and guests at the doors prove what the doors ask for.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Concatenate, Final, ParamSpec, assert_never

from net.clock import boot_time
from net.discovery.advert import HIGHEST_TERM, OURS, Advert, AdvertStage, DoorPorts, read_port
from net.discovery.networks import PortClaim
from net.discovery.service import Announcer
from net.protocol import CopyRank
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.framing import MAX_HOST_FRAME_BYTES, decode, pack
from net.protocol.lobby import Lobby
from net.protocol.messages import CLIENT_KINDS, DiskStatus
from net.room import inputs
from net.room.effects import TICK_S, CloseConnection, Effects, Output, SendFrame
from net.room.permissions import term_of
from net.room.room import Room
from net.secure.code import RoomCode
from net.secure.connection import Connection, ConnectionFailed, accept_peer, listen
from net.secure.handshake import HostClaim, TableTrust
from net.secure.keys import TableCertificate
from net.secure.limits import GuessLimiter, home_of
from net.server.bots import BotPool, BotScheduler, OurBots
from net.server.doors import Doors, DoorTable, GuestKeys
from net.server.elsewhere import find_later
from net.server.journal import JournalWriter
from net.server.journal_format import Finish, PutMeta
from net.server.tables import HostedTable, ServerOptions

P = ParamSpec("P")

EMPTY_TICK_S: Final = 2.0  # seconds between ticks while nobody is connected, to wake rarely

_log = logging.getLogger(__name__)


class LiveRoom(ABC):
    """Runs a `room`: its connections, and its clock. Make it in the event loop that runs it."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._connections: dict[int, Connection] = {}  # open, trusted ones by number
        self._last = 0  # the last such number; none is used twice
        self._stopped = asyncio.Event()
        self._linked_at = time.monotonic()

    def stop(self) -> None:
        """Stop, closing all connections without a message, so that clients look for the room."""
        self._stopped.set()

    @property
    def is_stopping(self) -> bool:
        return self._stopped.is_set()

    def make_tasks(self) -> list[Coroutine[object, object, None]]:
        return [self._tick()]

    async def work(self) -> None:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(task) for task in self.make_tasks()]
            await self._stopped.wait()
            for task in tasks:
                task.cancel()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S if self._connections else EMPTY_TICK_S)
            now = time.monotonic()
            self.apply_input(inputs.tick)
            self.start_what_is_due()
            if self._connections:
                self._linked_at = now
            elif now - self._linked_at >= self.patience_s:
                _log.info("nobody has been here for long: the table stops")
                self.stop()

    # Clients.

    def is_known(self, key: bytes) -> bool:
        """Return True if this key may return without the code: it has been here."""
        return self.room.is_known(key)

    async def serve(
        self, connection: Connection, key: bytes, address: str, *, at_door: bool = False
    ) -> None:
        """Serve a trusted connection, whose client has proven this seat key, until it ends."""
        number = self.attach(connection, key, address, at_door=at_door)
        try:
            await self.read(number, partial(self.receive, number))
        finally:
            self.detach(number)

    async def read(self, number: int, receive: Callable[[bytes], None]) -> None:
        connection = self._connections[number]
        try:
            await connection.receive_all(receive)
        except ConnectionFailed as end:
            _log.info("connection %d is gone: %s", number, end)

    def attach(
        self, connection: Connection, key: bytes, address: str, *, at_door: bool = False
    ) -> int:
        self._last += 1
        number = self._last
        self._connections[number] = connection
        self.announce()
        _log.info("connection %d is up", number)
        self.apply_input(inputs.add_connection, number, key, address, at_door)
        return number

    def detach(self, number: int) -> None:
        self._connections.pop(number, None)
        self.apply_input(inputs.drop_connection, number)
        self.announce()

    def receive(self, number: int, value: bytes) -> None:
        """Handle a message. Raises BadFrame: it cannot be read as one."""
        message = decode(value, *CLIENT_KINDS)
        self.apply_input(inputs.receive, number, message)

    def cut_all(self) -> None:
        for connection in self._connections.values():
            connection.abort()

    # Effects.

    def apply_input(
        self,
        what: Callable[Concatenate[Room, float, P], Effects],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Call an input, such as those of `net.room.inputs`, now, and carry out its effects."""
        self.apply_effects(what(self.room, boot_time(), *args, **kwargs))

    def deliver(self, do: Iterable[Output]) -> None:
        """Send the room's output, and skip connections that are lost by now."""
        for effect in do:
            match effect:
                case SendFrame(numbers, message):
                    frame = pack(message, MAX_HOST_FRAME_BYTES)
                    for connection in filter(None, map(self._connections.get, numbers)):
                        try:
                            connection.send_packed(frame)
                        except ConnectionFailed:
                            connection.abort()  # its reader notices, and detaches it
                case CloseConnection(number):
                    if number in self._connections:
                        self._connections[number].close()
                case _:
                    assert_never(effect)

    @abstractmethod
    def apply_effects(self, effects: Effects) -> None:
        """Carry out the room's effects: send, now or once it is saved, and the rest."""

    def start_what_is_due(self) -> None:  # noqa: B027 - in a hall nothing is due automatically
        """Start what is due without anybody's input, at each tick."""

    @property
    @abstractmethod
    def patience_s(self) -> float:
        """The seconds without any connection after which the room stops."""

    @abstractmethod
    def announce(self) -> None:
        """Announce the room on the network again, after it or its people have changed."""


class Entrance:
    """The way into a table or a club: the port, which it owns, the doors and the announcer."""

    def __init__(  # noqa: PLR0913 - everything that strangers see or have to prove
        self,
        room: LiveRoom,
        claim: PortClaim,
        options: ServerOptions,
        certificate: TableCertificate,
        *,
        code: Callable[[], RoomCode | None],
        advert: Callable[[], Advert],
        host: HostClaim | None = None,
    ) -> None:
        """`code` returns the room code that newcomers need now, `None` if they need none.

        `host` says who hosts the table here, if somebody has signed that.
        """
        self.port = claim.port
        self.guesses = GuessLimiter()
        self.guest_keys = GuestKeys()
        self._room = room
        self._certificate = certificate
        self._code = code
        self._make_advert = advert
        self._host = host
        self._claim = claim
        self._options = options
        self.doors = Doors(self.door_table(), options.doors, self._note_door)
        self.announcer: Announcer | None = None
        if options.announce:
            self.announcer = Announcer(self._advert(), claim.port, claim.udp, self._note_announcing)

    async def open(self, stack: AsyncExitStack) -> None:
        if self.announcer is not None:
            await stack.enter_async_context(self.announcer)
        stack.push_async_callback(self.doors.close)

    def close(self) -> None:
        self._claim.close()

    async def listen(self) -> None:
        await listen(self._claim.tcp, self._certificate, self._greet)

    def announce(self) -> None:
        if self.announcer is not None:
            self.announcer.update(self._advert())

    def note_code(self) -> None:
        """Revoke admissions by an old room code, and report the new one."""
        code = self._code()
        if code is not None:
            self.guest_keys.revoke()
        self._options.on_code(code)
        for door in self.doors.now.values():
            if door.port:
                self._options.on_door(door, code)

    async def _greet(self, connection: Connection) -> None:
        trust = self._trust()
        welcomed = await accept_peer(connection, trust, self._note_wrong_codes)
        if trust.code != self._code() and not self._may_return(welcomed.key):
            connection.close()  # the code has changed since: they have to prove the new one
            return
        address = home_of(self.guest_keys.address_of(welcomed.key, connection.peer))
        at_door = self.guest_keys.is_guest(welcomed.key)
        await self._room.serve(connection, welcomed.key, address, at_door=at_door)

    def _trust(self) -> TableTrust:
        return TableTrust(
            self._certificate.fingerprint,
            OURS,
            self._code(),
            self.guesses,
            self._may_return,
            self._host,
            self._make_advert().rank,
        )

    def _may_return(self, key: bytes) -> bool:
        """Return True if this key needs no code: it has been here, or a door has admitted it."""
        if self._room.is_known(key):
            self.guest_keys.note_entry(key)
            return True
        is_removed = key in self._room.room.state.sent_away  # the room tells them
        return is_removed or self.guest_keys.may_enter(key, time.monotonic())

    def _note_wrong_codes(self, tried: int) -> None:
        _log.warning("%d wrong codes were tried", tried)
        self._room.apply_input(inputs.note_wrong_codes, tried)

    def _note_announcing(self, trouble: OSError | None) -> None:
        self._room.apply_input(inputs.note_announcing, works=trouble is None)

    def _note_door(self, door: DoorNow) -> None:
        self._options.on_door(door, self._code())
        self._room.apply_input(inputs.note_door, door)
        self.announce()

    def door_table(self) -> DoorTable:
        advert = self._make_advert()
        return DoorTable(
            advert.id,
            advert.name,
            self._claim.port,
            self._certificate.fingerprint,
            self._code,
            self.guesses,
            self.guest_keys,
            self._room.is_known,
            self._note_wrong_codes,
        )

    def _advert(self) -> Advert:
        ports = {kind: read_port(door.port) for kind, door in self.doors.now.items()}
        doors = DoorPorts(ports.get(DoorKind.SSH, 0), ports.get(DoorKind.WEB, 0))
        return replace(self._make_advert(), doors=doors)


class LiveTable(LiveRoom):
    """Runs a table, and owns its journal; `bots` are processes that several tables share."""

    def __init__(
        self, table: HostedTable, options: ServerOptions, bots: OurBots | None = None
    ) -> None:
        super().__init__(table.room)
        self.table = table
        self._options = options
        self.room.begin_with(table.starts_with)
        self._writer = JournalWriter(table.journal, self._note_disk)
        self.is_closed = False  # the frames that close the table for good have been sent
        self._bot_pool = BotPool(lambda bot: self.apply_input(inputs.retire_bot, bot), ours=bots)
        self._bots = BotScheduler(self.room, self._bot_pool, self._options.pace, self.apply_effects)
        self._outline = self._make_outline()

    async def run(self) -> None:
        async with AsyncExitStack() as stack:
            await self._open(stack)
            if self.table.is_resumed:
                self.apply_input(inputs.reopen)
            await self.work()

    async def _open(self, stack: AsyncExitStack) -> None:
        stack.push_async_callback(self._writer.close)
        stack.push_async_callback(self._bot_pool.close)

    def make_tasks(self) -> list[Coroutine[object, object, None]]:
        return [*super().make_tasks(), self._bots.run()]

    def start_what_is_due(self) -> None:
        self._bots.note_change()

    @property
    def patience_s(self) -> float:
        idle = self._options.idle_seconds
        return min(idle, self._options.over_seconds) if self.is_over else idle

    @property
    def is_over(self) -> bool:
        return self.room.stage is AdvertStage.OVER

    def apply_effects(self, effects: Effects) -> None:
        """Save the steps, then send what follows from them; let bots check if they are due."""
        if effects.after == 0:
            self.deliver(effects.do)
        else:
            self._writer.write(effects.steps, partial(self._let_out, effects))
        if effects.go_unsaved:
            self._writer.go_unsaved()
        if effects.steps:
            self._bots.note_change()
        if effects.steps or self.room.gathering is not None:  # else its outline has not changed
            outline = self._make_outline()
            if outline != self._outline:
                self._outline = outline
                self.announce()

    def _let_out(self, effects: Effects) -> None:
        """Send what waited for its steps; if that closes the table, record the end, and stop.

        The listener sends those frames before it ends their connections.
        """
        self.deliver(effects.do)
        if effects.finished and not self.is_closed:
            self.is_closed = True
            self._writer.write([Finish()])  # if that fails, the table can be resumed
            self.stop()

    def _make_outline(self) -> tuple[Lobby, AdvertStage, CopyRank | None]:
        """Return the contents of the advert. Without a gathering, the rank is the lobby's."""
        room = self.room
        return room.lobby, room.stage, None if room.gathering is None else room.rank

    def _note_disk(self, disk: DiskStatus) -> None:
        self.apply_input(inputs.note_disk, disk)
        self._bots.note_change()


class TableServer(LiveTable):
    """Runs a table on a claimed port, and owns both. Make it in the event loop that runs it."""

    def __init__(self, table: HostedTable, claim: PortClaim, options: ServerOptions) -> None:
        super().__init__(table, options)
        self.entrance = Entrance(
            self,
            claim,
            options,
            table.certificate,
            code=lambda: self.code,
            advert=self.advert,
            host=table.claim,
        )
        self._told_code = self.code
        self.room.first_code = str(table.first_code)

    async def _open(self, stack: AsyncExitStack) -> None:
        stack.callback(self.entrance.close)
        await super()._open(stack)
        await self.entrance.open(stack)
        for kind in self.table.doors:
            self.entrance.doors.switch(kind, is_open=True)
        if self.entrance.port != self.table.port:
            self._writer.write([PutMeta("port", b"%d" % self.entrance.port)])

    def make_tasks(self) -> list[Coroutine[object, object, None]]:
        return [self.entrance.listen(), self._end_once_elsewhere(), *super().make_tasks()]

    async def _end_once_elsewhere(self) -> None:
        pin = self.table.certificate.fingerprint
        copy = await find_later(self.room, self.table.id, pin)
        self._options.on_moved(copy.address)
        self.apply_input(inputs.close_moved)

    # What its entrance needs to know.

    @property
    def code(self) -> RoomCode | None:
        """The room code that newcomers need now, None while the table is open."""
        return None if self.room.lobby.settings.is_open else self.table.code

    def advert(self) -> Advert:
        """Return the advert of the table: all that strangers may know of it, except its doors."""
        lobby, rank = self.room.lobby, self.room.rank
        return Advert(
            self.table.id,
            lobby.name,
            OURS,
            self._stage(),
            lobby.players,
            len(lobby.chairs),
            term=min(term_of(self.room.incarnation), HIGHEST_TERM),
            plays=rank.plays,
            people=rank.people,
        )

    def _stage(self) -> AdvertStage:
        """Return the stage to announce: a table that starts automatically needs no host present."""
        stage, host = self.room.stage, self.room.lobby.person(self.room.lobby.host)
        is_here = self.room.starts_with or (host is not None and not host.presence.is_gone)
        return AdvertStage.AWAY if stage is AdvertStage.LOBBY and not is_here else stage

    def is_known(self, key: bytes) -> bool:
        """Return True if this key may return without the code: a player's, or the host's own."""
        return key == self.table.host_key or self.room.is_known(key)

    # What follows from the table.

    def apply_effects(self, effects: Effects) -> None:
        """Carry out the effects, switch the doors, and report a new room code.

        The open doors are noted in the journal, so that a restart opens them again.
        """
        super().apply_effects(effects)
        doors = self.entrance.doors
        for switch in effects.switches:
            doors.switch(switch.kind, is_open=switch.open)
            self._writer.write([PutMeta("doors", " ".join(doors.kinds).encode())])
        if self.code != self._told_code:
            self._told_code = self.code
            self.entrance.note_code()

    def announce(self) -> None:
        self.entrance.announce()
