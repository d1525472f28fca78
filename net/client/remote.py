"""A session at a table on the network, over connections that are replaced when they fail.

`net.client.state` folds what the host says; `net.client.dialer` makes the connections. The client
sends a heartbeat every two seconds. After four seconds of silence the connection counts as shaky;
after six it is lost, and another one is dialled. A person's newest connection is the one that
counts, on both sides.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Final

from net.client import session
from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import (
    SHORT_AFTER_S,
    SILENT_AFTER_S,
    Dialer,
    DialFailed,
    FoundElsewhere,
    MoveOrder,
    TableOpener,
    end_attempts,
    keys_of,
    look_elsewhere,
    move_credentials,
    own_standing,
)
from net.client.state import ClientState, StatusPublisher, public_states
from net.discovery.advert import Standing
from net.discovery.networks import LOOPBACK_HOSTS
from net.protocol import messages
from net.protocol.framing import BadFrame, decode, is_readable
from net.protocol.requests import Close, GoOnHere, Leave, Request, TakeHost, WaitNoLonger
from net.protocol.text import suffixed_name
from net.room.standing import may_play, next_term, round_of, who_decides
from net.secure.address import Address
from net.secure.code import BadCode, RoomCode, words_to_compare
from net.secure.connection import Connection, ConnectionFailed, ConnectionFault
from net.secure.handshake import Rejection
from net.tasks import end_tasks

HEARTBEAT_INTERVAL_S: Final = 2.0
SHAKY_AFTER_S: Final = 4.0  # seconds of silence
LOST_AFTER_S: Final = 6.0  # seconds of silence

SHORT_LINK_S: Final = 1.0  # least seconds from the beginning of a connection to the next dial

MAX_NAMESAKES: Final = 9  # last number that is tried behind a name that is taken

MAX_BAD_CONNECTIONS: Final = 3
"""Connections that may end because of what the host sent, before the client gives it up."""


# Reasons after which the client does not reconnect.
_FOR_GOOD: Final = {
    messages.CloseReason.REPLACED,
    messages.CloseReason.KICKED,
    messages.CloseReason.LEFT,
    messages.CloseReason.FORGOTTEN,
    messages.CloseReason.NEW_CODE,
    messages.CloseReason.CLOSED,
    messages.CloseReason.CALLED,
    messages.CloseReason.NO_TABLE,
}
# Endings after which the stored credentials are deleted. REPLACED is not among them: the newer
# connection still uses them. Nor is CALLED: they are for its hall. Nor is KICKED: by them the host
# tells players that they were removed, whenever they come again.
_NO_WAY_BACK: Final = {
    messages.CloseReason.LEFT,
    messages.CloseReason.FORGOTTEN,
    messages.CloseReason.NEW_CODE,
    messages.CloseReason.CLOSED,
    messages.CloseReason.NO_TABLE,
    Rejection.NOT_SEATED,
}


ANSWER_TIMEOUT_S: Final = 3.0  # seconds for a host to answer who leaves or closes for good
ACCEPT_INTERVAL_S: Final = 0.05  # seconds between two looks whether the table stands still
WATCH_INTERVAL_S: Final = 0.5  # seconds between two looks at how long the host has been silent


class RemoteSession:
    """One person's seat at one table. Run it in an event loop, and call its methods there.

    Args:
        credentials: what enters the table.
        on_update: is called with each change.
        store: keeps the credentials to come back with.
        is_projector: watches for a room full of people.
        opener: opens the table at this computer if it has to go on here.
        is_lost: True to look for the table elsewhere at once.
    """

    def __init__(  # noqa: PLR0913 - each says one thing of a place at a table
        self,
        credentials: Credentials,
        on_update: session.OnUpdate,
        store: CredentialStore,
        *,
        is_projector: bool = False,
        opener: TableOpener | None = None,
        outside: tuple[Address, ...] = (),
        is_lost: bool = False,
    ) -> None:
        self._credentials = credentials
        self._store = store
        state = ClientState(
            credentials.name,
            credentials.watch,
            is_projector,
            mark=credentials.seen,
            at_door=credentials.at_door,
            make_words=words_to_compare,
        )
        in_club = bool(credentials.club)
        can_host = opener is not None and not in_club
        state.status = replace(state.status, in_club=in_club, can_host=can_host, outside=outside)
        self.publisher = StatusPublisher(state, on_update)
        self._connection: Connection | None = None
        self._last_heard = 0.0
        self._namesakes = 1
        self._ending: session.Ending | None = None
        self._left = asyncio.Event()
        self._leaves_for_good = False  # the host's answer is still to come
        self._bad_connections = 0
        self._opener = opener
        # When any host was last heard; `_last_heard` is of the present connection alone.
        self._heard = -inf if is_lost else time.monotonic()
        self._elsewhere: FoundElsewhere | None = None
        self._gives_up = False  # True while we leave a table that runs here for the one elsewhere
        self._term_here = 0  # the last term in which we went on with the table here
        self._moved = asyncio.Event()
        self._going_on: asyncio.Task[None] | None = None

    @property
    def status(self) -> session.Status:
        """The present status."""
        return self.publisher.status

    @property
    def credentials(self) -> Credentials:
        """The credentials to come back with; in a hall with the club's id, name and known code."""
        hall, known = self.status.hall, self._credentials
        if hall is None:
            return known
        known = replace(known, table=hall.board.club, title=hall.name)
        with suppress(BadCode):  # an organiser is told it; a stage on this computer shows it
            return replace(known, code=RoomCode.parse(self.status.code))
        return known

    def request(self, want: Request) -> None:
        """Send a request to the host, now or once it is connected again.

        One that no host can read is refused: it would be sent again on each connection, and end it.
        """
        match want:
            case GoOnHere():
                if self.status.may_go_on and (self._going_on is None or self._going_on.done()):
                    self._going_on = asyncio.ensure_future(self._go_on_here())
                return
            case WaitNoLonger():
                self.send((messages.BeginNow(),))
                return
            case _:
                pass
        if not is_readable(want):
            self.publisher.publish(
                session.Received(refused=messages.CommandRefused(0, messages.Refusal.UNREADABLE))
            )
            return
        self._leaves_for_good = isinstance(want, Close | Leave)
        self.send(self.publisher.state.request(want))
        self.publisher.publish()

    def leave(self) -> None:
        """Say that the player leaves for now, and close the connection."""
        self._left.set()

    async def run(self) -> None:
        """Keep the connection up until the seat has ended, or the player leaves."""
        with self._store.using(self._credentials):
            await self._run()
            self._keep_mark(left=True)
        if self._ending in _NO_WAY_BACK:
            self._store.remove(self._credentials)
        elif self._ending is messages.CloseReason.KICKED:
            self._store.store(replace(self._credentials, was_removed=True))
        self.publisher.set_connection(session.ConnectionState.ENDED, self._ending)

    async def _run(self) -> None:
        """Run all tasks of the session until the seat has ended or the player leaves."""
        keeping = asyncio.create_task(self._keep_up())
        leaving = asyncio.create_task(self._left.wait())
        watching = asyncio.create_task(self._watch_host())
        looking = asyncio.create_task(self._look_elsewhere())
        try:
            await asyncio.wait((keeping, leaving), return_when=asyncio.FIRST_COMPLETED)
            if self._connection is not None and self._leaves_for_good:
                # Only its answer says that the seat is gone: else it would be listed as kept.
                await asyncio.wait((keeping,), timeout=ANSWER_TIMEOUT_S)
            if self._connection is not None:
                if self.publisher.state.entered:
                    self.send((messages.StepAway(),))
                self._connection.close()
                await asyncio.wait((keeping,), timeout=1.0)
        finally:
            opening = () if self._going_on is None else (self._going_on,)
            await end_tasks(keeping, leaving, watching, looking, *opening)

    async def _keep_up(self) -> None:
        """Dial and use one connection after the other, until one ends for good."""
        try:
            connection: Connection | None = await self._dial(self._credentials.patience)
            begun = time.monotonic()
            while self._ending is None and not self._left.is_set():
                if connection is None:
                    self.publisher.set_connection(session.ConnectionState.LOST)
                    await asyncio.sleep(max(0.0, begun + SHORT_LINK_S - time.monotonic()))
                    connection = await self._dial(None)
                begun = time.monotonic()
                connection = await self._hold(connection)
            if connection is not None:
                connection.abort()
        except DialFailed as error:
            self._ending = error.reason

    async def _dial(self, patience: float | None) -> Connection:
        """Return an authenticated connection to the host, or to the table elsewhere.

        Raises DialFailed: there will be none.
        """
        while True:
            if self._moved.is_set():
                connection = self._take_elsewhere()
                if connection is not None:
                    return connection
            dialer = Dialer(self._credentials, patience, looks=True)
            dialling = asyncio.create_task(dialer.dial())
            moving = asyncio.create_task(self._moved.wait())
            kept: Connection | None = None
            try:
                await asyncio.wait((dialling, moving), return_when=asyncio.FIRST_COMPLETED)
                if not self._moved.is_set():
                    kept = dialling.result()
                    self._credentials = replace(self._credentials, addresses=dialer.addresses)
                    return kept
            finally:
                await end_attempts((dialling, moving), kept)

    # Tables that go on elsewhere, or here.

    @property
    def _is_ours(self) -> bool:
        """True if the table runs on this computer, for us as its host."""
        at, status = self._credentials.addresses, self.status
        is_here = status.can_host and bool(at) and at[0].host in LOOPBACK_HOSTS
        return is_here and (status.is_host or status.opening is session.Opening.UNDER_WAY)

    async def _look_elsewhere(self) -> None:
        """Look for the table elsewhere while it is wanted there, and go over to it."""
        while True:
            await asyncio.sleep(WATCH_INTERVAL_S)
            if self._standing() is None:
                continue
            self._keep_mark()  # with the keys of those who have seats now
            found = await look_elsewhere(
                lambda: self._credentials, self._standing, lambda: self.status
            )
            if found is not None:
                self._go_over(found)

    def _standing(self) -> Standing | None:
        """Return the standing that a table elsewhere has to exceed, `None` to look for none."""
        if self._moved.is_set():
            return None
        if self.status.opening is session.Opening.UNDER_WAY and self.status.gathering is None:
            return None  # we are on our way to our own
        lobby = self.status.lobby
        in_club = self._credentials.club or (lobby is not None and lobby.is_hall)
        may_move = self._credentials.table and not in_club
        if not may_move or (lobby is None and not self._credentials.seats):
            return None
        return own_standing(self.status, is_ours=self._is_ours, term=self._term_here)

    async def _watch_host(self) -> None:
        """Publish that the host is silent, or that the table has waited long for its people."""
        short_since: float | None = None
        while True:
            await asyncio.sleep(WATCH_INTERVAL_S)
            now, status, lobby = time.monotonic(), self.status, self.status.lobby
            silent = now - self._heard >= SILENT_AFTER_S
            is_short = lobby is not None and not may_play(lobby, round_of(status.view))
            short_since = (short_since or now) if is_short and not silent else None
            waited = short_since is not None and now - short_since >= SHORT_AFTER_S
            short = waited and lobby is not None and who_decides(lobby) == status.member
            self.publisher.set_status(replace(status, silent=silent, short=short))

    def _go_over(self, found: FoundElsewhere) -> None:
        """Leave our host for the table elsewhere. If our own program hosts, `_hold` tells it."""
        lobby = self.status.lobby
        people = () if lobby is None else lobby.people
        name = next((person.name for person in people if person.key == found.host), "")
        self._gives_up = self._is_ours
        status = self.status
        self.publisher.set_status(
            replace(status, found=name, gathering=None, opening=session.Opening.NOT_ASKED)
        )
        self._elsewhere = found
        self._moved.set()

    def _take_elsewhere(self) -> Connection | None:
        """Return the connection to the table elsewhere, `None` if it goes on here."""
        self._moved.clear()
        self._gives_up = False
        found, self._elsewhere = self._elsewhere, None
        self._heard = time.monotonic()
        if found is not None:
            self._use(found.credentials)
            return found.connection
        return None

    def _use(self, credentials: Credentials) -> None:
        """Store and use the credentials for the table at another computer."""
        self._credentials = replace(credentials, seen=self._credentials.seen)
        self._store.store(self._credentials)
        self.publisher.state.is_elsewhere = True

    async def _go_on_here(self) -> None:
        """Open the table at this computer, with the doors that it had, and go there."""
        status, held = self.status, self.status.game_state
        assert self._opener is not None
        assert held is not None
        assert status.seat is not None
        is_asked, doors = status.is_asked and not status.silent, status.open_doors
        self.publisher.set_status(replace(status, opening=session.Opening.UNDER_WAY))
        if is_asked and not await self._accept_handover():
            self.publisher.set_status(replace(self.status, opening=session.Opening.FAILED))
            return
        held = self.status.game_state or held
        term = next_term(held.lobby.term, status.seat)
        code = RoomCode.parse(status.code) if status.code else self._credentials.code
        states = public_states(self.publisher.state.kept)
        order = MoveOrder(self._credentials, term, states, held, code, is_asked, doors)
        opened = await self._opener(order)
        if opened is None:
            self.publisher.set_status(replace(self.status, opening=session.Opening.FAILED))
            return
        self._term_here = term
        told = "" if code is None else str(code)
        self.publisher.set_status(replace(self.status, outside=opened.outside, code=told))
        here = move_credentials(self._credentials, opened.pin, opened.addresses)
        self._use(replace(here, code=code))
        self._moved.set()

    async def _accept_handover(self) -> bool:
        """Accept the table from its host; return True once it stands still there."""
        self.send(self.publisher.state.request(TakeHost()))
        until = time.monotonic() + SILENT_AFTER_S
        while time.monotonic() < until:
            lobby = self.status.lobby
            if lobby is not None and lobby.handing:
                return True
            await asyncio.sleep(ACCEPT_INTERVAL_S)
        return False

    async def _hold(self, connection: Connection) -> Connection | None:
        """Use a connection while it works; return one to the table elsewhere, if there is one."""
        self._connection, self._last_heard = connection, time.monotonic()
        state = self.publisher.state
        self.send((state.begin_connection(),))
        reading = asyncio.create_task(self._read(connection))
        beating = asyncio.create_task(self._beat())
        moving = asyncio.create_task(self._moved.wait())
        newer: Connection | None = None
        try:
            await asyncio.wait((reading, beating, moving), return_when=asyncio.FIRST_COMPLETED)
            if self._moved.is_set():
                lobby = self.status.lobby
                is_given = lobby is not None and lobby.handing
                if self._gives_up and not is_given:
                    self.send((messages.GoneOver(),))
                    connection.close()
                    await asyncio.wait((reading,), timeout=1.0)
                newer = self._take_elsewhere()
            return newer
        finally:
            connection.abort()
            self._connection = None
            state.end_connection()
            self._keep_mark()
            await end_attempts((reading, beating, moving), newer)

    async def _beat(self) -> None:
        """Send heartbeats until the host has been silent for `LOST_AFTER_S`."""
        silent = 0.0
        while silent < LOST_AFTER_S:
            if silent >= SHAKY_AFTER_S:
                self.publisher.set_connection(session.ConnectionState.SHAKY)
            self.send((self.publisher.state.ping(),))
            self._keep_mark()
            await asyncio.sleep(HEARTBEAT_INTERVAL_S)
            silent = time.monotonic() - self._last_heard

    async def _read(self, connection: Connection) -> None:
        """Handle the host's messages until the connection is gone, or has to end."""
        try:
            while self._ending is None:
                message: messages.HostMessage = decode(
                    await connection.recv(), *messages.HOST_KINDS
                )
                self._last_heard, self._heard = time.monotonic(), time.monotonic()
                self._react(message, self.publisher.receive(message))
                if self.publisher.state.entered:
                    self.publisher.set_connection(session.ConnectionState.CONNECTED)
        except BadFrame:
            self._count_bad_connection(ConnectionFault.BAD_FRAME)
        except ConnectionFailed as failed:
            if failed.why in {ConnectionFault.BAD_FRAME, ConnectionFault.OVER_BUDGET}:
                self._count_bad_connection(failed.why)

    def _count_bad_connection(self, why: ConnectionFault) -> None:
        """Count a connection that ended for what the host sent; after a few, end for good."""
        self._bad_connections += 1
        if self._bad_connections == MAX_BAD_CONNECTIONS:
            self._ending = why

    def _react(self, message: messages.HostMessage, received: session.Received) -> None:
        """Do what follows from a message for the connection."""
        match message:
            case messages.Closing(why) if why in _FOR_GOOD:
                self._ending = why
            case messages.Closing(messages.CloseReason.MOVED):
                self._heard = -inf
            case messages.CommandRefused(0, why):
                self._handle_refused_entry(why)
            case messages.Welcome():
                self._store_entry()
            case _:
                pass
        self.send(received.send)

    def _store_entry(self) -> None:
        """Store the credentials to come back with: the host has let us in."""
        assert self._connection is not None
        self._credentials = replace(
            self._credentials,
            name=self.publisher.state.name,
            pin=self._connection.fingerprint,
            was_removed=False,
        )
        kept = self._store.store(self._credentials)
        self.publisher.set_status(replace(self.publisher.status, kept=kept))

    def _keep_mark(self, *, left: bool = False) -> None:
        """Store the last step seen, for a player who comes back after this program has ended.

        This is done at each heartbeat and at the end of each connection, not at each step: a killed
        program loses two seconds at most. With `left` the credentials are always stored, so that
        the file's time says when the player left.
        """
        status, before = self.publisher.status, self._credentials
        if status.game_state is None or self._credentials.pin is None:
            return
        seats = keys_of(status.game_state.lobby)
        self._credentials = replace(self.credentials, seen=status.game_state.mark, seats=seats)
        if left or self._credentials != before:
            self._store.store(self._credentials)

    def _handle_refused_entry(self, why: messages.Refusal) -> None:
        """Handle a refusal to let us in; if only the name is taken, try it with a number."""
        self._namesakes += 1
        may_differ = self._credentials.may_differ and self._namesakes <= MAX_NAMESAKES
        if why is not messages.Refusal.NAME_TAKEN or not may_differ:
            self._ending = why
            return
        self.publisher.state.name = suffixed_name(self._credentials.name, self._namesakes)
        self.send((self.publisher.state.begin_connection(),))

    def send(self, messages: Iterable[messages.ClientMessage]) -> None:
        """Send messages to the host. If the connection fails, it is aborted and `_read` notices."""
        if self._connection is None:
            return
        for message in messages:
            try:
                self._connection.send(message)
            except ConnectionFailed:
                self._connection.abort()
                return
