"""Bounded field types of all messages, and byte codes for cards, paths, roles, goals and tools.

Every secret has one size: a card, a dwarf, a goal or a gold card is one byte whatever its value.
The length of a message therefore shows only how many there are, which is public (RULES K).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, Final, Generic, NoReturn, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Meta

from engine.board import GOAL_CELLS, Cell
from engine.cards import CARDS, GOALS, PATHS, Card, Goal, Path, Role, Tool
from net.protocol.framing import BadFrame, FrameFault

MAX_SEATS: Final = 10
NOBODY: Final = -1
"""A seat, a role or a goal that is absent or unknown; on the wire it takes one byte, as a known one
does."""

SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
SeatOrNobody: TypeAlias = Annotated[int, Meta(ge=NOBODY, le=MAX_SEATS - 1)]
CardCode: TypeAlias = Annotated[int, Meta(ge=0, le=len(CARDS) - 1)]
PathCode: TypeAlias = Annotated[int, Meta(ge=0, le=len(PATHS) - 1)]
RoleCode: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
GoalCode: TypeAlias = Annotated[int, Meta(ge=0, le=2)]
ToolCode: TypeAlias = Annotated[int, Meta(ge=0, le=2)]
Coordinate: TypeAlias = Annotated[int, Meta(ge=-99, le=99)]
"""A column or a row. 40 tunnels reach at most 50 cells from the start and the goals."""

CellAt: TypeAlias = tuple[Coordinate, Coordinate]
Small: TypeAlias = Annotated[int, Meta(ge=0, le=127)]
"""A count of cards, nuggets or rounds, in one byte."""

Counts: TypeAlias = Annotated[tuple[Small, ...], Meta(max_length=MAX_SEATS)]
"""A count for each seat."""

CardCodes: TypeAlias = Annotated[bytes, Meta(max_length=67)]
Nuggets: TypeAlias = Annotated[bytes, Meta(max_length=28)]
Roles: TypeAlias = Annotated[bytes, Meta(max_length=MAX_SEATS)]
GoldBySeat: TypeAlias = Annotated[tuple[Nuggets, ...], Meta(max_length=MAX_SEATS)]
EditionText: TypeAlias = Annotated[str, Meta(max_length=100)]

PlayerName: TypeAlias = Annotated[str, Meta(max_length=56)]
"""A name, as `net.protocol.text.clean_name` leaves it."""

Incarnation: TypeAlias = Annotated[int, Meta(ge=0, le=2**47 - 1)]
"""Number of times that the host's program has opened this table, from 1; 0 is never."""

StepNumber: TypeAlias = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""Number of a step, from 1; 0 is the state before the first step."""

RUNNING_HASH_BYTES: Final = 16
RunningHash: TypeAlias = Annotated[
    bytes, Meta(min_length=RUNNING_HASH_BYTES, max_length=RUNNING_HASH_BYTES)
]
"""Hash of all that was public up to a step (`net.protocol.state_hash`)."""

_ROLES: Final = (Role.MINER, Role.SABOTEUR)
_TOOLS: Final = tuple(Tool)


class Wire(
    msgspec.Struct,
    frozen=True,
    array_like=True,
    forbid_unknown_fields=True,
):
    """Base of the values inside messages: an array of fields, led by a tag if kinds differ."""


def wrong() -> NoReturn:
    """Raise `BadFrame` for a value that no honest side sends."""
    raise BadFrame(FrameFault.MESSAGE)


def role_code(role: Role) -> int:
    """Return the code of a role: 0 for a miner, 1 for a saboteur."""
    return _ROLES.index(role)


def role_of(code: int) -> Role:
    """Return the role of a code."""
    return _ROLES[code]


def goal_code(goal: Goal) -> int:
    """Return the code of a goal, its index in `GOALS`."""
    return GOALS.index(goal)


def goal_of(code: int) -> Goal:
    """Return the goal of a code."""
    return GOALS[code]


def tool_code(tool: Tool) -> int:
    """Return the code of a tool, its place in `Tool`."""
    return _TOOLS.index(tool)


def tool_of(code: int) -> Tool:
    """Return the tool of a code."""
    return _TOOLS[code]


def path_code(path: Path) -> int:
    """Return the code of a path card with its rotation."""
    return path.index


def path_of(code: int) -> Path:
    """Return the path card, with its rotation, of a code (`Path.index`)."""
    return PATHS[code]


def card_code(card: Card) -> int:
    """Return the code of a card."""
    return card.index


def card_of(code: int) -> Card:
    """Return the card of a code (`Card.index`)."""
    return CARDS[code]


def cards_code(cards: Iterable[Card]) -> bytes:
    """Return the codes of cards in their order, one byte each."""
    return bytes([card.index for card in cards])


def cards_of(code: bytes) -> tuple[Card, ...]:
    """Return the cards of their codes. Raises `BadFrame` for an unknown code."""
    if code and max(code) >= len(CARDS):
        wrong()
    return tuple([CARDS[index] for index in code])


def roles_code(roles: Iterable[Role]) -> bytes:
    """Return the codes of roles, by seat."""
    return bytes(map(role_code, roles))


def roles_of(code: bytes) -> tuple[Role, ...]:
    """Return the roles of their codes, by seat. Raises `BadFrame` for an unknown code."""
    if code and max(code) >= len(_ROLES):
        wrong()
    return tuple(_ROLES[index] for index in code)


def nuggets_code(nuggets: Iterable[int]) -> bytes:
    """Return the nuggets of gold cards, one byte each."""
    return bytes(nuggets)


def nuggets_of(code: bytes) -> tuple[int, ...]:
    """Return the nuggets of gold cards, one byte each. Raises `BadFrame` unless all are 1 to 3."""
    if code and not 1 <= min(code) <= max(code) <= 3:
        wrong()
    return tuple(code)


def seat_code(seat: int | None) -> int:
    """Return the code of a seat, `NOBODY` for `None`."""
    return NOBODY if seat is None else seat


def seat_of(code: int) -> int | None:
    """Return the seat of a code, `None` for `NOBODY`."""
    return None if code == NOBODY else code


@lru_cache(maxsize=1 << len(GOAL_CELLS))
def looks_code(cells: frozenset[Cell]) -> int:
    """Return the code of a set of goal cells: a bit each, 1, 2 and 4 from north to south."""
    return sum(1 << GOAL_CELLS.index(cell) for cell in cells)


def looks_of(code: int) -> frozenset[Cell]:
    """Return the set of goal cells of a code."""
    return frozenset(cell for at, cell in enumerate(GOAL_CELLS) if code >> at & 1)


def goals_code(goals: tuple[Goal, Goal, Goal]) -> tuple[int, int, int]:
    """Return the codes of the three goals, from north to south."""
    north, middle, south = map(goal_code, goals)
    return north, middle, south


def goals_of(codes: tuple[int, int, int]) -> tuple[Goal, Goal, Goal]:
    """Return the three goals of their codes, from north to south."""
    north, middle, south = map(goal_of, codes)
    return north, middle, south


def gold_code(gold: tuple[tuple[int, ...], ...]) -> tuple[bytes, ...]:
    """Return the codes of the gold cards of each seat."""
    return tuple(map(bytes, gold))


def gold_of(codes: tuple[bytes, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the gold cards of each seat. Raises `BadFrame` for impossible nuggets."""
    return tuple(map(nuggets_of, codes))


T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
CodeT = TypeVar("CodeT")


class Codec(Generic[T_co]):
    """A field of type `T_co` on the wire: its bounded type `form`, and the way there and back.

    `write` and `read` are None where the field goes over the wire as it is.
    """

    def __init__(
        self,
        form: object,
        write: Callable[[object], object] | None = None,
        read: Callable[[object], T_co] | None = None,
    ) -> None:
        self.form = form
        self.write = write
        self.read = read


def _codec(form: object, write: Callable[[T], CodeT], read: Callable[[CodeT], T]) -> Codec[T]:
    """Return a codec of two functions; where it is used, the field has the type `T`."""
    return Codec(
        form, cast("Callable[[object], object]", write), cast("Callable[[object], T]", read)
    )


SEAT: Final = Codec[int](SeatNumber)
SMALL: Final = Codec[int](Small)
COUNTS: Final = Codec[tuple[int, ...]](Counts)
CELL: Final = Codec[Cell](CellAt)
KEPT_NUGGETS: Final = Codec[int](Annotated[int, Meta(ge=1, le=3)])
CARD: Final = _codec(CardCode, card_code, card_of)
HAND: Final = _codec(CardCodes, cards_code, cards_of)
PATH: Final = _codec(PathCode, path_code, path_of)
TOOL: Final = _codec(ToolCode, tool_code, tool_of)
ROLE: Final = _codec(RoleCode, role_code, role_of)
ROLES: Final = _codec(Roles, roles_code, roles_of)
GOAL: Final = _codec(GoalCode, goal_code, goal_of)
ALL_GOALS: Final = _codec(tuple[GoalCode, GoalCode, GoalCode], goals_code, goals_of)
NUGGETS: Final = _codec(Nuggets, nuggets_code, nuggets_of)
GOLD_BY_SEAT: Final = _codec(GoldBySeat, gold_code, gold_of)
