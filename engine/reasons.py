"""Why a move cannot be made, with what a face needs to say it in its own words.

A closed union of small values, never a sentence. Each cites the rule that it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Cell
from engine.cards import Card, Tool


@dataclass(frozen=True, slots=True)
class OnlyWatching:
    """Watchers have no seat to play from."""


@dataclass(frozen=True, slots=True)
class DealAwaited:
    """No round is being played: the next one is still to be dealt (N1)."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended (F1)."""


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    """It is the turn of `seat` (S8)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GoldBeingShared:
    """The miners share gold, and `seat` is to choose (D1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class NotOnOffer:
    """No gold card of so many nuggets is on offer (D4)."""

    nuggets: int


@dataclass(frozen=True, slots=True)
class NotInHand:
    """The hand does not hold this card (T1)."""

    card: Card


@dataclass(frozen=True, slots=True)
class ToolsBroken:
    """Who has a broken tool lays no path card (P4)."""

    tools: tuple[Tool, ...]


@dataclass(frozen=True, slots=True)
class CellTaken:
    """A card lies there already, be it a goal (P1)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class SideClashes:
    """A card's `side` (N, E, S or W as an int) is `open` and its neighbour's not (P2).

    Or the other way round.
    """

    side: int
    open: bool


@dataclass(frozen=True, slots=True)
class TouchesNothing:
    """No face-up path card lies beside that cell (P3)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class NotLinked:
    """Nothing beside that cell opens onto it from a tunnel that the start reaches (P3)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class NoSuchSeat:
    """Nobody sits there."""

    seat: int


@dataclass(frozen=True, slots=True)
class AlreadyBroken:
    """At most one broken tool of each kind lies before a seat (A1)."""

    seat: int
    tool: Tool


@dataclass(frozen=True, slots=True)
class NotBroken:
    """There is nothing to repair (A2)."""

    seat: int
    tool: Tool


@dataclass(frozen=True, slots=True)
class CannotRepair:
    """That card repairs other tools (A2, A3)."""

    card: Card
    tool: Tool


@dataclass(frozen=True, slots=True)
class NoTunnel:
    """A rockfall takes a tunnel card, never the start, a goal or nothing (A4)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class NoHiddenGoal:
    """A map looks at a goal that lies face down (A5)."""

    cell: Cell


Reason = (
    OnlyWatching
    | DealAwaited
    | GameOver
    | NotYourTurn
    | GoldBeingShared
    | NotOnOffer
    | NotInHand
    | ToolsBroken
    | CellTaken
    | SideClashes
    | TouchesNothing
    | NotLinked
    | NoSuchSeat
    | AlreadyBroken
    | NotBroken
    | CannotRepair
    | NoTunnel
    | NoHiddenGoal
)
