"""A club's hall and its tables as they run, and all that is asked of the club there."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, assert_never

from msgspec.structs import replace

from engine.dealing import SEED_BYTES
from net.protocol.board import MAX_AT_TABLE, MAX_CLUB_TABLES, HallBoard, HallTable, NightTable
from net.protocol.framing import decode
from net.protocol.hall import (
    Ask,
    BeginNight,
    CloseTable,
    DrawRound,
    GoTo,
    MovePerson,
    NightChanged,
    OpenTable,
    Organise,
    OrganiserNamed,
    OrganiserRequest,
    RenewCode,
    TableClosed,
    TableShown,
)
from net.protocol.lobby import Settings, Stage, Taken, clean_text
from net.protocol.messages import (
    CLIENT_KINDS,
    ClientMessage,
    CloseReason,
    Code,
    CommandRefused,
    EnterTable,
    Notice,
    Refusal,
)
from net.protocol.requests import Chat, SwitchDoor
from net.protocol.text import clean_name, suffixed_name
from net.room import inputs
from net.room.effects import Asked, Effects
from net.room.hall import HALL_LIMITS, Organisers, open_hall, players
from net.room.night import HEARD_S, NightRunner, RoundOrder
from net.room.requests import read_settings
from net.room.room import Room
from net.server.bots import OurBots
from net.server.clubs import KEPT_S, ClubRows, HostedClub
from net.server.live_table import LiveRoom, LiveTable
from net.server.tables import HostedTable, ServerOptions

if TYPE_CHECKING:
    from net.server.club import ClubServer


@dataclass(frozen=True, slots=True)
class Outline:
    """A table as the club sees it: its `row` in the hall, and what is told to nobody.

    `gold` is everybody's, by seat, once a game is over, with the key of who sits there, empty for a
    bot; `host` is its host's key.
    """

    row: HallTable
    gold: tuple[tuple[bytes, int], ...] = ()
    host: bytes = b""


def outline_of(table: str, room: Room, names: Mapping[bytes, str]) -> Outline:
    """Return the outline of a table as it is: its row has nothing that its watchers do not see.

    People have the `names` of their keys in the club, not those with numbers that they may have
    beside a bot of the same name.
    """
    lobby, game = room.lobby, room.state.game
    here = [one for one in lobby.people if not one.presence.is_gone]
    called = {one.member: names.get(one.key, one.name) for one in here}
    return Outline(
        HallTable(
            table,
            lobby.name,
            room.stage,
            lobby.settings.edition,
            lobby.players,
            len(lobby.chairs),
            tuple(called.values())[:MAX_AT_TABLE],
        ),
        () if game is None else tuple(zip(_keys(room), game.score.nuggets or (), strict=False)),
        room.state.host_key,
    )


def _keys(room: Room) -> Iterator[bytes]:
    """Yield the key of who sits on each seat, empty for nobody's and a bot's."""
    for chair in room.lobby.chairs:
        yield room.lobby.find_person(chair.member).key if isinstance(chair, Taken) else b""


class ClubTable(LiveTable):
    """A table of a club, which its hall shows."""

    def __init__(
        self, table: HostedTable, options: ServerOptions, bots: OurBots, hall: LiveHall
    ) -> None:
        super().__init__(table, options, bots)
        self._hall = hall

    def show(self) -> None:
        """Have the hall show the table as it is now."""
        outline = outline_of(self.table.id, self._room, self._hall.names)
        self._hall.show(self.table.id, outline)

    @property
    def is_stopping(self) -> bool:
        """True once nobody may come to it any more."""
        return self._stopped.is_set()

    @property
    def is_closed(self) -> bool:
        """True if the table was closed for good."""
        return self._write_ahead.finished.is_set()

    def cut_all(self) -> None:
        """Abort the connections that are left."""
        self._connections.cut_all()

    def receive(self, number: int, value: bytes) -> None:
        """Handle what came on a connection. Raises BadFrame: it is no message."""
        message: ClientMessage = decode(value, *CLIENT_KINDS)
        connected = self._room.sessions.connected.get(number)
        if isinstance(message, EnterTable) and connected is not None:
            key = connected.key
            if not self._hall.may_be_called(key, message.name):
                message = replace(message, name=self._hall.names.get(key, ""))
        self.happen(inputs.receive, number, message)

    def _patience(self) -> float:
        is_played = self._room.lobby.stage is Stage.PLAYING and not self._is_over()
        return KEPT_S if is_played else super()._patience()

    def _announce(self) -> None:
        if not self.is_stopping:
            self.show()

    def _switch(self, switch: SwitchDoor) -> None:
        raise AssertionError(f"a club's table has no doors: {switch}")


DRAWN_PAUSE_S: Final = 5.0
"""Seconds from the draw until people are called from their tables: enough to end a sentence."""

MAX_TABLES_EACH: Final = 12  # most tables at once that one person is host of


class LiveHall(LiveRoom):
    """The hall of a club, whose people, organisers and night are kept as `rows` of its file."""

    def __init__(self, hosted: HostedClub, club: ClubServer, rows: ClubRows) -> None:
        now = time.monotonic()
        super().__init__(open_hall(hosted.name, hosted.people, hosted.journal.incarnation, now))
        self.names: Mapping[bytes, str] = {}
        self.night = NightRunner(lambda: secrets.token_bytes(SEED_BYTES), hosted.night)
        self._club = club
        self._rows = rows
        self._organisers = Organisers(hosted.word, hosted.organisers)
        self._outlines: dict[str, Outline] = {}
        self._opening: list[bytes] = []  # the hosts of tables that are being opened
        self._unseated = 0  # tables of a round that are being opened
        self._sent: dict[int, str] = {}  # where the members go who were called to the hall
        self._told_code: dict[int, str] = {}  # by connection
        self._watching = set[bytes]()  # who came to the hall last to watch
        state = self._room.state
        self._known = {person.key: person for person in state.lobby.people}
        organisers = [one.member for one in state.lobby.people if one.key in self._organisers]
        board = HallBoard(hosted.id, organisers=tuple(organisers), night=self.night.night)
        state = replace(state, lobby=replace(state.lobby, hall=board))
        self._room.become_hall(state, HALL_LIMITS)
        self._note_names()

    async def run(self) -> None:
        """Run the hall until it is stopped, or this task is cancelled."""
        await self._work()

    @property
    def present(self) -> int:
        """The number of people in the hall and at its tables."""
        here = {one.name for one in self._room.lobby.people if not one.presence.is_gone}
        return len(here.union(*(one.row.people for one in self._outlines.values())))

    def has_room(self, tables: int = 1) -> bool:
        """Return True if there may be so many tables more, beside those that are being opened."""
        opening = len(self._opening) + self._unseated
        return len(self._outlines) + opening + tables <= MAX_CLUB_TABLES

    def is_known(self, key: bytes) -> bool:
        """Return True if the person or the stage with this key has been in the hall."""
        return self._room.is_known(key)

    def may_be_called(self, key: bytes, name: str) -> bool:
        """Return True if a name at a table is this person's, or theirs with a number added.

        Such a name with a number is not theirs if somebody else has it in the club.
        """
        own = self.names.get(key, "")
        return name == own or (
            not self._room.lobby.has_name(name)
            and any(name == suffixed_name(own, number) for number in range(2, 10))
        )

    # What the club has to say.

    def show(self, table: str, outline: Outline | None) -> None:
        """Note how a table looks now, `None` if it is no more."""
        before = self._outlines.pop(table, None)
        if outline is not None:
            self._outlines[table] = outline
        if outline is None and before is not None:
            self.happen(inputs.show, TableClosed(table))
        elif outline is not None and (before is None or before.row != outline.row):
            self.happen(inputs.show, TableShown(outline.row))
        if (outline is None or outline.gold) and self.night.note(
            table, () if outline is None else outline.gold
        ):
            self._keep_night()

    def settle(self) -> None:
        """Count tables of the round that are no more as closed, once all are resumed."""
        for table in set(self.night.tables_of_last_round()) - self._outlines.keys():
            self.show(table, None)

    # What is asked.

    def _do(self, asked: Asked) -> None:
        """Do what somebody has asked for, or refuse it."""
        person, request = self._room.lobby.person(asked.member), asked.request
        if person is None:
            return
        is_organiser = person.key in self._organisers
        match request:
            case Chat(text) if is_organiser:
                for live in self._running(self._club.tables):
                    live.happen(inputs.tell_all, Notice(person.name, clean_text(text)))
            case OpenTable():
                self._open(asked, person.key, request)
            case Organise(word):
                self._refuse(asked, self._organise(person.member, person.key, word))
            case _ if isinstance(request, OrganiserRequest):
                why = self._direct(asked, request) if is_organiser else Refusal.ORGANISER_ONLY
                self._refuse(asked, why)
            case _:
                assert not isinstance(request, Ask)

    def _refuse(self, asked: Asked, why: Refusal | None) -> None:
        if why is not None:
            self.happen(inputs.answer, asked.member, CommandRefused(asked.id, why))

    def _open(self, asked: Asked, key: bytes, request: OpenTable) -> None:
        name, settings = clean_name(request.name), read_settings(request.settings)
        if isinstance(settings, Refusal):
            self._refuse(asked, settings)
        elif (why := self._why_not_open(key, name)) is not None:
            self._refuse(asked, why)
        else:
            self._opening.append(key)
            _ = self._club.start(self._open_for(asked, key, name, settings))

    def _why_not_open(self, key: bytes, name: str) -> Refusal | None:
        hosts = [*(one.host for one in self._outlines.values()), *self._opening]
        if not name:
            return Refusal.NO_NAME
        if not self.has_room():
            return Refusal.CLUB_FULL
        return Refusal.TABLES_ENOUGH if hosts.count(key) >= MAX_TABLES_EACH else None

    async def _open_for(self, asked: Asked, key: bytes, name: str, settings: Settings) -> None:
        opened = await self._club.open_table(key, name, settings)
        self._opening.remove(key)
        if isinstance(opened, Refusal):
            self._refuse(asked, opened)
        else:
            self.happen(inputs.answer, asked.member, GoTo(opened))

    def _organise(self, member: int, key: bytes, word: str) -> Refusal | None:
        """Make somebody an organiser, by the word that the club's program shows."""
        is_new = key not in self._organisers
        refused = self._organisers.admit(key, word, time.monotonic())
        if refused is None and is_new:
            self._rows.keep_organiser(key)
            self.happen(inputs.show, OrganiserNamed(member))
        return refused

    def _direct(self, asked: Asked, request: OrganiserRequest) -> Refusal | None:
        """Do what an organiser asks, or return why not."""
        match request:
            case BeginNight():
                refused = self.night.begin(request)
                if refused is None:
                    self._keep_night()
                return refused
            case DrawRound():
                return self._draw(asked)
            case MovePerson(name, table):
                return self._move(name, table)
            case CloseTable(table):
                there = self._running([table])
                if not there:
                    return Refusal.NOT_NOW
                there[0].happen(inputs.close)
            case RenewCode():
                self._club.renew_code()
            case _:
                assert_never(request)
        return None

    def _move(self, name: str, table: str) -> Refusal | None:
        """Send somebody to a table, by way of the hall if they are at another."""
        person = next((one for one in self._room.lobby.people if one.name == name), None)
        if table not in self._outlines:
            return Refusal.NOT_NOW
        if person is not None and person.member in self._room.sessions.by_member:
            self.happen(inputs.answer, person.member, GoTo(table))
        elif person is not None and any(name in one.row.people for one in self._outlines.values()):
            self._sent[person.member] = table
            self._call(self._club.tables, person.key)
        else:
            return Refusal.NO_SUCH_PERSON
        return None

    # The night.

    def _draw(self, asked: Asked) -> Refusal | None:
        why = self.night.why_not_draw()
        if why is not None:
            return why
        here = players(self._room, HEARD_S)
        for live in self._running(self.night.tables_of_last_round()):
            for key in players(live.table.room, HEARD_S).keys() & self.names.keys():
                if key not in self._watching:
                    here[key] = self.names[key]
        order = self.night.draw(here)
        why = None if order.present else Refusal.NOT_NOW
        if why is None and not self.has_room(order.tables):
            why = Refusal.CLUB_FULL
        if why is None:
            self._unseated = order.tables
            _ = self._club.start(self._open_round(asked, order))
        else:
            self.night.give_up()
        return why

    async def _open_round(self, asked: Asked, order: RoundOrder) -> None:
        opened = await self._club.open_round(order)
        self._unseated = 0
        if isinstance(opened, Refusal):
            self.night.give_up()
            self._refuse(asked, opened)
            return
        self._seat(order, opened)
        self._club.expect_people(self.night.tables_of_last_round())

    def _seat(self, order: RoundOrder, tables: Sequence[NightTable]) -> None:
        """Note the tables that were opened for a round, and fetch people from those before."""
        before = self.night.tables_of_last_round()
        self.night.seat(order, tables)
        self._keep_night(lambda: self._fetch(before))

    def _fetch(self, tables: Collection[str]) -> None:
        """Tell those at these tables where they sit now, and call them to the hall soon."""
        if not self._stopped.is_set():
            for live in self._running(tables):
                live.happen(inputs.tell_next_tables, self.night.tell_places())
            asyncio.get_running_loop().call_later(DRAWN_PAUSE_S, self._call, tables)

    def _call(self, tables: Collection[str], key: bytes = b"") -> None:
        """Call who has this key from these tables to the hall, by default everybody."""
        for live in () if self._stopped.is_set() else self._running(tables):
            live.happen(inputs.send_away, key, CloseReason.CALLED)

    def _running(self, tables: Collection[str]) -> list[ClubTable]:
        """Return those of these tables that there are; one that stops writes nothing any more."""
        every = self._club.tables.items()
        return [live for table, live in every if table in tables and not live.is_stopping]

    def _keep_night(self, then: Callable[[], None] = lambda: None) -> None:
        row = self.night.row

        def go_on() -> None:
            self._tell_night(row)
            then()

        self._rows.keep_night(row, go_on)

    def _tell_night(self, row: bytes) -> None:
        """Tell all of the night if it is this row, which is on the disk now, or cannot be.

        A newer one is told once it is there, too: what was told outlives the club's program.
        """
        night = self.night.night
        if night is not None and row == self.night.row and not self._stopped.is_set():
            self._club.note_night()
            self.happen(inputs.show, NightChanged(night))

    # What follows.

    def _apply_effects(self, effects: Effects) -> None:
        self._connections.deliver(effects.do)
        if effects.steps:
            self._note_names()
        for asked in effects.asked:
            self._do(asked)
        self._greet()

    def _note_names(self) -> None:
        """Keep who is new, and forget who is known no more."""
        before, people = self._known, {person.key: person for person in self._room.lobby.people}
        self._known = people
        self.names = {key: person.name for key, person in people.items()}
        self._watching &= people.keys()
        for key in before.keys() - people.keys():
            self._rows.forget_person(key)
        for key in people.keys() - before.keys():
            self._rows.keep_person(people[key])
            if key in self._organisers:  # who was forgotten
                self.happen(inputs.show, OrganiserNamed(people[key].member))

    def _greet(self) -> None:
        """Tell organisers the room code once, and those who were sent on where they go."""
        here, code = self._room.sessions.by_member, str(self._club.code)
        for member in self._room.lobby.board.organisers:
            link = here.get(member)
            if link is not None and self._told_code.get(link.connection) != code:
                self._told_code[link.connection] = code
                self.happen(inputs.answer, member, Code(code))
        arrived = {member: self._sent.pop(member) for member in here.keys() & self._sent.keys()}
        for member, table in arrived.items():
            if table in self._outlines:
                self.happen(inputs.answer, member, GoTo(table))

    def detach(self, number: int) -> None:
        """Forget a connection that is gone, or that leads to a table now."""
        link = self._room.sessions.connected.get(number)
        if link is not None and link.member is not None:
            (self._watching.add if link.watches else self._watching.discard)(link.key)
        super().detach(number)
        self._told_code.pop(number, None)

    def _look(self) -> None:
        """Do nothing: in a hall nothing is due by itself."""

    def _patience(self) -> float:
        return float("inf")

    def _announce(self) -> None:
        self._club.entrance.announce()
