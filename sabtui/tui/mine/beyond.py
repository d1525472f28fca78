"""Signs for cards that lie beyond an edge of what is in sight: an arrow and how many there are.

The sign for the south belongs below the mine, on whatever is drawn there; the others stand among
the names of columns.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.board import Cell
from sabtui.tui.mine.window import ROW_NAME_COLUMNS, Viewport
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, overlaid, plain

WEST, NORTH, EAST, SOUTH = "<^>v"
MOST: Final = 99
"""More cards than that are not counted: a sign has three columns."""


def sign_above(cells: Collection[Cell], window: Viewport) -> tuple[int, str] | None:
    """Return the sign for cards to the north, and the column of cells that the nearest is in.

    It is never the last column, where the sign for the east may be.
    """
    north = [cell for cell in cells if cell[1] < window.ys[0]]
    if not north:
        return None
    middle = window.middle[0]
    x, _y = min(north, key=lambda cell: (-cell[1], abs(cell[0] - middle), cell[0]))
    return min(max(x, window.xs[0]), max(window.xs[-1] - 1, window.xs[0])), sign(NORTH, len(north))


def sign_below(cells: Collection[Cell], window: Viewport) -> str:
    """Return the sign for cards to the south, nothing where there are none."""
    return sign(SOUTH, sum(y > window.ys[-1] for _x, y in cells))


def signed(axis: Row, cells: Collection[Cell], window: Viewport) -> Row:
    """Return the names of columns with the signs for cards to the west and east at the ends."""
    west = sign(WEST, sum(x < window.xs[0] for x, _y in cells))
    east = sign(EAST, sum(x > window.xs[-1] for x, _y in cells))
    at = window.columns - len(east)
    if east and plain(axis)[at : at + 1].strip():  # the last name would lose its end
        last = ROW_NAME_COLUMNS + (window.across - 1) * window.size.columns
        axis = overlaid(axis, last, StyledSpan(" " * (window.columns - last)))
    axis = overlaid(axis, 0, StyledSpan(west, Look.TURN))
    return overlaid(axis, at, StyledSpan(east, Look.TURN))


def sign(arrow: str, count: int) -> str:
    """Return an arrow with a count, nothing for no card."""
    return f"{arrow}{min(count, MOST)}" if count else ""
