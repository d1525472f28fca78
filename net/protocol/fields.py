"""The fields that all messages are made of: bounded types, and codes for cards, paths and the like.

Every secret has one size: a card, a dwarf, a goal or a gold card is one byte whatever it is, so
that a message tells by its length only how many there are, which everybody knows (RULES K).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, NoReturn, TypeAlias

import msgspec
from msgspec import Meta

from engine.board import GOAL_CELLS, Cell
from engine.cards import CARDS, GOALS, PATHS, Card, Goal, Path, Role, Tool
from net.protocol.framing import BadFrame, FrameFault

MAX_SEATS: Final = 10
NOBODY: Final = -1
"""A seat, a dwarf or a goal that is not there or not known. It takes one byte, as one that is."""

SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
SeatOrNobody: TypeAlias = Annotated[int, Meta(ge=NOBODY, le=MAX_SEATS - 1)]
CardCode: TypeAlias = Annotated[int, Meta(ge=0, le=len(CARDS) - 1)]
PathCode: TypeAlias = Annotated[int, Meta(ge=0, le=len(PATHS) - 1)]
RoleCode: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
GoalCode: TypeAlias = Annotated[int, Meta(ge=0, le=2)]
ToolCode: TypeAlias = Annotated[int, Meta(ge=0, le=2)]
Coordinate: TypeAlias = Annotated[int, Meta(ge=-99, le=99)]
"""A column or a row. 40 tunnels reach no further than 50 cells from the start and the goals."""

CellAt: TypeAlias = tuple[Coordinate, Coordinate]
Small: TypeAlias = Annotated[int, Meta(ge=0, le=127)]
"""A count of cards, nuggets or rounds, in one byte."""

Counts: TypeAlias = Annotated[tuple[Small, ...], Meta(max_length=MAX_SEATS)]
"""A count for each seat."""

CardCodes: TypeAlias = Annotated[bytes, Meta(max_length=67)]
Nuggets: TypeAlias = Annotated[bytes, Meta(max_length=28)]
Roles: TypeAlias = Annotated[bytes, Meta(max_length=MAX_SEATS)]
EditionText: TypeAlias = Annotated[str, Meta(max_length=100)]

_ROLES: Final = (Role.MINER, Role.SABOTEUR)
_TOOLS: Final = tuple(Tool)


class Wire(
    msgspec.Struct,
    frozen=True,
    array_like=True,
    forbid_unknown_fields=True,
):
    """What stands inside of messages: a list of its fields, led by a number where kinds differ."""


def wrong() -> NoReturn:
    """Raise `BadFrame` for a value that no honest side sends."""
    raise BadFrame(FrameFault.MESSAGE)


def role_code(role: Role) -> int:
    """A dwarf's code."""
    return _ROLES.index(role)


def role_of(code: int) -> Role:
    """The dwarf of a code."""
    return _ROLES[code]


def goal_code(goal: Goal) -> int:
    """A goal's code."""
    return GOALS.index(goal)


def goal_of(code: int) -> Goal:
    """The goal of a code."""
    return GOALS[code]


def tool_code(tool: Tool) -> int:
    """A tool's code."""
    return _TOOLS.index(tool)


def tool_of(code: int) -> Tool:
    """The tool of a code."""
    return _TOOLS[code]


def path_of(code: int) -> Path:
    """The way a path card lies, by its code, which is `Path.index`."""
    return PATHS[code]


def card_of(code: int) -> Card:
    """The card of a code, which is `Card.index`."""
    return CARDS[code]


def cards_code(cards: Iterable[Card]) -> bytes:
    """Cards in their order, a byte each."""
    return bytes([card.index for card in cards])


def cards_of(code: bytes) -> tuple[Card, ...]:
    """Those cards. Raises `BadFrame`."""
    if code and max(code) >= len(CARDS):
        wrong()
    return tuple([CARDS[index] for index in code])


def roles_of(code: bytes) -> tuple[Role, ...]:
    """The dwarves of the seats, a byte each. Raises `BadFrame`."""
    if code and max(code) >= len(_ROLES):
        wrong()
    return tuple(_ROLES[index] for index in code)


def nuggets_of(code: bytes) -> tuple[int, ...]:
    """Gold cards, a byte each, the nuggets on it. Raises `BadFrame`."""
    if code and not 1 <= min(code) <= max(code) <= 3:
        wrong()
    return tuple(code)


def seat_code(seat: int | None) -> int:
    """A seat, or nobody."""
    return NOBODY if seat is None else seat


def seat_of(code: int) -> int | None:
    """A seat, or `None` for nobody."""
    return None if code == NOBODY else code


def looks_code(cells: Iterable[Cell]) -> int:
    """A set of goals' cells, 1, 2 and 4 from north to south."""
    return sum(1 << GOAL_CELLS.index(cell) for cell in cells)


def looks_of(code: int) -> frozenset[Cell]:
    """Those cells."""
    return frozenset(cell for at, cell in enumerate(GOAL_CELLS) if code >> at & 1)
