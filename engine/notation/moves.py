"""Moves in text: `NES@3n1`, `-L>2`, `+LC>2:C`, `R@3n1`, `M@8n2`, `xNES`, `$2`.

Knows spelling only: whether a move can be made, `engine.rules` decides. A record tells of turns,
too, that are no move anybody could make from here: those are `Heard`.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, assert_never

from engine.cards import BREAK, Card, Tool
from engine.moves import Break, Discard, Keep, Lay, Map, Move, Repair, Rockfall
from engine.notation.cells import (
    format_cell,
    format_seat,
    read_card,
    read_cell,
    read_path,
    read_seat,
)
from engine.notation.text import Piece

_NUGGETS: Final = re.compile(r"[123]")


class Heard(Enum):
    """What is told of a turn of which the move itself is not known, or is none."""

    DISCARD = "x?"
    """Somebody else discarded a card (T1)."""
    SKIP = "--"
    """A seat without cards passed without discarding; the table does that by itself (T4)."""
    KEEP = "$?"
    """Somebody else took a gold card (D4)."""


def parse_move(text: str) -> Move | Heard:
    """Read a move, or what is heard of one. Raises `NotationError`."""
    return read_move(Piece.whole(text))


def parse_own_move(text: str) -> Move:
    """Read a move that can be made, and so not `x?`, `--` or `$?`. Raises `NotationError`."""
    return read_own_move(Piece.whole(text))


def format_move(move: Move | Heard) -> str:
    """Spell a move, or what is heard of one."""
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
        case Keep(nuggets):
            return f"${nuggets}"
        case Heard():
            return move.value
        case _:
            assert_never(move)


def read_own_move(piece: Piece) -> Move:
    """Read a move that can be made. Raises `NotationError`."""
    move = read_move(piece)
    if isinstance(move, Heard):
        raise piece.wrong("this tells of a turn, but it is no move that can be made")
    return move


def read_move(piece: Piece) -> Move | Heard:
    """Read a move, or what is heard of one. Raises `NotationError`."""
    text = piece.text
    if any(text == heard.value for heard in Heard):
        return Heard(text)
    match text[:1]:
        case "":
            raise piece.wrong("a move should stand here")
        case "x":
            return Discard(read_card(piece.cut(1)))
        case "$":
            return Keep(read_nuggets(piece.cut(1)))
        case "-" | "+":
            return _read_tools(piece)
        case _:
            return _read_placed(piece)


def read_nuggets(piece: Piece) -> int:
    """Read a gold card: 1, 2 or 3 nuggets (S5). Raises `NotationError`."""
    if _NUGGETS.fullmatch(piece.text) is None:
        raise piece.wrong("a gold card has 1, 2 or 3 nuggets")
    return int(piece.text)


def _read_tools(piece: Piece) -> Break | Repair:
    """A broken tool or a repair, and at whom it is played (A1 to A3)."""
    head, tail = piece.parted(">")
    card = read_card(head)
    if tail is None:
        raise piece.wrong("at whom it is played is missing: {card}>2", card=card.text)
    seat, which = tail.parted(":")
    target = read_seat(seat)
    if card.breaks is not None:
        if which is not None:
            raise which.wrong("the card says already which tool it breaks")
        return Break(card.breaks, target)
    if which is None:
        if len(card.repairs) > 1:
            one, other = card.repairs
            raise piece.wrong(
                "which of the two tools is missing: :{one} or :{other}", one=one, other=other
            )
        return Repair(card, target, card.repairs[0])
    tool = _read_tool(which)
    if card.repairs == (tool,):
        raise which.wrong("the card says already which tool it repairs")
    return Repair(card, target, tool)


def _read_tool(piece: Piece) -> Tool:
    try:
        return Tool(piece.text)
    except ValueError:
        raise piece.wrong("a tool is P, L or C: pick, lantern, cart") from None


def _read_placed(piece: Piece) -> Lay | Rockfall | Map:
    """A card that is played on a cell (P, A4, A5)."""
    head, tail = piece.parted("@")
    if tail is None:
        raise piece.wrong("no move is spelt like this; a card is laid as in NES@3n1")
    match head.text:
        case Card.ROCKFALL.text:
            return Rockfall(read_cell(tail))
        case Card.MAP.text:
            return Map(read_cell(tail))
        case _:
            return Lay(read_path(head), read_cell(tail))
