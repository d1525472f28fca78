"""What the tests of a club share: a club on a port of this machine, its people and its nights.

All is real: sockets, TLS, the handshake, the journals, the client's own session.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import ConnectionState, Received, Update
from net.discovery.networks import claim_port
from net.protocol.board import HallTable, Night
from net.protocol.chat import ChatLine
from net.protocol.doors import DoorKind
from net.protocol.hall import HallRequest, OpenTable, Organise, Visit
from net.protocol.lobby import Lobby, Settings
from net.protocol.messages import CommandRefused, Refusal
from net.room.steps import RoomState
from net.secure.address import Address
from net.secure.connection import Connection
from net.secure.keys import SeatKey
from net.server.tables import ServerOptions
from sabtui.club.folder import open_club
from sabtui.club.server import ClubServer
from tests.net.server.served_table import CODE, HERE, QUICK, SMALL, Guest, until


class Sitter(Guest):
    """Somebody at a table of a club, or on the way there."""

    def __init__(self, name: str, port: int, key: SeatKey, table: str, pin: bytes) -> None:
        super().__init__(name, port, key)
        self.table = table
        self.pin = pin

    def begin(self, connection: Connection) -> None:
        """Say which table it is for, and go on."""
        connection.send(Visit(self.table))
        super().begin(connection)


@dataclass(frozen=True)
class Sight:
    """What somebody sees of a hall, and those who are `here`."""

    name: str
    here: tuple[str, ...]
    tables: tuple[HallTable, ...]
    talk: tuple[ChatLine, ...]
    night: Night | None
    code: str


class Member:
    """Somebody with a client who comes to a club; `updates` are all that they were told."""

    def __init__(self, name: str, port: int, folder: Path) -> None:
        credentials = Credentials(name, (Address(HERE, port),), code=CODE)
        self.store = CredentialStore(folder / name)
        self.updates: list[Update] = []
        self.use(credentials)
        self.task: asyncio.Task[None] | None = None
        self.sitters: list[Sitter] = []

    @property
    def lobby(self) -> Lobby:
        """The hall."""
        assert self.session.status.lobby is not None
        return self.session.status.lobby

    @property
    def hall(self) -> Sight:
        """What they see of the hall."""
        status, lobby = self.session.status, self.lobby
        assert status.game_state is not None
        return Sight(
            lobby.find_person(status.member).name,
            tuple(person.name for person in lobby.people if not person.presence.is_gone),
            lobby.board.tables,
            status.game_state.talk,
            lobby.board.night,
            status.code,
        )

    @property
    def is_in(self) -> bool:
        """Whether they are in the hall now, and all is told."""
        status = self.session.status
        is_linked = status.connection is ConnectionState.CONNECTED and status.lobby is not None
        return is_linked and self.hall.name in self.hall.here

    @property
    def names(self) -> list[str]:
        """The names of all who are there."""
        return [*self.hall.here, *(name for table in self.hall.tables for name in table.people)]

    def use(self, credentials: Credentials) -> None:
        """Come by these credentials the next time."""
        self.session = RemoteSession(credentials, self.updates.append, self.store)

    async def enter(self) -> Member:
        """Enter the hall, until all is told."""
        if self.task is not None:
            self.use(self.session.credentials)
        self.task = asyncio.create_task(self.session.run())
        await until(lambda: self.is_in)
        return self

    async def leave(self) -> None:
        """Leave the hall, and every table."""
        for sitter in self.sitters:
            await sitter.leave()
        if self.task is not None:
            self.session.leave()
            await self.task

    async def open_table(self, name: str, settings: Settings = SMALL) -> str:
        """Open a table, and return its id."""
        before = len(self.updates)
        self.session.request(OpenTable(name, settings))
        await until(lambda: any(_answers(update) for update in self.updates[before:]))
        (received,) = [update.received for update in self.updates[before:] if _answers(update)]
        assert received is not None
        assert received.opened, received.refused
        return received.opened

    async def go_to(self, table: str, *, watch: bool = False) -> Sitter:
        """Leave the hall for a table, by the key alone, as the client does."""
        self.session.leave()
        assert self.task is not None
        await self.task
        own = self.session.credentials
        assert own.pin is not None
        sitter = Sitter(own.name, own.addresses[0].port, own.key, table, own.pin)
        sitter.state.watch = watch
        self.sitters.append(sitter)
        await sitter.come_back()
        return sitter


def _answers(update: Update) -> bool:
    received = update.received
    return received is not None and (bool(received.opened) or received.refused is not None)


def refusals(member: Member) -> list[CommandRefused]:
    """Return what was refused to somebody in the hall."""
    told = [update.received for update in member.updates if update.received is not None]
    return [update.refused for update in told if update.refused is not None]


class ServedClub:
    """A club that is served here, and those who came."""

    def __init__(self, server: ClubServer, folder: Path) -> None:
        self.server = server
        self.port = server.entrance.port
        self.folder = folder
        self.members: list[Member] = []
        self.task = asyncio.create_task(server.run())

    def member(self, name: str) -> Member:
        """Somebody who may come."""
        member = Member(name, self.port, self.folder)
        self.members.append(member)
        return member

    async def come(self, *names: str) -> list[Member]:
        """People come into the hall by the code, one after another."""
        return [await self.member(name).enter() for name in names]

    def state(self, table: str) -> RoomState:
        """What is true at a table."""
        return self.server.tables[table].table.room.state

    async def stop(self) -> None:
        """Stop, and wait until all is put away."""
        self.server.stop()
        async with asyncio.timeout(60):
            await self.task


@asynccontextmanager
async def serve_folder(
    folder: Path,
    options: ServerOptions = QUICK,
    port: int = 0,
    doors: tuple[DoorKind, ...] = (),
) -> AsyncIterator[ServedClub]:
    """Serve the club of a folder until the test is done with it."""
    club = open_club(folder / "clubs", "The Nugget", CODE)
    claim = claim_port(first=port or club.port or None, ports=[0], hosts=[HERE])
    served = ServedClub(ClubServer(club, claim, replace(options, announce=False), doors), folder)
    try:
        yield served
    finally:
        for member in served.members:
            await member.leave()
        await served.stop()


PEOPLE = tuple(f"P{number}" for number in range(8))
SHORT = Settings(rounds=1)


def night_of(member: Member) -> Night:
    """The night as somebody in the hall sees it."""
    assert member.hall.night is not None
    return member.hall.night


def led_to(member: Member) -> str:
    """The table that a program is led to by the hall, empty if to none."""
    night = member.hall.night
    place = None if night is None else night.place_of(member.hall.name)
    if place is not None and not place[1].is_over:
        return place[1].id
    last = [update.received for update in member.updates if isinstance(update.received, Received)]
    return next((update.opened for update in reversed(last) if update.opened), "")


def night_at(served: ServedClub) -> Night:
    """The night as the club has it."""
    night = served.server.night.night
    assert night is not None
    return night


async def organise(served: ServedClub, member: Member) -> None:
    """Somebody says the organiser password."""
    member.session.request(Organise(served.server.club.password))
    await until(lambda: bool(member.hall.code))


async def why_refused(member: Member, request: HallRequest) -> Refusal:
    """Ask for something, and return why it is refused."""
    before = len(refusals(member))
    member.session.request(request)
    await until(lambda: len(refusals(member)) > before)
    return refusals(member)[-1].reason


async def until_led(member: Member, number: int) -> None:
    """Wait until a program is led to the table to which it is drawn in a round."""
    await until(lambda: member.hall.night is not None and len(member.hall.night.rounds) == number)
    place = night_of(member).place_of(member.hall.name)
    assert place is not None
    await until(lambda: led_to(member) == place[1].id)


async def go_where_drawn(members: list[Member], number: int) -> list[Sitter]:
    """All who are drawn to a round go to their tables, as their programs do by themselves."""
    for member in members:
        await until_led(member, number)
    return [await member.go_to(led_to(member)) for member in members]


async def play(seats: list[Sitter]) -> None:
    """All play their games to the end."""
    for seat in seats:
        seat.plays = True
        seat.move()
    await until(lambda: all(seat.is_over for seat in seats))
