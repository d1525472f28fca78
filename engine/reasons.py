"""Reasons why a move is illegal, with the facts that an interface needs to put them into words.

A closed union of small values, never sentences. Most cite the rule that forbids the move.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Cell
from engine.cards import Card, Tool


@dataclass(frozen=True, slots=True)
class OnlyWatching:
    """A watcher has no seat to play from."""


@dataclass(frozen=True, slots=True)
class DealAwaited:
    """No round is being played: the next one is still to be dealt (N1)."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended (F1)."""


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    """The turn is that of `seat` (S8)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GoldBeingShared:
    """The miners are sharing gold, and `seat` is to choose (D1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class NotOnOffer:
    """No gold card with this number of nuggets is on offer (D4)."""

    nuggets: int


@dataclass(frozen=True, slots=True)
class NotInHand:
    """The hand does not hold this card (T1)."""

    card: Card


@dataclass(frozen=True, slots=True)
class ToolsBroken:
    """A player with a broken tool may not lay a path card (P4)."""

    tools: tuple[Tool, ...]


@dataclass(frozen=True, slots=True)
class CellTaken:
    """A card, which may be a goal, lies on that cell already (P1)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class SideClashes:
    """The edge on one side differs from the neighbour's edge (P2).

    `side` is N, E, S or W as an int. If `open`, the card is open there and its neighbour closed;
    otherwise the other way round.
    """

    side: int
    open: bool


@dataclass(frozen=True, slots=True)
class TouchesNothing:
    """No face-up path card lies beside that cell (P3)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class NotLinked:
    """No card that the start reaches opens onto that cell (P3)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class NoSuchSeat:
    """The target is no seat of this table."""

    seat: int


@dataclass(frozen=True, slots=True)
class AlreadyBroken:
    """The target has a broken tool of that kind already (A1)."""

    seat: int
    tool: Tool


@dataclass(frozen=True, slots=True)
class NotBroken:
    """The target has no broken tool of that kind to repair (A2)."""

    seat: int
    tool: Tool


@dataclass(frozen=True, slots=True)
class CannotRepair:
    """The card repairs other tools than that (A2, A3)."""

    card: Card
    tool: Tool


@dataclass(frozen=True, slots=True)
class NoTunnel:
    """A rockfall takes a tunnel card, never the start or a goal, and none lies there (A4)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class NoHiddenGoal:
    """A map looks at a face-down goal, and none lies there (A5)."""

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
