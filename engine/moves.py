"""Moves as values (RULES T, P, A, D), how they are spelt, and why one may be illegal.

A move says what is done, not by which seat: that is the seat whose turn it is. `str` spells a move,
and `parse_move` reads it: `NES@3n1`, `-L>2`, `+LC>2:C`, `R@3n1`, `M@8n2`, `xNES`, `$2`.

`Reason` is a closed union of small values with the facts that an interface needs to put it into
words. Most cite the rule that forbids the move. `str` gives a reason in English, for developers.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias, get_args

from engine.board import Cell
from engine.cards import BREAK, CARD_OF_PATH, MAP, ROCKFALL, SIDE_NAMES, Card, Path, Tool
from engine.tokens import Span, format_cell, format_seat, read_card, read_cell, read_path, read_seat


class _Spelt:
    """Base of the moves: in a list of them, each shows as it is spelt.

    A move with a field of another type cannot be made: it raises `TypeError`. `True` and `1.0` are
    no numbers, as they would be spelt otherwise than 1.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


def _check(move: _Spelt, value: object, kind: type) -> None:
    if type(value) is not kind:
        raise TypeError(f"{type(move).__name__} takes a {kind.__name__}, not {value!r}")


def _check_cell(move: _Spelt, cell: Cell) -> None:
    if type(cell) is not tuple or tuple(map(type, cell)) != (int, int):
        raise TypeError(f"{type(move).__name__} takes a cell, as (3, -1), not {cell!r}")


@dataclass(frozen=True, slots=True, repr=False)
class Lay(_Spelt):
    """Lay a path card into an empty cell, the way it is to lie (P)."""

    path: Path
    cell: Cell

    def __post_init__(self) -> None:
        _check(self, self.path, Path)
        _check_cell(self, self.cell)

    @property
    def card(self) -> Card:
        """The card that leaves the hand."""
        return CARD_OF_PATH[self.path.index]

    def __str__(self) -> str:
        return f"{self.path}@{format_cell(self.cell)}"


@dataclass(frozen=True, slots=True, repr=False)
class Break(_Spelt):
    """Play a broken tool in front of a seat (A1)."""

    tool: Tool
    target: int

    def __post_init__(self) -> None:
        _check(self, self.tool, Tool)
        _check(self, self.target, int)

    @property
    def card(self) -> Card:
        """The card that leaves the hand."""
        return BREAK[self.tool]

    def __str__(self) -> str:
        return f"{self.card}>{format_seat(self.target)}"


@dataclass(frozen=True, slots=True, repr=False)
class Repair(_Spelt):
    """Take a broken tool from a seat with a repair that fits (A2, A3)."""

    card: Card
    target: int
    tool: Tool

    def __post_init__(self) -> None:
        _check(self, self.card, Card)
        _check(self, self.target, int)
        _check(self, self.tool, Tool)

    def __str__(self) -> str:
        which = "" if self.card.repairs == (self.tool,) else f":{self.tool}"
        return f"{self.card}>{format_seat(self.target)}{which}"


@dataclass(frozen=True, slots=True, repr=False)
class _OnCell(_Spelt):
    """Base of the moves that play an action card in the mine; `card` leaves the hand."""

    cell: Cell
    card: ClassVar[Card]

    def __post_init__(self) -> None:
        _check_cell(self, self.cell)

    def __str__(self) -> str:
        return f"{self.card}@{format_cell(self.cell)}"


class Rockfall(_OnCell):
    """Take a tunnel card off the table (A4)."""

    __slots__ = ()
    card = ROCKFALL


class Map(_OnCell):
    """Look at a face-down goal (A5)."""

    __slots__ = ()
    card = MAP


@dataclass(frozen=True, slots=True, repr=False)
class Discard(_Spelt):
    """Pass, and discard this card face down (T1)."""

    card: Card

    def __post_init__(self) -> None:
        _check(self, self.card, Card)

    def __str__(self) -> str:
        return f"x{self.card}"


@dataclass(frozen=True, slots=True, repr=False)
class KeepGold(_Spelt):
    """Keep a gold card with this number of nuggets (D1)."""

    nuggets: int

    def __post_init__(self) -> None:
        _check(self, self.nuggets, int)

    def __str__(self) -> str:
        return f"${self.nuggets}"


Play = Lay | Break | Repair | Rockfall | Map | Discard  # a move that takes a turn (T1)
Move = Play | KeepGold

TargetPlace: TypeAlias = Cell | int
"""A place that a card is played on: a cell of the mine, or a seat."""

_ON_CELL: Final = {kind.card: kind for kind in (Rockfall, Map)}
"""The action cards that are played in the mine, each with its move on a cell."""

PLAY_TYPES: Final = frozenset(get_args(Play))
MOVE_TYPES: Final = PLAY_TYPES | {KeepGold}


def check_move(move: Move, kinds: AbstractSet[type] = MOVE_TYPES) -> None:
    """Raise `TypeError` for what is no move of these kinds, such as a move as text."""
    if type(move) not in kinds:
        if type(move) in MOVE_TYPES:
            raise TypeError(f"{move} takes no turn")
        raise TypeError(f"{move!r} is no move; use `game.read` to read one from text")


def plays_at(card: Card, place: TargetPlace) -> tuple[Play, ...]:
    """Return all plays of a card at a place, legal or not; none if it is for places of others."""
    if isinstance(place, int):
        if card.breaks is not None:
            return (Break(card.breaks, place),)
        return tuple(Repair(card, place, tool) for tool in card.repairs)
    if card in _ON_CELL:
        return (_ON_CELL[card](place),)
    return tuple(Lay(path, place) for path in card.ways)


def place_of(play: Play) -> TargetPlace:
    """Return the place of a play. Raises `ValueError` for a discard."""
    match play:
        case Break() | Repair():
            return play.target
        case Discard():
            raise ValueError(play)
        case _:
            return play.cell


_NUGGETS: Final = re.compile(r"[123]")


def format_move(move: Move) -> str:
    """Spell a move."""
    return str(move)


def parse_move(text: str) -> Move:
    """Read a move. Raises `NotationError`."""
    span = Span.whole(text)
    match span.text[:1]:
        case "":
            raise span.error("expected a move here")
        case "x":
            return Discard(read_card(span.cut(1)))
        case "$":
            return KeepGold(read_nuggets(span.cut(1)))
        case "-" | "+":
            return _read_tools(span)
        case _:
            return _read_placed(span)


def read_nuggets(span: Span) -> int:
    """Read a gold card: 1, 2 or 3 nuggets (S5). Raises `NotationError`."""
    if _NUGGETS.fullmatch(span.text) is None:
        raise span.error("a gold card has 1, 2 or 3 nuggets")
    return int(span.text)


def _read_tools(span: Span) -> Break | Repair:
    """Read a broken tool or a repair, and its target (A1 to A3)."""
    head, tail = span.partition(">")
    card = read_card(head)
    if tail is None:
        raise span.error("missing: the seat it is played on, as in {card}>2", card=card.text)
    seat, which = tail.partition(":")
    target = read_seat(seat)
    if card.breaks is not None:
        if which is not None:
            raise which.error("the card already says which tool it breaks")
        return Break(card.breaks, target)
    if which is None:
        if len(card.repairs) > 1:
            one, other = card.repairs
            raise span.error(
                "missing: which of the two tools, :{one} or :{other}", one=one, other=other
            )
        return Repair(card, target, card.repairs[0])
    tool = _read_tool(which)
    if card.repairs == (tool,):
        raise which.error("the card already says which tool it repairs")
    return Repair(card, target, tool)


def _read_tool(span: Span) -> Tool:
    try:
        return Tool(span.text)
    except ValueError:
        raise span.error("a tool is P, L or C: pick, lantern, cart") from None


def _read_placed(span: Span) -> Play:
    """Read a card that is played on a cell (P, A4, A5)."""
    head, tail = span.partition("@")
    if tail is None:
        raise span.error("no move is written like this; a card is laid as in NES@3n1")
    for card, kind in _ON_CELL.items():
        if head.text == card.text:
            return kind(read_cell(tail))
    return Lay(read_path(head), read_cell(tail))


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
