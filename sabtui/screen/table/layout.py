"""How much room each part of the table has, for a terminal of any size.

Knows sizes in characters, and nothing that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sabtui.screen.mine.tiles import Size
from sabtui.screen.mine.window import MARGIN

LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""The smallest terminal that can be played on."""

FOOT: Final = 2
HEADER: Final = 1
TALK: Final = 1
FIELD: Final = 9
"""Cells from the start to the goals, side by side."""

GAP: Final = 1
"""A blank column between the mine and the rule beside it."""

LEAST_SIDE, MOST_SIDE = 29, 56
TALL: Final = 20
LOW: Final = 22
"""Below so many rows the hand is small."""


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
        side = LEAST_SIDE
        for size in Size:
            left = columns - MARGIN - FIELD * size.columns - GAP
            if left >= LEAST_SIDE:
                side = left
        side = min(side, MOST_SIDE)
        hand = 2 if rows < LOW else 5
        return Layout(columns, rows, side, max(rows - HEADER - hand - FOOT, 1), hand)

    @property
    def is_too_small(self) -> bool:
        """Whether nothing sensible can be shown."""
        return self.columns < LEAST_COLUMNS or self.rows < LEAST_ROWS

    @property
    def mine(self) -> int:
        """Columns of the mine."""
        return self.columns - self.side

    @property
    def text(self) -> int:
        """Columns of text on the side."""
        return self.side - 2

    def pane(self, players: int) -> int:
        """Rows between the players and the line to talk in."""
        return self.body - self.seats(players) - TALK

    def is_tall(self, players: int) -> bool:
        """Whether what is known and what was said are in sight both."""
        return self.pane(players) >= TALL

    def seats(self, players: int) -> int:
        """Rows of the players, with a title where there is room for one, and a rule below."""
        return players + 2 if self.body - players >= 9 else players + 1
