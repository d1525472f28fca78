"""The smallest parts of the notation: cells, cards, seats and numbers, with positions and errors.

Each is spelt in one way only. Seats are 1 to 10 in text and 0 to 9 in code. The `parse_` functions
read a whole text; the `read_` functions read a `Span`, a piece of a longer text that knows its
position.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.board import Cell
from engine.cards import Card, Goal, Path
from engine.mistakes import NotationError

_WORD = re.compile(r"[^ \t\r\n]+")


@dataclass(frozen=True, slots=True)
class Span:
    """The part of `source` from `start` up to `end`, which is not included."""

    source: str
    start: int
    end: int

    @staticmethod
    def whole(text: str) -> Span:
        """Return the span of a whole text."""
        return Span(text, 0, len(text))

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source[self.start : self.end]

    def cut(self, start: int, end: int | None = None) -> Span:
        """Return the part from `start` up to `end`, both counted from the span's own start."""
        until = self.end if end is None else self.start + end
        return Span(self.source, self.start + start, until)

    def split(self, mark: str) -> list[Span]:
        """Return the parts between marks of one character; one part if there is no mark."""
        parts: list[Span] = []
        start = 0
        for part in self.text.split(mark):
            parts.append(self.cut(start, start + len(part)))
            start += len(part) + 1
        return parts

    def partition(self, mark: str) -> tuple[Span, Span | None]:
        """Return the parts before and after the first mark; the second is `None` without a mark."""
        at = self.text.find(mark)
        return (self, None) if at < 0 else (self.cut(0, at), self.cut(at + 1))

    def words(self) -> list[Span]:
        """Return the parts between spaces, tabs and line breaks."""
        return [self.cut(*word.span()) for word in _WORD.finditer(self.text)]

    def error(self, template: str, **facts: str | int) -> NotationError:
        """Return the error to raise for this span, its message `template` filled with `facts`."""
        return NotationError(template.format(**facts), self.source, self.start + 1)


_CELL: Final = re.compile(r"(0|-?[1-9][0-9]{0,4})(?:([ns])([1-9][0-9]{0,4}))?")
"""A cell. The mine has no edge (S6), but no game gets further than five digits can say."""

_NUMBER: Final = re.compile(r"0|[1-9][0-9]?")
_SEAT: Final = re.compile(r"[1-9]|10")


def parse_cell(text: str) -> Cell:
    """Read a cell: its column, then how far north or south of the start's row, as in `8n2`.

    Raises `NotationError`.
    """
    return read_cell(Span.whole(text))


def format_cell(cell: Cell) -> str:
    """Spell a cell: `0` is the start, `8n2`, `8` and `8s2` are the goals (S6)."""
    x, y = cell
    if y == 0:
        return str(x)
    return f"{x}n{-y}" if y < 0 else f"{x}s{y}"


def parse_card(text: str) -> Card:
    """Read a held card: `NES`, a dead end `ne`, `-P`, `+LC`, `R`, `M`. Raises `NotationError`."""
    return read_card(Span.whole(text))


def read_cell(span: Span) -> Cell:
    """Read a cell. Raises `NotationError`."""
    found = _CELL.fullmatch(span.text)
    if found is None:
        raise span.error("a cell is a column, then a row unless it is the start's: 3, 8n2, -1s1")
    column, way, rows = found.groups()
    y = 0 if rows is None else int(rows)
    return int(column), -y if way == "n" else y


def read_card(span: Span) -> Card:
    """Read a card as it is held. Raises `NotationError`."""
    try:
        return Card.read(span.text)
    except NotationError:
        pass
    try:
        upright = Path.read(span.text).card.text
    except NotationError:
        raise span.error("no card in the deck is written like this") from None
    raise span.error("off the table, this card is written {upright}", upright=upright)


def read_path(span: Span) -> Path:
    """Read a path card as it lies, such as `SW` or `nes`. Raises `NotationError`."""
    try:
        return Path.read(span.text)
    except NotationError as error:
        raise span.error(error.problem) from None


def read_goal_lying(span: Span) -> Path:
    """Read a goal as it lies face up (G3). Raises `NotationError`."""
    path = read_path(span)
    try:
        Goal.lying(path)
    except KeyError:
        raise span.error(
            "a face-up goal is written NESW (the treasure), or NE, SW, NW or ES (stone)"
        ) from None
    return path


def read_goal_seen(span: Span) -> Goal:
    """Read a goal that lies face down but is known: `(NESW)`. Raises `NotationError`."""
    for goal in Goal:
        if span.text == f"({goal.text})":
            return goal
    raise span.error("a known face-down goal is written (NESW), (NE) or (NW)")


def format_goal_seen(goal: Goal) -> str:
    """Spell a goal that lies face down but is known."""
    return f"({goal.text})"


def read_seat(span: Span) -> int:
    """Read a seat, 1 to 10, and return it counted from 0. Raises `NotationError`."""
    if _SEAT.fullmatch(span.text) is None:
        raise span.error("a seat is a number from 1 to 10")
    return int(span.text) - 1


def format_seat(seat: int) -> str:
    """Spell a seat, counted from 0 in code."""
    return str(seat + 1)


def is_number(text: str) -> bool:
    """Return True if `read_number` can read the text."""
    return _NUMBER.fullmatch(text) is not None


def read_number(span: Span) -> int:
    """Read a number from 0 to 99: no game counts higher. Raises `NotationError`."""
    if not is_number(span.text):
        raise span.error("expected a number from 0 to 99 here")
    return int(span.text)
