"""One cell of the mine as a drawn card, in block characters of many colours.

The drawings are those of `sabtui.art`. Nothing depends on colour alone: a dead end is blocked by
rubble, a tunnel cut off is narrow and dashed, and the cursor and marks are those of painted tiles.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

from engine.board import START, CardState, Cell
from engine.cards import Goal
from sabtui.art.blocks import Palette, draw_blocks
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Depth, Tint
from sabtui.art.glyphs import BlockSet
from sabtui.art.kitty import draw_placeholders
from sabtui.art.store import Size, list_sizes, list_sprite_sizes
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
    tint = _find_tint(tile, size)
    if glyphs.has_pictures and tint is not Tint.PLAIN:
        cell = START  # one picture of glass is enough for each card
    drawing = find_drawing(tile, cell, is_frugal=glyphs.has_pictures)
    if drawing is None or not _is_drawn(drawing, size, glyphs):
        return paint_tile(tile, size, glyphs)
    rows = draw_picture(drawing, size.value, glyphs, tint)
    is_blocked = isinstance(tile.lying, LaidCard | Ghost) and not tile.lying.path.through
    if is_blocked and not glyphs.has_pictures:
        middle = rows[size.middle_row]
        rows[size.middle_row] = overlaid(middle, size.middle_column, StyledSpan("x", _DEAD))
    return tuple(merge_pieces(row) for row in mark_tile(tuple(rows), tile, size, glyphs))


def draw_picture(
    drawing: Drawing, size: Size, glyphs: Glyphs, tint: Tint = Tint.PLAIN
) -> list[Row]:
    """Return a drawing as rows of cells: as a picture that the terminal was sent, or in blocks."""
    assert glyphs.cards is not None, "other glyphs have no drawings"
    palette = _PALETTES[glyphs.cards]
    if glyphs.has_pictures:
        cells = draw_placeholders(drawing, size, tint, is_dark=palette.is_dark)
    else:
        cells = draw_blocks(drawing, size, BlockSet.QUADRANTS, tint, palette)
    return [
        tuple(StyledSpan(one.glyph, Paint(one.front, one.ground)) for one in row) for row in cells
    ]


def _is_drawn(drawing: Drawing, size: TileSize, glyphs: Glyphs) -> bool:
    """Return True if a drawing is shown in this size, and not painted."""
    if glyphs.has_pictures:
        return size not in PAINTED_SIZES and bool(list_sprite_sizes(drawing.name))
    return glyphs.cards is not None and size in SIZES and size.value in list_sizes(drawing.name)


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


def _find_tint(tile: Tile, size: TileSize) -> Tint:
    """Return the light that falls on a tile."""
    if isinstance(tile.lying, Ghost):
        return Tint.FITS if tile.lying.fits else Tint.WRONG
    if tile.mark.is_target:
        return Tint.LIT
    is_warm = tile.glows or ground_of(tile, size) in {Ground.NEW, Ground.LIT}
    return Tint.NEW if is_warm else Tint.PLAIN
