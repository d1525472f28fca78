"""The club server: a hall and many tables behind one entrance, in one event loop.

The first message on a connection leads it to the hall (`sabtui.club.hall`), or to a table, where
everything works as without a club. A table at which nobody has been for a while is closed; one with
a game under way waits for a month.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace as with_fields
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Final, assert_never

from msgspec.structs import replace

from engine.dealing import SEED_BYTES
from net.discovery.advert import MAX_ADVERTISED_COUNT, OURS, Advert, AdvertStage
from net.discovery.networks import PortClaim
from net.protocol import hall, lobby, messages
from net.protocol.board import MAX_CLUB_TABLES, HallBoard, Night, NightTable
from net.protocol.cleaning import clean_name, suffixed_name
from net.protocol.doors import DoorKind, DoorTrouble
from net.protocol.fields import KEY_BYTES
from net.protocol.framing import decode
from net.protocol.requests import Chat
from net.room import inputs
from net.room.effects import Asked, Effects
from net.secure.code import RoomCode
from net.secure.connection import Connection
from net.server.bots import BotProcess, OurBots
from net.server.journal import JournalInfo, list_journals, remove_journal
from net.server.journal_format import JournalError
from net.server.live_table import Entrance, LiveRoom, LiveTable
from net.server.tables import HostedTable, ServerOptions, create, resume
from sabtui.club.folder import ClubRows, HostedClub
from sabtui.club.hall import (
    Organisers,
    Outline,
    answer,
    close,
    end_projectors,
    find_players,
    make_outline,
    open_hall,
    read_settings,
    remove_person,
    renew_code,
    send_away,
    send_next_tables,
    send_notice,
    show,
    start_by,
    turn_away,
)
from sabtui.club.night import ABSENT_AFTER_S, NightRunner, RoundOrder, draw_tables

BOT_PROCESSES: Final = max(1, min(4, os.cpu_count() or 1))
"""Processes in which the bots of all tables think."""

GAME_PATIENCE_S: Final = 30 * 24 * 3600.0
"""Seconds (30 days) that a game under way waits for its people."""

DRAWN_PAUSE_S: Final = 5.0
"""Seconds from the draw until people are called from their tables: time to finish a sentence."""

LATE_AFTER_S: Final = 60.0
"""Seconds after which a table's game begins without people who have not arrived."""

MAX_TABLES_EACH: Final = 12  # maximum number of tables that one person may host at once
MAX_NAMES_SHOWN: Final = 600
"""Maximum number of names at all tables together, so that the hall fits a frame."""

TRY_AGAIN_S: Final = 30.0
"""Seconds after which doors that have ended are reopened."""

_log = logging.getLogger(__name__)


class ClubTable(LiveTable):
    """A table of a club, whose hall shows it."""

    def __init__(
        self, table: HostedTable, options: ServerOptions, bots: OurBots, club: ClubServer
    ) -> None:
        super().__init__(table, options, bots)
        self._club = club

    def receive(self, number: int, value: bytes) -> None:
        """Handle a message; nobody enters under the name of another member of the club.

        Raises BadFrame: it is not a message.
        """
        message: messages.ClientMessage = decode(value, *messages.CLIENT_KINDS)
        connected = self.room.sessions.connected.get(number)
        if isinstance(message, messages.EnterTable) and connected is not None:
            key = connected.key
            if not self._club.may_be_called(key, message.name):
                message = replace(message, name=self._club.names.get(key, ""))
            message = replace(message, projector=self._club.is_projector(key))
        self.apply_input(inputs.receive, number, message)

    @property
    def patience_s(self) -> float:
        """The seconds without any connection after which it is closed."""
        is_played = self.room.lobby.stage is lobby.TablePhase.PLAYING and not self.is_over
        return GAME_PATIENCE_S if is_played else super().patience_s

    def announce(self) -> None:
        """Show the table's present state in the hall, unless it is stopping."""
        if not self.is_stopping:
            outline = make_outline(self.table.id, self.room, self._club.names)
            self._club.note_table(self.table.id, outline)


class ClubServer(LiveRoom):
    """Runs a club on a claimed port, and owns both: its hall is this room.

    Make it in the event loop that runs it. `on_night` is called with the night whenever it has
    changed.
    """

    patience_s = float("inf")

    def __init__(
        self,
        club: HostedClub,
        claim: PortClaim,
        options: ServerOptions,
        doors: tuple[DoorKind, ...] = (),
        *,
        on_night: Callable[[Night], None] = lambda _: None,
    ) -> None:
        self.night = NightRunner(lambda: secrets.token_bytes(SEED_BYTES), club.night)
        organisers = tuple(person.member for person in club.people if person.key in club.organisers)
        board = HallBoard(club.id, organisers=organisers, night=self.night.night)
        opened, now = club.journal.incarnation, time.monotonic()
        super().__init__(open_hall(club.name, club.people, opened, now, board))
        self.club = club
        self.code = club.code
        self.tables: dict[str, ClubTable] = {}
        self.names = {person.key: person.name for person in club.people}  # by seat key
        self._running_apart: set[asyncio.Task[None]] = set()  # running tables, and work on them
        self.on_night = on_night
        self._options = options
        self._doors = doors
        self._rows = ClubRows(club.journal)
        self._bots = [BotProcess() for _ in range(BOT_PROCESSES)]
        self._installed: set[BotProcess] = set()  # of others' bots, at all tables
        self._organisers = Organisers(club.password, club.organisers)
        self._outlines: dict[str, Outline] = {}  # of the open tables
        self._opening = asyncio.Lock()  # held while tables are counted and opened
        self._sent: dict[int, str] = {}  # members on their way through the hall to these tables
        self._codes_sent: dict[int, tuple[int, str]] = {}
        """The last connection of each organiser, and the room code sent over it."""
        self._note_names()
        self.entrance = Entrance(
            self, claim, options, club.certificate, code=lambda: self.code, advert=self.advert
        )

    async def run(self) -> None:
        """Run the club until it is stopped, or this task is cancelled.

        Then all connections are closed without a message, so that clients look for the club.
        """
        async with AsyncExitStack() as stack:
            stack.callback(self.entrance.close)
            stack.push_async_callback(self._rows.close)
            for bots in self._bots:
                stack.push_async_callback(bots.close)
            stack.push_async_callback(self._close_tables)
            await self._resume_all()
            await self.entrance.open(stack)
            self._rows.keep_start(self.entrance.port, self.code)
            await self.work()

    def make_tasks(self) -> list[Coroutine[object, object, None]]:
        """Make the tasks that run until the club is stopped."""
        return [self.entrance.listen(), *super().make_tasks(), self._keep_doors_open()]

    async def _keep_doors_open(self) -> None:
        """Open the doors; reopen a door whose program has ended."""
        doors = self.entrance.doors
        while True:
            for kind in self._doors:
                if kind not in doors.now or doors.now[kind].trouble is DoorTrouble.ENDED:
                    doors.switch(kind, is_open=True)
            await asyncio.sleep(TRY_AGAIN_S)

    # What its entrance needs to know.

    def advert(self) -> Advert:
        present = min(self.present, MAX_ADVERTISED_COUNT)
        return Advert(self.club.id, self.club.name, OURS, AdvertStage.CLUB, present, 0)

    async def serve(
        self, connection: Connection, key: bytes, address: str, *, at_door: bool = False
    ) -> None:
        """Serve a trusted connection until it is gone: in the hall, or at a table of its choice."""
        del at_door  # in a hall nobody plays
        room: LiveRoom = self
        number, is_first = self.attach(connection, key, address), True

        def receive(value: bytes) -> None:
            nonlocal room, number, is_first
            visit = decode(value, hall.Visit, *messages.CLIENT_KINDS) if is_first else None
            is_first = False
            if not isinstance(visit, hall.Visit):
                room.receive(number, value)
            elif (live := self._find_table(number, key, visit.table)) is not None:
                self.detach(number)
                room, number = live, live.attach(connection, key, address)

        try:
            await self.read(number, receive)
        finally:
            room.detach(number)

    def _find_table(self, number: int, key: bytes, table: str) -> ClubTable | None:
        """Return the table that a connection asks for; turn it away if it may not go there."""
        live = self.tables.get(table)
        if not self.is_known(key):
            self.apply_input(turn_away, number, messages.CloseReason.OUT_OF_ORDER)
        elif live is None or live.is_stopping:
            self.apply_input(turn_away, number, messages.CloseReason.NO_TABLE)
        else:
            return live
        return None

    @property
    def present(self) -> int:
        """The number of people in the hall and at its tables."""
        here = {person.name for person in self.room.lobby.people if not person.presence.is_gone}
        return len(here.union(*(outline.row.people for outline in self._outlines.values())))

    def is_projector(self, key: bytes) -> bool:
        return any(person.key == key and person.projector for person in self.room.lobby.people)

    def may_be_called(self, key: bytes, name: str) -> bool:
        """Return True if the person of this key may have this name at a table.

        It is their own name, perhaps with a number that nobody else in the club uses with it.
        """
        own = self.names.get(key, "")
        return name == own or (
            not self.room.lobby.has_name(name)
            and any(name == suffixed_name(own, number) for number in range(2, 10))
        )

    # Reports from its tables.

    def note_table(self, table: str, outline: Outline) -> None:
        """Note a table's new outline; tell the hall, and the night once the game is over."""
        before = self._outlines.pop(table, None)
        elsewhere = sum(len(other.row.people) for other in self._outlines.values())
        shown = outline.row.people[: max(MAX_NAMES_SHOWN - elsewhere, 0)]
        outline = with_fields(outline, row=replace(outline.row, people=shown))
        self._outlines[table] = outline
        if before is None or before.row != outline.row:
            self.apply_input(show, hall.TableShown(outline.row))
        if outline.gold and self.night.note(table, outline.gold):
            self._keep_night()

    def _note_closed(self, table: str) -> None:
        """Note that a table has closed; tell the hall, and the night."""
        if self._outlines.pop(table, None) is not None:
            self.apply_input(show, hall.TableClosed(table))
        if self.night.note(table, ()):
            self._keep_night()

    # Requests.

    def _do(self, asked: Asked) -> None:
        person, request = self.room.lobby.person(asked.member), asked.request
        if person is None:
            return
        is_organiser = person.key in self._organisers
        match request:
            case Chat(text) if is_organiser:
                for live in self._running(self.tables):
                    live.apply_input(
                        send_notice, messages.Notice(person.name, lobby.clean_text(text))
                    )
            case hall.OpenTable():
                self._start(self._open(asked, person.key, request))
            case hall.Organise(password):
                self._refuse(asked, self._organise(person.member, person.key, password))
            case _ if isinstance(request, hall.OrganiserRequest):
                denied = messages.Refusal.ORGANISER_ONLY
                self._refuse(asked, self._direct(asked, request) if is_organiser else denied)
            case _:  # talk, which the hall itself distributes
                assert not isinstance(request, hall.Ask)

    def _refuse(self, asked: Asked, why: messages.Refusal | None) -> None:
        if why is not None:
            self.apply_input(answer, asked.member, messages.CommandRefused(asked.id, why))

    async def _open(self, asked: Asked, key: bytes, request: hall.OpenTable) -> None:
        name, settings = clean_name(request.name), read_settings(request.settings)
        async with self._opening:
            hosts = [outline.host for outline in self._outlines.values()]
            opened: list[str] | messages.Refusal
            if isinstance(settings, messages.Refusal):
                opened = settings
            elif not name:
                opened = messages.Refusal.NO_NAME
            elif hosts.count(key) >= MAX_TABLES_EACH:
                opened = messages.Refusal.TABLES_ENOUGH
            else:
                opened = await self._open_tables([partial(self._create, name, key, settings)])
        if isinstance(opened, messages.Refusal):
            self._refuse(asked, opened)
        else:
            self.apply_input(answer, asked.member, hall.GoTo(opened[0]))

    def _organise(self, member: int, key: bytes, password: str) -> messages.Refusal | None:
        """Make somebody an organiser, by the password shown on the club's terminal."""
        is_new = key not in self._organisers
        refused = self._organisers.admit(key, password, time.monotonic())
        if refused is None and is_new:
            self._rows.keep_organiser(key)
            self.apply_input(show, hall.OrganiserNamed(member))
        return refused

    def _direct(self, asked: Asked, request: hall.OrganiserRequest) -> messages.Refusal | None:
        """Run an organiser's request, or return the reason against it."""
        match request:
            case hall.BeginNight():
                refused = self.night.begin(request)
                if refused is None:
                    self._keep_night()
                return refused
            case hall.DrawRound():
                return self._draw(asked)
            case hall.MovePerson(name, table):
                return self._move(name, table)
            case hall.CloseTable(table):
                there = self._running([table])
                if not there:
                    return messages.Refusal.NOT_NOW
                there[0].apply_input(close)
            case hall.RemovePerson(name):
                return self._remove_person(name)
            case hall.RenewCode():
                self._renew_code()
            case _:
                assert_never(request)
        return None

    def _remove_person(self, name: str) -> messages.Refusal | None:
        """Remove somebody from the hall and all tables, and draw a new room code."""
        people, leaders = self.room.lobby.people, self.room.lobby.board.organisers
        person = next((person for person in people if person.name == name), None)
        if person is None or person.member in leaders:
            return messages.Refusal.NO_SUCH_PERSON
        for live in self._running(self.tables):
            live.apply_input(remove_person, person.key)
        self._renew_code(removed=person.member)
        return None

    def _renew_code(self, removed: int | None = None) -> None:
        """Draw a new room code, also when a member of the hall is `removed`."""
        self.code = RoomCode.new()
        self.entrance.note_code()
        self._rows.keep_code(self.code)
        self.apply_input(renew_code, str(self.code), removed)
        for live in self._running(self.tables):
            live.apply_input(end_projectors)

    def _move(self, name: str, table: str) -> messages.Refusal | None:
        """Send somebody to a table, through the hall if they are at another table."""
        person = next((person for person in self.room.lobby.people if person.name == name), None)
        if table not in self._outlines:
            return messages.Refusal.NOT_NOW
        if person is not None and person.member in self.room.sessions.by_member:
            self.apply_input(answer, person.member, hall.GoTo(table))
        elif person is not None and any(
            name in outline.row.people for outline in self._outlines.values()
        ):
            self._sent[person.member] = table
            for live in self._running(self.tables):
                live.apply_input(send_away, person.key, messages.CloseReason.CALLED)
        else:
            return messages.Refusal.NO_SUCH_PERSON
        return None

    # The night.

    def _draw(self, asked: Asked) -> messages.Refusal | None:
        """Draw the next round for everybody in the hall and at the last round's tables.

        Return why that is impossible.
        """
        here = find_players(self.room, ABSENT_AFTER_S)
        for live in self._running(self.night.tables_of_last_round()):
            for key in find_players(live.room, ABSENT_AFTER_S).keys() & self.names.keys():
                here[key] = self.names[key]
        order = self.night.draw(here)
        if isinstance(order, messages.Refusal):
            return order
        self._start(self._open_round(asked, order))
        return None

    async def _open_round(self, asked: Asked, order: RoundOrder) -> None:
        """Open the tables of a round, and call people from those of the round before."""
        drawn = await asyncio.to_thread(draw_tables, order.present, order.played, order.seed)
        makers = [
            partial(self._create_for_round, order, number, people)
            for number, people in enumerate(drawn, 1)
        ]
        async with self._opening:
            opened = await self._open_tables(makers)
        if isinstance(opened, messages.Refusal):
            self.night.cancel_draw()
            self._refuse(asked, opened)
            return
        before = self.night.tables_of_last_round()
        self.night.seat(order, tuple(map(NightTable, opened, drawn)))
        self._keep_night()
        self._expect_people(opened)
        places = self.night.list_next_tables()
        for live in self._running(before):
            live.apply_input(send_next_tables, places)
        asyncio.get_running_loop().call_later(DRAWN_PAUSE_S, self._call, before)

    def _call(self, tables: Collection[str]) -> None:
        for live in () if self.is_stopping else self._running(tables):
            live.apply_input(send_away, None, messages.CloseReason.CALLED)

    def _running(self, tables: Collection[str]) -> list[ClubTable]:
        """Return the open ones of these tables; one that is stopping can no longer write."""
        every = self.tables.items()
        return [live for table, live in every if table in tables and not live.is_stopping]

    def _keep_night(self) -> None:
        """Save the night's present state, and send it to everybody in the hall."""
        assert self.night.night is not None
        self._rows.keep_night(self.night.row)
        self.on_night(self.night.night)
        self.apply_input(show, hall.NightChanged(self.night.night))

    # Effects.

    def apply_effects(self, effects: Effects) -> None:
        """Send the hall's messages, and run the requests made to the club."""
        self.deliver(effects.do)
        if effects.steps:
            self._note_names()
        for asked in effects.asked:
            self._do(asked)
        self._greet()

    def _note_names(self) -> None:
        """Save the names of new people in the hall; delete those of forgotten ones."""
        before, people = self.names, self.room.lobby.people
        self.names = {person.key: person.name for person in people}
        for key in before.keys() - self.names.keys():
            self._rows.forget_person(key)
        for person in people:
            if person.key not in before and not person.projector:
                self._rows.keep_person(person)
                if person.key in self._organisers:  # they may have been forgotten meanwhile
                    self.apply_input(show, hall.OrganiserNamed(person.member))

    def _greet(self) -> None:
        """Send organisers in the hall the room code, and called people their tables."""
        here, code = self.room.sessions.by_member, str(self.code)
        for member in self.room.lobby.board.organisers:
            link = here.get(member)
            if link is not None and self._codes_sent.get(member) != (link.connection, code):
                self._codes_sent[member] = link.connection, code
                self.apply_input(answer, member, messages.Code(code))
        arrived = {member: self._sent.pop(member) for member in here.keys() & self._sent.keys()}
        for member, table in arrived.items():
            if table in self._outlines:
                self.apply_input(answer, member, hall.GoTo(table))

    # Tables.

    async def _open_tables(
        self, makers: Collection[Callable[[], HostedTable]]
    ) -> list[str] | messages.Refusal:
        """Make tables and open them, all or none; return their ids, or why not."""
        if len(self._outlines) + len(makers) > MAX_CLUB_TABLES:
            return messages.Refusal.CLUB_FULL
        made = list[HostedTable]()
        try:
            for make in makers:
                made.append(await asyncio.to_thread(make))
        except Exception as error:  # noqa: BLE001 - or nobody could open a table again
            _report("a table cannot be opened", error)
            for table in made:
                table.journal.close()
                _remove(table.journal.path)
            return messages.Refusal.DISK_FULL
        return [self._run_table(table) for table in made]

    def _create_for_round(
        self, order: RoundOrder, number: int, people: tuple[int, ...]
    ) -> HostedTable:
        """Create a table of the night. Its host's key is nobody's: nobody there can act as host."""
        seated = [order.people[person] for person in people]
        missing = max(lobby.MIN_SEATS - len(seated), 0)
        bots = lobby.bot_names(missing, {name.casefold() for _key, name in seated})
        return self._create(
            clean_name(f"{order.title} {number}"),
            secrets.token_bytes(KEY_BYTES),
            replace(order.settings, seats=len(seated) + missing),
            people=seated,
            bots=tuple(lobby.BotChair(name, lobby.DEFAULT_LEVEL) for name in bots),
        )

    def _create(
        self,
        name: str,
        host_key: bytes,
        settings: lobby.Settings,
        people: Sequence[tuple[bytes, str]] = (),
        bots: tuple[lobby.BotChair, ...] = (),
    ) -> HostedTable:
        return create(
            self.club.tables,
            name=name,
            host_key=host_key,
            settings=settings,
            port=0,
            code=self.code,
            bots=bots,
            certificate=self.club.certificate,
            people=people,
            in_club=True,
        )

    def _expect_people(self, tables: Collection[str]) -> None:
        """Start games automatically at the tables of a round, without latecomers."""
        for live in self._running(tables):
            live.apply_input(start_by, LATE_AFTER_S)

    async def _resume_all(self) -> None:
        """Resume the tables whose journals are in the club's folder, and continue the night.

        A table that cannot be resumed, even because of a bug, is left as it is. The night counts it
        as closed.
        """
        found = [
            journal
            for journal in list_journals(self.club.tables)
            if isinstance(journal, JournalInfo)
        ]
        for journal in sorted(found, key=attrgetter("created")):
            if journal.finished:
                _remove(journal.path)
            elif len(self._outlines) < MAX_CLUB_TABLES:
                try:
                    self._run_table(await asyncio.to_thread(resume, journal.path))
                except Exception as error:  # noqa: BLE001 - one table, of many
                    _report("a table cannot be resumed", error)
        of_round = self.night.tables_of_last_round()
        self._expect_people(of_round)
        for table in set(of_round) - self._outlines.keys():
            self._note_closed(table)

    def _run_table(self, table: HostedTable) -> str:
        options = with_fields(self._options, doors={})
        process = self._bots[len(self.tables) % len(self._bots)]
        bots = OurBots(process, self._installed)
        live = ClubTable(table, options, bots, self)
        self.tables[table.id] = live
        self._start(self._run_to_end(live))
        live.announce()
        return table.id

    async def _run_to_end(self, live: ClubTable) -> None:
        """Run a table until it ends; the other tables continue, even if a bug ended it.

        Its journal is removed, unless the table failed: then it is reopened with the club.
        """
        has_failed = False
        try:
            await live.run()
        except Exception as error:  # noqa: BLE001 - a bug at one table
            has_failed = True
            _report("a table has failed", error)
        live.stop()
        live.cut_all()
        del self.tables[live.table.id]
        if self.is_stopping:
            return
        self._note_closed(live.table.id)
        if not has_failed:
            await asyncio.to_thread(_remove, live.table.journal.path)

    async def _close_tables(self) -> None:
        """Stop all tables, and wait until all is saved."""
        self.stop()
        while self._running_apart:
            for live in self.tables.values():
                live.stop()
            await asyncio.wait(self._running_apart)

    def _start(self, work: Coroutine[object, object, None]) -> None:
        """Start a background task, which is awaited when the club stops."""
        task = asyncio.get_running_loop().create_task(work)
        self._running_apart.add(task)
        task.add_done_callback(self._running_apart.discard)

    def announce(self) -> None:
        self.entrance.announce()


def _remove(journal: Path) -> None:
    """Remove the journal of a table that nobody has open."""
    try:
        remove_journal(journal)
    except OSError as error:
        _log.warning("the journal of a closed table cannot be removed: %s", error)


def _report(what: str, error: Exception) -> None:
    """Log trouble with a journal; report any other error to the event loop, as it is a bug."""
    if isinstance(error, JournalError):
        _log.warning("%s: %s", what, error)
        return
    asyncio.get_running_loop().call_exception_handler({"message": what, "exception": error})
