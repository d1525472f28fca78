"""An evening at a served table, whose host or guests may be rigged, and what the honest are told.

The table, its connections and the sessions are real. A test rigs one program by a function or two,
and all others are as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from unittest.mock import patch

from msgspec.structs import replace

from engine import Phase
from net.client.credentials import Credentials, CredentialStore
from net.client.draws import OwnShare
from net.client.remote import RemoteSession
from net.client.session import ConnectionState, Update
from net.client.state import ClientState
from net.client.trail import GameState, after_frame
from net.protocol.framing import BadFrame
from net.protocol.game_wire import read_event
from net.protocol.lobby import Lobby, Settings
from net.protocol.lobby_events import LobbyEvent
from net.protocol.messages import (
    ClientMessage,
    HostMessage,
    Snapshot,
    StepFrame,
    Welcome,
    hash_of_all,
)
from net.protocol.requests import NextRound, Request, SetReady, Start
from net.room import inputs
from net.room.broadcast import snapshot
from net.room.effects import Effects, Output, SendFrame
from net.room.room import Room
from net.room.steps import RoomState
from net.secure.address import Address
from net.secure.keys import SeatKey
from net.server.tables import resume
from tests.net.room.room_fixture import dig, set_hash, shares_of
from tests.net.server.served_table import CODE, HERE, Hosted, hosting, run, until

GUESTS = ("Ben", "Cleo")
ALL = ("Ann", *GUESTS)
"""Ann's program holds the table."""

LOST = StepFrame(2**31 - 1, 1, 0, (), (), bytes(8))
"""A step far ahead, for which a client asks for a snapshot."""


class Seat:
    """A session, and what it has told."""

    def __init__(self, name: str, hosted: Hosted, folder: Path) -> None:
        self.name = name
        key = hosted.host_key if name == "Ann" else SeatKey.new()
        where, table = (Address(HERE, hosted.port),), hosted.table.id
        credentials = Credentials(name, where, key, table=table, code=CODE)
        self.updates: list[Update] = []
        store = CredentialStore(folder / name / "seats")
        self.session = RemoteSession(credentials, self.updates.append, store)
        self.task = asyncio.create_task(self.session.run())

    @property
    def is_there(self) -> bool:
        """Whether the session is at the table."""
        status = self.session.status
        return status.lobby is not None and status.connection is ConnectionState.CONNECTED

    async def leave(self) -> None:
        """End the session."""
        self.session.leave()
        await self.task


MessagesFor = Callable[[str, HostMessage], Iterable[HostMessage]]
"""All that somebody is told in place of a message."""

Accepts = Callable[[str, ClientMessage], bool]
"""Whether a message of a person, by name, reaches the host's table."""


class Evening:
    """A table with three people, who sit and are ready; the host may be rigged.

    `messages_for` replaces what the host sends to somebody, with hashes that fit what they hold.
    `accepts` decides which messages reach the host's table. `play` digs for gold for all, so
    that rounds are short.
    """

    def __init__(self, hosted: Hosted, folder: Path, stack: AsyncExitStack) -> None:
        self.hosted = hosted
        self._stack = stack
        self.folder = folder
        self.people: dict[str, Seat] = {}
        self.messages_for: MessagesFor = lambda _name, message: (message,)
        self.accepts: Accepts = lambda _name, _message: True
        self._shadows: dict[str, ClientState] = {}
        self._names: dict[int, str] = {}
        self._rng = Random(0)
        self._rig()

    @property
    def table(self) -> Room:
        """The host's table."""
        return self.hosted.table.room

    @property
    def lobby(self) -> Lobby:
        """Who is there."""
        return self.table.lobby

    def in_secret(self, change: Callable[[RoomState], RoomState]) -> None:
        """Change the host's own state without a step that anybody would see."""
        self.table.state = change(self.table.state)

    # What the host sends and receives.

    def _rig(self) -> None:
        room, sessions = self.hosted.table.room, self.table.sessions
        collect, receive = sessions.collect, inputs.receive

        def collect_rigged() -> tuple[Output, ...]:
            return tuple(message for output in collect() for message in self._rig_output(output))

        def receive_if_accepted(
            table: Room, now: float, connection: int, message: ClientMessage
        ) -> Effects:
            is_accepted = table is not room or self.accepts(self._name(connection), message)
            return receive(table, now, connection, message) if is_accepted else Effects()

        self.table.seeds = lambda: self._rng.randbytes(32)
        sessions.collect = collect_rigged  # type: ignore[method-assign]  # - a host that sends other messages
        self._stack.enter_context(
            patch.object(inputs, "receive", receive_if_accepted)
        )  # and does not receive all

    @asynccontextmanager
    async def stop_and_resume(self) -> AsyncIterator[Path]:
        """Stop the table, and bring it back from its journal, at this path."""
        await self.hosted.stop()
        path = self.hosted.table.journal.path
        yield path
        again = run(resume(path), self.hosted.host_key)
        self.hosted = await self._stack.enter_async_context(again)
        self._shadows, self._names = {}, {}
        self._rig()
        await until(lambda: all(guest.session._connection is not None for guest in self.honest))
        await until(lambda: all(guest.session.publisher.state.entered for guest in self.honest))

    def _name(self, connection: int) -> str:
        """The name of whoever is at the other end."""
        connected = self.table.sessions.connected.get(connection)
        if connected is not None and connected.member is not None:
            person = self.lobby.person(connected.member)
            if person is not None:
                self._names[connection] = person.name
        return self._names.get(connection, "")

    def _rig_output(self, output: Output) -> Iterable[Output]:
        """What becomes of an output, for one connection after the other."""
        if not isinstance(output, SendFrame):
            yield output
            return
        for connection in output.connections:
            name = self._name(connection)
            for message in self.messages_for(name, output.message):
                yield SendFrame((connection,), self._fitting(name, message))

    def _fitting(self, name: str, message: HostMessage) -> HostMessage:
        """A message with the hash that its receiver works out."""
        shadow = self._shadows.setdefault(name, ClientState(name))
        held = shadow.status.game_state
        match message:
            case StepFrame() if held is not None:
                with suppress(LookupError, ValueError):
                    events = tuple(map(read_event, message.events))
                    after = after_frame(held, message, events, shadow.status.member, OwnShare())
                    message = replace(message, hash=hash_of_all(after.lobby, after.view))
            case Snapshot():
                message = set_hash(message)
            case Welcome():
                shadow.begin_connection()
            case _:
                pass
        with suppress(BadFrame):
            shadow.receive(message)
        return message

    def member(self, name: str) -> int:
        """The number of a member."""
        return next(person.member for person in self.lobby.people if person.name == name)

    def says(self, name: str, *messages: HostMessage) -> None:
        """Tell somebody something of one's own accord."""
        sessions = self.table.sessions
        for message in messages:
            sessions.send(sessions.by_member[self.member(name)], message)
        self.hosted.host.apply_effects(self.table.collect())

    def snapshot(self, name: str) -> Snapshot:
        """The snapshot that somebody would be sent now."""
        return snapshot(
            self.table.state, self.member(name), self.table.incarnation, self.table.disk
        )

    def time_is_up(self) -> None:
        """Wait no longer for answers in a draw."""
        self.table.answers.until = 0.0

    # The people.

    async def come(self, *names: str) -> None:
        """People come by the code, sit down one after another, and are ready."""
        for name in names:
            await self._join(name)
            await until(lambda: all(person.is_there for person in self.people.values()))
            await self.wants(name, SetReady(ready=True))

    async def _join(self, name: str) -> None:
        """Let somebody join, again if their program gives up: a newcomer's has six seconds.

        On a busy machine these can be too few, and what waits for it then would wait in vain.
        """
        for _ in range(10):
            seat = self.people[name] = Seat(name, self.hosted, self.folder)
            seat.session.publisher.state.share = OwnShare(shares_of(name))
            await until(lambda: seat.is_there or seat.task.done())  # noqa: B023 - called here
            if seat.is_there:
                return
        raise AssertionError(self.people[name].session.status.ending)

    async def wants(self, name: str, wanted: Request) -> None:
        """Somebody wants something, and it is done, or refused."""
        session = self.people[name].session
        session.request(wanted)
        await until(lambda: not session.status.unanswered)

    async def begin(self) -> None:
        """Begin the game, and wait for its first deal."""
        await self.insist("Ann", Start, lambda: self.lobby.is_drawing or self._has_begun)
        await until(lambda: self._has_begun)
        await self.all_know()

    @property
    def _has_begun(self) -> bool:
        return self.table.state.game is not None

    async def insist(
        self, name: str, make: Callable[[], Request], is_done: Callable[[], bool]
    ) -> None:
        """Have somebody want something until it is done.

        On a busy machine a request can be refused or lost, as people who are not heard for some
        seconds count as gone, and their programs come in again.
        """
        session = self.people[name].session
        asked_at = -1

        def is_done_or_may_ask() -> bool:
            status = session.status
            held, is_there = status.game_state, status.connection is ConnectionState.CONNECTED
            is_news = held is not None and held.step != asked_at and is_there
            return is_done() or (is_news and not status.unanswered)

        while not is_done():
            await until(is_done_or_may_ask)
            if not is_done():
                asked_at = state_held(self.people[name]).step
                session.request(make())

    async def all_know(self) -> None:
        """Wait until all who are at the table have been told all."""
        await until(
            lambda: all(
                state_held(person).step == self.table.state.number
                for person in self.people.values()
                if person.session.status.connection is ConnectionState.CONNECTED
            )
        )

    async def play(self, moves: int = 1000) -> None:
        """Play this many moves, or until the game is over; for whoever is cut off nobody plays."""
        for _ in range(moves):
            await self.all_know()
            game = self.table.state.game
            assert game is not None
            if game.phase is Phase.OVER:
                return
            if game.phase is Phase.DEAL:
                await self.insist(
                    "Ann",
                    NextRound,
                    lambda: self.lobby.is_drawing or self.table.state.phase is not Phase.DEAL,
                )
                await until(lambda: self.table.state.phase is not Phase.DEAL)
                continue
            seat = game.to_act
            assert seat is not None
            name, number = self.lobby.name_at(seat), self.table.state.number
            turn = self.table.state.turn
            if name in self.people:
                person = self.people[name]
                session = person.session
                await until(lambda: state_held(person).step >= number)  # noqa: B023 - called here
                move = dig(game.view(seat), self._rng)
                await self.insist(
                    name,
                    lambda: session.status.move_request(move),  # noqa: B023 - called here
                    lambda: self.table.state.turn != turn,  # noqa: B023 - called here
                )
            await until(lambda: self.table.state.number > number)  # noqa: B023 - called here

    async def play_out(self) -> None:
        """Play to the end of the game."""
        await self.play()
        await self.all_know()

    @property
    def honest(self) -> Sequence[Seat]:
        """Those who are told of it: the guests, at their own computers."""
        return [self.people[name] for name in GUESTS]


def news(message: HostMessage, lie: Callable[[LobbyEvent], LobbyEvent | None]) -> HostMessage:
    """A step with other news, or without some."""
    if not isinstance(message, StepFrame):
        return message
    told = map(lie, message.lobby_events)
    return replace(message, lobby_events=tuple(event for event in told if event is not None))


def state_held(seat: Seat) -> GameState:
    """What a program holds of the table."""
    state = seat.session.status.game_state
    assert state is not None
    return state


def findings_told(seat: Seat) -> list[str]:
    """All that a program has told its player of what is not as it should be, in a few words."""
    return [line for update in seat.updates for line in lines_of(update)]


def lines_of(update: Update) -> Iterable[str]:
    """What an update shows."""
    status, heard = update.status, update.received
    if status.connection is ConnectionState.ENDED:
        yield f"ended: {status.ending}"
    if heard is None:
        return
    if heard.disagreed:
        yield "the host's state is another"
    if heard.renewed:
        yield "let in"
    if heard.lost_steps:
        yield "the table went back"
    yield from (f"false draw of round {number}" for number in heard.false_draws)
    yield from (f"left out of round {number}" for number in heard.left_out)
    if heard.audit is not None:
        audit = heard.audit
        yield from (f"audit: {mismatch.kind}" for mismatch in audit.mismatches)
        yield from (
            f"audit: round {number} without {name}"
            for number, names in audit.left_out
            for name in names
        )
        yield from (f"audit: void: {', '.join(void.names) or 'nobody'}" for void in audit.voids)
        yield from (f"audit: unseen {number}" for number in audit.unseen)
        yield from (f"audit: missed {number}" for number in audit.missed)
        is_whole = audit.is_first and all(void.names for void in audit.voids)
        if not audit.is_first:
            yield "audit: not the first game"
        if is_whole and not (audit.mismatches or audit.unseen or audit.lost_steps):
            yield "audit: checked in part" if audit.missed else "audit: checked"


@asynccontextmanager
async def evening(
    where: Path, folder: Path, *, rounds: int = 1, people: Sequence[str] = ALL
) -> AsyncIterator[Evening]:
    """An evening at a new table."""
    async with AsyncExitStack() as stack:
        settings = Settings(seats=len(people), rounds=rounds)
        hosted = await stack.enter_async_context(hosting(where, settings))
        made = Evening(hosted, folder, stack)
        try:
            await made.come(*people)
            yield made
        finally:
            for person in made.people.values():
                await person.leave()
