"""Pages to read, as values: paragraphs, columns and pictures of cards.

Each interface draws them in its own way. A picture says only which cards lie in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final, TypeAlias

from engine.board import CardState
from engine.cards import Card, Goal, Path, Role
from sabtui.text.names import width

TILE_COLUMNS: Final = 5
"""Columns of a card in a picture, where it is no larger."""

CARD_GAP_COLUMNS: Final = 3
"""Columns between two cards with captions."""

_INDENT: Final = "  "


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences, to be wrapped."""

    text: str


@dataclass(frozen=True, slots=True)
class TwoColumns:
    """Rows of a word and its meaning."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CardRows(TwoColumns):
    """Rows about cards of the hand or roles: where cards are drawn, they lie beside the words."""

    cards: Sequence[Sequence[Card | Role]]


@dataclass(frozen=True, slots=True)
class PicturedCard:
    """A path card that lies face up."""

    path: Path
    state: CardState = CardState.REACHED
    is_start: bool = False


@dataclass(frozen=True, slots=True)
class PicturedGoal:
    """A goal; `goal` is its face if it is known, and `path` how it lies once it is turned over."""

    goal: Goal | None
    path: Path | None = None


PicturedCell: TypeAlias = PicturedCard | PicturedGoal | None
"""A cell of a picture; `None` is an empty one."""

DrawCell: TypeAlias = Callable[[PicturedCell], Sequence[str]]
"""Function that draws a cell as lines of as many columns as each cell has."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Cells side by side, as they lie in the mine; with `captions`, separate cards.

    A caption may have several lines.
    """

    cells: Sequence[PicturedCell]
    captions: Sequence[str] = ()

    @staticmethod
    def of(*cards: tuple[PicturedCell, str]) -> Picture:
        """Return a picture of separate cards with their captions."""
        cells, captions = zip(*cards, strict=True)
        return Picture(cells, captions)

    def lines(self, draw: DrawCell, wide: int = TILE_COLUMNS) -> list[str]:
        """Return the lines of the cells, each of so many columns."""
        return [self._line(parts, wide) for parts in zip(*map(draw, self.cells), strict=True)]

    def fit(self, columns: int, wide: int = TILE_COLUMNS) -> Picture:
        """Return the picture with its captions in two lines if they are wider than `columns`."""
        if all(width(line.rstrip()) <= columns for line in self.caption_lines(wide)):
            return self
        return replace(self, captions=[_break_caption(caption) for caption in self.captions])

    def begins(self, wide: int) -> list[int]:
        """Return the column at which each cell of so many columns begins."""
        found, begins = list[int](), len(_INDENT)
        for room in self._rooms(wide) or [wide] * len(self.cells):
            found.append(begins + (room - wide) // 2)
            begins += room + (CARD_GAP_COLUMNS if self.captions else 0)
        return found

    def caption_lines(self, wide: int = TILE_COLUMNS) -> list[str]:
        """Return the lines of captions below cells of so many columns, none without captions."""
        lines = zip_longest(*(caption.split("\n") for caption in self.captions), fillvalue="")
        return [self._line(line, wide) for line in lines]

    def _line(self, parts: Sequence[str], wide: int) -> str:
        """Return a part of each cell, or the captions, in one line."""
        if not self.captions:
            return _INDENT + "".join(parts)
        return _INDENT + "".join(map(_centre, parts, self._rooms(wide)))

    def _rooms(self, wide: int) -> list[int]:
        """Return the columns that each cell and its caption take."""
        return [max(wide, *map(width, caption.split("\n"))) for caption in self.captions]


def _break_caption(caption: str) -> str:
    """Return a caption in two lines, as nearly as long as each other as its blanks allow."""
    blanks = [at for at, letter in enumerate(caption) if letter == " "]
    if not blanks:
        return caption
    middle = min(blanks, key=lambda at: abs(len(caption) - 1 - 2 * at))
    return f"{caption[:middle]}\n{caption[middle + 1 :]}"


def _centre(text: str, columns: int) -> str:
    """Return a text centred in `columns`, with the gap to the next card on its right."""
    room = columns - width(text)
    left = room // 2
    return " " * left + text + " " * (room - left + CARD_GAP_COLUMNS)


Block: TypeAlias = Paragraph | TwoColumns | Picture
PageBlocks: TypeAlias = Sequence[Block]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A page of the rules: blocks with a blank line before each one that is no picture."""

    title: str
    blocks: PageBlocks
    teaches: Sequence[str] = ()
    """Numbers of docs/rules.md, of which every one is taught by some page."""
