"""Window onto the endless mine: which cells are visible, how large, and where on the screen.

Only whole tiles are shown; remaining columns and rows stay blank on the right and below. A
`Viewport` is a value: moving it returns another one. Signs stand for the cards outside it, an arrow
and their number: that for the south below the mine, over whatever is drawn there, the others in the
row of column names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

from engine.board import GOAL_CELLS, START, Cell
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, overlaid, plain

ROW_NAME_COLUMNS: Final = 3
"""Columns on the left for row names such as `n2`."""

AXIS_ROWS: Final = 1
"""Rows at the top for column names."""

HOME: Final = (START, *GOAL_CELLS)
"""Cells that an empty mine shows."""

_ORDER: Final = tuple(TileSize)


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

    def corner_of(self, cell: Cell) -> tuple[int, int] | None:
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

    def pan(self, east: int, south: int) -> Viewport:
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

    def within(self, cells: Iterable[Cell]) -> Viewport:
        """Return the window moved over these cells, as far as they fit across and down."""
        kept = list(cells)
        return replace(
            self,
            west=_within(self.west, self.across, [x for x, _y in kept]),
            north=_within(self.north, self.down, [y for _x, y in kept]),
        )

    def following(self, cell: Cell, margin: int = 0) -> Viewport:
        """Return the window moved just enough to show a cell, with a margin if there is room."""
        x, y = cell
        return replace(
            self,
            west=_follow(self.west, self.across, x, margin),
            north=_follow(self.north, self.down, y, margin),
        )

    def lower(self, rows: int, cells: Collection[Cell], *kept: Cell) -> Viewport:
        """Return the window with this many rows fewer, showing as much as before if it can.

        It moves for the cells, but rather for those `kept`, most of all for the last of them.
        """
        visible = sorted((cell for cell in cells if self.shows(cell)), key=lambda cell: -cell[1])
        lower = replace(self, rows=self.rows - rows)
        for cell in (*visible, *(cell for cell in kept if self.shows(cell))):
            lower = lower.following(cell)
        return lower

    def zoom(self, steps: int, middle: Cell) -> Viewport:
        """Return the window with larger or smaller tiles, centred on a cell."""
        at = min(max(_ORDER.index(self.size) + steps, 0), len(_ORDER) - 1)
        return replace(self, size=_ORDER[at]).around([middle])


def _within(first: int, count: int, shown: list[int]) -> int:
    """Return the first of `count` positions, moved off what lies beyond those to show.

    If they all fit, they are in the middle; else one position beyond them may be visible.
    """
    low, high = min(shown), max(shown)
    if high - low < count:
        return (low + high + 1 - count) // 2
    return min(max(first, low - 1), high + 2 - count)


def _follow(first: int, count: int, at: int, margin: int) -> int:
    """Return the first of `count` positions, moved just enough to keep `at` off the ends."""
    margin = min(margin, (count - 1) // 2)
    return min(max(first, at + margin - count + 1), at - margin)


WEST, NORTH, EAST, SOUTH = "<^>v"
MAX_COUNT_SHOWN: Final = 99
"""Highest number that a sign shows: it has three columns."""


def sign_above(cells: Collection[Cell], window: Viewport) -> tuple[int, str] | None:
    """Return the sign for cards to the north, and the cell column of the nearest one.

    It is never the last column, where the sign for the east may be.
    """
    north = [cell for cell in cells if cell[1] < window.ys[0]]
    if not north:
        return None
    middle = window.middle[0]
    x, _y = min(north, key=lambda cell: (-cell[1], abs(cell[0] - middle), cell[0]))
    return min(max(x, window.xs[0]), max(window.xs[-1] - 1, window.xs[0])), sign(NORTH, len(north))


def sign_below(cells: Collection[Cell], window: Viewport) -> str:
    """Return the sign for cards to the south, "" if there are none."""
    return sign(SOUTH, sum(y > window.ys[-1] for _x, y in cells))


def with_signs(axis: Row, cells: Collection[Cell], window: Viewport) -> Row:
    """Return the row of column names with the signs for west and east at its ends."""
    west = sign(WEST, sum(x < window.xs[0] for x, _y in cells))
    east = sign(EAST, sum(x > window.xs[-1] for x, _y in cells))
    at = window.columns - len(east)
    if east and plain(axis)[at : at + 1].strip():  # the sign would cut the last name: blank it
        last = ROW_NAME_COLUMNS + (window.across - 1) * window.size.columns
        axis = overlaid(axis, last, StyledSpan(" " * (window.columns - last)))
    axis = overlaid(axis, 0, StyledSpan(west, Look.TURN))
    return overlaid(axis, at, StyledSpan(east, Look.TURN))


def sign(arrow: str, count: int) -> str:
    """Return an arrow with a count, "" for no cards."""
    return f"{arrow}{min(count, MAX_COUNT_SHOWN)}" if count else ""
