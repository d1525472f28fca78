"""Moves and turns as text.

Moves are spelt `NES@3n1`, `-L>2`, `+LC>2:C`, `R@3n1`, `M@8n2`, `xNES`, `$2`. Records also tell of
turns whose move is unknown or is none; those are `ObservedMove`. A turn in a seat's own record is
the move and its results:

    M@8n2:(NE)=EW    NES@7!8:SW=?    x?
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from engine.board import Cell
from engine.cards import BREAK, Card, Goal, Path, Tool
from engine.moves import Break, Discard, KeepGold, Lay, Map, Move, Repair, Rockfall
from engine.notation.tokens import (
    Span,
    format_cell,
    format_seat,
    read_card,
    read_cell,
    read_goal_lying,
    read_goal_seen,
    read_path,
    read_seat,
)

_NUGGETS: Final = re.compile(r"[123]")


class ObservedMove(Enum):
    """A turn whose move is not known to the seat that recorded it, or that had no move."""

    DISCARD = "x?"
    """Another seat discarded a card (T1)."""
    SKIP = "--"
    """A seat without cards passed without discarding; the table does this by itself (T4)."""
    KEEP = "$?"
    """Another seat took a gold card (D4)."""


def parse_move(text: str) -> Move | ObservedMove:
    """Read a move or an observed move. Raises `NotationError`."""
    return read_move(Span.whole(text))


def parse_own_move(text: str) -> Move:
    """Read a move that can be made, so not `x?`, `--` or `$?`. Raises `NotationError`."""
    return read_own_move(Span.whole(text))


def format_move(move: Move | ObservedMove) -> str:
    """Spell a move or an observed move."""
    match move:
        case Lay(path, cell):
            return f"{path.text}@{format_cell(cell)}"
        case Break(tool, target):
            return f"{BREAK[tool].text}>{format_seat(target)}"
        case Repair(card, target, tool):
            which = "" if card.repairs == (tool,) else f":{tool}"
            return f"{card.text}>{format_seat(target)}{which}"
        case Rockfall(cell):
            return f"{Card.ROCKFALL.text}@{format_cell(cell)}"
        case Map(cell):
            return f"{Card.MAP.text}@{format_cell(cell)}"
        case Discard(card):
            return f"x{card.text}"
        case KeepGold(nuggets):
            return f"${nuggets}"
        case ObservedMove():
            return move.value
        case _:
            assert_never(move)


def read_own_move(span: Span) -> Move:
    """Read a move that can be made. Raises `NotationError`."""
    move = read_move(span)
    if isinstance(move, ObservedMove):
        raise span.error("this tells of a turn, but it is no move that can be made")
    return move


def read_move(span: Span) -> Move | ObservedMove:
    """Read a move or an observed move. Raises `NotationError`."""
    text = span.text
    if any(text == observed.value for observed in ObservedMove):
        return ObservedMove(text)
    match text[:1]:
        case "":
            raise span.error("a move should stand here")
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
    head, tail = span.parted(">")
    card = read_card(head)
    if tail is None:
        raise span.error("at whom it is played is missing: {card}>2", card=card.text)
    seat, which = tail.parted(":")
    target = read_seat(seat)
    if card.breaks is not None:
        if which is not None:
            raise which.error("the card says already which tool it breaks")
        return Break(card.breaks, target)
    if which is None:
        if len(card.repairs) > 1:
            one, other = card.repairs
            raise span.error(
                "which of the two tools is missing: :{one} or :{other}", one=one, other=other
            )
        return Repair(card, target, card.repairs[0])
    tool = _read_tool(which)
    if card.repairs == (tool,):
        raise which.error("the card says already which tool it repairs")
    return Repair(card, target, tool)


def _read_tool(span: Span) -> Tool:
    try:
        return Tool(span.text)
    except ValueError:
        raise span.error("a tool is P, L or C: pick, lantern, cart") from None


def _read_placed(span: Span) -> Lay | Rockfall | Map:
    """Read a card that is played on a cell (P, A4, A5)."""
    head, tail = span.parted("@")
    if tail is None:
        raise span.error("no move is spelt like this; a card is laid as in NES@3n1")
    match head.text:
        case Card.ROCKFALL.text:
            return Rockfall(read_cell(tail))
        case Card.MAP.text:
            return Map(read_cell(tail))
        case _:
            return Lay(read_path(head), read_cell(tail))


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a seat's own record.

    `saw` is the goal that a map showed, `reveals` are the goals turned up and how they lie. `drew`
    is True if a card was drawn, and `card` is that card if it is known.
    """

    move: Move | ObservedMove
    saw: Goal | None = None
    reveals: tuple[tuple[Cell, Path], ...] = ()
    drew: bool = False
    card: Card | None = None


def read_turn(span: Span) -> Turn:
    """Read a turn. Raises `NotationError`."""
    said, drawn = span.parted("=")
    done, *reveals = said.split("!")
    move, saw = done, None
    if done.text.startswith(f"{Card.MAP.text}@"):
        move, saw = done.parted(":")
    card = None if drawn is None or drawn.text == "?" else read_card(drawn)
    return Turn(
        move=read_move(move),
        saw=None if saw is None else read_goal_seen(saw),
        reveals=tuple(_read_reveal(reveal) for reveal in reveals),
        drew=drawn is not None,
        card=card,
    )


def _read_reveal(span: Span) -> tuple[Cell, Path]:
    """Read the cell of a goal just revealed, and the path it lies as."""
    cell, path = span.parted(":")
    if path is None:
        raise span.error("how the goal lies is missing, as in !8:SW")
    return read_cell(cell), read_goal_lying(path)
