"""Session protocol, Status, Update.

What a face holds of its place at a table: what is now, what came, and what it may want.

Values alone, and the one interface between a face and whatever is behind it: a link to a host, or
a table in the same process.

What both kinds of seat share: the client's state, how its link stands, and who hears of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, TypeAlias

from engine import Move, View
from net.client.state import ClientState, Disagreement, GameState, Received
from net.client.trail import Rollback
from net.lobby import Lobby
from net.protocol.messages import (
    ClientMessage,
    CloseReason,
    DiskStatus,
    HostMessage,
    Refusal,
    Request,
)
from net.security.client import Rejection
from net.transport.connection import ConnectionFault


class ConnectionState(StrEnum):
    """How the link to the table is."""

    LINKING = "linking"  # there was none yet
    LINKED = "linked"
    SHAKY = "shaky"  # nothing was heard for five seconds
    LOST = "lost"  # and is looked for again
    ENDED = "ended"  # for good


Ending: TypeAlias = CloseReason | Rejection | ConnectionFault | Refusal
"""Why a seat has ended: what the host said, why there is no trust, why there is no link at all, or
why one may not enter."""


@dataclass(frozen=True, slots=True)
class Status:
    """What a face shows.

    `member` is who one is, 0 before the first welcome. `unanswered` counts what one wanted and the
    host has not answered yet. `announced` is false for a host of whose table the network cannot be
    told, `kept` where one cannot come back to the seat once this program has ended. `ending` is set
    when `connection` is ENDED. `undone` is set while the table has gone back behind what was seen,
    and the player has not decided to go on. `code` is the room code in place of the first, told to
    the host alone.
    """

    connection: ConnectionState = ConnectionState.LINKING
    member: int = 0
    game_state: GameState | None = None
    disk: DiskStatus = DiskStatus.OK
    announced: bool = True
    kept: bool = True
    unanswered: int = 0
    ending: Ending | None = None
    undone: Rollback | None = None
    code: str = ""

    @property
    def lobby(self) -> Lobby | None:
        """Who is at the table, `None` before the first welcome."""
        return None if self.game_state is None else self.game_state.lobby

    @property
    def view(self) -> View | None:
        """What one knows of the game, `None` without one."""
        return None if self.game_state is None else self.game_state.view

    @property
    def seat(self) -> int | None:
        """Where one sits, from 0, `None` for who watches."""
        return None if self.game_state is None else self.game_state.lobby.seat_of(self.member)

    @property
    def is_host(self) -> bool:
        """Whether one has the host's powers."""
        return self.game_state is not None and self.game_state.lobby.host == self.member != 0


@dataclass(frozen=True, slots=True)
class Update:
    """Something came: what is now, and what was `received`, if the host said anything.

    Each piece of news and each event is in exactly one update, in order, unless `received.renewed`
    says that all was replaced.
    """

    status: Status
    received: Received | None = None


OnUpdate: TypeAlias = Callable[[Update], None]


class Session(Protocol):
    """A place at a table, as a face drives it. Nothing here waits, and nothing raises."""

    @property
    def status(self) -> Status:
        """What is now."""
        ...

    def request(self, want: Request) -> None:
        """Want something of the host. The answer is in some later update."""
        ...

    def play(self, move: Move) -> None:
        """Want to make a move in the turn that is in view."""
        ...

    def go_on(self) -> None:
        """Go on at a table that has gone back, from where it is."""
        ...

    def leave(self) -> None:
        """Let go of the link. Whoever wanted to `Leave` for good has said so before."""
        ...


class StatusPublisher:
    """A player's end of a link. `on_update` is called with every change, once each.

    `report` writes down where the two sides differ, and returns the path of that.
    """

    def __init__(
        self,
        state: ClientState,
        on_update: OnUpdate,
        report: Callable[[Disagreement], str] = lambda _disagreement: "",
    ) -> None:
        self.state = state
        self._report = report
        self.status = Status()
        self.kept = True
        self._on_update = on_update

    def receive(self, message: HostMessage) -> tuple[ClientMessage, ...]:
        """Take in what the host says, tell of it, and return what to answer.

        Raises `BadFrame` where no honest host says it.
        """
        received = self.state.receive(message)
        if received.disagreed is not None:
            received = replace(received, report=self._report(received.disagreed))
        self.publish(received)
        return received.send

    def set_connection(
        self, connection_state: ConnectionState, ending: Ending | None = None
    ) -> None:
        """Tell how the link stands, where it stands otherwise than before."""
        if self.status.connection not in (connection_state, ConnectionState.ENDED):
            self.publish(None, connection_state, ending)

    def publish(
        self,
        received: Received | None = None,
        standing: ConnectionState | None = None,
        ending: Ending | None = None,
    ) -> None:
        """Tell what is now, unless nothing has changed."""
        state = self.state
        status = Status(
            connection=self.status.connection if standing is None else standing,
            member=state.member,
            game_state=state.game_state,
            disk=state.disk,
            code=state.code,
            announced=state.announced,
            kept=self.kept,
            unanswered=len(state.pending),
            ending=ending,
            undone=state.undone,
        )
        if status != self.status or received not in (None, Received()):
            self.status = status
            self._on_update(Update(status, received))
