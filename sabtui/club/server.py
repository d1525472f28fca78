"""The club server: a hall and many tables behind one entrance, in one loop.

The first message on a connection says if it leads to the hall (`sabtui.club.hall`), or to a table,
where all goes on as at a table alone. A table at which nobody has been for a while is closed, but
for one whose game is under way.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace as with_fields
from operator import attrgetter
from typing import Final, assert_never

from msgspec.structs import replace

from engine.dealing import SEED_BYTES
from net.discovery.advert import MAX_ADVERTISED_COUNT, OURS, Advert, AdvertStage, DoorPorts
from net.discovery.networks import PortClaim
from net.protocol import hall, lobby, messages
from net.protocol.board import MAX_CLUB_TABLES, HallBoard, Night, NightTable
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.fields import KEY_BYTES
from net.protocol.framing import decode
from net.protocol.requests import Chat
from net.protocol.text import clean_name, suffixed_name
from net.room import inputs
from net.room.effects import Asked, Effects
from net.secure.code import RoomCode
from net.secure.connection import Connection
from net.server.bots import BotProcess, OurBots
from net.server.journal import JournalInfo, list_journals
from net.server.journal_format import JournalError
from net.server.live_table import Entrance, LiveRoom, LiveTable
from net.server.tables import HostedTable, ServerOptions, create, resume
from sabtui.club.folder import KEPT_S, ClubRows, HostedClub, clear, has_room, remove
from sabtui.club.hall import (
    Organisers,
    Outline,
    answer,
    close,
    find_players,
    open_hall,
    outline_of,
    read_settings,
    renew_code,
    send_away,
    show,
    start_by,
    tell_all,
    tell_next_tables,
    turn_away,
)
from sabtui.club.night import HEARD_S, NightRunner, RoundOrder, draw_tables

BOT_PROCESSES: Final = max(1, min(4, os.cpu_count() or 1))
"""Processes in which the bots of all tables think."""

DRAWN_PAUSE_S: Final = 5.0
"""Seconds from the draw until people are called from their tables: enough to end a sentence."""

LATE_AFTER_S: Final = 60.0
"""Seconds after which a table's game begins without those who have not come."""

MAX_TABLES_EACH: Final = 12  # most tables at once that one person is host of

TRY_AGAIN_S: Final = 30.0
"""Seconds from one look for doors that have ended to the next."""

_NOT_FOR_GOOD: Final = (DoorTrouble.NONE, DoorTrouble.ENDED)
"""States of a door that is open, not opened yet, or worth another try."""

_log = logging.getLogger(__name__)


class ClubTable(LiveTable):
    """A table of a club, whose hall shows it."""

    def __init__(
        self, table: HostedTable, options: ServerOptions, bots: OurBots, club: ClubServer
    ) -> None:
        super().__init__(table, options, bots)
        self._club = club

    def show(self) -> None:
        """Have the hall show the table as it is now."""
        self._club.show(self.table.id, outline_of(self.table.id, self.room, self._club.names))

    def receive(self, number: int, value: bytes) -> None:
        """Handle what came on a connection. Raises BadFrame: it is no message."""
        message: messages.ClientMessage = decode(value, *messages.CLIENT_KINDS)
        connected = self.room.sessions.connected.get(number)
        if isinstance(message, messages.EnterTable) and connected is not None:
            key = connected.key
            if not self._club.may_be_called(key, message.name):
                message = replace(message, name=self._club.names.get(key, ""))
        self.happen(inputs.receive, number, message)

    @property
    def patience_s(self) -> float:
        """The seconds for which it waits for people: a game under way waits for a month."""
        is_played = self.room.lobby.stage is lobby.Stage.PLAYING and not self.is_over
        return KEPT_S if is_played else super().patience_s

    def announce(self) -> None:
        """Have the hall show the table, unless it stops."""
        if not self.is_stopping:
            self.show()


class ClubServer(LiveRoom):
    """Runs a club on a claimed port, and owns both: its hall is this room.

    Make it in the event loop that runs it. `on_night` is called with the night whenever it has
    changed, `on_code` with a new room code.
    """

    patience_s = float("inf")

    def __init__(  # noqa: PLR0913 - all that a club is opened with
        self,
        club: HostedClub,
        claim: PortClaim,
        options: ServerOptions,
        doors: tuple[DoorKind, ...] = (),
        *,
        on_night: Callable[[Night], None] = lambda _: None,
        on_code: Callable[[RoomCode], None] = lambda _: None,
    ) -> None:
        self.night = NightRunner(lambda: secrets.token_bytes(SEED_BYTES), club.night)
        organisers = tuple(person.member for person in club.people if person.key in club.organisers)
        board = HallBoard(club.id, organisers=organisers, night=self.night.night)
        opened, now = club.journal.incarnation, time.monotonic()
        super().__init__(open_hall(club.name, club.people, opened, now, board))
        self.club = club
        self.code = club.code
        self.tables: dict[str, ClubTable] = {}
        self.names: Mapping[bytes, str] = {}
        self._running_apart: set[asyncio.Task[None]] = set()
        self.on_night = on_night
        self.on_code = on_code
        self._options = options
        self._doors = doors
        self._rows = ClubRows(club.journal)
        self._bots = [BotProcess() for _ in range(BOT_PROCESSES)]
        self._installed: set[BotProcess] = set()
        self._organisers = Organisers(club.word, club.organisers)
        self._outlines: dict[str, Outline] = {}
        self._opening: list[bytes] = []  # the hosts of tables that are being opened
        self._unseated = 0  # tables of a round that are being opened
        self._sent: dict[int, str] = {}  # where the members go who were called to the hall
        self._told_code: dict[int, str] = {}  # by connection
        self._watching = set[bytes]()  # who came to the hall last to watch
        self._known = {person.key: person for person in club.people}
        self._note_names()
        self.entrance = Entrance(
            self, claim, options, club.certificate, code=lambda: self.code, advert=self.advert
        )

    async def run(self) -> None:
        """Run the club until it is stopped, or this task is cancelled.

        All connections are closed without a message then, so that clients look for the club.
        """
        async with AsyncExitStack() as stack:
            stack.callback(self.entrance.close)
            stack.push_async_callback(self._rows.close)
            for bots in self._bots:
                stack.push_async_callback(bots.close)
            stack.push_async_callback(self._close_tables)
            await self._resume_all()
            await self.entrance.open(stack)
            self._rows.keep_start(self.entrance.port, self.code, self.club.word)
            await self.work()

    def make_tasks(self) -> list[Coroutine[object, object, None]]:
        """Make what runs until the club is stopped."""
        return [self.entrance.listen(), *super().make_tasks(), self._keep_doors_open()]

    async def _keep_doors_open(self) -> None:
        """Open the doors, again those that have ended, too."""
        doors = self.entrance.doors
        while True:
            for kind in self._doors:
                if doors.now.get(kind, DoorNow(kind)).trouble in _NOT_FOR_GOOD:
                    doors.switch(kind, is_open=True)
            await asyncio.sleep(TRY_AGAIN_S)

    # What its entrance asks.

    def advert(self, doors: DoorPorts) -> Advert:
        """Return the advert of the club: all that strangers may know of it."""
        present = min(self.present, MAX_ADVERTISED_COUNT)
        return Advert(self.club.id, self.club.name, OURS, AdvertStage.CLUB, present, 0, doors)

    async def serve(
        self, connection: Connection, key: bytes, address: str, *, at_door: bool = False
    ) -> None:
        """Serve a trusted connection until it is gone: one to the hall, or to a table."""
        del at_door  # in a hall nobody plays
        room: LiveRoom = self
        number, is_first = self.attach(connection, key, address), True

        def receive(value: bytes) -> None:
            nonlocal room, number, is_first
            was_first, is_first = is_first, False
            if was_first and isinstance(
                first := decode(value, hall.Visit, *messages.CLIENT_KINDS), hall.Visit
            ):
                live = self._find_table(number, key, first.table)
                if live is not None:
                    self.detach(number)
                    room, number = live, live.attach(connection, key, address)
            else:
                room.receive(number, value)

        try:
            await self.read(number, receive)
        finally:
            room.detach(number)

    def _find_table(self, number: int, key: bytes, table: str) -> ClubTable | None:
        """Return the table for which a connection is; turn it away if it cannot go there."""
        live = self.tables.get(table)
        if not self.is_known(key):
            self.happen(turn_away, number, messages.CloseReason.OUT_OF_ORDER)
        elif live is None or live.is_stopping:
            self.happen(turn_away, number, messages.CloseReason.NO_TABLE)
        else:
            return live
        return None

    @property
    def present(self) -> int:
        """The number of people in the hall and at its tables."""
        here = {person.name for person in self.room.lobby.people if not person.presence.is_gone}
        return len(here.union(*(outline.row.people for outline in self._outlines.values())))

    def has_room(self, tables: int = 1) -> bool:
        """Return True if there may be this many tables more, beside those that are being opened."""
        opening = len(self._opening) + self._unseated
        return len(self._outlines) + opening + tables <= MAX_CLUB_TABLES

    def may_be_called(self, key: bytes, name: str) -> bool:
        """Return True if a name at a table is this person's, or theirs with a number added.

        Such a name with a number is not theirs if somebody else has it in the club.
        """
        own = self.names.get(key, "")
        return name == own or (
            not self.room.lobby.has_name(name)
            and any(name == suffixed_name(own, number) for number in range(2, 10))
        )

    # What its tables have to say.

    def show(self, table: str, outline: Outline | None) -> None:
        """Note how a table looks now, `None` if it is no more."""
        before = self._outlines.pop(table, None)
        if outline is not None:
            self._outlines[table] = outline
        if outline is None and before is not None:
            self.happen(show, hall.TableClosed(table))
        elif outline is not None and (before is None or before.row != outline.row):
            self.happen(show, hall.TableShown(outline.row))
        if (outline is None or outline.gold) and self.night.note(
            table, () if outline is None else outline.gold
        ):
            self._keep_night()

    def _settle(self) -> None:
        """Count tables of the round that are no more as closed, once all are resumed."""
        for table in set(self.night.tables_of_last_round()) - self._outlines.keys():
            self.show(table, None)

    # What is asked.

    def _do(self, asked: Asked) -> None:
        """Do what somebody has asked for, or refuse it."""
        person, request = self.room.lobby.person(asked.member), asked.request
        if person is None:
            return
        is_organiser = person.key in self._organisers
        match request:
            case Chat(text) if is_organiser:
                for live in self._running(self.tables):
                    live.happen(tell_all, messages.Notice(person.name, lobby.clean_text(text)))
            case hall.OpenTable():
                self._open(asked, person.key, request)
            case hall.Organise(word):
                self._refuse(asked, self._organise(person.member, person.key, word))
            case _ if isinstance(request, hall.OrganiserRequest):
                why = (
                    self._direct(asked, request)
                    if is_organiser
                    else messages.Refusal.ORGANISER_ONLY
                )
                self._refuse(asked, why)
            case _:
                assert not isinstance(request, hall.Ask)

    def _refuse(self, asked: Asked, why: messages.Refusal | None) -> None:
        if why is not None:
            self.happen(answer, asked.member, messages.CommandRefused(asked.id, why))

    def _open(self, asked: Asked, key: bytes, request: hall.OpenTable) -> None:
        name, settings = clean_name(request.name), read_settings(request.settings)
        hosts = [*(outline.host for outline in self._outlines.values()), *self._opening]
        if isinstance(settings, messages.Refusal):
            self._refuse(asked, settings)
        elif not name:
            self._refuse(asked, messages.Refusal.NO_NAME)
        elif not self.has_room():
            self._refuse(asked, messages.Refusal.CLUB_FULL)
        elif hosts.count(key) >= MAX_TABLES_EACH:
            self._refuse(asked, messages.Refusal.TABLES_ENOUGH)
        else:
            self._opening.append(key)
            self._start(self._open_for(asked, key, name, settings))

    async def _open_for(
        self, asked: Asked, key: bytes, name: str, settings: lobby.Settings
    ) -> None:
        opened = await self._open_table(key, name, settings)
        self._opening.remove(key)
        if isinstance(opened, messages.Refusal):
            self._refuse(asked, opened)
        else:
            self.happen(answer, asked.member, hall.GoTo(opened))

    def _organise(self, member: int, key: bytes, word: str) -> messages.Refusal | None:
        """Make somebody an organiser, by the word that the club's program shows."""
        is_new = key not in self._organisers
        refused = self._organisers.admit(key, word, time.monotonic())
        if refused is None and is_new:
            self._rows.keep_organiser(key)
            self.happen(show, hall.OrganiserNamed(member))
        return refused

    def _direct(self, asked: Asked, request: hall.OrganiserRequest) -> messages.Refusal | None:
        """Do what an organiser asks, or return why not."""
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
                there[0].happen(close)
            case hall.RenewCode():
                self.code = RoomCode.new()
                self.entrance.guest_keys.revoke()
                self._rows.keep_code(self.code)
                self.on_code(self.code)
                self.happen(renew_code)
            case _:
                assert_never(request)
        return None

    def _move(self, name: str, table: str) -> messages.Refusal | None:
        """Send somebody to a table, by way of the hall if they are at another."""
        person = next((person for person in self.room.lobby.people if person.name == name), None)
        if table not in self._outlines:
            return messages.Refusal.NOT_NOW
        if person is not None and person.member in self.room.sessions.by_member:
            self.happen(answer, person.member, hall.GoTo(table))
        elif person is not None and any(
            name in outline.row.people for outline in self._outlines.values()
        ):
            self._sent[person.member] = table
            self._call(self.tables, person.key)
        else:
            return messages.Refusal.NO_SUCH_PERSON
        return None

    # The night.

    def _draw(self, asked: Asked) -> messages.Refusal | None:
        why = self.night.why_not_draw()
        if why is not None:
            return why
        here = find_players(self.room, HEARD_S)
        for live in self._running(self.night.tables_of_last_round()):
            for key in find_players(live.room, HEARD_S).keys() & self.names.keys():
                if key not in self._watching:
                    here[key] = self.names[key]
        order = self.night.draw(here)
        why = None if order.present else messages.Refusal.NOT_NOW
        if why is None and not self.has_room(order.table_count):
            why = messages.Refusal.CLUB_FULL
        if why is None:
            self._unseated = order.table_count
            self._start(self._open_round(asked, order))
        else:
            self.night.give_up()
        return why

    async def _open_round(self, asked: Asked, order: RoundOrder) -> None:
        opened = await self._open_tables(order)
        self._unseated = 0
        if isinstance(opened, messages.Refusal):
            self.night.give_up()
            self._refuse(asked, opened)
            return
        self._seat(order, opened)
        self._expect_people(self.night.tables_of_last_round())

    def _seat(self, order: RoundOrder, tables: Sequence[NightTable]) -> None:
        """Note the tables that were opened for a round, and fetch people from those before."""
        before = self.night.tables_of_last_round()
        self.night.seat(order, tables)
        self._keep_night(lambda: self._fetch(before))

    def _fetch(self, tables: Collection[str]) -> None:
        """Tell those at these tables where they sit now, and call them to the hall soon."""
        if not self.is_stopping:
            for live in self._running(tables):
                live.happen(tell_next_tables, self.night.tell_places())
            asyncio.get_running_loop().call_later(DRAWN_PAUSE_S, self._call, tables)

    def _call(self, tables: Collection[str], key: bytes = b"") -> None:
        """Call who has this key from these tables to the hall, by default everybody."""
        for live in () if self.is_stopping else self._running(tables):
            live.happen(send_away, key, messages.CloseReason.CALLED)

    def _running(self, tables: Collection[str]) -> list[ClubTable]:
        """Return those of these tables that there are; one that stops writes nothing any more."""
        every = self.tables.items()
        return [live for table, live in every if table in tables and not live.is_stopping]

    def _keep_night(self, then: Callable[[], None] = lambda: None) -> None:
        """Keep the night as it is, and tell all of it once it is on the disk, or cannot be.

        What was told outlives the club's program; if there is a newer one by then, that is told.
        """
        row = self.night.row

        def go_on() -> None:
            night = self.night.night
            if night is not None and row == self.night.row and not self.is_stopping:
                self.on_night(night)
                self.happen(show, hall.NightChanged(night))
            then()

        self._rows.keep_night(row, go_on)

    # What follows.

    def apply_effects(self, effects: Effects) -> None:
        """Send what the hall says, and do what was asked of the club."""
        self.deliver(effects.do)
        if effects.steps:
            self._note_names()
        for asked in effects.asked:
            self._do(asked)
        self._greet()

    def _note_names(self) -> None:
        """Keep who is new, and forget who is known no more."""
        before, people = self._known, {person.key: person for person in self.room.lobby.people}
        self._known = people
        self.names = {key: person.name for key, person in people.items()}
        self._watching &= people.keys()
        for key in before.keys() - people.keys():
            self._rows.forget_person(key)
        for key in people.keys() - before.keys():
            self._rows.keep_person(people[key])
            if key in self._organisers:  # who was forgotten
                self.happen(show, hall.OrganiserNamed(people[key].member))

    def _greet(self) -> None:
        """Tell organisers the room code once, and those who were sent on where they go."""
        here, code = self.room.sessions.by_member, str(self.code)
        for member in self.room.lobby.board.organisers:
            link = here.get(member)
            if link is not None and self._told_code.get(link.connection) != code:
                self._told_code[link.connection] = code
                self.happen(answer, member, messages.Code(code))
        arrived = {member: self._sent.pop(member) for member in here.keys() & self._sent.keys()}
        for member, table in arrived.items():
            if table in self._outlines:
                self.happen(answer, member, hall.GoTo(table))

    def detach(self, number: int) -> None:
        """Forget a connection that is gone, or that leads to a table now."""
        link = self.room.sessions.connected.get(number)
        if link is not None and link.member is not None:
            (self._watching.add if link.watches else self._watching.discard)(link.key)
        super().detach(number)
        self._told_code.pop(number, None)

    # Tables.

    async def _open_table(
        self, key: bytes, name: str, settings: lobby.Settings
    ) -> str | messages.Refusal:
        """Open a table for the person of a key; return its id, or why it cannot be."""
        try:
            if await asyncio.to_thread(has_room, self.club.tables):
                table = await asyncio.to_thread(
                    create,
                    self.club.tables,
                    name=name,
                    host_key=key,
                    settings=settings,
                    port=0,
                    code=self.code,
                    certificate=self.club.certificate,
                    in_club=True,
                )
                return self._run_table(table)
        except Exception as error:  # noqa: BLE001 - one table, of many
            _report("a table cannot be opened", error)
        return messages.Refusal.DISK_FULL

    async def _open_tables(self, order: RoundOrder) -> list[NightTable] | messages.Refusal:
        """Draw the tables of a round of the night, and open them all, or return why not."""
        opened: list[tuple[NightTable, HostedTable]] = []
        try:
            if await asyncio.to_thread(has_room, self.club.tables):
                drawn = await asyncio.to_thread(
                    draw_tables, order.present, order.played, order.seed
                )
                for number, people in enumerate(drawn, 1):
                    table = await asyncio.to_thread(self._create, order, number, people)
                    opened.append((NightTable(table.id, people), table))
                for _told, table in opened:
                    self._run_table(table)
                return [told for told, _table in opened]
        except Exception as error:  # noqa: BLE001 - or nobody could draw again
            _report("the tables of a round cannot be opened", error)
            for _told, table in opened:
                table.journal.close()
                remove(table.journal.path)
        return messages.Refusal.DISK_FULL

    def _create(self, order: RoundOrder, number: int, people: tuple[int, ...]) -> HostedTable:
        """Create a table of the night. Its host's key is nobody's: all its people are guests."""
        seated = [order.people[person] for person in people]
        missing = max(lobby.MIN_SEATS - len(seated), 0)
        bots = lobby.bot_names(missing, {name.casefold() for _key, name in seated})
        return create(
            self.club.tables,
            name=clean_name(f"{order.title} {number}"),
            host_key=secrets.token_bytes(KEY_BYTES),
            settings=replace(order.settings, seats=len(seated) + missing),
            port=0,
            code=self.code,
            bots=tuple(lobby.BotChair(name, lobby.DEFAULT_LEVEL) for name in bots),
            certificate=self.club.certificate,
            people=seated,
            in_club=True,
        )

    def _expect_people(self, tables: Sequence[str]) -> None:
        """Let the games begin by themselves at those of these tables that are the round's."""
        for table in self.night.tables_of_last_round():
            if table in tables and table in self.tables:
                self.tables[table].happen(start_by, LATE_AFTER_S)

    async def _resume_all(self) -> None:
        """Resume the tables whose journals are in the club's folder.

        One that cannot be, even by a bug, is left as it is, and not shown.
        """
        clear(self.club.tables, time.time() - KEPT_S)
        found = [
            journal
            for journal in list_journals(self.club.tables)
            if isinstance(journal, JournalInfo)
        ]
        for journal in sorted(found, key=attrgetter("created")):
            if not journal.finished and self.has_room():
                try:
                    self._run_table(await asyncio.to_thread(resume, journal.path))
                except Exception as error:  # noqa: BLE001 - one table, of many
                    _report("a table cannot be resumed", error)
        self._expect_people(tuple(self.tables))
        self._settle()

    def _run_table(self, table: HostedTable) -> str:
        """Begin to run a table, and return its id."""
        options = with_fields(self._options, doors={})
        process = self._bots[len(self.tables) % len(self._bots)]
        bots = OurBots(process, self._installed)
        live = ClubTable(table, options, bots, self)
        self.tables[table.id] = live
        self._start(self._run_to_end(live))
        live.show()
        return table.id

    async def _run_to_end(self, live: ClubTable) -> None:
        """Run a table until it ends; the other tables go on, even if it ended by a bug."""
        is_over = False
        try:
            await live.run()
            is_over = not (live.is_closed or self.is_stopping)
        except Exception as error:  # noqa: BLE001 - a bug at one table
            _report("a table has failed", error)
        live.stop()
        live.cut_all()
        del self.tables[live.table.id]
        if not self.is_stopping:
            self.show(live.table.id, None)
        if is_over:  # nobody was there for long
            await asyncio.to_thread(remove, live.table.journal.path)

    async def _close_tables(self) -> None:
        """Stop all tables, and wait until all is saved."""
        self.stop()
        while self._running_apart:
            for live in self.tables.values():
                live.stop()
            await asyncio.wait(self._running_apart)

    def _start(self, work: Coroutine[object, object, None]) -> None:
        """Begin work that goes on by itself, and is waited for when the club stops."""
        task = asyncio.get_running_loop().create_task(work)
        self._running_apart.add(task)
        task.add_done_callback(self._running_apart.discard)

    def announce(self) -> None:
        """Announce the club as it is now."""
        self.entrance.announce()


def _report(what: str, error: Exception) -> None:
    """Log trouble with a journal; report a bug, which is one of some tables, not of the club."""
    if isinstance(error, JournalError):
        _log.warning("%s: %s", what, error)
        return
    asyncio.get_running_loop().call_exception_handler({"message": what, "exception": error})
