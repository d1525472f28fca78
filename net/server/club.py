"""The club server: a hall and many tables behind one entrance, in one loop.

The first message on a connection says if it leads to the hall (`net.room.hall`), or to a table,
where all goes on as at a table alone. A table at which nobody has been for a while is closed, but
for one whose game is under way.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from operator import attrgetter
from typing import Final

from msgspec import structs

from net.discovery.advert import MAX_ADVERTISED_COUNT, OURS, Advert, AdvertStage, DoorPorts
from net.discovery.networks import PortClaim
from net.protocol.board import NightTable
from net.protocol.fields import KEY_BYTES
from net.protocol.framing import decode
from net.protocol.hall import Visit
from net.protocol.lobby import DEFAULT_LEVEL, MIN_SEATS, BotChair, Settings, bot_names
from net.protocol.messages import CLIENT_KINDS, CloseReason, DoorNow, DoorTrouble, Refusal
from net.protocol.requests import DoorKind
from net.protocol.text import clean_name
from net.room import inputs
from net.room.night import RoundOrder, draw_tables
from net.secure.code import RoomCode
from net.secure.connection import Connection
from net.secure.handshake import HostClaim
from net.secure.keys import TableCertificate
from net.server.bot_process import BotProcess
from net.server.bots import OurBots
from net.server.club_hall import ClubTable, LiveHall
from net.server.clubs import KEPT_S, ClubRows, HostedClub, clear, has_room, remove
from net.server.entrance import Entrance
from net.server.journal import JournalInfo, list_journals
from net.server.journal_format import JournalError
from net.server.live_table import LiveRoom
from net.server.tables import HostedTable, ServerOptions, create, resume

LATE_AFTER_S: Final = 60.0
"""Seconds after which a table's game begins without those who have not come."""


class Visitor:
    """A trusted connection to a club, which is one to its hall unless it is for a table.

    `number` is that of the connection in the `room` that it leads to.
    """

    def __init__(
        self, club: ClubServer, number: int, connection: Connection, key: bytes, address: str
    ) -> None:
        self.room: LiveRoom = club.hall
        self.number = number
        self._club = club
        self._connection = connection
        self._key = key
        self._address = address
        self._is_first = True

    def receive(self, value: bytes) -> None:
        """Handle what came. Raises BadFrame: it is no message that is due now."""
        is_first, self._is_first = self._is_first, False
        if is_first and isinstance(first := decode(value, Visit, *CLIENT_KINDS), Visit):
            self._visit(first.table)
        else:
            self.room.receive(self.number, value)

    def _visit(self, table: str) -> None:
        hall, live = self._club.hall, self._club.tables.get(table)
        if not hall.is_known(self._key):
            hall.happen(inputs.turn_away, self.number, CloseReason.OUT_OF_ORDER)
        elif live is None or live.is_stopping:
            hall.happen(inputs.turn_away, self.number, CloseReason.NO_TABLE)
        else:
            hall.detach(self.number)
            self.room, self.number = live, live.attach(self._connection, self._key, self._address)


BOT_PROCESSES: Final = max(1, min(4, os.cpu_count() or 1))
"""Processes in which the bots of all tables think."""

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
        self._tasks: set[asyncio.Task[None]] = set()
        self._options = options
        self._doors = doors
        self._rows = ClubRows(club.journal)
        self.hall = LiveHall(club, self, self._rows)
        self._bots = [BotProcess(options.worker) for _ in range(BOT_PROCESSES)]
        self._installed: set[BotProcess] = set()
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
        self.hall.happen(inputs.note_door, door)

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
            visitor.room.detach(visitor.number)

    # What the hall asks.

    def renew_code(self) -> None:
        """Draw a new room code."""
        self.code = RoomCode.new()
        self.entrance.guest_keys.revoke()
        self._rows.keep_code(self.code)
        self._options.on_code(self.code)
        self.hall.happen(inputs.renew_code)

    def note_night(self) -> None:
        """Report the night, which is another, and saved."""
        assert self.hall.night.night is not None
        self._options.on_night(self.hall.night.night)

    # Tables.

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
        return Refusal.DISK_FULL

    def _create(self, order: RoundOrder, number: int, people: tuple[int, ...]) -> HostedTable:
        """Create a table of the night. Its host's key is nobody's: all its people are guests."""
        seated = [order.people[person] for person in people]
        missing = max(MIN_SEATS - len(seated), 0)
        bots = bot_names(missing, {name.casefold() for _key, name in seated})
        return create(
            self.club.tables,
            name=clean_name(f"{order.title} {number}"),
            host_key=secrets.token_bytes(KEY_BYTES),
            settings=structs.replace(order.settings, seats=len(seated) + missing),
            port=0,
            code=self.code,
            bots=tuple(BotChair(name, DEFAULT_LEVEL) for name in bots),
            certificate=self.certificate,
            people=seated,
            in_club=True,
        )

    def expect_people(self, tables: Sequence[str]) -> None:
        """Let the games begin by themselves at those of these tables that are the round's."""
        for table in self.hall.night.tables_of_last_round():
            if table in tables and table in self.tables:
                self.tables[table].happen(inputs.start_by, LATE_AFTER_S)

    async def _resume_all(self) -> None:
        """Resume the tables whose journals are in the club's folder.

        One that cannot be, even by a bug, is left as it is, and not shown.
        """
        clear(self.club.tables, time.time() - KEPT_S)
        found = [one for one in list_journals(self.club.tables) if isinstance(one, JournalInfo)]
        for journal in sorted(found, key=attrgetter("created")):
            if not journal.finished and self.hall.has_room():
                try:
                    self._run_table(await asyncio.to_thread(resume, journal.path))
                except Exception as error:  # noqa: BLE001 - one table, of many
                    _report("a table cannot be resumed", error)
        self.expect_people(tuple(self.tables))
        self.hall.settle()

    def _run_table(self, table: HostedTable) -> str:
        """Begin to run a table, and return its id."""
        options = replace(self._options, doors={})
        process = self._bots[len(self.tables) % len(self._bots)]
        bots = OurBots(process, self._installed)
        live = ClubTable(table, options, bots, self.hall)
        self.tables[table.id] = live
        _ = self.start(self._run_to_end(live))
        live.show()
        return table.id

    async def _run_to_end(self, live: ClubTable) -> None:
        """Run a table until it ends; the other tables go on, even if it ended by a bug."""
        is_over = False
        try:
            await live.run()
            is_over = not (live.is_closed or self._stopped.is_set())
        except Exception as error:  # noqa: BLE001 - a bug at one table
            _report("a table has failed", error)
        live.stop()
        live.cut_all()
        del self.tables[live.table.id]
        if not self._stopped.is_set():
            self.hall.show(live.table.id, None)
        if is_over:  # nobody was there for long
            await asyncio.to_thread(remove, live.table.journal.path)

    async def _close_tables(self) -> None:
        """Stop all tables, and wait until all is saved."""
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
