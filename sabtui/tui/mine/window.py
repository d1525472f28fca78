"""The part of an endless mine that is in sight: which cells, how large, and where each is.

Whole tiles alone are shown; what is left over is blank on the right and below. A value: what
moves it returns another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from engine.board import GOAL_CELLS, START, Cell
from sabtui.tui.mine.tiles import TileSize

ROW_NAME_COLUMNS: Final = 3
"""Columns on the left for the names of rows, such as `n2`."""

AXIS_ROWS: Final = 1
"""Rows at the top for the names of columns."""

HOME: Final = (START, *GOAL_CELLS)
"""What to show of a mine without cards."""

_ORDER: Final = (TileSize.SMALL, TileSize.NORMAL, TileSize.WIDE)


@dataclass(frozen=True, slots=True)
class Viewport:
    """`west` and `north` are the first column and row of cells in sight."""

    columns: int
    rows: int
    size: TileSize = TileSize.NORMAL
    west: int = 0
    north: int = 0

    @staticmethod
    def over(cells: Iterable[Cell], columns: int, rows: int) -> Viewport:
        """The window with the largest tiles that shows all these, or else small tiles."""
        kept = list(cells)
        across = 1 + max(x for x, _y in kept) - min(x for x, _y in kept)
        down = 1 + max(y for _x, y in kept) - min(y for _x, y in kept)
        size = TileSize.SMALL
        for larger in _ORDER:
            room = Viewport(columns, rows, larger)
            if across <= room.across and down <= room.down:
                size = larger
        return Viewport(columns, rows, size).around(kept)

    @property
    def across(self) -> int:
        """How many cells fit side by side."""
        return max((self.columns - ROW_NAME_COLUMNS) // self.size.columns, 1)

    @property
    def down(self) -> int:
        """How many cells fit below each other."""
        return max((self.rows - AXIS_ROWS) // self.size.rows, 1)

    @property
    def xs(self) -> range:
        """The columns of cells in sight."""
        return range(self.west, self.west + self.across)

    @property
    def ys(self) -> range:
        """The rows of cells in sight."""
        return range(self.north, self.north + self.down)

    @property
    def middle(self) -> Cell:
        """The cell in the middle."""
        return self.west + self.across // 2, self.north + self.down // 2

    def shows(self, cell: Cell) -> bool:
        """Whether a cell is in sight."""
        return cell[0] in self.xs and cell[1] in self.ys

    def shows_all(self, cells: Iterable[Cell]) -> bool:
        """Return whether all these cells are in sight."""
        return all(self.shows(cell) for cell in cells)

    def where(self, cell: Cell) -> tuple[int, int] | None:
        """The column and row of text of the upper left corner of a cell in sight."""
        if not self.shows(cell):
            return None
        x, y = cell
        return (
            ROW_NAME_COLUMNS + (x - self.west) * self.size.columns,
            AXIS_ROWS + (y - self.north) * self.size.rows,
        )

    def at(self, column: int, row: int) -> Cell | None:
        """The cell that a character is of."""
        if column < ROW_NAME_COLUMNS or row < AXIS_ROWS:
            return None
        x = self.west + (column - ROW_NAME_COLUMNS) // self.size.columns
        y = self.north + (row - AXIS_ROWS) // self.size.rows
        return (x, y) if self.shows((x, y)) else None

    def panned(self, east: int, south: int) -> Viewport:
        """Moved by so many cells."""
        return replace(self, west=self.west + east, north=self.north + south)

    def around(self, cells: Iterable[Cell]) -> Viewport:
        """With the middle of these in its middle."""
        kept = list(cells)
        xs, ys = [x for x, _y in kept], [y for _x, y in kept]
        return replace(
            self,
            west=(min(xs) + max(xs) + 1 - self.across) // 2,
            north=(min(ys) + max(ys) + 1 - self.down) // 2,
        )

    def following(self, cell: Cell, margin: int = 0) -> Viewport:
        """Moved as little as shows a cell, and so many around it where there is room."""
        x, y = cell
        return replace(
            self,
            west=_follow(self.west, self.across, x, margin),
            north=_follow(self.north, self.down, y, margin),
        )

    def zoomed(self, steps: int, middle: Cell) -> Viewport:
        """With larger or smaller tiles, and a cell in its middle."""
        at = min(max(_ORDER.index(self.size) + steps, 0), len(_ORDER) - 1)
        return replace(self, size=_ORDER[at]).around([middle])


def _follow(first: int, count: int, at: int, margin: int) -> int:
    """The first of so many in a row, moved as little as keeps one of them away from the ends."""
    margin = min(margin, (count - 1) // 2)
    return min(max(first, at + margin - count + 1), at - margin)
