"""Reasons why a move is illegal, with the facts that an interface needs to put them into words.

`Reason` is a closed union of small values. Most cite the rule that forbids the move. `str` gives a
reason in English, for developers.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Cell
from engine.cards import SIDE_NAMES, Card, Tool
from engine.moves import Move
from engine.tokens import format_cell, format_seat


@dataclass(frozen=True, slots=True)
class OnlyWatching:
    """A watcher has no seat to play from."""

    def __str__(self) -> str:
        return "a watcher has no seat to play from"


@dataclass(frozen=True, slots=True)
class DealAwaited:
    """No round is being played: the next one is still to be dealt (N1)."""

    def __str__(self) -> str:
        return "the next round is still to be dealt"


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended (F1)."""

    def __str__(self) -> str:
        return "the game is over"


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    """The turn is that of `seat` (S8)."""

    seat: int

    def __str__(self) -> str:
        return f"it is the turn of seat {format_seat(self.seat)}"


@dataclass(frozen=True, slots=True)
class GoldBeingShared:
    """The miners are sharing gold, and `seat` is to choose (D1)."""

    seat: int

    def __str__(self) -> str:
        return f"gold is being shared, and seat {format_seat(self.seat)} is to choose"


@dataclass(frozen=True, slots=True)
class NotOnOffer:
    """No gold card with this number of nuggets is on offer (D4)."""

    nuggets: int

    def __str__(self) -> str:
        return f"no gold card of {self.nuggets} is on offer"


@dataclass(frozen=True, slots=True)
class NotInHand:
    """The hand does not hold this card (T1)."""

    card: Card

    def __str__(self) -> str:
        return f"{self.card} is not in the hand"


@dataclass(frozen=True, slots=True)
class ToolsBroken:
    """A player with a broken tool may not lay a path card (P4)."""

    tools: tuple[Tool, ...]

    def __str__(self) -> str:
        return f"broken tools ({', '.join(self.tools)}) forbid laying path cards"


@dataclass(frozen=True, slots=True)
class CellTaken:
    """A card, which may be a goal, lies on that cell already (P1)."""

    cell: Cell

    def __str__(self) -> str:
        return f"a card lies on {format_cell(self.cell)} already"


@dataclass(frozen=True, slots=True)
class SideClashes:
    """The edge on one side differs from the neighbour's edge (P2).

    `side` is N, E, S or W as an int. If `open`, the card is open there and its neighbour closed;
    otherwise the other way round.
    """

    side: int
    open: bool

    def __str__(self) -> str:
        mine, its = ("open", "closed") if self.open else ("closed", "open")
        return f"side {SIDE_NAMES[self.side]} is {mine}, and the neighbour's edge there is {its}"


@dataclass(frozen=True, slots=True)
class TouchesNothing:
    """No face-up path card lies beside that cell (P3)."""

    cell: Cell

    def __str__(self) -> str:
        return f"no face-up path card lies beside {format_cell(self.cell)}"


@dataclass(frozen=True, slots=True)
class NotLinked:
    """No card that the start reaches opens onto that cell (P3)."""

    cell: Cell

    def __str__(self) -> str:
        return f"no tunnel from the start opens onto {format_cell(self.cell)}"


@dataclass(frozen=True, slots=True)
class NoSuchSeat:
    """The target is no seat of this table."""

    seat: int

    def __str__(self) -> str:
        return f"there is no seat {format_seat(self.seat)}"


@dataclass(frozen=True, slots=True)
class AlreadyBroken:
    """The target has a broken tool of that kind already (A1)."""

    seat: int
    tool: Tool

    def __str__(self) -> str:
        return f"{self.tool} of seat {format_seat(self.seat)} is broken already"


@dataclass(frozen=True, slots=True)
class NotBroken:
    """The target has no broken tool of that kind to repair (A2)."""

    seat: int
    tool: Tool

    def __str__(self) -> str:
        return f"{self.tool} of seat {format_seat(self.seat)} is not broken"


@dataclass(frozen=True, slots=True)
class CannotRepair:
    """The card repairs other tools than that (A2, A3)."""

    card: Card
    tool: Tool

    def __str__(self) -> str:
        return f"{self.card} does not repair {self.tool}"


@dataclass(frozen=True, slots=True)
class NoTunnel:
    """A rockfall takes a tunnel card, never the start or a goal, and none lies there (A4)."""

    cell: Cell

    def __str__(self) -> str:
        return f"no tunnel card lies on {format_cell(self.cell)}"


@dataclass(frozen=True, slots=True)
class NoHiddenGoal:
    """A map looks at a face-down goal, and none lies there (A5)."""

    cell: Cell

    def __str__(self) -> str:
        return f"no goal lies face down on {format_cell(self.cell)}"


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


class IllegalMove(ValueError):
    """A move that is illegal now, and the `reason`. Nothing has changed."""

    def __init__(self, move: Move, reason: Reason) -> None:
        super().__init__(move, reason)
        self.move = move
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.move} is illegal: {self.reason}"
