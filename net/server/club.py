"""The club server: a hall and many tables behind one entrance, in one loop.

The first message on a connection says if it leads to the hall (`net.room.hall`), or to a table,
where all goes on as at a table alone. A table at which nobody has been for a while is put away, and
resumed from its journal when somebody comes to it; if its game has not begun, or is over, it is
closed instead.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import Collection, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Final

from msgspec import structs

from net.discovery.advert import MAX_ADVERTISED_COUNT, OURS, Advert, AdvertStage, DoorPorts
from net.discovery.networks import PortClaim
from net.protocol.board import HallTable, NightTable
from net.protocol.fields import KEY_BYTES
from net.protocol.framing import BadFrame, FrameFault, decode
from net.protocol.hall import NextTable, Visit
from net.protocol.lobby import DEFAULT_LEVEL, MIN_SEATS, BotChair, Settings, bot_names
from net.protocol.messages import CLIENT_KINDS, CloseReason, DoorNow, DoorTrouble, Notice, Refusal
from net.protocol.requests import DoorKind
from net.protocol.text import clean_name
from net.room.hall import players
from net.room.night import HEARD_S, RoundOrder, draw_tables
from net.secure.code import RoomCode
from net.secure.connection import Connection
from net.secure.handshake import HostClaim
from net.secure.keys import TableCertificate
from net.server.bot_process import BotProcess
from net.server.bots import InstalledPlaces, OurBots
from net.server.club_hall import ClubTable, LiveHall, Outline, outline_of
from net.server.clubs import ClubRows, HostedClub, clear, has_room, remove
from net.server.entrance import Entrance
from net.server.journal import JournalInfo, list_journals
from net.server.journal_format import JournalBusy, JournalError, JournalUnwritable
from net.server.tables import HostedTable, ServerOptions, create, resume

LATE_AFTER_S: Final = 60.0
"""Seconds after which a table's game begins without those who have not come."""


async def open_round(
    club: HostedClub, order: RoundOrder, code: RoomCode
) -> list[tuple[NightTable, HostedTable]]:
    """Draw the tables of a round, and open them all.

    Raises JournalError: one of them cannot be written. Those before it are removed.
    """
    drawn = await asyncio.to_thread(draw_tables, order.present, order.played, order.seed)
    opened: list[tuple[NightTable, HostedTable]] = []
    try:
        for number, people in enumerate(drawn, 1):
            table = await asyncio.to_thread(_open, club, order, code, number, people)
            opened.append((NightTable(table.id, people), table))
    except BaseException:
        for _told, table in opened:
            table.journal.close()
            remove(table.journal.path)
        raise
    return opened


def _open(
    club: HostedClub, order: RoundOrder, code: RoomCode, number: int, people: tuple[int, ...]
) -> HostedTable:
    """Open a table of the night. Its host's key is nobody's: all its people are guests."""
    seated = [order.people[one] for one in people]
    missing = max(MIN_SEATS - len(seated), 0)
    bots = bot_names(missing, {name.casefold() for _key, name in seated})
    return create(
        club.tables,
        name=clean_name(f"{order.title} {number}"),
        host_key=secrets.token_bytes(KEY_BYTES),
        settings=structs.replace(order.settings, seats=len(seated) + missing),
        port=0,
        code=code,
        bots=tuple(BotChair(name, DEFAULT_LEVEL) for name in bots),
        certificate=club.certificate,
        people=seated,
        in_club=True,
    )


MAX_WAITING: Final = 16  # most messages on a connection whose table is being resumed


class Visitor:
    """A trusted connection to a club, which is one to its hall unless it is for a table.

    `number` is that of the connection in the hall.
    """

    def __init__(
        self, club: ClubServer, number: int, connection: Connection, key: bytes, address: str
    ) -> None:
        self._club = club
        self._number = number
        self._connection = connection
        self._key = key
        self._address = address
        self._is_first = True
        self._waiting: list[bytes] | None = None  # for a table that is being resumed
        self._finding: asyncio.Task[None] | None = None
        self._table: ClubTable | None = None
        self._place = 0  # the number of this connection at the table

    def receive(self, value: bytes) -> None:
        """Handle what came. Raises BadFrame: it is no message that is due now."""
        if self._table is not None:
            self._table.receive(self._place, value)
        elif self._waiting is not None:
            if len(self._waiting) >= MAX_WAITING:
                raise BadFrame(FrameFault.MESSAGE)
            self._waiting.append(value)
        elif self._is_first:
            self._is_first = False
            first = decode(value, Visit, *CLIENT_KINDS)
            if isinstance(first, Visit):
                self._visit(first.table)
            else:
                self._club.hall.receive(self._number, value)
        else:
            self._club.hall.receive(self._number, value)

    def leave(self) -> None:
        """Forget the connection, which is gone."""
        if self._finding is not None:
            self._finding.cancel()
        if self._table is not None:
            self._table.detach(self._place)

    def _visit(self, table: str) -> None:
        if not self._club.hall.is_known(self._key):
            self._club.hall.turn_away(self._number, CloseReason.OUT_OF_ORDER)
            return
        self._waiting = []
        self._finding = asyncio.create_task(self._go_to(table))

    async def _go_to(self, table: str) -> None:
        live = await self._club.find_table(table)
        waiting, self._waiting = self._waiting or [], None
        if live is None:
            self._club.hall.turn_away(self._number, CloseReason.NO_TABLE)
            return
        self._club.hall.detach(self._number)
        self._place = live.attach(self._connection, self._key, self._address)
        self._table = live
        try:
            for value in waiting:
                live.receive(self._place, value)
        except BadFrame:
            self._connection.abort()


BOT_PROCESSES: Final = max(1, min(4, os.cpu_count() or 1))
"""Processes in which the bots of all tables think."""

CLEAR_EVERY_S: Final = 24 * 3600.0
"""Seconds from one look for journals that are kept no longer to the next."""

TRY_AGAIN_S: Final = 30.0
"""Seconds from one look for doors that have ended to the next."""

_NOT_FOR_GOOD: Final = (DoorTrouble.NONE, DoorTrouble.ENDED)
"""States of a door that is open, not opened yet, or worth another try."""

_log = logging.getLogger(__name__)


class ClubServer:
    """Runs a club on a claimed port, and owns both. Make it in the event loop that runs it."""

    def __init__(
        self,
        club: HostedClub,
        claim: PortClaim,
        options: ServerOptions,
        doors: tuple[DoorKind, ...] = (),
    ) -> None:
        self.id = club.id
        self.title = club.name
        self.certificate: TableCertificate = club.certificate
        self.claim: HostClaim | None = None
        self.club = club
        self.code = club.code
        self.tables: dict[str, ClubTable] = {}
        self._away: dict[str, Path] = {}  # tables that are put away, and their journals
        self._running: dict[str, asyncio.Task[None]] = {}  # what runs or resumes each table
        self._tasks: set[asyncio.Task[None]] = set()
        self._options = options
        self._doors = doors
        self._rows = ClubRows(club.journal)
        self.hall = LiveHall(club, self, self._rows)
        self._bots = [BotProcess(options.worker) for _ in range(BOT_PROCESSES)]
        self._places = InstalledPlaces()
        self._stopped = asyncio.Event()
        self.entrance = Entrance(self, claim, options)

    def stop(self) -> None:
        """Stop, closing all connections without a message, so that clients look for the club."""
        self._stopped.set()
        self.hall.stop()

    async def run(self) -> None:
        """Run the club until it is stopped, or this task is cancelled."""
        async with AsyncExitStack() as stack:
            stack.callback(self.entrance.close)
            stack.push_async_callback(self._rows.close)
            for bots in self._bots:
                stack.push_async_callback(bots.close)
            stack.push_async_callback(self._close_tables)
            await self._resume_all()
            await self.entrance.open(stack)
            self._rows.keep_start(self.entrance.port, self.code, self.club.word)
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self.entrance.listen()),
                    group.create_task(self.hall.run()),
                    group.create_task(self._clear()),
                    group.create_task(self._keep_going()),
                ]
                await self._stopped.wait()
                for task in tasks:
                    task.cancel()

    async def _keep_going(self) -> None:
        """Open the doors, again those that have ended, too."""
        doors = self.entrance.doors
        while True:
            for kind in self._doors:
                if doors.now.get(kind, DoorNow(kind)).trouble in _NOT_FOR_GOOD:
                    doors.switch(kind, is_open=True)
            await asyncio.sleep(TRY_AGAIN_S)

    async def _clear(self) -> None:
        """Remove what is kept no longer, now and once a day."""
        while True:
            away = dict(self._away)
            old = await asyncio.to_thread(clear, self.club.tables, away.values())
            for table, path in away.items():
                if path in old and self._away.pop(table, None) is not None:
                    self.hall.show(table, None)
                    await asyncio.to_thread(remove, path)
            await asyncio.sleep(CLEAR_EVERY_S)

    # What the entrance asks.

    def advert(self, doors: DoorPorts) -> Advert:
        """Return the advert of the club: all that strangers may know of it."""
        present = min(self.hall.present, MAX_ADVERTISED_COUNT)
        return Advert(self.id, self.title, OURS, AdvertStage.CLUB, present, 0, doors)

    def is_known(self, key: bytes) -> bool:
        """Return True if this key has a name here, or is a stage's."""
        return self.hall.is_known(key)

    def is_removed(self, key: bytes) -> bool:  # noqa: ARG002 - as a table asks
        """Return False: a club removes nobody, its tables do."""
        return False

    def note_wrong_codes(self, tried: int) -> None:
        """Log that wrong codes were tried."""
        _log.warning("%d wrong codes were tried", tried)

    def note_door(self, door: DoorNow) -> None:
        """Note the state of a door, of which the hall tells."""
        self.hall.note_door(door)

    def note_announcing(self, trouble: OSError | None) -> None:
        """Log that the club cannot be announced."""
        if trouble is not None:
            _log.warning("the club cannot be announced: %s", trouble)

    async def serve(
        self, connection: Connection, key: bytes, address: str, *, at_door: bool = False
    ) -> None:
        """Serve a trusted connection until it is gone."""
        del at_door  # in a hall nobody plays
        number = self.hall.attach(connection, key, address)
        visitor = Visitor(self, number, connection, key, address)
        try:
            await self.hall.serve_as(number, visitor.receive)
        finally:
            visitor.leave()
            self.hall.detach(number)

    # What the hall asks.

    def announce(self) -> None:
        """Announce how many are there now."""
        self.entrance.announce()

    def call(self, key: bytes = b"", table: str = "") -> None:
        """Call people from their tables to the hall: whoever has this key, or is there."""
        for live in tuple(self.tables.values()):
            if not table or live.table.id == table:
                live.call(key)

    def tell_tables(self, name: str, text: str) -> None:
        """Tell all tables what an organiser has said in the hall."""
        for live in tuple(self.tables.values()):
            live.tell(Notice(name, text))

    def tell_next_tables(self, tables: Collection[str], told: Mapping[bytes, NextTable]) -> None:
        """Tell people at these tables, by key, where they sit in the next round of the night."""
        for live in tuple(self.tables.values()):
            if live.table.id in tables:
                live.tell_next_tables(told)

    def renew_code(self) -> None:
        """Draw a new room code."""
        self.code = RoomCode.new()
        self.entrance.guest_keys.revoke()
        self._rows.keep_code(self.code)
        self._options.on_code(self.code)
        self.hall.note_code()

    def note_night(self) -> None:
        """Report the night, which is another, and saved."""
        assert self.hall.night.night is not None
        self._options.on_night(self.hall.night.night)

    # Tables.

    async def find_table(self, table: str) -> ClubTable | None:
        """Return a table, resumed if it was put away; `None` if there is none."""
        live = self.tables.get(table)
        if live is not None and live.is_stopping:
            await asyncio.wait([self._running[table]])
            live = self.tables.get(table)
        if live is None and table in self._away:
            path = self._away.pop(table)
            self._running[table] = self.start(self._wake(table, path))
        if live is None and table in self._running:
            await asyncio.wait([self._running[table]])
        return self.tables.get(table)

    async def open_table(self, key: bytes, name: str, settings: Settings) -> str | Refusal:
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
                    certificate=self.certificate,
                    in_club=True,
                )
                return self._run_table(table)
        except Exception as error:  # noqa: BLE001 - one table, of many
            _report("a table cannot be opened", error)
        return Refusal.DISK_FULL

    async def open_round(self, order: RoundOrder) -> list[NightTable] | Refusal:
        """Draw the tables of a round of the night, and open them, or return why not."""
        try:
            if await asyncio.to_thread(has_room, self.club.tables):
                opened = await open_round(self.club, order, self.code)
                for _told, table in opened:
                    self._run_table(table)
                return [told for told, _table in opened]
        except Exception as error:  # noqa: BLE001 - or nobody could draw again
            _report("the tables of a round cannot be opened", error)
        return Refusal.DISK_FULL

    def find_players(self, tables: Collection[str]) -> set[bytes]:
        """Return the keys of those at these tables who were heard just now."""
        there = [self.tables[table].table.room for table in tables if table in self.tables]
        return {key for room in there for key in players(room, HEARD_S)}

    def expect_people(self, tables: Sequence[str]) -> None:
        """Let the games begin by themselves at those of these tables that are the round's."""
        for table in self.hall.night.tables_of_last_round():
            if table in tables and table in self.tables:
                self.tables[table].start_by(LATE_AFTER_S)

    async def close_table(self, table: str) -> None:
        """Close a table for good, even one that is put away, or cannot be resumed just now."""
        live = await self.find_table(table)
        if live is not None:
            live.close()
        elif table in self._away:
            path = self._away.pop(table)
            self.hall.show(table, None)
            await asyncio.to_thread(remove, path)

    async def _resume_all(self) -> None:
        """Resume the tables whose journals are in the club's folder."""
        listed = [one for one in list_journals(self.club.tables) if isinstance(one, JournalInfo)]
        for one in sorted(listed, key=attrgetter("created")):
            if not one.finished and self.hall.has_room():
                await self._wake(one.table, one.path)
                if one.table in self._away:  # not just now; nothing but its name is known before
                    row = HallTable(one.table, one.name, AdvertStage.PLAYING, "", 0, 0)
                    self.hall.show(one.table, Outline(row))
        self.hall.settle()

    async def _wake(self, table: str, path: Path) -> None:
        """Resume a table; one that cannot be, even by a bug, is left as it is, and not shown.

        If it cannot be just now, as on a full disk, it stays put away until somebody comes again.
        """
        try:
            self.expect_people([self._run_table(await asyncio.to_thread(resume, path))])
        except Exception as error:  # noqa: BLE001 - one table, of many
            _report("a table cannot be resumed", error)
            self._running.pop(table, None)
            if isinstance(error, JournalBusy | JournalUnwritable):
                self._away[table] = path
            else:
                self.hall.show(table, None)

    def _run_table(self, table: HostedTable) -> str:
        """Begin to run a table, and return its id."""
        options = replace(self._options, doors={})
        process = self._bots[len(self.tables) % len(self._bots)]
        bots = OurBots(process, self._places)
        live = ClubTable(table, options, bots, self.hall, self._show)
        self.tables[table.id] = live
        self._running[table.id] = self.start(self._run_to_end(live))
        self._show(live)
        return table.id

    def _show(self, live: ClubTable) -> None:
        if self.tables.get(live.table.id) is live:
            self.hall.show(
                live.table.id, outline_of(live.table.id, live.table.room, self.hall.names)
            )

    async def _run_to_end(self, live: ClubTable) -> None:
        """Run a table until it ends; the other tables go on, even if it ended by a bug."""
        table = live.table.id
        try:
            await live.run()
        except Exception as error:  # noqa: BLE001 - a bug at one table
            _report("a table has failed", error)
            live.stop()  # or somebody would come to it while it is put away
        live.cut_all()
        if self._stopped.is_set():
            del self.tables[table]
            return
        if not live.is_kept and not live.is_closed:
            await asyncio.to_thread(remove, live.table.journal.path)
        del self.tables[table], self._running[table]
        if live.is_kept:
            self._away[table] = live.table.journal.path
        outline = outline_of(table, live.table.room, self.hall.names)
        away = replace(outline, row=structs.replace(outline.row, people=()))
        self.hall.show(table, away if live.is_kept else None)

    async def _close_tables(self) -> None:
        """Stop all tables, and wait until all is put away."""
        self._stopped.set()
        while self._tasks:
            for live in self.tables.values():
                live.stop()
            await asyncio.wait(self._tasks)

    def start(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Begin work that goes on by itself, and is waited for when the club stops."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _report(what: str, error: Exception) -> None:
    """Log trouble with a journal; report a bug, which is one of some tables, not of the club."""
    if isinstance(error, JournalError):
        _log.warning("%s: %s", what, error)
        return
    asyncio.get_running_loop().call_exception_handler({"message": what, "exception": error})
