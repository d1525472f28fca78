"""What the tests of the host share: a table on a port of this machine, and people who come to it.

All is real: sockets, TLS, the handshake, the journal. Only mDNS is left out.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from random import Random

from engine import Phase
from engine.bots import BOTS, Playouts, Seconds
from engine.cards import Role
from net.client.state import ClientState
from net.discovery.advert import OURS
from net.discovery.networks import claim_port
from net.protocol.framing import BadFrame, decode
from net.protocol.lobby import ChatRule, Lobby, Settings, TablePhase, Taken
from net.protocol.messages import (
    HOST_KINDS,
    ClientMessage,
    CloseReason,
    Closing,
    CommandRefused,
    HostMessage,
    Refusal,
    Welcome,
)
from net.protocol.requests import SetReady, Start, TableRequest
from net.room.steps import RoomState
from net.secure.code import RoomCode
from net.secure.connection import Connection, ConnectionFailed, authenticate, connect
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey
from net.server.bots import BotPace
from net.server.live_table import TableServer
from net.server.tables import HostedTable, ServerOptions, create

HERE = "127.0.0.1"
CODE = RoomCode("lantern", "tiger")
OTHER_CODE = RoomCode("tiger", "lantern")
SMALL = Settings(seats=3, rounds=1, chat=ChatRule.ALL)
QUICK = ServerOptions(announce=False, pace=BotPace((0.0, 0.0), Seconds(0.01)))


async def until(there: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something to be true, and look less often the longer it takes."""
    pause_s = 0.001
    async with asyncio.timeout(seconds):
        while not there():
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 1.3, 0.02)


class Guest:
    """Somebody with a client.

    `plays` tells to play by a bot's advice, and as host to begin, until step `stops_at`; `digs`, to
    dig for gold whatever they are, so that a round soon ends.
    """

    def __init__(self, name: str, port: int, key: SeatKey | None = None) -> None:
        self.port = port
        self.key = key or SeatKey.new()
        self.state = ClientState(name)
        self.pin = b""
        self.plays = False
        self.stops_at: int | None = None
        self.digs = True
        self.attacks = False
        self.got: list[HostMessage] = []
        self.connection: Connection | None = None
        self._rng = Random(name)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def lobby(self) -> Lobby:
        assert self.state.status.game_state is not None
        return self.state.status.game_state.lobby

    @property
    def is_in(self) -> bool:
        """Whether the host has let them in, and what they hold is of its present life."""
        held = self.state.status.game_state
        here = [message for message in self.got if isinstance(message, Welcome)]
        return self.state.entered and held is not None and held.incarnation == here[-1].incarnation

    @property
    def step(self) -> int:
        return 0 if self.state.status.game_state is None else self.state.status.game_state.step

    @property
    def farewell(self) -> CloseReason | None:
        last = self.got[-1] if self.got else None
        return last.reason if isinstance(last, Closing) else None

    @property
    def is_over(self) -> bool:
        view, held = self.state.status.view, self.state.status.game_state
        return view is not None and held is not None and view.phase is Phase.OVER != held.record

    async def join(self, code: RoomCode | None = CODE) -> Guest:
        connection = await connect(HERE, self.port)
        await authenticate(
            connection, ClientHandshake.join(connection.fingerprint, OURS, self.key, code)
        )
        self.pin = connection.fingerprint
        self.begin(connection)
        await until(lambda: self.is_in)
        return self

    async def come_back(self) -> Guest:
        """Come by the key, to the host whose certificate is known, until one is let in."""
        connection = await connect(HERE, self.port, pin=self.pin)
        await authenticate(connection, ClientHandshake.rejoin(self.pin, OURS, self.key))
        self.begin(connection)
        await until(lambda: self.is_in)
        return self

    def begin(self, connection: Connection) -> None:
        self.connection = connection
        self.say(self.state.begin_connection())
        for work in (self._listen(connection), self._beat(connection)):
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def say(self, *messages: ClientMessage) -> None:
        with suppress(ConnectionFailed):
            for message in messages:
                if self.connection is not None:
                    self.connection.send(message)

    async def wants(self, wanted: TableRequest) -> Refusal | None:
        """Want something, and wait for the answer: why not, or `None` if it was done."""
        before = len(self.got)
        self.say(*self.state.request(wanted))
        number = self.state.last_id
        await until(lambda: all(command.id != number for command in self.state.commands))
        refused = [message for message in self.got[before:] if isinstance(message, CommandRefused)]
        return refused[0].reason if refused else None

    async def leave(self) -> None:
        if self.connection is not None:
            self.connection.abort()
        await asyncio.gather(*self._tasks)

    async def _beat(self, connection: Connection) -> None:
        while self.connection is connection:
            self.say(self.state.ping())
            await asyncio.sleep(0.1)

    async def _listen(self, connection: Connection) -> None:
        try:
            while True:
                message: HostMessage = decode(await connection.recv(), *HOST_KINDS)
                self.got.append(message)
                try:
                    received = self.state.receive(message)
                except BadFrame:
                    if not self.attacks:
                        raise
                    continue  # it has asked for what its own state did not
                assert not received.disagreed, "the two sides disagree"
                self.say(*received.send)
                if self.plays and not isinstance(message, CommandRefused):  # else it would flood
                    self.move()
        except ConnectionFailed:
            if self.connection is connection:
                self.connection = None
                self.state.end_connection()

    def move(self) -> None:
        state = self.state
        view, seat = state.status.view, state.status.seat
        if state.status.game_state is None or seat is None or state.commands:
            return
        if not state.entered:
            return
        if self.stops_at is not None and self.step >= self.stops_at:
            return
        chair = self.lobby.chairs[seat]
        between = view is None or view.phase is Phase.DEAL
        if view is not None and view.to_act == seat:
            as_miner = view._replace(role=Role.MINER) if self.digs else view
            move = BOTS["greedy"](as_miner, self._rng, Playouts(0))
            self.say(*state.request(state.status.move_request(move)))
        elif between and chair == Taken(state.status.member, ready=False):
            self.say(*state.request(SetReady(ready=True)))
        elif view is None and self.lobby.host == state.status.member:
            is_full = self.lobby.first_free() is None
            is_ready = all(chair.ready for chair, _ in self.lobby.sitting)
            if is_full and is_ready and self.lobby.stage is TablePhase.LOBBY:
                self.say(*state.request(Start()))


class Hosted:
    """A table that is hosted here, and those who came."""

    def __init__(self, table: HostedTable, host: TableServer, port: int, host_key: SeatKey) -> None:
        self.table = table
        self.host = host
        self.port = port
        self.host_key = host_key
        self.task = asyncio.create_task(host.run())
        self.guests: list[Guest] = []

    @property
    def state(self) -> RoomState:
        return self.table.room.state

    @property
    def is_over(self) -> bool:
        return self.state.game is not None and self.state.game.phase is Phase.OVER

    def guest(self, name: str) -> Guest:
        """Somebody who may come; Ann is the host."""
        guest = Guest(name, self.port, self.host_key if name == "Ann" else None)
        guest.pin = self.table.certificate.fingerprint
        self.guests.append(guest)
        return guest

    async def come(self, *names: str) -> list[Guest]:
        return [await self.guest(name).join() for name in names]

    async def begin(self) -> list[Guest]:
        """Three people come and begin a game, and nobody has made a move yet."""
        people = await self.come("Ann", "Ben", "Cleo")
        for guest in people:
            assert await guest.wants(SetReady(ready=True)) is None
        assert await people[0].wants(Start()) is None
        await until(lambda: self.state.game is not None)  # once the shares of the draw are here
        await self.all_know()
        return people

    async def all_know(self) -> None:
        """Wait until all who have a connection hold what is true now."""
        await until(
            lambda: all(
                guest.step == self.state.number for guest in self.guests if guest.connection
            )
        )

    async def next_move(self) -> None:
        """Whose turn it is makes a move, and all see it."""
        await self.all_know()
        number = self.state.number
        for guest in self.guests:
            guest.move()
        await until(lambda: self.state.number > number)
        await self.all_know()

    async def play_on(self) -> None:
        """Play to the end of the game, and compare what all hold with what is true."""
        for guest in self.guests:
            guest.plays = True
            guest.move()
        here = [guest for guest in self.guests if guest.connection]
        await until(lambda: all(guest.is_over for guest in here))
        await self.compare()

    async def go_on(self) -> None:
        """Make a move for each of three people, and compare what all hold with what is true."""
        for _ in range(3):
            if not self.is_over:
                await self.next_move()
        await self.compare()

    async def compare(self) -> None:
        await self.all_know()
        for guest in self.guests:
            if guest.connection is None:
                continue
            held = guest.state.status.game_state
            assert held is not None
            assert (held.lobby, held.talk) == (self.state.lobby, self.state.talk)
            assert held.view == self.state.view(guest.state.status.seat)

    async def stop(self) -> None:
        self.host.stop()
        await self.wait_for_end()

    async def wait_for_end(self) -> None:
        """Wait until the host has put all away by itself."""
        async with asyncio.timeout(60):
            await self.task


def new_table(where: Path, host_key: SeatKey, settings: Settings = SMALL) -> HostedTable:
    return create(
        where, name="Gold Rush", host_key=host_key.public, settings=settings, port=0, code=CODE
    )


def hosting(
    where: Path, settings: Settings = SMALL, options: ServerOptions = QUICK
) -> AbstractAsyncContextManager[Hosted]:
    key = SeatKey.new()
    return run(new_table(where, key, settings), key, options)


@asynccontextmanager
async def run(
    table: HostedTable, key: SeatKey, options: ServerOptions = QUICK
) -> AsyncIterator[Hosted]:
    """Host a table where it was last, or where there is room."""
    claimed = claim_port(first=table.port or None, ports=[0], hosts=[HERE])
    for listener in claimed.tcp:  # so that little gets stuck on the way to who does not read
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    hosted = Hosted(table, TableServer(table, claimed, options), claimed.port, key)
    try:
        yield hosted
    finally:
        for guest in hosted.guests:
            await guest.leave()
        await hosted.stop()
