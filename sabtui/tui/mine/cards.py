"""One cell of the mine as a drawn card, in block characters of many colours.

The drawings are those of `sabtui.art`. Nothing depends on colour alone: a dead end is blocked by
rubble, a tunnel cut off is narrow and dashed, and the cursor and marks are those of painted tiles.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.board import CardState, Cell
from engine.cards import Goal
from sabtui.art.blocks import DARK, BlockCell, Palette, draw_blocks, frame_blocks
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Depth, Tint
from sabtui.art.store import list_sizes
from sabtui.tui.mine.paint import mark_tile, paint_tile
from sabtui.tui.mine.tiles import (
    CellMark,
    EmptyCell,
    FaceDown,
    Ghost,
    LaidCard,
    Sign,
    Tile,
    TileSize,
    mark_on_card,
)
from sabtui.tui.theme import DARK as DARK_THEME
from sabtui.tui.theme import LIGHT, CardColours, Glyphs
from sabtui.tui.widgets.rows import Ground, Look, Paint, Row, StyledSpan, merge_pieces, overlaid

PAINTED_SIZES: Final = (TileSize.SMALL, TileSize.COMPACT)
"""Sizes of tiles that are too small for drawings."""

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
    drawing = _find_drawing(tile, cell)
    if tile.cursor and isinstance(tile.lying, EmptyCell) and size.rows > TileSize.WIDE.rows:
        return _frame_empty(tile, size, glyphs)
    if drawing is None or size in PAINTED_SIZES or size.value not in list_sizes(drawing.name):
        return paint_tile(tile, size, glyphs)
    tint = _find_tint(tile)
    cells = draw_blocks(drawing, size.value, glyphs.blocks, tint, find_palette(glyphs))
    lying = tile.lying
    if tile.cursor and size.rows > TileSize.WIDE.rows and not isinstance(lying, FaceDown):
        cells = frame_blocks(cells, glyphs.blocks, find_accent(glyphs))
        if not isinstance(lying, Ghost) or lying.fits:  # else there are crosses in the corners
            tile = replace(tile, cursor=False)
    rows = [
        tuple(StyledSpan(one.glyph, Paint(one.front, one.ground)) for one in row) for row in cells
    ]
    if size.rows <= TileSize.LARGE.rows and _is_dead_end(tile):  # in larger ones rubble is clear
        middle = rows[size.middle_row]
        rows[size.middle_row] = overlaid(middle, size.middle_column, StyledSpan("x", _DEAD))
    if tile.mark.is_target and isinstance(lying, LaidCard):
        # A badge costs fewer bytes than light on each of forty cards.
        badge = mark_on_card(tile).center(1 if size.columns < TileSize.LARGE.columns else 3)
        rows[0] = overlaid(rows[0], 1, StyledSpan(badge, Look.INK, Ground.GOLD))
        tile = replace(tile, mark=CellMark.NONE)
    return tuple(merge_pieces(row) for row in mark_tile(tuple(rows), tile, size, glyphs))


def _frame_empty(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return an empty cell with the cursor's frame around it."""
    blank = ((BlockCell(" ", "default", "default"),) * size.columns,) * size.rows
    framed = frame_blocks(blank, glyphs.blocks, find_accent(glyphs))
    rows = list(paint_tile(replace(tile, cursor=False), size, glyphs))
    for row, cells in enumerate(framed):
        for column, one in enumerate(cells):
            if one.glyph != " ":
                paint = Paint(one.front, one.ground)
                rows[row] = overlaid(rows[row], column, StyledSpan(one.glyph, paint))
    return tuple(merge_pieces(row) for row in rows)


def _is_dead_end(tile: Tile) -> bool:
    return isinstance(tile.lying, LaidCard | Ghost) and not tile.lying.path.through


def find_palette(glyphs: Glyphs) -> Palette:
    """Return the colours of drawn cards."""
    return DARK if glyphs.cards is None else _PALETTES[glyphs.cards]


def find_accent(glyphs: Glyphs) -> str:
    """Return the colour of frames around drawn cards."""
    theme = DARK_THEME if find_palette(glyphs).is_dark else LIGHT
    return theme.accent or theme.primary


def _find_drawing(tile: Tile, cell: Cell) -> Drawing | None:
    """Return the drawing of what lies in a cell, `None` for what is no card."""
    match tile.lying:
        case LaidCard(path, state, sign):
            thing = Thing.NONE if sign is None else _THINGS[sign]
            is_lit = state is not CardState.CUT_OFF
            return find_ground(path, is_lit=is_lit, cell=cell, thing=thing)
        case Ghost(path, _fits):
            return find_ground(path, is_lit=True, cell=cell)
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
