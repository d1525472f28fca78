"""A seat at a table on the network: a link kept up, through all that a network does.

What the host says is folded by `net.client.state`, how a link is got is `net.client.dialer`'s.

The host is heard of every two seconds. After five without a word the link is shaky, and another is
dialled beside it; after ten it is given up. The newest link of a person is the one that counts, on
both sides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from engine import Move
from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import AddressFinder, Dialer, DialFailed, end_attempts
from net.client.reports import Reports
from net.client.session import ConnectionState, Ending, OnUpdate, Status, StatusPublisher
from net.client.state import ClientState
from net.protocol.framing import BadFrame, decode
from net.protocol.messages import (
    HOST_KINDS,
    ClientMessage,
    CloseReason,
    Closing,
    CommandRefused,
    HostMessage,
    Refusal,
    Request,
    Welcome,
)
from net.protocol.text import clean_name
from net.security.client import Rejection
from net.tasks import cancel_and_wait
from net.transport.connection import Connection, ConnectionFailed

JOIN_TIMEOUT_S: Final = 6.0
REJOIN_TIMEOUT_S: Final = 60.0
"""Seconds to try for at first: a table where one has a seat is worth a longer look."""

EVICTED_PAUSE_S: Final = 3.0
"""Seconds to wait before coming back where the host has ended the link for good reason."""


@dataclass(frozen=True, slots=True)
class HeartbeatPolicy:
    """Seconds between two heartbeats, and without a word until a link is shaky, and given up."""

    beat: float = 2.0
    shaky: float = 5.0
    gone: float = 10.0


HEARTBEAT_POLICY: Final = HeartbeatPolicy()

_FOR_GOOD: Final = {
    CloseReason.REPLACED,
    CloseReason.KICKED,
    CloseReason.LEFT,
    CloseReason.FORGOTTEN,
    CloseReason.CLOSED,
}
_NO_WAY_BACK: Final = (_FOR_GOOD - {CloseReason.REPLACED}) | {Rejection.NOT_SEATED}
_MAX_NAMESAKES: Final = 9


class RemoteSession:
    """One person's seat at one table. The ticket to come back with is kept in `store`.

    Beside the wallet's folder lie the reports of what host and client disagreed about.

    Run it in a loop; `request`, `play` and `leave` belong to that loop.
    """

    def __init__(
        self,
        credentials: Credentials,
        on_update: OnUpdate,
        store: CredentialStore,
        rhythm: HeartbeatPolicy = HEARTBEAT_POLICY,
    ) -> None:
        self._credentials = credentials
        self._rhythm = rhythm
        self._store = store
        state = ClientState(credentials.name, credentials.watch, mark=credentials.seen)
        self._publisher = StatusPublisher(
            state, on_update, Reports(store.folder.parent / "reports").write
        )
        self._address_finder = AddressFinder(credentials.table, credentials.addresses)
        self._link: Connection | None = None
        self._last_heard = 0.0
        self._namesakes = 1
        self._ending: Ending | None = None
        self._left = asyncio.Event()
        self._amends = 0.0

    @property
    def status(self) -> Status:
        """What is now."""
        return self._publisher.status

    def request(self, want: Request) -> None:
        """Want something of the host, now or when it is there again."""
        self._send(self._publisher.state.request(want))
        self._publisher.publish()

    def play(self, move: Move) -> None:
        """Want to make a move in the turn that is in view."""
        self._send(self._publisher.state.play(move))
        self._publisher.publish()

    def go_on(self) -> None:
        """Go on at a table that has gone back, from where it is."""
        self._publisher.state.go_on()
        self._publisher.publish()

    def leave(self) -> None:
        """Let go of the link; what was said before still goes out."""
        self._left.set()

    async def run(self) -> None:
        """Keep the link up until the seat has ended, or is left."""
        with self._store.using(self._credentials):
            await self._run()
            self._keep_mark(left=True)
        if self._ending in _NO_WAY_BACK:
            self._store.remove(self._credentials)
        self._publisher.publish(None, ConnectionState.ENDED, self._ending)

    async def _run(self) -> None:
        keeping = asyncio.create_task(self._keep_up())
        leaving = asyncio.create_task(self._left.wait())
        try:
            await asyncio.wait((keeping, leaving), return_when=asyncio.FIRST_COMPLETED)
            if self._link is not None:
                self._link.close()
                await asyncio.wait((keeping,), timeout=1.0)
        finally:
            await cancel_and_wait(keeping, leaving)
        if not keeping.cancelled():
            keeping.result()  # raises what is a bug

    async def _keep_up(self) -> None:
        """One link after the other, until one ends for good."""
        try:
            patience = JOIN_TIMEOUT_S if self._credentials.pin is None else REJOIN_TIMEOUT_S
            connection: Connection | None = await self._dial(patience)
            while self._ending is None and not self._left.is_set():
                if connection is None:
                    self._publisher.set_connection(ConnectionState.LOST)
                    await asyncio.sleep(self._amends)
                    connection = await self._dial(None)
                connection = await self._hold(connection)
            if connection is not None:
                connection.abort()
        except DialFailed as error:
            self._ending = error.reason

    async def _dial(self, patience: float | None) -> Connection:
        """Get a trusted link. Raises `DialFailed` where there will be none."""
        following = asyncio.create_task(self._address_finder.follow())
        link: Connection | None = None
        try:
            dialler = Dialer(lambda: self._address_finder.addresses, patience)
            link = await dialler.dial(self._credentials)
            return link
        finally:
            await end_attempts((following,), link)

    async def _hold(self, connection: Connection) -> Connection | None:
        """Use a link while it is good; return the one to go on with, or None if there is none."""
        self._link, self._last_heard = connection, connection.clock()
        state = self._publisher.state
        self._send((state.linked(),))
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
            self._link = None
            state.unlinked()
            self._keep_mark()
            await end_attempts((reading, beating), newer)

    async def _beat(self, connection: Connection) -> Connection:
        """Beat; look for a better link while this one is silent, and return it once it is there."""
        dialling: asyncio.Task[Connection] | None = None
        try:
            while True:
                self._send((self._publisher.state.ping(),))
                self._keep_mark()
                await self._pause(dialling)
                silent = connection.clock() - self._last_heard
                if silent < self._rhythm.shaky:
                    if dialling is not None:
                        await end_attempts((dialling,))
                        dialling = None
                elif dialling is None:
                    self._publisher.set_connection(ConnectionState.SHAKY)
                    dialling = asyncio.create_task(self._dial(None))
                elif dialling.done():
                    newer, dialling = dialling, None
                    return newer.result()
                elif silent >= self._rhythm.gone:
                    self._publisher.set_connection(ConnectionState.LOST)
        finally:
            if dialling is not None:
                await end_attempts((dialling,))

    async def _pause(self, dialling: asyncio.Task[Connection] | None) -> None:
        """Wait until the next beat is due, or the link that was dialled is there."""
        if dialling is None:
            await asyncio.sleep(self._rhythm.beat)
        else:
            await asyncio.wait((dialling,), timeout=self._rhythm.beat / 4)

    async def _read(self, connection: Connection) -> None:
        """Take in what the host says until the link is gone, or has to end."""
        with suppress(ConnectionFailed):
            while self._ending is None:
                try:
                    message: HostMessage = decode(await connection.recv(), *HOST_KINDS)
                    self._last_heard = connection.clock()
                    self._take(message)
                    if self._publisher.state.entered:
                        self._publisher.set_connection(ConnectionState.LINKED)
                except BadFrame:
                    self._amends = EVICTED_PAUSE_S
                    return

    def _take(self, message: HostMessage) -> None:
        """Take in one message. Raises `BadFrame` where no honest host says it."""
        answers = self._publisher.receive(message)
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
        self._send(answers)

    def _let_in(self) -> None:
        """The host knows us from now on, and we have proven each other."""
        assert self._link is not None
        self._amends = 0.0
        self._credentials = replace(
            self._credentials,
            name=self._publisher.state.name,
            pin=self._link.fingerprint,
            addresses=self._address_finder.addresses,
        )
        self._publisher.kept = self._store.store(self._credentials)
        self._publisher.publish()

    def _keep_mark(self, *, left: bool = False) -> None:
        """Keep the last step that was seen, for who comes back after this program has ended.

        At each heartbeat and at the end of each link, not at each step: a kill costs two seconds.
        Where the table has gone back, the older mark stays until the player goes on from there.
        Who has left keeps the ticket once more: when that was, its file tells.
        """
        state, seen = self._publisher.state, self._credentials.seen
        if state.game_state is None or self._credentials.pin is None:
            return
        if state.undone is None:
            self._credentials = replace(self._credentials, seen=state.game_state.mark)
        if left or self._credentials.seen != seen:
            self._store.store(self._credentials)

    def _not_let_in(self, why: Refusal) -> None:
        """The host refuses that we enter; where it is for the name, try another."""
        self._namesakes += 1
        if (
            why is not Refusal.NAME_TAKEN
            or not self._credentials.may_differ
            or self._namesakes > _MAX_NAMESAKES
        ):
            self._ending = why
            return
        state = self._publisher.state
        state.name = suffixed_name(self._credentials.name, self._namesakes)
        self._send((state.linked(),))

    def _send(self, messages: Iterable[ClientMessage]) -> None:
        """Say something to the host; where the link breaks over it, the reader notices."""
        if self._link is None:
            return
        for message in messages:
            try:
                self._link.send(message)
            except ConnectionFailed:
                self._link.abort()
                return


def suffixed_name(name: str, number: int) -> str:
    """A name like another, and not the same: `anna 2`."""
    tail = f" {number}"
    kept = clean_name(name)
    while clean_name(kept + tail) != (kept + tail).strip():
        kept = kept[:-1].rstrip()
    return kept + tail
