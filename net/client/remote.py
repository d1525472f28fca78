"""A session at a table on the network, over connections that are replaced when they fail.

`net.client.state` applies what the host sends; `net.client.dialer` makes the connections. The
client sends a heartbeat every two seconds. After four seconds of silence the connection counts as
shaky; after six it is lost, and another one is dialled. A person's newest connection is the one
that counts, on both sides.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import aclosing, suppress
from dataclasses import replace
from math import inf
from typing import Final

from engine.events import Private
from net.client import session
from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import Dialer, DialFailed, end_attempts
from net.client.moving import (
    SHORT_AFTER_S,
    SILENT_AFTER_S,
    MoveOrder,
    NextCopy,
    TableOpener,
    follow,
    keys_of,
    move_credentials,
)
from net.client.state import ClientState, StatusPublisher, public_states
from net.clock import seconds_asleep
from net.discovery.networks import LOOPBACK_HOSTS
from net.discovery.search import FoundCopy, search
from net.protocol import CopyRank, messages
from net.protocol.cleaning import suffixed_name
from net.protocol.copies import CopyAnswer, OwnCopy, next_term
from net.protocol.framing import BadFrame, decode, is_readable
from net.protocol.lobby import UNPICKED, Dwarf
from net.protocol.requests import (
    Close,
    Leave,
    Request,
    StopWaiting,
    SwitchHost,
    TakeHost,
    TakeOverHere,
)
from net.room.permissions import may_play, round_of, who_decides
from net.secure.address import Address
from net.secure.code import BadCode, RoomCode, words_to_compare
from net.secure.connection import Connection, ConnectionFailed, ConnectionFault
from net.secure.handshake import Rejection
from net.tasks import end_tasks, wait_for_event

HEARTBEAT_INTERVAL_S: Final = 2.0  # three fit in LOST_AFTER_S: one answer may be late
SHAKY_AFTER_S: Final = 4.0  # seconds of silence
LOST_AFTER_S: Final = 6.0  # seconds of silence

SHORT_LINK_S: Final = 1.0
"""Minimum seconds from a connection's start to the next dial: a host may end each at once."""

MAX_NAMESAKES: Final = 9  # last number that is tried after a name that is taken

MAX_BAD_CONNECTIONS: Final = 3
"""Connections that may end because of what the host sent, before the client gives it up: a
changed or broken host would send the same again."""


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
# connection still uses them. Nor is CALLED: they are for its hall. Nor is KICKED: with them the
# host recognises removed players, and says so whenever they return.
_NO_WAY_BACK: Final = {
    messages.CloseReason.LEFT,
    messages.CloseReason.FORGOTTEN,
    messages.CloseReason.NEW_CODE,
    messages.CloseReason.CLOSED,
    messages.CloseReason.NO_TABLE,
    Rejection.NOT_SEATED,
}


ANSWER_TIMEOUT_S: Final = 3.0  # seconds to wait for the host's answer before leaving for good
ACCEPT_INTERVAL_S: Final = 0.05  # seconds between checks of whether the table still plays
WATCH_INTERVAL_S: Final = 0.5
"""Seconds between checks of a table whose host is silent, that is short of people, or that is
searched elsewhere; any other is checked with each heartbeat, and after each message besides."""

SLEPT_FOR_S: Final = 60.0
"""Seconds after waking up during which a host here switches to another copy unasked: it has to get
into the network first, and to find the copy."""


class RemoteSession:
    """One person's seat at one table. Run it in an event loop, and call its methods there.

    `opener` opens the table at this computer if it has to move here. `recall` says what our seat
    knew at a step, from the journal of a table that ran here. If it `is_lost`, the session searches
    elsewhere for the table at once. The `dwarf` was picked before, at another table.
    """

    def __init__(  # noqa: PLR0913 - each says one thing about a place at a table
        self,
        credentials: Credentials,
        on_update: session.OnUpdate,
        store: CredentialStore,
        *,
        is_projector: bool = False,
        dwarf: Dwarf = UNPICKED,
        opener: TableOpener | None = None,
        outside: tuple[Address, ...] = (),
        recall: Callable[[messages.Mark], tuple[Private, ...] | None] = lambda _mark: None,
        is_lost: bool = False,
    ) -> None:
        self._credentials = credentials
        self._store = store
        in_club = bool(credentials.club)
        status = session.Status(
            in_club=in_club,
            can_host=opener is not None and not in_club,
            outside=outside,
            left_at=credentials.left_at,
        )
        state = ClientState(
            credentials.name,
            credentials.watch,
            is_projector,
            dwarf,
            status,
            mark=credentials.seen,
            at_door=credentials.at_door,
            make_words=words_to_compare,
            recall=recall,
        )
        self.publisher = StatusPublisher(state, on_update)
        self._connection: Connection | None = None
        self._link_seen_at = 0.0
        self._namesakes = 1
        self._ending: session.Ending | None = None
        self._left = asyncio.Event()
        self._leaves_for_good = False  # the host's answer is still to come
        self._bad_connections = 0
        self._opener = opener
        # When any host was last heard; `_link_seen_at` is for the present connection only.
        self._host_seen_at = -inf if is_lost else time.monotonic()
        self._next = NextCopy()
        self._choice: FoundCopy | None = None  # the copy that the player is asked about
        self._opening: asyncio.Task[None] | None = None
        self._has_news = asyncio.Event()  # the host has sent something other than a heartbeat
        self._search_due = asyncio.Event()
        self._asleep, self._woke_at = seconds_asleep(), -inf

    @property
    def status(self) -> session.Status:
        return self.publisher.state.status

    @property
    def credentials(self) -> Credentials:
        """The credentials to return with; in a hall with the club's id, name and known code."""
        hall, known = self.status.hall, self._credentials
        if hall is None:
            return known
        known = replace(known, table=hall.board.club, title=hall.name)
        with suppress(BadCode):  # organisers learn it; a stage on this computer shows it
            return replace(known, code=RoomCode.parse(self.status.code))
        return known

    def request(self, want: Request) -> None:
        """Send a request to the host, now or once it is connected again.

        One that no host can read is refused: it would be sent again on each connection, and end it.
        """
        match want:
            case TakeOverHere():
                if self.status.may_go_on and (self._opening is None or self._opening.done()):
                    self._opening = asyncio.ensure_future(self._go_on_here())
                return
            case SwitchHost():
                if self._choice is not None and self.status.why_not(want) is None:
                    self._switch_host(self._choice)
                return
            case StopWaiting():
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
        keeping = asyncio.create_task(self._reconnect_loop())
        leaving = asyncio.create_task(self._left.wait())
        watching = asyncio.create_task(self._watch_host())
        looking = asyncio.create_task(self._search_loop())
        try:
            await asyncio.wait(
                (keeping, leaving, watching, looking), return_when=asyncio.FIRST_COMPLETED
            )
            if self._leaves_for_good:
                # Only the host's answer says that the seat is gone; without it, the seat is listed
                # as kept. If the link is down, it may be back in time.
                await asyncio.wait((keeping,), timeout=ANSWER_TIMEOUT_S)
                self._leaves_for_good = False
            if self._connection is not None:
                if self.publisher.state.entered:
                    self.send((messages.StepAway(),))
                self._connection.close()
                # Let StepAway get out, but do not let a dead host delay quitting.
                await asyncio.wait((keeping,), timeout=1.0)
        finally:
            opening = () if self._opening is None else (self._opening,)
            await end_tasks(keeping, leaving, watching, looking, *opening)

    async def _reconnect_loop(self) -> None:
        try:
            connection = await self._dial(self._credentials.patience)
            while True:
                begun = time.monotonic()
                await self._use_connection(connection)
                has_left = self._left.is_set() and not self._leaves_for_good
                if self._ending is not None or has_left:
                    return
                if not self._next.is_moving:
                    self.publisher.set_connection(session.ConnectionState.LOST)
                    await asyncio.sleep(max(0.0, begun + SHORT_LINK_S - time.monotonic()))
                connection = await self._dial(None)
        except DialFailed as error:
            self._ending = error.reason

    async def _dial(self, patience: float | None) -> Connection:
        """Return a trusted connection, wherever the table is. Raises DialFailed: there is none."""
        while True:
            self._use_next()
            dialer = Dialer(self._credentials, patience, looks=True)
            dialling = asyncio.create_task(dialer.dial())
            moving = asyncio.create_task(self._next.wait())
            kept: Connection | None = None
            try:
                await asyncio.wait((dialling, moving), return_when=asyncio.FIRST_COMPLETED)
                if not self._next.is_moving:
                    kept = dialling.result()
                    self._credentials = replace(self._credentials, addresses=dialer.addresses)
                    if outside := self._credentials.outside:
                        self.publisher.set_status(replace(self.status, outside=outside))
                    return kept
            finally:
                await end_attempts((dialling, moving), kept)

    def _use_next(self) -> None:
        to = self._next.take()
        if to is not None:
            self._host_seen_at = time.monotonic()
            self._credentials = replace(to, seen=self._credentials.seen)
            self._store.store(self._credentials)
            self.publisher.state.is_elsewhere = True

    # Tables that move to another computer, or to this one.

    @property
    def _is_ours(self) -> bool:
        at, status = self._credentials.addresses, self.status
        is_here = status.can_host and bool(at) and at[0].host in LOOPBACK_HOSTS
        return is_here and (status.is_host or status.opening is session.Opening.UNDER_WAY)

    async def _search_loop(self) -> None:
        while True:
            await self._search_due.wait()
            self._search_due.clear()
            if not self._is_searching():
                continue
            self._keep_mark()  # with the keys of those who have seats now
            found = search(self._credentials.table, self._is_wanted, self._ask_copy)
            async with aclosing(found) as copies:
                async for copy in copies:
                    if not self._is_searching():
                        break
                    if copy is not None:
                        self._consider(copy)

    def _own_copy(self) -> OwnCopy:
        status = self.status
        lobby, gathering, is_ours = status.lobby, status.gathering, self._is_ours
        term = 0 if lobby is None else lobby.term
        if is_ours and gathering is not None and status.seat is not None:
            term = next_term(term, status.seat)
        return OwnCopy(
            lobby,
            term,
            is_ours=is_ours,
            is_silent=status.silent,
            here=None if gathering is None else gathering.here,
            is_left=not is_ours and gathering is not None and status.found in gathering.waiting,
            has_slept=self._has_slept(),
        )

    def _is_searching(self) -> bool:
        status, lobby = self.status, self.status.lobby
        if status.opening is session.Opening.UNDER_WAY and status.gathering is None:
            return False  # our own takeover is not open yet
        in_club = self._credentials.club or (lobby is not None and lobby.is_hall)
        may_move = self._credentials.table and not in_club and not self._next.is_moving
        if not may_move or (lobby is None and not self._credentials.seats):
            return False
        return self._own_copy().should_search

    def _is_wanted(self, there: CopyRank) -> bool:
        return self._own_copy().answer(there) is not CopyAnswer.STAY

    async def _ask_copy(self, at: Address) -> FoundCopy:
        return await follow(self._credentials, at, self._own_copy().keys)

    def _has_slept(self) -> bool:
        """Return True if this computer has just woken up; call it often."""
        before, self._asleep, now = self._asleep, seconds_asleep(), time.monotonic()
        if self._asleep - before >= SILENT_AFTER_S:
            self._woke_at = now
        return now - self._woke_at < SLEPT_FOR_S

    def _consider(self, copy: FoundCopy) -> None:
        answer = self._own_copy().answer(copy.rank)
        if answer is CopyAnswer.GO:
            self._switch_host(copy)
        elif answer is not CopyAnswer.STAY:
            self._set_choice(copy)

    def _set_choice(self, copy: FoundCopy | None) -> None:
        self._choice = copy
        name = None if copy is None else self._name_host(copy)
        if name != self.status.elsewhere:
            self.publisher.set_status(replace(self.status, elsewhere=name))

    def _name_host(self, copy: FoundCopy) -> str:
        people = () if self.status.lobby is None else self.status.lobby.people
        return next((person.name for person in people if person.key == copy.host), "")

    def _switch_host(self, copy: FoundCopy) -> None:
        """Leave our host for a copy at another computer. A deserted table ends itself."""
        name, self._choice = self._name_host(copy), None
        self._next.set(move_credentials(self._credentials, copy.pin, (copy.address,)))
        not_asked = session.Opening.NOT_ASKED
        self.publisher.set_status(
            replace(self.status, found=name, elsewhere=None, gathering=None, opening=not_asked)
        )

    async def _watch_host(self) -> None:
        short_since: float | None = None
        interval = WATCH_INTERVAL_S
        while True:
            await wait_for_event(self._has_news, _until_next(interval))
            self._has_news.clear()
            now, status, lobby = time.monotonic(), self.status, self.status.lobby
            self._has_slept()
            silence = now - self._host_seen_at
            silent = silence >= SILENT_AFTER_S
            is_short = lobby is not None and not may_play(lobby, round_of(status.view))
            short_since = (short_since or now) if is_short and not silent else None
            waited = short_since is not None and now - short_since >= SHORT_AFTER_S
            may_continue = waited and lobby is not None and who_decides(lobby) == status.member
            self.publisher.set_status(replace(status, silent=silent, may_continue=may_continue))
            if is_searching := self._is_searching():
                self._search_due.set()
            else:
                self._set_choice(None)
            is_well = silence < SHAKY_AFTER_S and not (is_short or is_searching)
            interval = HEARTBEAT_INTERVAL_S if is_well else WATCH_INTERVAL_S

    async def _go_on_here(self) -> None:
        """Open the table at this computer, with the doors it had, and connect to it."""
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
        shown = "" if code is None else str(code)
        self.publisher.set_status(replace(self.status, outside=opened.outside, code=shown))
        here = move_credentials(self._credentials, opened.pin, opened.addresses)
        self._next.set(replace(here, code=code))

    async def _accept_handover(self) -> bool:
        self.send(self.publisher.state.request(TakeHost()))
        until = time.monotonic() + SILENT_AFTER_S
        while time.monotonic() < until:
            lobby = self.status.lobby
            if lobby is not None and lobby.handing:
                return True
            await asyncio.sleep(ACCEPT_INTERVAL_S)
        return False

    async def _use_connection(self, connection: Connection) -> None:
        self._connection, self._link_seen_at = connection, time.monotonic()
        state = self.publisher.state
        self.send((state.begin_connection(),))
        reading = asyncio.create_task(self._read(connection))
        beating = asyncio.create_task(self._heartbeat_loop())
        moving = asyncio.create_task(self._next.wait())
        try:
            await asyncio.wait((reading, beating, moving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            connection.abort()
            self._connection = None
            state.end_connection()
            self._keep_mark()
            await end_attempts((reading, beating, moving))

    async def _heartbeat_loop(self) -> None:
        silent = 0.0
        while silent < LOST_AFTER_S:
            if silent >= SHAKY_AFTER_S:
                self.publisher.set_connection(session.ConnectionState.SHAKY)
            self.send((self.publisher.state.ping(),))
            self._keep_mark()
            await asyncio.sleep(_until_next(HEARTBEAT_INTERVAL_S))
            silent = time.monotonic() - self._link_seen_at

    async def _read(self, connection: Connection) -> None:
        try:
            while self._ending is None:
                message: messages.HostMessage = decode(
                    await connection.recv(), *messages.HOST_KINDS
                )
                self._link_seen_at, self._host_seen_at = time.monotonic(), time.monotonic()
                self._handle(message, self.publisher.receive(message))
                if self.publisher.state.entered:
                    self.publisher.set_connection(session.ConnectionState.CONNECTED)
        except BadFrame:
            self._count_bad_connection(ConnectionFault.BAD_FRAME)
        except ConnectionFailed as failed:
            if failed.why in {ConnectionFault.BAD_FRAME, ConnectionFault.OVER_BUDGET}:
                self._count_bad_connection(failed.why)

    def _count_bad_connection(self, why: ConnectionFault) -> None:
        self._bad_connections += 1
        if self._bad_connections == MAX_BAD_CONNECTIONS:
            self._ending = why

    def _handle(self, message: messages.HostMessage, received: session.Received) -> None:
        if not isinstance(message, messages.Pong):
            self._has_news.set()
        match message:
            case messages.Closing(why) if why in _FOR_GOOD:
                self._ending = why
            case messages.Closing(messages.CloseReason.MOVED):
                self._host_seen_at = -inf
            case messages.CommandRefused(0, why):
                self._handle_refused_entry(why)
            case messages.Welcome():
                self._store_entry()
            case _:
                pass
        self.send(received.send)

    def _store_entry(self) -> None:
        assert self._connection is not None
        self._credentials = replace(
            self._credentials,
            name=self.publisher.state.name,
            pin=self._connection.fingerprint,
            was_removed=False,
        )
        kept = self._store.store(self._credentials)
        self.publisher.set_status(replace(self.status, kept=kept))

    def _keep_mark(self, *, left: bool = False) -> None:
        """Store the last step seen, for a player who comes back after this program has ended.

        This is done at each heartbeat and at the end of each connection, not at each step: a killed
        program loses two seconds at most. With `left` the credentials are always stored, so that
        the file's time says when the player left.
        """
        status, before = self.status, self._credentials
        if status.game_state is None or self._credentials.pin is None:
            return
        seats = keys_of(status.game_state.lobby)
        seen, place = status.game_state.mark, status.place
        self._credentials = replace(self.credentials, seen=seen, left_at=place, seats=seats)
        if left or self._credentials != before:
            self._store.store(self._credentials)

    def _handle_refused_entry(self, why: messages.Refusal) -> None:
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


def _until_next(interval: float) -> float:
    """Return the seconds to the clock's next multiple of the interval: then loops wake together."""
    return interval - asyncio.get_running_loop().time() % interval
