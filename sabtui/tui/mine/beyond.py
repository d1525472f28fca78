"""Signs for cards outside the window: an arrow and the number of cards.

The sign for the south belongs below the mine, over whatever is drawn there; the others stand in the
row of column names.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.board import Cell
from sabtui.tui.mine.window import ROW_NAME_COLUMNS, Viewport
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, overlaid, plain

WEST, NORTH, EAST, SOUTH = "<^>v"
MOST: Final = 99
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


def signed(axis: Row, cells: Collection[Cell], window: Viewport) -> Row:
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
    return f"{arrow}{min(count, MOST)}" if count else ""
