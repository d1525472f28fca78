"""How much room each part of the table has, for a terminal of any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.mine.window import ROW_NAME_COLUMNS

MIN_COLUMNS, MIN_ROWS = 60, 18
"""The smallest terminal that can be played on."""

FOOTER_ROWS: Final = 2
HEADER_ROWS: Final = 1
CHAT_ROWS: Final = 1
FIELD_CELLS: Final = 9
"""Cells from the start to the goals, side by side."""

RULE_GAP_COLUMNS: Final = 1
"""A blank column between the mine and the rule beside it."""

MIN_SIDE_COLUMNS, MAX_SIDE_COLUMNS = 29, 56
TALL_ROWS: Final = 20
LOW_ROWS: Final = 22
"""Below so many rows the hand is small."""

LEAST_PANE: Final = 4
"""Rows of talk and news below which players stand two in a row."""

LEAST_PAIRED: Final = 7
"""Fewer players than that never stand two in a row: little room would be gained."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of the whole and of the side, which a rule of two columns divides from the mine.

    `body` and `hand` are the rows of the mine and of the hand with its title.
    """

    columns: int
    rows: int
    side: int
    body: int
    hand: int

    @staticmethod
    def of(columns: int, rows: int) -> Layout:
        """The layout of a terminal: as much for the side as leaves the way to the goals in sight.

        The largest tiles for which the side is wide enough.
        """
        side = MIN_SIDE_COLUMNS
        for size in TileSize:
            left = columns - ROW_NAME_COLUMNS - FIELD_CELLS * size.columns - RULE_GAP_COLUMNS
            if left >= MIN_SIDE_COLUMNS:
                side = left
        side = min(side, MAX_SIDE_COLUMNS)
        hand = 2 if rows < LOW_ROWS else 5
        return Layout(columns, rows, side, max(rows - HEADER_ROWS - hand - FOOTER_ROWS, 1), hand)

    @property
    def is_too_small(self) -> bool:
        """Whether nothing sensible can be shown."""
        return self.columns < MIN_COLUMNS or self.rows < MIN_ROWS

    @property
    def mine(self) -> int:
        """Columns of the mine."""
        return self.columns - self.side

    @property
    def text(self) -> int:
        """Columns of text on the side."""
        return self.side - 2

    def seats(self, players: int, *, titled: bool = False) -> Seats:
        """The players' part; `titled` gives it a title also where there is little room."""
        paired = players >= LEAST_PAIRED and self.body - players - 1 - CHAT_ROWS < LEAST_PANE
        roomy = not paired and self.body - players >= 9
        return Seats(self, players, has_title=titled or roomy, is_paired=paired)


@dataclass(frozen=True, slots=True)
class Seats:
    """The players' part of a layout: a title where there is room, their rows, and a rule below.

    Where it `is_paired` they stand in two columns, the first half of them in the left one.
    """

    layout: Layout
    players: int
    has_title: bool
    is_paired: bool

    @property
    def lines(self) -> int:
        """Rows of players alone."""
        return (self.players + 1) // 2 if self.is_paired else self.players

    @property
    def rows(self) -> int:
        """All rows."""
        return self.has_title + self.lines + 1

    @property
    def pane(self) -> int:
        """Rows between the players and the line to talk in."""
        return self.layout.body - self.rows - CHAT_ROWS

    @property
    def is_tall(self) -> bool:
        """Whether what is known and what was said are in sight both."""
        return self.pane >= TALL_ROWS

    @property
    def columns(self) -> int:
        """Columns of a player."""
        return (self.layout.text - 1) // 2 if self.is_paired else self.layout.text

    def at(self, column: int, row: int) -> int | None:
        """Return the seat that a character of this part is of."""
        line = row - self.has_title
        right = self.is_paired and column > self.columns
        seat = line + self.lines * right
        return seat if 0 <= line < self.lines and seat < self.players else None

    def where(self, seat: int) -> tuple[int, int]:
        """Return the column and row of text where a seat begins."""
        right, line = divmod(seat, self.lines)
        return right * (self.columns + 1), self.has_title + line
