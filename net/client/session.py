"""The `Session` interface between a user interface and a table, and the values it hands out.

A session is a connection to a host or a table in the same process. `Status` holds all that a user
interface shows of it: `net.client.state` replaces it with each message.

A `SessionThread` runs a session in a thread of its own, with its own event loop. A blocked terminal
or a busy user interface then never delays the heartbeats.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

from engine.events import Event
from engine.moves import Move
from engine.view import View
from net.client.audit import Audit
from net.client.credentials import NO_PLACE, Place
from net.client.trail import GameState
from net.protocol import messages
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.framing import is_readable
from net.protocol.game_wire import write_move
from net.protocol.hall import NextTable
from net.protocol.lobby import THE_TABLE, Lobby, TablePhase
from net.protocol.lobby_events import LobbyEvent
from net.protocol.requests import MakeMove, React, Request, StopWaiting, SwitchHost, TakeOverHere
from net.room.decisions import why_not
from net.room.permissions import can_move, is_host
from net.secure.address import Address
from net.secure.connection import ConnectionFault
from net.secure.handshake import Rejection


class ConnectionState(StrEnum):
    """The state of the connection to the table."""

    CONNECTING = "connecting"  # there was no connection yet
    CONNECTED = "connected"
    SHAKY = "shaky"  # nothing was received for four seconds
    LOST = "lost"  # another connection is being dialled
    ENDED = "ended"  # for good


Ending: TypeAlias = messages.CloseReason | Rejection | ConnectionFault | messages.Refusal
"""The reason why a seat has ended: the host closed it, authentication was rejected, the connection
failed, or entering was refused."""


@dataclass(frozen=True, slots=True)
class RoundWords:
    """Six words to compare after a round, or why there are none."""

    round: tuple[bytes, int]  # the id of its game, and its number
    words: tuple[str, ...] = ()
    away: bool = False  # no words, as this program was away during a part of the round
    lost_steps: int = 0  # no words, as the table has lost this many steps that were seen


class Opening(StrEnum):
    """Progress of moving the table to this computer."""

    NOT_ASKED = ""
    UNDER_WAY = "under way"
    FAILED = "failed"  # the table could not be opened on this computer


@dataclass(frozen=True, slots=True)
class Status:
    """The present state, as a user interface shows it."""

    connection: ConnectionState = ConnectionState.CONNECTING
    member: int = 0  # the player's id, 0 before the first welcome
    game_state: GameState | None = None
    disk: messages.DiskStatus = messages.DiskStatus.OK
    announced: bool = True  # False if the host's table cannot be announced on the network
    doors: tuple[DoorNow, ...] = ()
    kept: bool = True  # False if the player cannot come back once this program has ended
    unanswered: int = 0  # commands that the host has not answered yet
    ending: Ending | None = None  # set when `connection` is ENDED
    code: str = ""  # the room code, which only the host and people with seats receive
    words: RoundWords | None = None  # of the last round, to compare aloud
    audit: Audit | None = None  # of the game that is over
    turn_left: int | None = None  # seconds left to the person to move (`permissions.seconds_left`)
    in_club: bool = False  # the table is a club's: only the club's program can resume it
    silent: bool = False  # nothing was heard from the host for `SILENT_AFTER_S`
    can_host: bool = False  # the table could move to this computer
    opening: Opening = Opening.NOT_ASKED
    outside: tuple[Address, ...] = ()  # where others reach the table, the likeliest first
    found: str = ""  # the name of the person at whose computer the table was found
    elsewhere: str | None = None
    """Whose computer also has the table, while its player chooses; "" for an unknown name, `None`
    for nobody's."""
    gathering: messages.Gathering | None = None  # who is there, while the table moves
    may_continue: bool = False  # without people who have been missing for long
    left_at: Place = NO_PLACE  # where the player left the game before this session

    @property
    def may_go_on(self) -> bool:
        """True if this player may move the table to their own computer."""
        lobby = self.lobby
        is_open = lobby is not None and lobby.stage is not TablePhase.CLOSED and can_move(lobby)
        is_theirs = self.seat is not None and not self.is_host and self.can_host
        is_idle = self.gathering is None and self.opening is not Opening.UNDER_WAY
        return is_open and is_theirs and is_idle and (self.silent or self.is_asked)

    @property
    def may_switch_host(self) -> bool:
        """True if the player is asked whether to switch to another copy: ours does not play."""
        lobby = self.lobby
        return self.elsewhere is not None and lobby is not None and not lobby.has_its_people

    @property
    def door_guests(self) -> tuple[str, ...]:
        if self.lobby is None or not self.open_doors:
            return ()
        return tuple(person.name for _chair, person in self.lobby.sitting if person.at_door)

    @property
    def open_doors(self) -> tuple[DoorKind, ...]:
        return tuple(door.kind for door in self.doors if door.port)

    @property
    def is_asked(self) -> bool:
        lobby = self.lobby
        return lobby is not None and lobby.offered == self.member != THE_TABLE and not lobby.handing

    @property
    def lobby(self) -> Lobby | None:
        """The lobby, `None` before the first welcome."""
        return None if self.game_state is None else self.game_state.lobby

    @property
    def hall(self) -> Lobby | None:
        lobby = self.lobby
        return lobby if lobby is not None and lobby.is_hall else None

    @property
    def is_organiser(self) -> bool:
        return self.hall is not None and self.member in self.hall.board.organisers

    @property
    def view(self) -> View | None:
        return None if self.game_state is None else self.game_state.view

    @property
    def place(self) -> Place:
        held, view = self.game_state, self.view
        if held is None or view is None:
            return NO_PLACE
        return Place(held.game_id, held.round, view.seat, len(view.history))

    @property
    def seat(self) -> int | None:
        """The player's seat, from 0; `None` for a spectator."""
        return None if self.game_state is None else self.game_state.lobby.seat_of(self.member)

    @property
    def is_host(self) -> bool:
        return self.lobby is not None and is_host(self.lobby, self.member)

    def move_request(self, move: Move) -> MakeMove:
        assert self.game_state is not None, "there is no game"
        return MakeMove(self.game_state.step, write_move(move))

    def why_not(self, request: Request) -> messages.Refusal | None:
        """Return why the player may not do this now, `None` if they may."""
        match request:
            case TakeOverHere():
                return None if self.may_go_on else messages.Refusal.NOT_NOW
            case SwitchHost():
                return None if self.may_switch_host else messages.Refusal.NOT_NOW
            case StopWaiting():
                waits = self.gathering is not None and self.opening is Opening.UNDER_WAY
                return None if waits else messages.Refusal.NOT_NOW
            case _:
                pass
        if not is_readable(request):
            return messages.Refusal.UNREADABLE
        is_late = isinstance(request, React) and self.connection is not ConnectionState.CONNECTED
        if self.lobby is None or is_late:
            return messages.Refusal.NOT_NOW
        return why_not(self.lobby, self.view, self.member, request, self.disk)


@dataclass(frozen=True, slots=True)
class Received:
    """The result of one message of the host."""

    news: tuple[LobbyEvent, ...] = ()  # new events of the lobby, in order
    events: tuple[Event, ...] = ()  # new events of the game, in order
    renewed: bool = False  # a snapshot replaced the state; the events that led to it are unknown
    refused: messages.CommandRefused | None = None
    settled: int = 0  # id of a command that the host has answered, else 0
    farewell: messages.CloseReason | None = None
    send: tuple[messages.ClientMessage, ...] = ()  # messages to send to the host now
    alarm: int = 0  # number of wrong codes tried, if the host is to be warned, else 0
    code: str = ""  # a new room code, else empty
    notice: messages.Notice | NextTable | None = None
    """An organiser's line to the whole club, or our seat in the next round of its night."""
    reaction: messages.Reacted | None = None  # of somebody who is at the table
    left_out: tuple[int, ...] = ()  # the round of a draw that began without our share
    false_draws: tuple[int, ...] = ()  # rounds with a draw that does not fit the table
    lost_steps: int = 0  # steps that this program saw and the table has lost
    audit: Audit | None = None  # of a game that is over now
    disagreed: bool = False  # the two sides held different states
    opened: str = ""  # id of a club's table that was opened for us, or to which we are sent


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
    def status(self) -> Status: ...

    def request(self, want: Request) -> None:
        """Send a request to the host. The answer comes in a later update."""
        ...

    def leave(self) -> None: ...


class RunnableSession(Session, Protocol):
    """A session that has to be run in an event loop."""

    async def run(self) -> None: ...


FAILED: Final = Status(ConnectionState.ENDED)
"""The status of a session that a bug has ended, and nothing else."""


class SessionThread:
    """Runs a session in a thread, from `start` until it has ended.

    `make` makes the session, given the callback to call with each update: `on_update`, which is
    called in the thread, and must only pass the update on. If the session raises, which is a bug,
    `join` raises the same exception.
    """

    def __init__(self, make: Callable[[OnUpdate], RunnableSession], on_update: OnUpdate) -> None:
        self._on_update = on_update
        self._session = make(on_update)
        self._loop = asyncio.new_event_loop()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    @property
    def status(self) -> Status:
        return self._session.status if self._failure is None else FAILED

    def start(self) -> None:
        self._thread.start()

    def request(self, want: Request) -> None:
        with suppress(RuntimeError):  # the loop is closed: the session has ended
            self._loop.call_soon_threadsafe(self._session.request, want)

    def leave(self) -> None:
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
