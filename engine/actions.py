"""Action cards, kind by kind: the move that plays a card, and the event that shows it (RULES A).

A kind of action card has its rows in `engine.cards`, a class of moves and a class of events here,
and a place in the unions at the end. Rules, notation and encodings know no more of a kind than
these classes say:

    move     kind, card, place       the kind, the card that leaves the hand, where it is played
             plays_at, list_legal    all moves of a card at a place; all legal ones
             read, str               the move in notation
             why_not                 the reason why it is illegal
             make_event              the event that everybody sees
    event    move                    the move that it shows
             change                  what it changes at the table
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Self, TypeAlias, get_args

from engine.board import GOAL_CELLS, Board, Cell
from engine.cards import BREAK, CARDS, MAP, ROCKFALL, Card, CardKind, Path, Tool
from engine.readonly import Memo, ReadOnly, with_added, with_item
from engine.tokens import Span, format_cell, format_seat, read_cell, read_seat

TargetPlace: TypeAlias = Cell | int
"""A place that a card is played on: a cell of the mine, or a seat."""

BrokenTools: TypeAlias = tuple[int, ...]
"""The set of broken tools of each seat."""

TableParts: TypeAlias = tuple[Board, BrokenTools, tuple[frozenset[Cell], ...], tuple[Card, ...]]
"""What an action card can change at the table: `board`, `broken`, `looks` and `discards`."""


class Spelt:
    """Base of the moves: `repr` shows how a move is spelt.

    The constructors raise `TypeError` for a field of the wrong type. `True` and `1.0` are not
    numbers, as they would be spelt differently from 1.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


def check_field(move: Spelt, value: object, kind: type) -> None:
    """Raise `TypeError` unless a field of a move has this very type."""
    if type(value) is not kind:
        raise TypeError(f"{type(move).__name__} takes a {kind.__name__}, not {value!r}")


def check_cell(move: Spelt, cell: Cell) -> None:
    """Raise `TypeError` unless a field of a move is a cell."""
    if type(cell) is not tuple or tuple(map(type, cell)) != (int, int):
        raise TypeError(f"{type(move).__name__} takes a cell, as (3, -1), not {cell!r}")


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """Base of the events of a turn: a seat played or discarded a card (T1)."""

    seat: int


class TargetEvent(TurnEvent):
    """Base of the events of action cards that were played on a seat, the `target`."""

    __slots__ = ()
    target: int


class OnSeat(Spelt):
    """Base of the moves that play an action card on a seat, the `target`."""

    __slots__ = ()
    target: int

    @property
    def place(self) -> int:
        """The seat that the card is played on."""
        return self.target


@dataclass(frozen=True, slots=True, repr=False)
class OnCell(Spelt):
    """Base of the moves that play an action card in the mine."""

    cell: Cell
    card: ClassVar[Card]
    """The card that leaves the hand."""
    only_on: ClassVar[tuple[Cell, ...] | None] = None
    """The only cells that such a card is ever played on; `None` for any cell."""

    def __post_init__(self) -> None:
        check_cell(self, self.cell)

    @property
    def place(self) -> Cell:
        """The cell that the card is played on."""
        return self.cell

    def __str__(self) -> str:
        return f"{self.card}@{format_cell(self.cell)}"

    @classmethod
    def plays_at(cls, _card: Card, place: TargetPlace) -> tuple[Self, ...]:
        """Return all plays of the card on a cell, legal or not; none if the place is a seat."""
        return () if isinstance(place, int) else (cls(place),)

    @classmethod
    def read(cls, _card: Card, _move: Span, place: Span) -> Self:
        """Read the cell that the card is played on. Raises `NotationError`."""
        return cls(read_cell(place))


@dataclass(frozen=True, slots=True)
class NoSuchSeat:
    """This table has no such seat."""

    seat: int

    def __str__(self) -> str:
        return f"there is no seat {format_seat(self.seat)}"


# A1: broken tools.


@dataclass(frozen=True, slots=True, repr=False)
class Break(OnSeat):
    """Play a broken tool in front of a seat (A1)."""

    tool: Tool
    target: int
    kind: ClassVar[CardKind] = CardKind.BREAK

    def __post_init__(self) -> None:
        check_field(self, self.tool, Tool)
        check_field(self, self.target, int)

    @property
    def card(self) -> Card:
        """The card that leaves the hand."""
        return BREAK[self.tool]

    def __str__(self) -> str:
        return f"{self.card}>{format_seat(self.target)}"

    @staticmethod
    def plays_at(card: Card, place: TargetPlace) -> tuple[Break, ...]:
        """Return all plays of the card on a seat, legal or not; none if the place is a cell."""
        return (Break(card.tools[0], place),) if isinstance(place, int) else ()

    @staticmethod
    def list_legal(card: Card, _board: Board, broken: BrokenTools) -> Sequence[Break]:
        """Return the ways to play the card now, in the order of the seats."""
        return _BREAKS[card, broken]

    @staticmethod
    def read(card: Card, _move: Span, place: Span) -> Break:
        """Read the target. Raises `NotationError`."""
        seat, which = place.partition(":")
        target = read_seat(seat)
        if which is not None:
            raise which.error("the card already says which tool it breaks")
        return Break(card.tools[0], target)

    def why_not(self, _board: Board, broken: BrokenTools) -> ActionReason | None:
        """Return why the card cannot be played there now, or `None`."""
        if not 0 <= self.target < len(broken):
            return NoSuchSeat(self.target)
        is_broken = broken[self.target] & self.tool.bit
        return AlreadyBroken(self.target, self.tool) if is_broken else None

    def make_event(self, seat: int, _board: Board) -> Broke:
        """Return the event that shows everybody this move of a seat."""
        return _broke(seat, self.tool, self.target)


# There are few of these moves and events, and they recur all the time: equal ones share one object.
_break = lru_cache(maxsize=1 << 6)(Break)


def _list_breaks(key: tuple[Card, BrokenTools]) -> Sequence[Break]:
    card, broken = key
    tool = card.tools[0]
    return tuple([_break(tool, seat) for seat, bits in enumerate(broken) if not bits & tool.bit])


_BREAKS: Final = Memo(_list_breaks)


@dataclass(frozen=True, slots=True)
class AlreadyBroken:
    """The target has a broken tool of that kind already (A1)."""

    seat: int
    tool: Tool

    def __str__(self) -> str:
        return f"{self.tool} of seat {format_seat(self.seat)} is broken already"


@dataclass(frozen=True, slots=True)
class Broke(TargetEvent):
    """A tool was broken (A1)."""

    tool: Tool
    target: int

    @property
    def move(self) -> Break:
        """The move that this event shows."""
        return Break(self.tool, self.target)

    def change(self, parts: TableParts) -> TableParts:
        """Return these parts of a table after the event."""
        board, broken, looks, discards = parts
        # It lies in front of the seat, and is discarded when the tool is repaired (A2).
        return board, with_added(broken, self.target, self.tool.bit), looks, discards


_broke = lru_cache(maxsize=1 << 9)(Broke)


# A2 and A3: repairs.


@dataclass(frozen=True, slots=True, repr=False)
class Repair(OnSeat):
    """Take a broken tool from a seat with a repair that fits (A2, A3)."""

    card: Card
    target: int
    tool: Tool
    kind: ClassVar[CardKind] = CardKind.REPAIR

    def __post_init__(self) -> None:
        check_field(self, self.card, Card)
        check_field(self, self.target, int)
        check_field(self, self.tool, Tool)

    def __str__(self) -> str:
        which = "" if self.card.repairs == (self.tool,) else f":{self.tool}"
        return f"{self.card}>{format_seat(self.target)}{which}"

    @staticmethod
    def plays_at(card: Card, place: TargetPlace) -> tuple[Repair, ...]:
        """Return all plays of the card on a seat, legal or not; none if the place is a cell."""
        if not isinstance(place, int):
            return ()
        return tuple(Repair(card, place, tool) for tool in card.tools)

    @staticmethod
    def list_legal(card: Card, _board: Board, broken: BrokenTools) -> Sequence[Repair]:
        """Return the ways to play the card now, in the order of the seats."""
        return _REPAIRS[card, broken]

    @staticmethod
    def read(card: Card, move: Span, place: Span) -> Repair:
        """Read the target and, for a double repair, the tool. Raises `NotationError`."""
        seat, which = place.partition(":")
        target = read_seat(seat)
        if which is None:
            if len(card.repairs) > 1:
                one, other = card.repairs
                raise move.error(
                    "missing: which of the two tools, :{one} or :{other}", one=one, other=other
                )
            return Repair(card, target, card.repairs[0])
        tool = _read_tool(which)
        if card.repairs == (tool,):
            raise which.error("the card already says which tool it repairs")
        return Repair(card, target, tool)

    def why_not(self, _board: Board, broken: BrokenTools) -> ActionReason | None:
        """Return why the card cannot be played there now, or `None`."""
        if self.tool not in self.card.repairs:
            return CannotRepair(self.card, self.tool)
        if not 0 <= self.target < len(broken):
            return NoSuchSeat(self.target)
        is_broken = broken[self.target] & self.tool.bit
        return None if is_broken else NotBroken(self.target, self.tool)

    def make_event(self, seat: int, _board: Board) -> Repaired:
        """Return the event that shows everybody this move of a seat."""
        return _repaired(seat, self.card, self.target, self.tool)


def _read_tool(span: Span) -> Tool:
    try:
        return Tool(span.text)
    except ValueError:
        raise span.error("a tool is P, L or C: pick, lantern, cart") from None


_repair = lru_cache(maxsize=1 << 8)(Repair)


def _list_repairs(key: tuple[Card, BrokenTools]) -> Sequence[Repair]:
    card, broken = key
    return tuple(
        [
            _repair(card, seat, tool)
            for seat, bits in enumerate(broken)
            for tool in Tool.within(bits)
            if tool in card.repairs
        ]
    )


_REPAIRS: Final = Memo(_list_repairs)


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
class Repaired(TargetEvent):
    """A tool was repaired (A2, A3)."""

    card: Card
    target: int
    tool: Tool

    @property
    def move(self) -> Repair:
        """The move that this event shows."""
        return Repair(self.card, self.target, self.tool)

    def change(self, parts: TableParts) -> TableParts:
        """Return these parts of a table after the event."""
        board, broken, looks, discards = parts
        mended = with_added(broken, self.target, -self.tool.bit)
        return board, mended, looks, (*discards, self.card, BREAK[self.tool])


_repaired = lru_cache(maxsize=1 << 10)(Repaired)


# A4: rockfalls.


class Rockfall(OnCell):
    """Take a tunnel card off the table (A4)."""

    __slots__ = ()
    kind: ClassVar[CardKind] = CardKind.ROCKFALL
    card = ROCKFALL

    @staticmethod
    def list_legal(_card: Card, board: Board, _broken: BrokenTools) -> Sequence[Rockfall]:
        """Return the ways to play the card now, in the order of the cells."""
        return [_ROCKFALLS[cell] for cell in board.tunnels()]

    def why_not(self, board: Board, _broken: BrokenTools) -> ActionReason | None:
        """Return why the card cannot be played there now, or `None`."""
        return None if board.has_tunnel(self.cell) else NoTunnel(self.cell)

    def make_event(self, seat: int, board: Board) -> Collapsed:
        """Return the event that shows everybody this move of a seat."""
        return Collapsed(seat, self.cell, board.cards[self.cell])


_ROCKFALLS: Final = Memo(Rockfall)


@dataclass(frozen=True, slots=True)
class NoTunnel:
    """A rockfall takes a tunnel card, never the start or a goal, and none lies there (A4)."""

    cell: Cell

    def __str__(self) -> str:
        return f"no tunnel card lies on {format_cell(self.cell)}"


@dataclass(frozen=True, slots=True)
class Collapsed(TurnEvent):
    """A rockfall took the tunnel card `path` off the table (A4)."""

    cell: Cell
    path: Path

    @property
    def move(self) -> Rockfall:
        """The move that this event shows."""
        return Rockfall(self.cell)

    def change(self, parts: TableParts) -> TableParts:
        """Return these parts of a table after the event."""
        board, broken, looks, discards = parts
        rubble = (*discards, ROCKFALL, self.path.card)
        return board.without_card(self.cell), broken, looks, rubble


# A5: maps.


class Map(OnCell):
    """Look at a face-down goal (A5)."""

    __slots__ = ()
    kind: ClassVar[CardKind] = CardKind.MAP
    card = MAP
    only_on = GOAL_CELLS

    @staticmethod
    def list_legal(_card: Card, board: Board, _broken: BrokenTools) -> Sequence[Map]:
        """Return the ways to play the card now, in the order of the goals."""
        return _MAPS[board.hidden]

    def why_not(self, board: Board, _broken: BrokenTools) -> ActionReason | None:
        """Return why the card cannot be played there now, or `None`."""
        return None if self.cell in board.hidden else NoHiddenGoal(self.cell)

    def make_event(self, seat: int, _board: Board) -> Looked:
        """Return the event that shows everybody this move of a seat."""
        return _looked(seat, self.cell)


def _list_maps(hidden: tuple[Cell, ...]) -> Sequence[Map]:
    return tuple(map(Map, hidden))


_MAPS: Final = Memo(_list_maps)


@dataclass(frozen=True, slots=True)
class NoHiddenGoal:
    """A map looks at a face-down goal, and none lies there (A5)."""

    cell: Cell

    def __str__(self) -> str:
        return f"no goal lies face down on {format_cell(self.cell)}"


@dataclass(frozen=True, slots=True)
class Looked(TurnEvent):
    """A goal was looked at with a map (A5)."""

    cell: Cell

    @property
    def move(self) -> Map:
        """The move that this event shows."""
        return Map(self.cell)

    def change(self, parts: TableParts) -> TableParts:
        """Return these parts of a table after the event."""
        board, broken, looks, discards = parts
        seen = with_item(looks, self.seat, looks[self.seat] | {self.cell})
        return board, broken, seen, (*discards, MAP)


_looked = lru_cache(maxsize=1 << 5)(Looked)


ActionPlay = Break | Repair | Rockfall | Map
ActionEvent = Broke | Repaired | Collapsed | Looked
ActionReason = NoSuchSeat | AlreadyBroken | NotBroken | CannotRepair | NoTunnel | NoHiddenGoal

PLAY_OF_CARD: Final[Mapping[Card, type[ActionPlay]]] = ReadOnly(
    {card: play for card in CARDS for play in get_args(ActionPlay) if play.kind is card.kind}
)
"""The class of moves of each action card."""
