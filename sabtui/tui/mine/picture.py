"""The mine as rows: the cards that a seat sees, places for the chosen card, and the cursor."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.board import GOAL_CELLS, START, Board, Cell, row_name
from engine.cards import Goal
from engine.view import View
from sabtui.tui.mine.card_tiles import draw_card, paint_tile
from sabtui.tui.mine.tiles import (
    AXIS_ROWS,
    ROW_NAME_COLUMNS,
    CellMark,
    EmptyCell,
    FaceDown,
    Ghost,
    LaidCard,
    Sign,
    Tile,
    TileContent,
    TileSize,
    Viewport,
    draw_tile,
    sign_above,
    with_signs,
)
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import Look, Row, StyledSpan, dim_row, fill_row, join_rows, narrow_row

WHOLE: Final = 7  # sevenths of the width of a tile that is not being turned over


@dataclass(frozen=True, slots=True)
class CellFrame:
    """A cell in one frame of an animation."""

    lying: TileContent | None = None  # what is drawn instead of the cell's content
    glows: bool = False
    is_shifted: bool = False  # True if it is drawn a column further east
    is_dropped: bool = False  # True if it is drawn a row lower
    sevenths: int = WHOLE  # visible sevenths of its width while it is turned over


@dataclass(frozen=True, slots=True)
class Highlights:
    """Highlights in the mine."""

    cursor: Cell | None = None
    marks: Mapping[Cell, CellMark] = field(default_factory=dict)
    ghost: Ghost | None = None  # the chosen card as it would lie under the cursor
    new: Cell | None = None  # the cell of the newest card
    labels: Mapping[Cell, str] = field(default_factory=dict)  # characters for some of the marks
    moving: Mapping[Cell, CellFrame] = field(default_factory=dict)
    """Cells that an animation shows differently for a moment."""
    is_dim: bool = False  # True if all other cells are dark


_RESTING: Final = CellFrame()


def draw_view(view: View, shown: Highlights, window: Viewport, glyphs: Glyphs) -> list[Row]:
    lying = lying_cells(view)
    rows = [with_signs(_name_columns(window, shown.cursor, lying), lying, window)]
    for y in window.ys:
        tiles = [_draw_rows((x, y), view, shown, window.size, glyphs) for x in window.xs]
        for part in range(window.size.rows):
            named = part == window.size.middle_row
            chosen = shown.cursor is not None and shown.cursor[1] == y
            name = StyledSpan(
                f"{row_name(y) if named else '':<{ROW_NAME_COLUMNS}}"[:ROW_NAME_COLUMNS],
                Look.STRONG if chosen else Look.DIM,
            )
            rows.append(fill_row((name, *join_rows(tile[part] for tile in tiles)), window.columns))
    rows += [fill_row((), window.columns)] * (window.rows - len(rows))
    return rows[: max(window.rows, AXIS_ROWS)]


def lying_cells(view: View) -> frozenset[Cell]:
    """Return the cells with cards, face-down goals included."""
    board = view.table.board
    return frozenset((*board.cards, *board.hidden))


def _name_columns(window: Viewport, cursor: Cell | None, lying: Collection[Cell]) -> Row:
    names = [StyledSpan(" " * ROW_NAME_COLUMNS, Look.DIM)]
    columns, above = window.size.columns, sign_above(lying, window)
    for x in window.xs:
        is_chosen = cursor is not None and cursor[0] == x
        name, look = str(x), Look.STRONG if is_chosen else Look.DIM
        if len(name) > columns or (
            len(name) == columns and x % 2
        ):  # names side by side would touch
            name = ""
        if above is not None and above[0] == x:
            both = f"{name}{above[1]}"
            name, look = both if len(both) <= columns else above[1], Look.TURN
        names.append(StyledSpan(f"{name:^{columns}}", look))
    return fill_row(tuple(names), window.columns)


def _draw_rows(
    cell: Cell, view: View, shown: Highlights, size: TileSize, glyphs: Glyphs
) -> tuple[Row, ...]:
    """Return the rows of a cell, in blocks if it is dark: pictures cannot be dimmed."""
    is_dark = shown.is_dim and cell not in shown.moving
    if is_dark and glyphs.has_pictures:
        glyphs = replace(glyphs, has_pictures=False)
    rows = draw_cell(_find_tile(cell, view, shown), cell, size, glyphs)
    if is_dark:
        return tuple(map(dim_row, rows))
    return _move(rows, shown.moving[cell], size) if cell in shown.moving else rows


def _move(rows: tuple[Row, ...], frame: CellFrame, size: TileSize) -> tuple[Row, ...]:
    """Return the rows of a tile that is shifted, dropped or being turned over."""
    if frame.is_shifted:
        return tuple(fill_row((StyledSpan(" "), *row), size.columns) for row in rows)
    if frame.is_dropped and size.rows > 1:
        return (fill_row((), size.columns), *rows[:-1])
    return tuple(narrow_row(row, size.columns, frame.sevenths) for row in rows)


def draw_cell(tile: Tile, cell: Cell, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return the rows of a tile: drawn, painted or in lines, as the glyphs say."""
    if glyphs.cards is not None:
        return draw_card(tile, cell, size, glyphs)
    return paint_tile(tile, size, glyphs) if glyphs.is_painted else draw_tile(tile, size, glyphs)


def _find_tile(cell: Cell, view: View, shown: Highlights) -> Tile:
    x, y = cell
    under_cursor = cell == shown.cursor
    frame = shown.moving.get(cell, _RESTING)
    board = view.table.board
    known = view.goal_on(cell) if cell in board.hidden else None
    lying = frame.lying or find_lying(cell, board, known)
    if under_cursor and shown.ghost is not None and isinstance(lying, EmptyCell):
        lying = shown.ghost
    return Tile(
        lying,
        shown.marks.get(cell, CellMark.NONE),
        has_cursor=under_cursor,
        is_new=cell == shown.new,
        is_odd=bool((x + y) % 2),
        label=shown.labels.get(cell, ""),
        glows=frame.glows,
    )


def find_lying(cell: Cell, board: Board, known: Goal | None = None) -> TileContent:
    """Return what lies in a cell; `known` is what a seat knows of a goal that lies face down."""
    if cell in board.hidden:
        return FaceDown(Sign.of(known))
    if cell not in board.cards:
        return EmptyCell()
    path, sign = board.cards[cell], Sign.START if cell == START else None
    if cell in GOAL_CELLS:
        sign = Sign.of(Goal.lying(path))
    return LaidCard(path, board.state_of(cell), sign)
