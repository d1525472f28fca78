"""Window onto the endless mine: which cells are visible, how large, and where on the screen.

Only whole tiles are shown; remaining columns and rows stay blank on the right and below. A
`Viewport` is a value: moving it returns another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from engine.board import GOAL_CELLS, START, Cell
from sabtui.tui.mine.tiles import TileSize

ROW_NAME_COLUMNS: Final = 3
"""Columns on the left for row names such as `n2`."""

AXIS_ROWS: Final = 1
"""Rows at the top for column names."""

HOME: Final = (START, *GOAL_CELLS)
"""Cells that an empty mine shows."""

_ORDER: Final = (TileSize.SMALL, TileSize.NORMAL, TileSize.WIDE)


@dataclass(frozen=True, slots=True)
class Viewport:
    """Visible part of the mine. `west` and `north` are the first visible column and row."""

    columns: int
    rows: int
    size: TileSize = TileSize.NORMAL
    west: int = 0
    north: int = 0

    @staticmethod
    def over(cells: Iterable[Cell], columns: int, rows: int) -> Viewport:
        """Return the window with the largest tiles that shows all cells, else with small ones."""
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
        """Number of cells that fit side by side."""
        return max((self.columns - ROW_NAME_COLUMNS) // self.size.columns, 1)

    @property
    def down(self) -> int:
        """Number of cells that fit one below the other."""
        return max((self.rows - AXIS_ROWS) // self.size.rows, 1)

    @property
    def xs(self) -> range:
        """Visible columns of cells."""
        return range(self.west, self.west + self.across)

    @property
    def ys(self) -> range:
        """Visible rows of cells."""
        return range(self.north, self.north + self.down)

    @property
    def middle(self) -> Cell:
        """Cell in the middle of the window."""
        return self.west + self.across // 2, self.north + self.down // 2

    def shows(self, cell: Cell) -> bool:
        """Return True if a cell is visible."""
        return cell[0] in self.xs and cell[1] in self.ys

    def shows_all(self, cells: Iterable[Cell]) -> bool:
        """Return True if all cells are visible."""
        return all(self.shows(cell) for cell in cells)

    def where(self, cell: Cell) -> tuple[int, int] | None:
        """Return the text column and row of a visible cell's upper left corner, or `None`."""
        if not self.shows(cell):
            return None
        x, y = cell
        return (
            ROW_NAME_COLUMNS + (x - self.west) * self.size.columns,
            AXIS_ROWS + (y - self.north) * self.size.rows,
        )

    def at(self, column: int, row: int) -> Cell | None:
        """Return the cell at a text column and row, or `None`."""
        if column < ROW_NAME_COLUMNS or row < AXIS_ROWS:
            return None
        x = self.west + (column - ROW_NAME_COLUMNS) // self.size.columns
        y = self.north + (row - AXIS_ROWS) // self.size.rows
        return (x, y) if self.shows((x, y)) else None

    def panned(self, east: int, south: int) -> Viewport:
        """Return the window moved by a number of cells."""
        return replace(self, west=self.west + east, north=self.north + south)

    def around(self, cells: Iterable[Cell]) -> Viewport:
        """Return the window centred on the middle of these cells."""
        kept = list(cells)
        xs, ys = [x for x, _y in kept], [y for _x, y in kept]
        return replace(
            self,
            west=(min(xs) + max(xs) + 1 - self.across) // 2,
            north=(min(ys) + max(ys) + 1 - self.down) // 2,
        )

    def following(self, cell: Cell, margin: int = 0) -> Viewport:
        """Return the window moved just enough to show a cell, with a margin if there is room."""
        x, y = cell
        return replace(
            self,
            west=_follow(self.west, self.across, x, margin),
            north=_follow(self.north, self.down, y, margin),
        )

    def zoomed(self, steps: int, middle: Cell) -> Viewport:
        """Return the window with larger or smaller tiles, centred on a cell."""
        at = min(max(_ORDER.index(self.size) + steps, 0), len(_ORDER) - 1)
        return replace(self, size=_ORDER[at]).around([middle])


def _follow(first: int, count: int, at: int, margin: int) -> int:
    """Return the first of `count` positions, moved just enough to keep `at` off the ends."""
    margin = min(margin, (count - 1) // 2)
    return min(max(first, at + margin - count + 1), at - margin)
