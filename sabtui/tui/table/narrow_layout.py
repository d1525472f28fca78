"""Room for each part of the table in a narrow, high terminal, such as that of a phone held upright.

The parts stand one below the other: mine, a strip of the players, their pane, chat line, hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.mine.window import AXIS_ROWS, ROW_NAME_COLUMNS
from sabtui.tui.table.layout import (
    CHAT_ROWS,
    FIELD_CELLS,
    FIELD_ROWS,
    FOOTER_ROWS,
    HEADER_ROWS,
    MIN_COLUMNS,
    MIN_PAIRED_PLAYERS,
    NARROW_COLUMNS,
    NARROW_ROWS,
    Layout,
    Seats,
)

HAND_ROWS: Final = 5
"""Rows of the hand: a title, and two rows of cards."""

LEAST_SIDE_ROWS: Final = 9
"""Fewest rows below the mine: players, a title, five of the pane, chat line."""

MORE_FIELD_ROWS: Final = 2
"""Most rows of cells that the mine has beyond those of the way to the goals."""


@dataclass(frozen=True, slots=True)
class NarrowLayout(Layout):
    """Columns and rows of a narrow terminal; `body` are the rows of mine and side together."""

    @staticmethod
    def of(columns: int, rows: int) -> Layout:
        """Return the layout for a terminal, a narrow one only where the usual one has no room."""
        if columns >= MIN_COLUMNS or columns < NARROW_COLUMNS or rows < NARROW_ROWS:
            return Layout.of(columns, rows)
        body = rows - HEADER_ROWS - HAND_ROWS - FOOTER_ROWS
        return NarrowLayout(columns, rows, columns, body, HAND_ROWS)

    @property
    def is_narrow(self) -> bool:
        """True: the parts stand one below the other."""
        return True

    @property
    def is_too_small(self) -> bool:
        """False: who is given this layout has room for it."""
        return False

    @property
    def mine(self) -> int:
        """Columns of the mine: all."""
        return self.columns

    @property
    def mine_rows(self) -> int:
        """Rows of the mine: the way to the goals in the largest tiles, and a little more."""
        most = self.body - LEAST_SIDE_ROWS
        size = TileSize.SMALL
        for larger in TileSize:
            across = ROW_NAME_COLUMNS + FIELD_CELLS * larger.columns
            if across <= self.columns and AXIS_ROWS + FIELD_ROWS * larger.rows <= most:
                size = larger
        return min(most, AXIS_ROWS + (FIELD_ROWS + MORE_FIELD_ROWS) * size.rows)

    @property
    def text(self) -> int:
        """Columns of text on the side: all."""
        return self.columns

    def seats(self, players: int, *, titled: bool = False) -> Seats:  # noqa: ARG002 - a strip has no title
        """Return the strip of the players; it never has a title."""
        return StripSeats(self, players, has_title=False, is_paired=players >= MIN_PAIRED_PLAYERS)


@dataclass(frozen=True, slots=True)
class StripSeats(Seats):
    """The players side by side in one row, in two rows if they are many; and a rule below."""

    @property
    def lines(self) -> int:
        """Rows of players."""
        return 2 if self.is_paired else 1

    @property
    def columns(self) -> int:
        """Columns of a player."""
        return self.layout.text // self._abreast

    @property
    def pane(self) -> int:
        """Rows between the players and the chat line."""
        return self.layout.body - self.layout.mine_rows - self.rows - CHAT_ROWS

    @property
    def _abreast(self) -> int:
        """Number of players in a row."""
        return (self.players + self.lines - 1) // self.lines

    def at(self, column: int, row: int) -> int | None:
        """Return the seat at a column and row of this part, or `None`."""
        across = column // self.columns
        seat = row * self._abreast + across
        return seat if row < self.lines and across < self._abreast and seat < self.players else None

    def corner_of(self, seat: int) -> tuple[int, int]:
        """Return the text column and row where a seat begins."""
        row, across = divmod(seat, self._abreast)
        return across * self.columns, row
