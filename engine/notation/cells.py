"""The smallest things that are written: cells, cards as held or as they lie, seats, numbers.

Each is spelt one way only. Seats are 1 to 10 in text and 0 to 9 in code. The `parse_` functions
read a text that is nothing else; the `read_` functions a piece of a longer one.
"""

from __future__ import annotations

import re
from typing import Final

from engine.board import Cell
from engine.cards import Card, Goal, Path
from engine.notation.text import Piece

_CELL: Final = re.compile(r"(0|-?[1-9][0-9]{0,4})(?:([ns])([1-9][0-9]{0,4}))?")
"""A mine has no edge (S6), but text has: a cell 100000 or more cards away is not read, and no 40
tunnels get there from the 9999 that a position allows."""

_NUMBER: Final = re.compile(r"0|[1-9][0-9]?")
_SEAT: Final = re.compile(r"[1-9]|10")


def parse_cell(text: str) -> Cell:
    """Read a cell: its column, then how far north or south of the start's row, as in `8n2`.

    Raises `NotationError`.
    """
    return read_cell(Piece.whole(text))


def format_cell(cell: Cell) -> str:
    """Spell a cell: `0` is the start, `8n2`, `8` and `8s2` are the goals (S6)."""
    x, y = cell
    if y == 0:
        return str(x)
    return f"{x}n{-y}" if y < 0 else f"{x}s{y}"


def parse_card(text: str) -> Card:
    """Read a card as it is held: `NES`, `ne` for a dead end, `-P`, `+LC`, `R`, `M`.

    Raises `NotationError`.
    """
    return read_card(Piece.whole(text))


def format_card(card: Card) -> str:
    """Spell a card as it is held; a path card by the lesser of its two ways up (S3)."""
    return card.text


def read_cell(piece: Piece) -> Cell:
    """Read a cell. Raises `NotationError`."""
    found = _CELL.fullmatch(piece.text)
    if found is None:
        raise piece.wrong("a cell is a column, then a row if not the start's: 3, 8n2, -1s1")
    column, way, rows = found.groups()
    y = 0 if rows is None else int(rows)
    return int(column), -y if way == "n" else y


def read_card(piece: Piece) -> Card:
    """Read a card as it is held. Raises `NotationError`."""
    try:
        return Card.read(piece.text)
    except KeyError:
        pass
    try:
        upright = Path.read(piece.text).card.text
    except KeyError:
        raise piece.wrong("no card of the deck is spelt like this") from None
    raise piece.wrong("this card is spelt {upright} while it is not on the table", upright=upright)


def read_path(piece: Piece) -> Path:
    """Read a path card as it lies, such as `SW` or `nes`. Raises `NotationError`."""
    try:
        return Path.read(piece.text)
    except KeyError:
        raise piece.wrong("a path card is its open sides in the order NESW, or nesw") from None


def read_goal_lying(piece: Piece) -> Path:
    """Read a goal as it lies face up (G3). Raises `NotationError`."""
    path = read_path(piece)
    try:
        Goal.lying(path)
    except KeyError:
        raise piece.wrong("a goal lies as NESW, the treasure, or as NE, SW, NW or ES") from None
    return path


def read_goal_seen(piece: Piece) -> Goal:
    """Read a goal that lies face down but is known: `(NESW)`. Raises `NotationError`."""
    for goal in Goal:
        if piece.text == f"({goal.text})":
            return goal
    raise piece.wrong("a known goal face down is (NESW), (NE) or (NW)")


def format_goal_seen(goal: Goal) -> str:
    """Spell a goal that lies face down but is known."""
    return f"({goal.text})"


def read_seat(piece: Piece) -> int:
    """Read a seat, 1 to 10, and count it from 0. Raises `NotationError`."""
    if _SEAT.fullmatch(piece.text) is None:
        raise piece.wrong("a seat is a number from 1 to 10")
    return int(piece.text) - 1


def format_seat(seat: int) -> str:
    """Spell a seat, counted from 0 in code."""
    return str(seat + 1)


def is_number(text: str) -> bool:
    """Whether a text spells a number that `read_number` reads."""
    return _NUMBER.fullmatch(text) is not None


def read_number(piece: Piece) -> int:
    """Read a number from 0 to 99: no game has more of anything. Raises `NotationError`."""
    if not is_number(piece.text):
        raise piece.wrong("a number from 0 to 99 should stand here")
    return int(piece.text)
