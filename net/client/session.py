"""The `Session` interface between a user interface and a table, and the values it hands out.

A session is a connection to a host or a table in the same process. Both kinds share
`StatusPublisher`, which holds the client's state and publishes each change. `SessionThread` runs
one in a thread of its own, with its own event loop: a terminal that takes no more text, or a user
interface that is busy, then never delays the heartbeats.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

from engine.events import RoundEnded
from engine.moves import Move
from engine.view import View
from net.client.audit import Audit
from net.client.received import Disagreement, Received
from net.client.state import ClientState
from net.client.trail import GameState, Rollback
from net.lobby.model import Lobby
from net.lobby.permissions import is_host, why_not
from net.protocol.messages import (
    CloseReason,
    DiskStatus,
    DoorNow,
    HostMessage,
    Refusal,
    TableSealed,
)
from net.protocol.requests import Close, Request
from net.security.client import Rejection
from net.security.code import words_to_compare
from net.transport.connection import ConnectionFault


class ConnectionState(StrEnum):
    """The state of the connection to the table."""

    LINKING = "linking"  # there was no connection yet
    LINKED = "linked"
    SHAKY = "shaky"  # nothing was received for five seconds
    LOST = "lost"  # another connection is being dialled
    ENDED = "ended"  # for good


Ending: TypeAlias = CloseReason | Rejection | ConnectionFault | Refusal
"""The reason why a seat has ended: the host closed it, authentication was rejected, the connection
failed, or entering was refused."""


@dataclass(frozen=True, slots=True)
class HostAlarm:
    """The host is not heard of any more, or hears from too few.

    In so many `seconds` the others go on without it, `next_host` first; it is empty if nobody's
    program can. After that they do so, unless they are `too_few`: more than half are needed.
    """

    seconds: int
    next_host: str = ""
    too_few: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """The present state, as a user interface shows it.

    `member` is the player's id, 0 before the first welcome. `unanswered` counts the commands that
    the host has not answered yet. `announced` is False if the host's table cannot be announced on
    the network, `kept` if the player cannot come back to the seat after this program has ended.
    `ending` is set when `connection` is ENDED. `undone` is set while the table is rolled back
    behind what was seen and the player has not decided to continue. `code` is the room code that
    replaced the first one, known to the host alone, as are the `doors` beside the table. `sealed`
    tells whom a table waits for that was brought back and is sealed still. `alarm` is set while the
    host is not heard of, if the table can go on without it.
    """

    connection: ConnectionState = ConnectionState.LINKING
    member: int = 0
    game_state: GameState | None = None
    disk: DiskStatus = DiskStatus.OK
    announced: bool = True
    doors: tuple[DoorNow, ...] = ()
    kept: bool = True
    unanswered: int = 0
    ending: Ending | None = None
    undone: Rollback | None = None
    code: str = ""
    sealed: TableSealed | None = None
    alarm: HostAlarm | None = None

    @property
    def lobby(self) -> Lobby | None:
        """The lobby, `None` before the first welcome."""
        return None if self.game_state is None else self.game_state.lobby

    @property
    def view(self) -> View | None:
        """The player's view of the game, `None` without a game."""
        return None if self.game_state is None else self.game_state.view

    @property
    def seat(self) -> int | None:
        """The player's seat, from 0; `None` for a spectator."""
        return None if self.game_state is None else self.game_state.lobby.seat_of(self.member)

    @property
    def is_host(self) -> bool:
        """True if the player is the host."""
        if self.sealed is not None and self.sealed.yours:
            return True
        return self.lobby is not None and is_host(self.lobby, self.member)

    def why_not(self, request: Request) -> Refusal | None:
        """Return the reason why the player may not do this now, `None` if they may."""
        if self.sealed is not None:
            gives_up = self.sealed.yours and isinstance(request, Close)
            return None if gives_up else Refusal.SEALED
        if self.lobby is None:
            return Refusal.NOT_NOW
        return why_not(self.lobby, self.view, self.member, request, self.disk)


@dataclass(frozen=True, slots=True)
class Update:
    """A change: the status after it, and what was `received`, if it came from a message.

    Each lobby event and each game event is in exactly one update, in order, unless
    `received.renewed` says that a snapshot replaced everything.
    """

    status: Status
    received: Received | None = None


OnUpdate: TypeAlias = Callable[[Update], object]


class Session(Protocol):
    """A place at a table, as a user interface drives it. No method waits, and none raises."""

    @property
    def status(self) -> Status:
        """The present status."""
        ...

    def request(self, want: Request) -> None:
        """Send a request to the host. The answer comes in a later update."""
        ...

    def play(self, move: Move) -> None:
        """Request a move in the turn that is in view."""
        ...

    def go_on(self) -> None:
        """Continue at a table that was rolled back, from its present state."""
        ...

    def leave(self) -> None:
        """Close the connection. To give up the seat, send the request `Leave` first."""
        ...


class StatusPublisher:
    """The client's state and its status. Calls `on_update` once for each change.

    `report` writes down a disagreement between host and client, or an audit with mismatches, and
    returns the report's path.
    """

    def __init__(
        self,
        state: ClientState,
        on_update: OnUpdate,
        report: Callable[[Disagreement | Audit], str] = lambda _trouble: "",
    ) -> None:
        self.state = state
        self._report = report
        self.status = Status()
        self.kept = True
        self.alarm: HostAlarm | None = None
        self._on_update = on_update

    def receive(self, message: HostMessage) -> Received:
        """Handle one message of the host, publish the change, and return what came of it.

        Raises:
            BadFrame: the message violates the protocol.
        """
        received = self.state.receive(message)
        trouble: Disagreement | Audit | None = received.disagreed
        if received.audit is not None and received.audit.mismatches:
            trouble = received.audit
        if trouble is not None:
            received = replace(received, report=self._report(trouble))
        held = self.state.game_state
        ends = any(isinstance(event, RoundEnded) for event in received.events)
        if ends and held is not None and len(held.lobby.people) > 1:
            received = replace(received, words=words_to_compare(held.running))
        self.publish(received)
        return received

    def set_connection(
        self, connection_state: ConnectionState, ending: Ending | None = None
    ) -> None:
        """Publish the state of the connection, if it has changed and is not ENDED."""
        if self.status.connection not in (connection_state, ConnectionState.ENDED):
            self.publish(None, connection_state, ending)

    def publish(
        self,
        received: Received | None = None,
        standing: ConnectionState | None = None,
        ending: Ending | None = None,
    ) -> None:
        """Publish the present status, unless nothing has changed."""
        state = self.state
        status = Status(
            connection=self.status.connection if standing is None else standing,
            member=state.member,
            game_state=state.game_state,
            disk=state.disk,
            code=state.code,
            announced=state.announced,
            doors=state.doors,
            kept=self.kept,
            unanswered=len(state.pending),
            ending=ending,
            undone=state.undone,
            sealed=state.sealed,
            alarm=self.alarm,
        )
        if status != self.status or received not in (None, Received()):
            self.status = status
            self._on_update(Update(status, received))


FAILED: Final = Status(ConnectionState.ENDED)
"""The status of a session that a bug has ended, and nothing else."""


class RunnableSession(Session, Protocol):
    """A session that has to be run in an event loop."""

    async def run(self) -> None:
        """Run the session until it has ended."""
        ...


class SessionThread:
    """Runs a session in a thread, from `start` until it has ended.

    `make` makes the session, given the callback to call with each update: `on_update`, which is
    called in the thread, and must only pass the update on. If the session raises, which is a bug,
    `join` raises the same.
    """

    def __init__(self, make: Callable[[OnUpdate], RunnableSession], on_update: OnUpdate) -> None:
        self._on_update = on_update
        self._session = make(on_update)
        self._loop = asyncio.new_event_loop()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    @property
    def status(self) -> Status:
        """The present status."""
        return self._session.status if self._failure is None else FAILED

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def request(self, want: Request) -> None:
        """Send a request to the host."""
        with suppress(RuntimeError):  # the loop is closed: the session has ended
            self._loop.call_soon_threadsafe(self._session.request, want)

    def play(self, move: Move) -> None:
        """Request a move in the turn that is in view."""
        with suppress(RuntimeError):  # as above
            self._loop.call_soon_threadsafe(self._session.play, move)

    def go_on(self) -> None:
        """Continue at a table that was rolled back."""
        with suppress(RuntimeError):  # as above
            self._loop.call_soon_threadsafe(self._session.go_on)

    def leave(self) -> None:
        """Close the connection."""
        with suppress(RuntimeError):  # as above
            self._loop.call_soon_threadsafe(self._session.leave)

    def join(self, seconds: float | None = None) -> None:
        """Wait until the session has ended, at most `seconds`; raise what the session raised."""
        self._thread.join(seconds)
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._session.run())
        except Exception as error:  # noqa: BLE001 - whatever it is, `join` raises it
            self._failure = error
            self._on_update(Update(FAILED))
