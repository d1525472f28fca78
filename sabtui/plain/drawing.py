"""The mine drawn in ASCII, with coordinates as in the notation.

Knows a view: its cards, what its seat knows of the goals, and marks that a face sets on empty
cells. Draws all of the mine, in tiles as large as the terminal allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.board import GOAL_CELLS, START, Cell
from engine.cards import Goal
from engine.view import View
from sabtui.plain.tiles import BIG, SMALL, big, big_hidden, small, small_hidden
from sabtui.plain.wrap import Size
from sabtui.words.mine import known_goal, state

NO_MARKS: Final[Mapping[Cell, str]] = {}
_GOAL_SIGNS: Final = {
    Goal.TREASURE: "$",
    Goal.STONE_NE: "o",
    Goal.STONE_NW: "o",
    None: "?",
}


def drawn(
    view: View, size: Size, marks: Mapping[Cell, str] = NO_MARKS, *, large: bool | None = None
) -> list[str]:
    """The mine in lines; `large` where the tiles' size is asked for and not to be found out.

    A mine too wide for small tiles comes in strips, from west to east.
    """
    cells = {*view.table.board.cards, *GOAL_CELLS, *marks}
    columns, rows = _span(x for x, _y in cells), _span(y for _x, y in cells)
    margin = 1 + max(len(_row_name(y)) for y in rows)
    if large is None:
        fits_across = margin + BIG[0] * len(columns) <= size.columns
        large = fits_across and 2 + BIG[1] * len(rows) <= size.rows
    across, down = BIG if large else SMALL
    at_once = max(1, (size.columns - margin) // across)
    lines: list[str] = []
    for first in range(0, len(columns), at_once):
        strip = columns[first : first + at_once]
        lines.append((" " * margin + "".join(f"{x:^{across}}" for x in strip)).rstrip())
        for y in rows:
            tiles = [_tile((x, y), view, marks, large=large) for x in strip]
            for part in range(down):
                name = _row_name(y) if part == down // 2 else ""
                tiled = "".join(tile[part] for tile in tiles)
                lines.append(f"{name:<{margin}}{tiled}".rstrip())
    return lines


def _span(numbers: Iterable[int]) -> range:
    """All from the least to the greatest."""
    kept = set(numbers)
    return range(min(kept), max(kept) + 1)


def _tile(cell: Cell, view: View, marks: Mapping[Cell, str], *, large: bool) -> tuple[str, ...]:
    """The rows of what lies on a cell."""
    board = view.table.board
    if cell in board.hidden:
        sign = _GOAL_SIGNS[known_goal(cell, view)]
        return big_hidden(sign) if large else (small_hidden(sign),)
    if cell not in board.cards:
        across, down = BIG if large else SMALL
        rows = [""] * down
        rows[down // 2] = marks.get(cell, "")[:across]
        return tuple(f"{row:^{across}}" for row in rows)
    middle = ""
    if cell == START:
        middle = "S"
    elif cell in GOAL_CELLS:
        middle = _GOAL_SIGNS[known_goal(cell, view)]
    path, lies = board.cards[cell], state(cell, board)
    return big(path, lies, middle) if large else (small(path, lies, middle),)


def _row_name(y: int) -> str:
    """A row as the notation has it."""
    return f"n{-y}" if y < 0 else f"s{y}" if y else "0"
