"""Moves on the wire, from a client to its host and into the journal.

One class per kind of move, named as in `engine.moves`, and a `match` in each direction.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, assert_never

from msgspec import Meta

from engine import moves
from net.protocol.fields import (
    CardCode,
    CellAt,
    PathCode,
    SeatNumber,
    ToolCode,
    Wire,
    card_of,
    path_of,
    tool_code,
    tool_of,
)


class Lay(Wire, frozen=True, tag=1):
    """Lay a path card."""

    path: PathCode
    cell: CellAt


class Break(Wire, frozen=True, tag=2):
    """Break a tool of `target`."""

    tool: ToolCode
    target: SeatNumber


class Repair(Wire, frozen=True, tag=3):
    """Repair a tool of `target` with a card that may show two tools."""

    card: CardCode
    target: SeatNumber
    tool: ToolCode


class Rockfall(Wire, frozen=True, tag=4):
    """Take a tunnel card off the board."""

    cell: CellAt


class Map(Wire, frozen=True, tag=5):
    """Look at a goal."""

    cell: CellAt


class Discard(Wire, frozen=True, tag=6):
    """Discard a card face down."""

    card: CardCode


class KeepGold(Wire, frozen=True, tag=7):
    """Keep a gold card with this number of nuggets."""

    nuggets: Annotated[int, Meta(ge=1, le=3)]


MoveWire: TypeAlias = Lay | Break | Repair | Rockfall | Map | Discard | KeepGold


def write_move(move: moves.Move) -> MoveWire:
    """Return the wire value of a move."""
    match move:
        case moves.Lay(path, cell):
            return Lay(path.index, cell)
        case moves.Break(tool, target):
            return Break(tool_code(tool), target)
        case moves.Repair(card, target, tool):
            return Repair(card.index, target, tool_code(tool))
        case moves.Rockfall(cell):
            return Rockfall(cell)
        case moves.Map(cell):
            return Map(cell)
        case moves.Discard(card):
            return Discard(card.index)
        case moves.KeepGold(nuggets):
            return KeepGold(nuggets)
        case _:
            assert_never(move)


def read_move(wire: MoveWire) -> moves.Move:
    """Return the move of a wire value."""
    match wire:
        case Lay(path, cell):
            return moves.Lay(path_of(path), cell)
        case Break(tool, target):
            return moves.Break(tool_of(tool), target)
        case Repair(card, target, tool):
            return moves.Repair(card_of(card), target, tool_of(tool))
        case Rockfall(cell):
            return moves.Rockfall(cell)
        case Map(cell):
            return moves.Map(cell)
        case Discard(card):
            return moves.Discard(card_of(card))
        case KeepGold(nuggets):
            return moves.KeepGold(nuggets)
        case _:
            assert_never(wire)
