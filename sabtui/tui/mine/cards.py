"""One cell of the mine as a drawn card: a picture, or block characters of many colours.

Nothing depends on colour alone: in the drawings, which are those of `sabtui.art`, a dead end is
blocked by rubble, and a tunnel cut off is narrow and dashed. Signs, marks and the cursor's corners
are those of the other tiles. Tiles too small for drawings are painted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

from engine.board import START, CardState, Cell
from engine.cards import Goal
from sabtui.art.blocks import DARK, BlockCell, BlockRow, Palette, draw_blocks, frame_blocks
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Depth, Tint
from sabtui.art.kitty import draw_placeholders
from sabtui.art.store import Size, list_sizes, list_sprite_sizes
from sabtui.tui.mine.paint import draw_frame, mark_tile, paint_tile
from sabtui.tui.mine.tiles import (
    CellMark,
    EmptyCell,
    FaceDown,
    Ghost,
    LaidCard,
    Sign,
    Tile,
    TileSize,
    draw_tile,
    mark_on_card,
    place_text,
)
from sabtui.tui.theme import DARK as DARK_THEME
from sabtui.tui.theme import LIGHT, CardColours, Glyphs
from sabtui.tui.widgets.panel import Ground, Look, Paint, Row, StyledSpan, merge_pieces, overlaid

SMALL_SIZES: Final = (TileSize.SMALL, TileSize.COMPACT)
"""Sizes of tiles that are too small for block characters."""

_CORNER_GROUNDS: Final = {True: "#604c20", False: "#f3d48a"}
"""Grounds of the corners of a picture's frame, on a dark screen and on a light one."""

_DEAD: Final = Paint("#2a1c00", "#b3aca0")
"""Colours of the `x` in the rubble of a dead end."""

_THINGS: Final = {
    Sign.START: Thing.START,
    Sign.UNKNOWN: Thing.NONE,
    Sign.TREASURE: Thing.TREASURE,
    Sign.STONE: Thing.STONE,
}
_KNOWN: Final = {Sign.TREASURE: Goal.TREASURE, Sign.STONE: Goal.STONE_NE}
_PALETTES: Final = {
    CardColours.MANY: Palette(Depth.MANY),
    CardColours.TRUE: DARK,
    CardColours.TRUE_ON_LIGHT: Palette(Depth.TRUE, is_dark=False),
}


@lru_cache(maxsize=1 << 12)
def draw_card(tile: Tile, cell: Cell, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return a tile as rows of exactly its size; what was never drawn is painted."""
    tint = _find_tint(tile)
    if glyphs.has_pictures and tint is not Tint.PLAIN:
        cell = START  # one picture of glass is enough for each card
    drawing, lying = find_drawing(tile, cell, is_frugal=glyphs.has_pictures), tile.lying
    if isinstance(lying, EmptyCell) and size.rows > TileSize.WIDE.rows:
        if tile.cursor:
            return _frame_empty(tile, size, glyphs)
        if tile.mark.is_target:
            return _outline_place(tile, size, glyphs)
    if drawing is None or not _is_drawn(drawing, size, glyphs):
        return paint_tile(tile, size, glyphs)
    has_frame = tile.cursor and size.rows > TileSize.WIDE.rows and not isinstance(lying, FaceDown)
    cells = draw_cells(drawing, size.value, glyphs, tint, has_frame=has_frame)
    if has_frame and (not isinstance(lying, Ghost) or lying.fits):
        tile = replace(tile, cursor=False)  # else there are crosses in the corners
    rows = [
        tuple(StyledSpan(one.glyph, Paint(one.front, one.ground)) for one in row) for row in cells
    ]
    is_clear = glyphs.has_pictures or size.rows > TileSize.LARGE.rows
    if isinstance(lying, LaidCard | Ghost) and not lying.path.through and not is_clear:
        middle = rows[size.middle_row]
        rows[size.middle_row] = overlaid(middle, size.middle_column, StyledSpan("x", _DEAD))
    if tile.mark.is_target and isinstance(lying, LaidCard):
        # A badge costs fewer bytes than light on each of forty cards.
        badge = mark_on_card(tile).center(1 if size.columns < TileSize.LARGE.columns else 3)
        rows[0] = overlaid(rows[0], 1, StyledSpan(badge, Look.INK, Ground.GOLD))
        tile = replace(tile, mark=CellMark.NONE)
    on_cursor = Ground.CURSOR if isinstance(lying, Ghost) else Ground.CURSOR_ROCK
    ground = on_cursor if tile.cursor else Ground.ROCK
    return tuple(merge_pieces(row) for row in mark_tile(tuple(rows), tile, size, glyphs, ground))


def draw_picture(
    drawing: Drawing, size: Size, glyphs: Glyphs, tint: Tint = Tint.PLAIN
) -> tuple[Row, ...]:
    """Return a picture as rows of so many columns and rows; none if cards are not drawn."""
    if glyphs.cards is None or size not in list_sizes(drawing.name):
        return ()
    cells = draw_cells(drawing, size, glyphs, tint)
    return tuple(
        tuple(StyledSpan(one.glyph, Paint(one.front, one.ground)) for one in row) for row in cells
    )


def draw_cells(
    drawing: Drawing,
    size: Size,
    glyphs: Glyphs,
    tint: Tint = Tint.PLAIN,
    *,
    has_frame: bool = False,
) -> Sequence[BlockRow]:
    """Return a drawing as cells: of a picture that the terminal was sent, or in blocks.

    Of a picture's frame there are the corners.
    """
    palette = find_palette(glyphs)
    if not glyphs.has_pictures:
        cells = draw_blocks(drawing, size, glyphs.blocks, tint, palette)
        return frame_blocks(cells, glyphs.blocks, find_accent(glyphs)) if has_frame else cells
    cells = draw_placeholders(drawing, size, tint, is_dark=palette.is_dark)
    if not has_frame:
        return cells
    colours = find_accent(glyphs), _CORNER_GROUNDS[palette.is_dark]
    corners = [BlockCell(sign, *colours) for sign in glyphs.cursor]
    first, *others, last = cells
    return [(corners[0], *first[1:-1], corners[1]), *others, (corners[2], *last[1:-1], corners[3])]


def _outline_place(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return a place for the chosen card: its outline, and the mark in its middle."""
    along, lines = glyphs.face_down.along, draw_frame(glyphs.face_down, size)
    text = place_text(tile.mark, tile.label).center(size.columns - 2)
    lines[size.middle_row] = f"{along}{text}{along}"
    return tuple((StyledSpan(line, Look.FITS, Ground.LIT),) for line in lines)


def _frame_empty(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return an empty cell with the cursor's frame around it."""
    blank = ((BlockCell(" ", "default", "default"),) * size.columns,) * size.rows
    framed = frame_blocks(blank, glyphs.blocks, find_accent(glyphs))
    rows = list(draw_tile(replace(tile, cursor=False), size, glyphs))
    for row, cells in enumerate(framed):
        for column, one in enumerate(cells):
            if one.glyph != " ":
                paint = Paint(one.front, one.ground)
                rows[row] = overlaid(rows[row], column, StyledSpan(one.glyph, paint))
    return tuple(merge_pieces(row) for row in rows)


def _is_drawn(drawing: Drawing, size: TileSize, glyphs: Glyphs) -> bool:
    """Return True for a drawing that is shown in this size; pictures are in two rows, too."""
    if glyphs.has_pictures:
        return size is not TileSize.SMALL and bool(list_sprite_sizes(drawing.name))
    return size not in SMALL_SIZES and size.value in list_sizes(drawing.name)


def find_palette(glyphs: Glyphs) -> Palette:
    """Return the colours of drawn cards."""
    return DARK if glyphs.cards is None else _PALETTES[glyphs.cards]


def find_accent(glyphs: Glyphs) -> str:
    """Return the colour of frames around drawn cards."""
    theme = DARK_THEME if find_palette(glyphs).is_dark else LIGHT
    return theme.accent or theme.primary


def find_drawing(tile: Tile, cell: Cell, *, is_frugal: bool = False) -> Drawing | None:
    """Return the drawing of what lies in a cell, `None` for what is no card."""
    find = partial(find_ground, cell=cell, is_frugal=is_frugal)
    match tile.lying:
        case LaidCard(path, state, sign):
            thing = Thing.NONE if sign is None else _THINGS[sign]
            is_lit = state is not CardState.CUT_OFF
            return find(path, is_lit=is_lit, thing=thing)
        case Ghost(path, _fits):
            return find(path, is_lit=True)
        case FaceDown(sign):
            return find_goal_back(_KNOWN.get(sign))
        case EmptyCell() | _:
            return None


def _find_tint(tile: Tile) -> Tint:
    """Return the light that falls on a tile."""
    if isinstance(tile.lying, Ghost):
        return Tint.FITS if tile.lying.fits else Tint.WRONG
    if tile.mark.is_target and isinstance(tile.lying, FaceDown):
        return Tint.LIT
    is_joined = tile.mark in {CellMark.JOINED, CellMark.OPENED}
    is_warm = tile.glows or tile.new or is_joined
    return Tint.NEW if is_warm else Tint.PLAIN
