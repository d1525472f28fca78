"""A session at a table on the network, over connections that are replaced when they fail.

`net.client.state` folds what the host says; `net.client.dialer` makes the connections. The client
sends a heartbeat every two seconds. After five seconds of silence the connection counts as shaky
and another one is dialled beside it; after ten it counts as lost. A person's newest connection is
the one that counts, on both sides.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import AddressFinder, DialFailed, end_attempts
from net.client.reports import Reports, no_report
from net.client.session import (
    HEARTBEAT_POLICY,
    ConnectionState,
    Ending,
    HeartbeatPolicy,
    OnUpdate,
    Received,
    Status,
)
from net.client.state import ClientState, StatusPublisher
from net.protocol.framing import BadFrame, decode, is_readable
from net.protocol.messages import (
    HOST_KINDS,
    ClientMessage,
    CloseReason,
    Closing,
    CommandRefused,
    HostMessage,
    Refusal,
    StepAway,
    Welcome,
)
from net.protocol.requests import Request
from net.secure.client import Rejection
from net.secure.code import words_to_compare
from net.secure.connection import Connection, ConnectionFailed, ConnectionFault
from net.tasks import end_tasks

EVICTED_PAUSE_S: Final = 3.0
"""Seconds to wait before reconnecting after a connection ended for a protocol error or too much
data."""

MAX_BAD_CONNECTIONS: Final = 3
"""Connections that may end because of what the host sent, before the client gives it up."""

BAD_CONNECTIONS_WINDOW_S: Final = 60.0  # seconds within which these connections have to end


# Reasons after which the client does not reconnect.
_FOR_GOOD: Final = {
    CloseReason.REPLACED,
    CloseReason.KICKED,
    CloseReason.LEFT,
    CloseReason.FORGOTTEN,
    CloseReason.CLOSED,
    CloseReason.CLUB,
    CloseReason.NO_TABLE,
}
# Endings after which the stored credentials are deleted. REPLACED is not among them: the newer
# connection still uses them. Nor is CLUB: they are for its hall. Nor is KICKED: by them the host
# tells players that they were removed, whenever they come again.
_NO_WAY_BACK: Final = {
    CloseReason.LEFT,
    CloseReason.FORGOTTEN,
    CloseReason.CLOSED,
    CloseReason.NO_TABLE,
    Rejection.NOT_SEATED,
}


class RemoteSession:
    """One person's seat at one table; the credentials to come back with are kept in `store`.

    Reports of disagreements between host and client are written to the folder `reports`, beside the
    store's folder, unless `keeps_reports` is False.

    Run it in an event loop; call `request` and `leave` from that loop.
    """

    def __init__(
        self,
        credentials: Credentials,
        on_update: OnUpdate,
        store: CredentialStore,
        heartbeat: HeartbeatPolicy = HEARTBEAT_POLICY,
        *,
        keeps_reports: bool = True,
    ) -> None:
        self._credentials = credentials
        self._heartbeat = heartbeat
        self._store = store
        state = ClientState(
            credentials.name,
            credentials.watch,
            mark=credentials.seen,
            at_door=credentials.at_door,
            make_words=words_to_compare,
        )
        state.status = replace(state.status, in_club=bool(credentials.club))
        reports = Reports(store.folder.parent / "reports").write if keeps_reports else no_report
        self.publisher = StatusPublisher(state, on_update, reports)
        self._address_finder = AddressFinder(credentials.sought, credentials.addresses)
        self._connection: Connection | None = None
        self._last_heard = 0.0
        self._namesakes = 1
        self._ending: Ending | None = None
        self._left = asyncio.Event()
        self._amends = 0.0
        self._bad_ends: deque[float] = deque(maxlen=MAX_BAD_CONNECTIONS)

    @property
    def status(self) -> Status:
        """The present status."""
        return self.publisher.status

    def request(self, want: Request) -> None:
        """Send a request to the host, now or once it is connected again.

        One that no host can read is refused: it would be sent again on each connection, and end it.
        """
        if not is_readable(want):
            self.publisher.publish(Received(refused=CommandRefused(0, Refusal.UNREADABLE)))
            return
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
        elif self._ending is CloseReason.KICKED:
            self._store.store(replace(self._credentials, was_removed=True))
        self.publisher.set_connection(ConnectionState.ENDED, self._ending)

    async def _run(self) -> None:
        keeping = asyncio.create_task(self._keep_up())
        leaving = asyncio.create_task(self._left.wait())
        try:
            await asyncio.wait((keeping, leaving), return_when=asyncio.FIRST_COMPLETED)
            if self._connection is not None:
                if self.publisher.state.entered:
                    self.send((StepAway(),))
                self._connection.close()
                await asyncio.wait((keeping,), timeout=1.0)
        finally:
            await end_tasks(keeping, leaving)

    async def _keep_up(self) -> None:
        """Use one connection after the other, until one ends for good."""
        try:
            connection: Connection | None = await self._dial(self._credentials.patience)
            while self._ending is None and not self._left.is_set():
                if connection is None:
                    self.publisher.set_connection(ConnectionState.LOST)
                    await asyncio.sleep(self._amends)
                    connection = await self._dial(None)
                connection = await self._hold(connection)
            if connection is not None:
                connection.abort()
        except DialFailed as error:
            self._ending = error.reason

    async def _dial(self, patience: float | None) -> Connection:
        """Return an authenticated connection to the host.

        Raises DialFailed: there will be none.
        """
        return await self._address_finder.dial(self._credentials, patience)

    async def _hold(self, connection: Connection) -> Connection | None:
        """Use a connection while it works; return its replacement, or `None` if there is none."""
        self._connection, self._last_heard = connection, connection.clock()
        state = self.publisher.state
        self.send((state.begin_connection(),))
        reading = asyncio.create_task(self._read(connection))
        beating = asyncio.create_task(self._beat(connection))
        newer: Connection | None = None
        try:
            await asyncio.wait((reading, beating), return_when=asyncio.FIRST_COMPLETED)
            if beating.done():
                newer = beating.result()
            return newer
        finally:
            connection.abort()
            self._connection = None
            state.end_connection()
            self._keep_mark()
            await end_attempts((reading, beating), newer)

    async def _beat(self, connection: Connection) -> Connection:
        """Send heartbeats; if the host falls silent, dial another connection and return it.

        If the host is heard again first, the dialling is stopped.
        """
        dialling: asyncio.Task[Connection] | None = None
        try:
            while True:
                self.send((self.publisher.state.ping(),))
                self._keep_mark()
                await self._pause(dialling)
                silent = connection.clock() - self._last_heard
                if silent < self._heartbeat.shaky:
                    if dialling is not None:
                        await end_attempts((dialling,))
                        dialling = None
                elif dialling is None:
                    self.publisher.set_connection(ConnectionState.SHAKY)
                    dialling = asyncio.create_task(self._dial(None))
                elif dialling.done():
                    newer, dialling = dialling, None
                    return newer.result()
                elif silent >= self._heartbeat.lost:
                    self.publisher.set_connection(ConnectionState.LOST)
        finally:
            if dialling is not None:
                await end_attempts((dialling,))

    async def _pause(self, dialling: asyncio.Task[Connection] | None) -> None:
        """Wait until the next heartbeat is due, or the dialling has finished."""
        if dialling is None:
            await asyncio.sleep(self._heartbeat.beat)
        else:
            await asyncio.wait((dialling,), timeout=self._heartbeat.beat / 4)

    async def _read(self, connection: Connection) -> None:
        """Handle the host's messages until the connection is gone, or has to end."""
        try:
            while self._ending is None:
                message: HostMessage = decode(await connection.recv(), *HOST_KINDS)
                self._last_heard = connection.clock()
                self._react(message, self.publisher.receive(message))
                if self.publisher.state.entered:
                    self.publisher.set_connection(ConnectionState.CONNECTED)
        except BadFrame:
            self._misread(ConnectionFault.BAD_FRAME, connection.clock())
        except ConnectionFailed as failed:
            if failed.why in {ConnectionFault.BAD_FRAME, ConnectionFault.OVER_BUDGET}:
                self._misread(failed.why, connection.clock())

    def _misread(self, why: ConnectionFault, now: float) -> None:
        """Note a connection that ended because of what the host sent; give up after a few."""
        self._amends = EVICTED_PAUSE_S
        self._bad_ends.append(now)
        many = len(self._bad_ends) == MAX_BAD_CONNECTIONS
        if many and now - self._bad_ends[0] < BAD_CONNECTIONS_WINDOW_S:
            self._ending = why

    def _react(self, message: HostMessage, received: Received) -> None:
        """Do what follows from a message for the connection."""
        match message:
            case Closing(why) if why in _FOR_GOOD:
                self._ending = why
            case Closing(CloseReason.OUT_OF_ORDER | CloseReason.TOO_MUCH):
                self._amends = EVICTED_PAUSE_S
            case CommandRefused(0, why):
                self._not_let_in(why)
            case Welcome():
                self._let_in()
            case _:
                pass
        self.send(received.send)

    def _let_in(self) -> None:
        """Store the credentials to come back with: the host has let us in."""
        assert self._connection is not None
        self._amends = 0.0
        self._credentials = replace(
            self._credentials,
            name=self.publisher.state.name,
            pin=self._connection.fingerprint,
            addresses=self._address_finder.addresses,
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
        status, seen = self.publisher.status, self._credentials.seen
        if status.game_state is None or self._credentials.pin is None:
            return
        self._credentials = replace(self._credentials, seen=status.game_state.mark)
        if left or self._credentials.seen != seen:
            self._store.store(self._credentials)

    def _not_let_in(self, why: Refusal) -> None:
        """Handle a refusal to let us in; if only the name is taken, try another one."""
        self._namesakes += 1
        name = self._credentials.find_other_name(self._namesakes)
        if why is not Refusal.NAME_TAKEN or name is None:
            self._ending = why
            return
        self.publisher.state.name = name
        self.send((self.publisher.state.begin_connection(),))

    def send(self, messages: Iterable[ClientMessage]) -> None:
        """Send messages to the host. If the connection fails, it is aborted and `_read` notices."""
        if self._connection is None:
            return
        for message in messages:
            try:
                self._connection.send(message)
            except ConnectionFailed:
                self._connection.abort()
                return
