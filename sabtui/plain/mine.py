"""The mine drawn in ASCII, with coordinates as in the notation.

A card is a tile of five columns and three rows or, if the terminal is too small, of three columns
and one row. Both sizes say the same:

    tunnel     dead end   cut off       tunnel  -+-   dead end  -X-
      |          |          :           N only  -'-             -^-
    --+--      - x -      ..+..         S only  -.-             -v-
      |          |          :           neither ---             -x-

A small tile marks a cut-off card by `~` for its arms or, if it is open only to north and south, by
`:`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.board import GOAL_CELLS, START, Cell
from engine.cards import E, Goal, N, Path, S, W
from engine.view import View
from sabtui.text.layout import TerminalSize
from sabtui.text.mine import CardState, card_state, known_goal

BIG, SMALL = (5, 3), (3, 1)
"""Columns and rows of a large tile."""


def big(path: Path, state: CardState, middle: str = "") -> tuple[str, str, str]:
    """Return a card as a large tile of 3 rows. A dead end's arms stop short of the middle."""
    across, along = (".", ":") if state is CardState.CUT_OFF else ("-", "|")
    gap = across if path.through else " "
    west = across + gap if path.edges & W else "  "
    east = gap + across if path.edges & E else "  "
    centre = middle or (_joint(path, along, across) if path.through else "x")
    north = f"  {along}  " if path.edges & N else "     "
    south = f"  {along}  " if path.edges & S else "     "
    return north, west + centre + east, south


def small(path: Path, state: CardState, middle: str = "") -> str:
    """Return a card as a small tile: its middle shows the open sides to north and south."""
    across = "~" if state is CardState.CUT_OFF else "-"
    upright = path.edges & (N | S)
    marks = {N | S: "+", N: "'", S: ".", 0: across} if path.through else _DEAD
    west = across if path.edges & W else " "
    east = across if path.edges & E else " "
    return west + (middle or _upright(path, marks[upright], state)) + east


_DEAD = {N | S: "X", N: "^", S: "v", 0: "x"}
"""Middle of a dead end's small tile, by its open sides to north and south."""


def _upright(path: Path, mark: str, state: CardState) -> str:
    """Return the middle of a small tile; a straight north-south tunnel has no arms to mark."""
    if path.through and path.edges == N | S:
        return ":" if state is CardState.CUT_OFF else "|"
    return mark


def big_hidden(middle: str) -> tuple[str, str, str]:
    """Return a face-down goal as a large tile, with the sign of what is known of it."""
    return ".---.", f"| {middle} |", "'---'"


def small_hidden(middle: str) -> str:
    """Return a face-down goal as a small tile, with the sign of what is known of it."""
    return f"[{middle}]"


def _joint(path: Path, along: str, across: str) -> str:
    """Return the sign where a tunnel's arms meet: a line if it goes straight on, else `+`."""
    if path.edges == N | S:
        return along
    return across if path.edges == E | W else "+"


NO_MARKS: Final[Mapping[Cell, str]] = {}
GOAL_SIGNS: Final = {
    Goal.TREASURE: "$",
    Goal.STONE_NE: "o",
    Goal.STONE_NW: "o",
    None: "?",
}
"""Sign of a goal by its face, as far as that is known."""


def mine_lines(
    view: View,
    size: TerminalSize,
    marks: Mapping[Cell, str] = NO_MARKS,
    *,
    large: bool | None = None,
) -> list[str]:
    """Return the mine as lines; `large` sets the size of tiles, `None` takes the largest that fit.

    A mine too wide for the terminal is drawn in strips, from west to east.
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
    """Return the range from the smallest to the largest number."""
    kept = set(numbers)
    return range(min(kept), max(kept) + 1)


def _tile(cell: Cell, view: View, marks: Mapping[Cell, str], *, large: bool) -> tuple[str, ...]:
    """Return the rows of a cell's tile."""
    board = view.table.board
    if cell in board.hidden:
        sign = GOAL_SIGNS[known_goal(cell, view)]
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
        middle = GOAL_SIGNS[known_goal(cell, view)]
    path, lies = board.cards[cell], card_state(cell, board)
    return big(path, lies, middle) if large else (small(path, lies, middle),)


def _row_name(y: int) -> str:
    """Return the name of a row as in the notation."""
    return f"n{-y}" if y < 0 else f"s{y}" if y else "0"
