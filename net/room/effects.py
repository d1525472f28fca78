"""What a shell has to do after it has asked a room something, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from msgspec import Meta

from engine import View
from engine.board import GOAL_CELLS
from net.lobby.events import StandInReason
from net.protocol.fields import SeatNumber, Wire
from net.protocol.messages import HostMessage


class MapUsed(Wire, frozen=True, tag=1):
    """The bot has looked at a goal, from north to south."""

    goal: Annotated[int, Meta(ge=0, lt=len(GOAL_CELLS))]


class Blamed(Wire, frozen=True, tag=2):
    """This seat said that the bot digs against us, or doubted its word."""

    by: SeatNumber


class Hindered(Wire, frozen=True, tag=3):
    """A tool of the bot's was broken."""


Occasion: TypeAlias = MapUsed | Blamed | Hindered


@dataclass(frozen=True, slots=True)
class JournalStep:
    """A step for the journal: `net.journal.Step` of these two."""

    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class SendFrame:
    """Send this on that link."""

    link: int
    message: HostMessage


@dataclass(frozen=True, slots=True)
class CloseConnection:
    """Close that link once all that was sent on it is away; the room has forgotten it."""

    link: int


Output: TypeAlias = SendFrame | CloseConnection


@dataclass(frozen=True, slots=True)
class Effects:
    """What is to be done: first the `steps` into the journal, then `do`, in order.

    Nothing in `do` may be done before step `after` is on disk, and no outcome overtakes an earlier
    one but those whose `after` is 0: they tell nothing that a crash could undo. `finished` says
    that the table is closed for good, `go_unsaved` that its host goes on although nothing is saved.
    """

    steps: tuple[JournalStep, ...] = ()
    do: tuple[Output, ...] = ()
    after: int = 0
    finished: bool = False
    go_unsaved: bool = False


@dataclass(frozen=True, slots=True)
class BotMoveDue:
    """A bot of this `level` is to move for a seat.

    `turn` is the step with which the turn began. `reason` tells what for a bot plays a person's
    seat or a free one, `None` for a bot's own.
    """

    seat: int
    level: str
    turn: int
    reason: StandInReason | None


@dataclass(frozen=True, slots=True)
class BotMoveRequest(BotMoveDue):
    """The same, with all that the bot may know."""

    view: View


@dataclass(frozen=True, slots=True)
class BotClaimDue:
    """The bot of a seat is to say something of what came with step `number`."""

    number: int
    seat: int
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class BotClaimRequest(BotClaimDue):
    """The same, with all that the bot may know."""

    view: View
