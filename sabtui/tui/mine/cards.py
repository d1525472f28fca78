"""One cell of the mine as a drawn card, in block characters of many colours.

The drawings are those of `sabtui.art`. Nothing depends on colour alone: a dead end is blocked by
rubble, a tunnel cut off is narrow and dashed, and the cursor and marks are those of painted tiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engine.board import CardState, Cell
from engine.cards import Goal
from sabtui.art.blocks import BlockRow, Palette, draw_blocks
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Depth, Tint
from sabtui.art.glyphs import BlockSet
from sabtui.art.kitty import Placed, draw_placeholders
from sabtui.art.store import list_sizes, list_sprite_sizes
from sabtui.tui.mine.paint import mark_tile, paint_tile
from sabtui.tui.mine.tiles import (
    EmptyCell,
    FaceDown,
    Ghost,
    LaidCard,
    Sign,
    Tile,
    TileSize,
    ground_of,
)
from sabtui.tui.theme import CardColours, Glyphs
from sabtui.tui.widgets.rows import Ground, Paint, Row, StyledSpan, merge_pieces, overlaid

SIZES: Final = {TileSize.LARGE, TileSize.HUGE}
"""Sizes of tiles in which cards are drawn; smaller ones are painted."""

PAINTED_SIZES: Final = {TileSize.SMALL, TileSize.COMPACT}
"""Sizes of tiles that are too small for pictures."""

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
    CardColours.TRUE: Palette(Depth.TRUE),
    CardColours.TRUE_ON_LIGHT: Palette(Depth.TRUE, is_dark=False),
}


@lru_cache(maxsize=1 << 12)
def draw_card(tile: Tile, cell: Cell, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return a tile as rows of exactly its size; what was never drawn is painted."""
    drawing = _find_drawing(tile, cell)
    tint = _find_tint(tile, size)
    if drawing is not None and glyphs.has_pictures and _has_picture(drawing, size):
        is_dark = glyphs.cards is not CardColours.TRUE_ON_LIGHT
        pictured = draw_placeholders(Placed(drawing, size.value, tint, is_dark))
        return tuple(merge_pieces(row) for row in mark_tile(_rows(pictured), tile, size, glyphs))
    is_drawn = drawing is not None and size.value in list_sizes(drawing.name)
    if drawing is None or not is_drawn or size not in SIZES or glyphs.cards is None:
        return paint_tile(tile, size, glyphs)
    cells = draw_blocks(drawing, size.value, BlockSet.QUADRANTS, tint, _PALETTES[glyphs.cards])
    rows = [*_rows(cells)]
    if isinstance(tile.lying, LaidCard | Ghost) and not tile.lying.path.through:
        middle = rows[size.middle_row]
        rows[size.middle_row] = overlaid(middle, size.middle_column, StyledSpan("x", _DEAD))
    return tuple(merge_pieces(row) for row in mark_tile(tuple(rows), tile, size, glyphs))


def _has_picture(drawing: Drawing, size: TileSize) -> bool:
    return size not in PAINTED_SIZES and bool(list_sprite_sizes(drawing.name))


def _rows(cells: Iterable[BlockRow]) -> tuple[Row, ...]:
    return tuple(
        tuple(StyledSpan(one.glyph, Paint(one.front, one.ground)) for one in row) for row in cells
    )


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


def _find_tint(tile: Tile, size: TileSize) -> Tint:
    """Return the light that falls on a tile."""
    if isinstance(tile.lying, Ghost):
        return Tint.FITS if tile.lying.fits else Tint.WRONG
    if tile.mark.is_target:
        return Tint.LIT
    is_warm = tile.glows or ground_of(tile, size) in {Ground.NEW, Ground.LIT}
    return Tint.NEW if is_warm else Tint.PLAIN
