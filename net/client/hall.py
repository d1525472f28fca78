"""A session in a club's hall, over connections that are replaced when they fail.

Its status has a `hall` in place of a table. To go to a table, leave the hall and begin a
`net.client.remote.RemoteSession` with `at_table`; nothing has to be typed for that.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import replace
from typing import Final

from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import AddressFinder, DialFailed
from net.client.host_news import after_news
from net.client.session import (
    HEARTBEAT_POLICY,
    ConnectionState,
    Ending,
    HallSight,
    OnUpdate,
    Received,
    Status,
    Update,
)
from net.protocol.framing import BadFrame, FrameFault, decode, is_readable
from net.protocol.hall import (
    FROM_HALL_KINDS,
    EnterHall,
    FromHall,
    FromHallClient,
    GoTo,
    HallEntered,
    HallNow,
    HallRequest,
    HallTalk,
    NightNow,
    OrganiserNow,
    SayInHall,
    TableReady,
)
from net.protocol.lobby import MAX_CHAT_LINES, is_clean_text
from net.protocol.messages import (
    CODE_LENGTH,
    CloseReason,
    Closing,
    CommandRefused,
    DoorNow,
    Ping,
    Pong,
    Refusal,
)
from net.protocol.night import Night
from net.protocol.requests import Chat, Request
from net.protocol.text import is_clean, is_clean_name, sanitise
from net.secure.client import Rejection
from net.secure.code import BadCode, RoomCode
from net.secure.connection import Connection, ConnectionFailed
from net.tasks import cancel_and_wait, end_tasks

MAX_KEPT: Final = 8
"""Most talk and orders that wait until we are in the hall: so many lines may be said at once."""

REDIAL_S: Final = 1.0  # seconds to wait before a lost connection is dialled again


def at_table(credentials: Credentials, table: str, title: str, *, watch: bool) -> Credentials:
    """Return the credentials for a table of the club that these are for."""
    return replace(
        credentials, club=credentials.table, table=table, title=title, watch=watch, may_differ=True
    )


def is_sound_hall(message: FromHall) -> bool:
    """Return False for news that no hall has, or whose text a terminal should not be shown."""
    match message:
        case HallEntered(_, club, name):
            return bool(name) and is_clean_name(club) and is_clean_name(name)
        case HallNow(tables, people):
            names = *(table.name for table in tables), *(one.name for one in people)
            words = (word for table in tables for word in (table.stage, table.edition))
            return (
                all(map(is_clean_name, names))
                and all(sanitise(word, "?") == word for word in words)
                and all(one.table < len(tables) for one in people)
            )
        case HallTalk(lines):
            return all(is_clean_name(one.name) and is_clean_text(one.text) for one in lines)
        case OrganiserNow(code):
            return is_clean(code, CODE_LENGTH, CODE_LENGTH)
        case NightNow(night):
            return night.is_sound and all(map(is_clean_name, (night.title, *night.people)))
        case _:
            return True


class HallSession:
    """One person in the hall of a club; the credentials to come back with are kept in `store`.

    Where a night is drawn, its update names the table to go to, unless it is one to which the
    person `went` already. Run it in an event loop; call `request` and `leave` from that loop.
    """

    def __init__(
        self,
        credentials: Credentials,
        on_update: OnUpdate,
        store: CredentialStore,
        went: set[str] | None = None,
    ) -> None:
        self.credentials = credentials
        self.status = Status(hall=HallSight(credentials.title, credentials.name))
        self._on_update = on_update
        self._store = store
        self._went = set() if went is None else went
        self._finder = AddressFinder(credentials.table, credentials.addresses)
        self._connection: Connection | None = None
        self._last_heard = 0.0
        self._is_in = False
        self._kept = deque[HallRequest]()  # what is asked for once we are in the hall
        self._unsure = deque[tuple[int, HallRequest]]()  # sent before this ping, not answered yet
        self._pings = self._pongs = 0  # on this connection
        self._namesakes = 1
        self._ending: Ending | None = None
        self._left = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def request(self, want: Request) -> None:
        """Say a line of talk; nothing else that is asked of a table can be asked of a hall."""
        if isinstance(want, Chat):
            self._ask(SayInHall(want.text))

    def ask(self, request: HallRequest) -> None:
        """Ask the club for something, from any thread: a table, or what an organiser may.

        What comes of it, such as the id of the table, is in a later update, or why not. What is
        asked for without a connection, or on one that is lost before the club was heard from, is
        sent once we are in the hall; it may come twice then.
        """
        if self._loop is None:
            self._ask(request)
            return
        with suppress(RuntimeError):  # the loop is closed: the session has ended
            self._loop.call_soon_threadsafe(self._ask, request)

    def leave(self) -> None:
        """Close the connection."""
        self._left.set()

    async def run(self) -> None:
        """Keep the connection up until the club ends it for good, or the person leaves."""
        self._loop = asyncio.get_running_loop()
        keeping = asyncio.create_task(self._keep_up())
        leaving = asyncio.create_task(self._left.wait())
        try:
            await asyncio.wait((keeping, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self._connection is not None:
                self._connection.close()
            await end_tasks(keeping, leaving)
        if self._ending is Rejection.NOT_SEATED:
            self._store.remove(self.credentials)
        self._publish(replace(self.status, connection=ConnectionState.ENDED, ending=self._ending))

    async def _keep_up(self) -> None:
        """Use one connection after the other, until one ends for good."""
        patience: float | None = self.credentials.patience
        try:
            while self._ending is None:
                await self._hold(await self._finder.dial(self.credentials, patience))
                patience = None
                if self._ending is None:
                    self._publish(replace(self.status, connection=ConnectionState.LOST))
                    await asyncio.sleep(REDIAL_S)
        except DialFailed as error:
            self._ending = error.reason

    async def _hold(self, connection: Connection) -> None:
        """Use a connection until it is gone, or nothing has been heard on it for too long."""
        self._connection, self._last_heard = connection, connection.clock()
        self._is_in = False
        self._pings = self._pongs = 0
        self._send(EnterHall(self.credentials.name, self.credentials.watch))
        reading = asyncio.create_task(self._read(connection))
        beating = asyncio.create_task(self._beat(connection))
        try:
            await asyncio.wait((reading, beating), return_when=asyncio.FIRST_COMPLETED)
        finally:
            connection.abort()
            self._connection, self._is_in = None, False
            self._kept.extendleft(request for _ping, request in reversed(self._unsure))
            self._unsure.clear()
            await cancel_and_wait(reading, beating)

    async def _beat(self, connection: Connection) -> None:
        while connection.clock() - self._last_heard < HEARTBEAT_POLICY.lost:
            self._pings += self._send(Ping(0))
            await asyncio.sleep(HEARTBEAT_POLICY.beat)

    async def _read(self, connection: Connection) -> None:
        with suppress(BadFrame, ConnectionFailed):
            while self._ending is None:
                message: FromHall = decode(await connection.recv(), *FROM_HALL_KINDS)
                self._last_heard = connection.clock()
                self._take(message, connection)

    def _take(self, message: FromHall, connection: Connection) -> None:
        """Take in a message of the club, and publish what follows.

        Raises BadFrame: no hall looks like this, or its text is unclean.
        """
        if not is_sound_hall(message):
            raise BadFrame(FrameFault.MESSAGE)
        hall, received = self.status.hall, None
        assert hall is not None
        match message:
            case HallEntered(_, club, name):
                self._is_in = True
                hall = replace(hall, club=club, name=name, tables=(), people=(), talk=(), code="")
                self._keep(message, connection)
                while self._kept and self._send(self._kept[0]):
                    self._kept.popleft()  # not to be sent a third time, should it end the link
            case HallNow(tables, people, renewed):
                hall = replace(hall, tables=tables, people=people, renewed=renewed)
            case HallTalk(lines):
                hall = replace(hall, talk=(*hall.talk, *lines)[-MAX_CHAT_LINES:])
            case TableReady(table) | GoTo(table):
                received = Received(opened=table)
            case OrganiserNow(code):
                hall = replace(hall, code=code)
                self._learn(code)
            case NightNow(night):
                hall, received = replace(hall, night=night), self._follow(night, hall.name)
            case DoorNow():
                self.status, received = after_news(self.status, message)
            case CommandRefused(reason=why) if not self._is_in:
                self._not_let_in(why)
            case CommandRefused():
                received = Received(refused=message)
            case Closing(CloseReason.REPLACED as why):
                self._ending = why
            case Pong():
                self._pongs += 1
                while self._unsure and self._unsure[0][0] < self._pongs:
                    self._unsure.popleft()
            case Closing():
                pass
        state = ConnectionState.CONNECTED if self._is_in else self.status.connection
        self._publish(replace(self.status, connection=state, hall=hall), received)

    def _follow(self, night: Night, name: str) -> Received | None:
        """Return the update that leads us to the table where we are drawn to, once."""
        place = night.place_of(name)
        if place is None or place[1].is_over or place[1].id in self._went:
            return None
        self._went.add(place[1].id)
        return Received(opened=place[1].id)

    def _keep(self, entered: HallEntered, connection: Connection) -> None:
        """Store the credentials to come back with."""
        self.credentials = replace(
            self.credentials,
            name=entered.name,
            table=entered.id,
            title=entered.club,
            pin=connection.fingerprint,
            addresses=self._finder.addresses,
        )
        self.status = replace(self.status, kept=self._store.store(self.credentials), doors=())

    def _learn(self, code: str) -> None:
        """Store a room code that an organiser is told; a stage on this computer shows it."""
        with suppress(BadCode):
            self.credentials = replace(self.credentials, code=RoomCode.parse(code))
            self._store.store(self.credentials)

    def _not_let_in(self, why: Refusal) -> None:
        """Handle a refusal to let us in; if only the name is taken, try another one."""
        self._namesakes += 1
        name = self.credentials.find_other_name(self._namesakes)
        if why is Refusal.NAME_TAKEN and name is not None:
            self._send(EnterHall(name, self.credentials.watch))
        else:
            self._ending = why

    def _publish(self, status: Status, received: Received | None = None) -> None:
        if status != self.status or received is not None:
            self.status = status
            self._on_update(Update(status, received))

    def _ask(self, request: HallRequest) -> None:
        """Send a request, or keep it until we are in the hall.

        Refuse one that no club can read, or that is too many.
        """
        why = Refusal.UNREADABLE
        if is_readable(request):
            if self._is_in and self._send(request):
                self._unsure.append((self._pings, request))
                return
            if len(self._kept) < MAX_KEPT:
                self._kept.append(request)
                return
            why = Refusal.TOO_FAST
        self._publish(self.status, Received(refused=CommandRefused(0, why)))

    def _send(self, message: FromHallClient) -> bool:
        """Send a message; return True if there is a connection that takes it."""
        if self._connection is not None:
            try:
                self._connection.send(message)
            except ConnectionFailed:
                self._connection.abort()
            else:
                return True
        return False
