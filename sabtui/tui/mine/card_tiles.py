"""One cell of the mine in many colours: a drawn card, or else tunnels of sand painted in rock.

Nothing depends on colour alone. A drawing is a picture, or block characters (`sabtui.art`). In it a
dead end is blocked by rubble, and a tunnel cut off is narrow and dashed. Painted tunnels are block
characters: those of a dead end stop at rubble around its `x`, those cut off are half as wide. The
signs, marks and corners are those of other tiles; painted tiles of one row, and the backs of
goals, are in lines of these colours.

    tunnel   dead end   cut off   goal    treasure
      ▐█▌      ▐█▌         █      ┌───┐      ▐█▌
     █████      ▒x▒█     ▀▀█▀▀    │ ? │     █ $ █
      ▐█▌                  █      └───┘      ▐█▌
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Final

from engine.board import START, CardState, Cell
from engine.cards import E, Goal, N, Path, S, W
from sabtui.art.blocks import DARK, BlockCell, BlockRow, Palette, draw_blocks, frame_blocks
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Depth, Tint
from sabtui.art.glyphs import BlockSet, glyphs_of
from sabtui.art.kitty import draw_placeholders
from sabtui.art.store import Size, list_sizes, list_sprite_sizes
from sabtui.tui.mine.tiles import (
    CellMark,
    EmptyCell,
    FaceDown,
    Ghost,
    LaidCard,
    Sign,
    Tile,
    TileContent,
    TileSize,
    draw_tile,
    ground_of,
    mark_on_card,
    place_text,
)
from sabtui.tui.theme import DARK as DARK_THEME
from sabtui.tui.theme import LIGHT, Border, CardColours, Glyphs
from sabtui.tui.widgets.panel import Ground, Look, Paint, Row, StyledSpan, merge_pieces, overlaid

_CORNER_GROUNDS: Final = {True: "#604c20", False: "#f3d48a"}
"""Grounds of the corners of a picture's frame, on a dark screen and on a light one."""

_DEAD: Final = Paint("#2a1c00", "#b3aca0")  # colours of the `x` in the rubble of a dead end

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
    """Return a tile as rows of exactly its size, painted if there is no drawing of it."""
    tint = _find_tint(tile)
    if glyphs.has_pictures and tint is not Tint.PLAIN:
        cell = START  # each card needs only one picture of glass
    drawing, lying = find_drawing(tile, cell, is_frugal=glyphs.has_pictures), tile.lying
    if isinstance(lying, EmptyCell) and size.rows > TileSize.WIDE.rows:
        if tile.has_cursor:
            return _frame_empty(tile, size, glyphs)
        if tile.mark.is_target:
            return _outline_place(tile, size, glyphs)
    if drawing is None or not _is_drawn(drawing, size, glyphs):
        return paint_tile(tile, size, glyphs)
    has_frame = (
        tile.has_cursor and size.rows > TileSize.WIDE.rows and not isinstance(lying, FaceDown)
    )
    rows = draw_rows(drawing, size.value, glyphs, tint, has_frame=has_frame)
    if has_frame and (not isinstance(lying, Ghost) or lying.fits):
        tile = replace(tile, has_cursor=False)  # otherwise there would be crosses in the corners
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
    ground = on_cursor if tile.has_cursor else Ground.ROCK
    return tuple(merge_pieces(row) for row in mark_tile(tuple(rows), tile, size, glyphs, ground))


def draw_picture(drawing: Drawing, size: Size, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return a picture as rows of this many columns and rows; none if cards are not drawn."""
    if glyphs.cards is None or size not in list_sizes(drawing.name):
        return ()
    return tuple(draw_rows(drawing, size, glyphs, Tint.PLAIN))


def draw_rows(
    drawing: Drawing, size: Size, glyphs: Glyphs, tint: Tint, *, has_frame: bool = False
) -> list[Row]:
    """Return a drawing of exactly this size as rows, with a span for each cell."""
    return [
        tuple(StyledSpan(cell.glyph, Paint(cell.front, cell.ground)) for cell in row)
        for row in _draw_cells(drawing, size, glyphs, tint, has_frame=has_frame)
    ]


def _draw_cells(
    drawing: Drawing, size: Size, glyphs: Glyphs, tint: Tint, *, has_frame: bool
) -> Sequence[BlockRow]:
    """Return a drawing in blocks, or as cells of a picture, whose frame has only corners."""
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
    along, lines = glyphs.face_down.along, draw_frame(glyphs.face_down, size)
    text = place_text(tile.mark, tile.label).center(size.columns - 2)
    lines[size.middle_row] = f"{along}{text}{along}"
    return tuple((StyledSpan(line, Look.FITS, Ground.LIT),) for line in lines)


def _frame_empty(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    blank = ((BlockCell(" ", "default", "default"),) * size.columns,) * size.rows
    framed = frame_blocks(blank, glyphs.blocks, find_accent(glyphs))
    rows = list(draw_tile(replace(tile, has_cursor=False), size, glyphs))
    for row, cells in enumerate(framed):
        for column, cell in enumerate(cells):
            if cell.glyph != " ":
                paint = Paint(cell.front, cell.ground)
                rows[row] = overlaid(rows[row], column, StyledSpan(cell.glyph, paint))
    return tuple(merge_pieces(row) for row in rows)


def _is_drawn(drawing: Drawing, size: TileSize, glyphs: Glyphs) -> bool:
    """Return True for a drawing that is shown in this size; pictures also have one of two rows."""
    if glyphs.has_pictures:
        return size is not TileSize.SMALL and bool(list_sprite_sizes(drawing.name))
    return size.rows > TileSize.COMPACT.rows and size.value in list_sizes(drawing.name)


def find_palette(glyphs: Glyphs) -> Palette:
    return DARK if glyphs.cards is None else _PALETTES[glyphs.cards]


def find_accent(glyphs: Glyphs) -> str:
    """Return the colour of frames around drawn cards."""
    theme = DARK_THEME if find_palette(glyphs).is_dark else LIGHT
    return theme.accent or theme.primary


def find_drawing(tile: Tile, cell: Cell, *, is_frugal: bool = False) -> Drawing | None:
    """Return the drawing of the card in a cell, `None` for anything else."""
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
    if isinstance(tile.lying, Ghost):
        return Tint.FITS if tile.lying.fits else Tint.WRONG
    if tile.mark.is_target and isinstance(tile.lying, FaceDown):
        return Tint.LIT
    is_joined = tile.mark in {CellMark.JOINED, CellMark.OPENED}
    is_warm = tile.glows or tile.is_new or is_joined
    return Tint.NEW if is_warm else Tint.PLAIN


_ROCKS: Final = {
    Ground.CARD: Ground.ROCK,
    Ground.ODD_CARD: Ground.ODD_ROCK,
    Ground.NEW: Ground.NEW_ROCK,
    Ground.LIT: Ground.LIT_ROCK,
    Ground.CURSOR: Ground.CURSOR_ROCK,
}
_SIGN_GROUNDS: Final = {
    Sign.START: Ground.SAND,
    Sign.UNKNOWN: Ground.BACK,
    Sign.TREASURE: Ground.GOLD,
    Sign.STONE: Ground.STONE,
}
_IN_ROCK: Final[dict[Look | Paint, Look]] = {
    Look.REACHED: Look.SAND,
    Look.CUT_OFF: Look.SAND,
    Look.DEAD: Look.RUBBLE,
}
_OF_SIGNS: Final = {Look.START, Look.GOLD, Look.STONE}
_STONES, _DEAD_END = "▒", "x"  # rubble in the middle of a dead end, and its sign
_RUBBLE: Final = {_STONES, _DEAD_END}


@lru_cache(maxsize=1 << 12)
def paint_tile(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    lying, ground = tile.lying, _find_ground(tile, size)
    match lying:
        case Ghost(path, fits) if size is not TileSize.SMALL:
            look = Look.FITS if fits else Look.WRONG
            rows = _paint_card(_dig(path, size), look, look, ground)
        case LaidCard(path, state, sign) if size is not TileSize.SMALL:
            is_cut_off = state is CardState.CUT_OFF
            look = Look.BURIED if ground is Ground.BURIED_ROCK else Look.SAND
            look = Look.GOLD if tile.glows else look
            dug = _dig(path, size, is_cut_off=is_cut_off)
            rows = _paint_card(dug, look, look if is_cut_off else Look.RUBBLE, ground)
            if sign not in {None, Sign.UNKNOWN}:
                rows = _put_sign(rows, sign, size)
        case _:
            rows = draw_tile(tile, size, glyphs)
            return tuple(tuple(_recolour(span, lying, ground) for span in row) for row in rows)
    return mark_tile(rows, tile, size, glyphs, ground)


def _find_ground(tile: Tile, size: TileSize) -> Ground | None:
    """Return what a tile is painted on: rock, the back of a goal, or an unpainted ground."""
    ground, lying = ground_of(tile, size), tile.lying
    is_lit = ground not in {Ground.CARD, Ground.ODD_CARD}
    match lying:
        case FaceDown(sign) if not is_lit:
            return _SIGN_GROUNDS[sign]
        case LaidCard(_path, CardState.CUT_OFF) if not is_lit:
            return Ground.BURIED_ROCK
        case LaidCard() if ground is not None:
            return _ROCKS.get(ground, ground)
        case _:
            return ground


def _recolour(span: StyledSpan, lying: TileContent, ground: Ground | None) -> StyledSpan:
    match lying:
        case FaceDown(sign) if ground is _SIGN_GROUNDS[sign]:
            look = Look.UNKNOWN if sign is Sign.UNKNOWN else Look.INK
            return StyledSpan(span.text, look, ground)
        case LaidCard(sign=Sign() as sign) if span.look in _OF_SIGNS:
            return StyledSpan(span.text, Look.INK, _SIGN_GROUNDS[sign])
        case LaidCard() if ground is Ground.BURIED_ROCK:
            return StyledSpan(span.text, Look.BURIED, ground)
        case LaidCard() if ground in _ROCKS.values():
            return StyledSpan(span.text, _IN_ROCK.get(span.look) or span.look, ground)
        case _:
            return span


def _paint_card(
    dug: tuple[str, ...], look: Look, rubble: Look, ground: Ground | None
) -> tuple[Row, ...]:
    return tuple(
        merge_pieces(
            tuple(StyledSpan(glyph, rubble if glyph in _RUBBLE else look, ground) for glyph in row)
        )
        for row in dug
    )


def _find_tunnels(size: TileSize, *, is_cut_off: bool = False) -> tuple[range, range]:
    """Return the half columns of tunnels to north and south, and the half rows of the others."""
    high = (size.rows + 2) // 3 * (1 if is_cut_off else 2)
    left, top = size.columns - high, size.rows - (high + 1) // 2
    return range(left, left + 2 * high), range(top, top + high)


def _find_crossing(across: range, down: range) -> tuple[range, range]:
    """Return the columns and rows in which tunnels meet."""
    return (
        range(across.start // 2, (across.stop + 1) // 2),
        range(down.start // 2, (down.stop + 1) // 2),
    )


@cache
def _dig(path: Path, size: TileSize, *, is_cut_off: bool = False) -> tuple[str, ...]:
    across, down = _find_tunnels(size, is_cut_off=is_cut_off)
    columns, rows = _find_crossing(across, down)

    def is_dug(x: int, y: int) -> bool:
        if y in down and x // 2 in columns and not path.through:
            return False
        if x in across:
            return y in down or bool(path.edges & (N if y < down.start else S))
        return y in down and bool(path.edges & (W if x < across.start else E))

    def draw(column: int, row: int) -> str:
        is_blocked = not path.through and column in columns and row in rows
        if is_blocked and (column, row) == (size.middle_column, size.middle_row):
            return _DEAD_END
        pattern = sum(is_dug(2 * column + at % 2, 2 * row + at // 2) << at for at in range(4))
        return _STONES if is_blocked and not pattern else glyphs_of(BlockSet.QUADRANTS)[pattern]

    return tuple(
        "".join(draw(column, row) for column in range(size.columns)) for row in range(size.rows)
    )


def _put_sign(rows: tuple[Row, ...], sign: Sign, size: TileSize) -> tuple[Row, ...]:
    shown, (columns, middle) = list(rows), _find_crossing(*_find_tunnels(size))
    for row in middle:
        text = (sign.value if row == size.middle_row else "").center(len(columns))
        span = StyledSpan(text, Look.INK, _SIGN_GROUNDS[sign])
        shown[row] = overlaid(shown[row], columns.start, span)
    return tuple(shown)


def mark_tile(
    rows: tuple[Row, ...], tile: Tile, size: TileSize, glyphs: Glyphs, ground: Ground | None
) -> tuple[Row, ...]:
    """Return the rows of a tile with the cursor, crosses if it may not lie there, and the mark."""
    shown, right, bottom = list(rows), size.columns - 1, size.rows - 1
    is_low = size is TileSize.COMPACT
    signs, look = list[tuple[int, int, str]](), Look.MARK
    if tile.has_cursor and isinstance(tile.lying, FaceDown):
        frame = glyphs.chosen_face_down
        top, *_between, below = draw_frame(frame, size)
        signs = [(0, 0, top), (bottom, 0, below)]
        signs += [(row, at, frame.along) for row in range(1, bottom) for at in (0, right)]
    elif tile.has_cursor:
        is_forbidden = isinstance(tile.lying, Ghost) and not tile.lying.fits
        corners, look = ("xxxx", Look.WRONG) if is_forbidden else (glyphs.cursor, look)
        places = ((0, 0), (0, right), (bottom, 0), (bottom, right))
        signs = [(*place, sign) for place, sign in zip(places, corners, strict=True)]
        if is_low and isinstance(tile.lying, LaidCard):
            del signs[2:]  # leave the lower halves of its tunnels visible
    for row, column, sign in signs:
        shown[row] = overlaid(shown[row], column, StyledSpan(sign, look, ground))
    if mark := mark_on_card(tile):
        # A mark without an arrow looks like the tunnel: each change of style costs bytes.
        is_plain = not tile.label and isinstance(tile.lying, LaidCard)
        span = StyledSpan(mark, Look.SAND if is_plain else Look.MARK, ground)
        shown[0] = overlaid(shown[0], 0 if is_low else 1, span)
    return tuple(shown)


def draw_frame(frame: Border, size: TileSize) -> list[str]:
    between = frame.along + " " * (size.columns - 2) + frame.along
    return [frame.top(size.columns), *[between] * (size.rows - 2), frame.bottom(size.columns)]
