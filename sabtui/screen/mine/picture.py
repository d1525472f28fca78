"""The mine as rows: what a seat sees, what a chosen card can do there, where the cursor is.

Knows a view, a window and marks; how a tile is drawn is for `tiles`, where it is for `window`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from engine.board import GOAL_CELLS, START, Cell
from engine.cards import Path
from engine.view import View
from sabtui.screen.glyphs import Glyphs
from sabtui.screen.mine.beyond import sign_above, signed
from sabtui.screen.mine.tiles import (
    FaceDown,
    Ghost,
    Laid,
    Lying,
    Mark,
    Nothing,
    Sign,
    Tile,
    drawn,
)
from sabtui.screen.mine.window import AXIS, MARGIN, Window
from sabtui.screen.rows import Look, Row, Span, filled, joined
from sabtui.words.mine import known_goal, state


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands out in the mine.

    `ghost` is the chosen card as it would lie under the `cursor`, and whether it fits; `new` is
    the cell of the newest card.
    """

    cursor: Cell | None = None
    marks: Mapping[Cell, Mark] = field(default_factory=dict)
    ghost: tuple[Path, bool] | None = None
    new: Cell | None = None


def picture(view: View, shown: Shown, window: Window, glyphs: Glyphs) -> list[Row]:
    """The mine and its axes, a row for each row of the window."""
    lying = lying_cells(view)
    rows = [signed(_columns(window, shown.cursor, lying), lying, window)]
    for y in window.ys:
        tiles = [drawn(_tile((x, y), view, shown), window.size, glyphs) for x in window.xs]
        for part in range(window.size.rows):
            named = part == window.size.rows // 2
            chosen = shown.cursor is not None and shown.cursor[1] == y
            name = Span(
                f"{row_name(y) if named else '':<{MARGIN}}"[:MARGIN],
                Look.STRONG if chosen else Look.DIM,
            )
            rows.append(filled((name, *joined(tile[part] for tile in tiles)), window.columns))
    rows += [filled((), window.columns)] * (window.rows - len(rows))
    return rows[: max(window.rows, AXIS)]


def lying_cells(view: View) -> frozenset[Cell]:
    """Where cards lie, goals that lie face down included."""
    board = view.table.board
    return frozenset((*board.cards, *board.hidden))


def row_name(y: int) -> str:
    """A row as the notation has it."""
    return f"n{-y}" if y < 0 else f"s{y}" if y else "0"


def column_name(x: int, columns: int) -> str:
    """A column as the notation has it, where there is room; names that touch are every other."""
    name = str(x)
    if len(name) > columns or (len(name) == columns and x % 2):
        return ""
    return name


def _columns(window: Window, cursor: Cell | None, lying: Collection[Cell]) -> Row:
    names = [Span(" " * MARGIN, Look.DIM)]
    columns, above = window.size.columns, sign_above(lying, window)
    for x in window.xs:
        name, look = column_name(x, columns), _axis(chosen=cursor is not None and cursor[0] == x)
        if above is not None and above[0] == x:
            both = f"{name}{above[1]}"
            name, look = both if len(both) <= columns else above[1], Look.TURN
        names.append(Span(f"{name:^{columns}}", look))
    return filled(tuple(names), window.columns)


def _axis(*, chosen: bool) -> Look:
    return Look.STRONG if chosen else Look.DIM


def _tile(cell: Cell, view: View, shown: Shown) -> Tile:
    x, y = cell
    under_cursor = cell == shown.cursor
    lying = _lying(cell, view)
    if under_cursor and shown.ghost is not None and isinstance(lying, Nothing):
        lying = Ghost(*shown.ghost)
    return Tile(
        lying,
        shown.marks.get(cell, Mark.NONE),
        cursor=under_cursor,
        new=cell == shown.new,
        odd=bool((x + y) % 2),
    )


def _lying(cell: Cell, view: View) -> Lying:
    board = view.table.board
    if cell in board.hidden:
        return FaceDown(Sign.of(known_goal(cell, view)))
    if cell not in board.cards:
        return Nothing()
    sign = None
    if cell == START:
        sign = Sign.START
    elif cell in GOAL_CELLS:
        sign = Sign.of(known_goal(cell, view))
    return Laid(board.cards[cell], state(cell, board), sign)
