"""One cell of the mine as a drawn card in block characters of many colours, or painted.

Nothing depends on colour alone. Where a cell is painted, rubble with an `x` fills the middle of a
dead end, tunnels cut off are narrow and hatched, and signs, marks and the cursor's corners are
those of the other tiles. Empty cells and tiles of one row are drawn in lines, and so is what is cut
off in tiles of two rows.

Adjacent characters of one colour are one span, and what a span costs is its colours: that is why
tunnels are block characters on rock, and no piece of them is a blank on sand.

The drawings are those of `sabtui.art`. In them a dead end is blocked by rubble, a tunnel cut off is
narrow and dashed, and the cursor and marks are those of painted tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple, assert_never

from engine.board import START, CardState, Cell
from engine.cards import E, Goal, N, Path, S, W
from sabtui.art.blocks import DARK, BlockCell, BlockRow, Palette, draw_blocks, frame_blocks
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Depth, Tint
from sabtui.art.kitty import draw_placeholders
from sabtui.art.store import Size, list_sizes, list_sprite_sizes
from sabtui.tui.mine.tiles import (
    CellMark,
    EmptyCell,
    FaceDown,
    Ghost,
    LaidCard,
    Rubble,
    Sign,
    Tile,
    TileSize,
    draw_tile,
    ground_of,
    mark_on_card,
    place_text,
)
from sabtui.tui.theme import DARK as DARK_THEME
from sabtui.tui.theme import LIGHT, Border, CardColours, Glyphs
from sabtui.tui.widgets.panel import Ground, Look, Paint, Row, StyledSpan, merge_pieces, overlaid


class Bore(NamedTuple):
    """Size of tunnels: those to north and south in half columns, the others in half rows."""

    wide: int
    high: int


_REACHED: Final = {
    TileSize.COMPACT: Bore(4, 2),
    TileSize.NORMAL: Bore(4, 2),
    TileSize.WIDE: Bore(6, 2),
    TileSize.LARGE: Bore(8, 4),
    TileSize.GREAT: Bore(10, 4),
    TileSize.HUGE: Bore(10, 4),
    TileSize.HIGH: Bore(10, 4),
    TileSize.GIANT: Bore(10, 6),
    TileSize.POSTER: Bore(12, 6),
}
"""About as high as wide: a column is half as wide as a row is high."""

_CUT_OFF: Final = {
    TileSize.NORMAL: Bore(2, 2),
    TileSize.WIDE: Bore(2, 2),
    TileSize.LARGE: Bore(6, 4),
    TileSize.GREAT: Bore(6, 2),
    TileSize.HUGE: Bore(6, 2),
    TileSize.HIGH: Bore(6, 4),
    TileSize.GIANT: Bore(6, 2),
    TileSize.POSTER: Bore(8, 4),
}
"""Narrower, and of whole columns and rows, which can be hatched."""

_BLOCKS: Final = {
    (False, False, False, False): " ",
    (True, True, False, False): "▀",
    (False, False, True, True): "▄",
    (True, False, True, False): "▌",
    (False, True, False, True): "▐",
    (True, True, True, True): "█",
}
"""Block characters by the quarters that they fill, row by row from the upper left."""

_SOLID, _HATCH = "█", "▒"

_ROCKS: Final = {
    Ground.CARD: Ground.ROCK,
    Ground.ODD_CARD: Ground.ODD_ROCK,
    Ground.NEW: Ground.NEW_ROCK,
    Ground.LIT: Ground.LIT_ROCK,
    Ground.CURSOR: Ground.CURSOR_ROCK,
}
_PLAIN: Final = {Ground.CARD, Ground.ODD_CARD}
"""Grounds that neither the cursor nor a mark nor the newest card lights."""

_SMALL_LOOKS: Final[dict[Look | Paint, Look]] = {
    Look.REACHED: Look.SAND,
    Look.DEAD: Look.RUBBLE,
}
_SMALL_SIGNS: Final = {
    Look.START: Ground.SAND,
    Look.GOLD: Ground.GOLD,
    Look.STONE: Ground.STONE,
}
"""Grounds of the signs in tiles of one row."""

_BACKS: Final = {
    Sign.START: (Look.BACK, Look.UNKNOWN, Ground.BACK),
    Sign.UNKNOWN: (Look.BACK, Look.UNKNOWN, Ground.BACK),
    Sign.TREASURE: (Look.INK, Look.INK, Ground.GOLD),
    Sign.STONE: (Look.INK, Look.INK, Ground.STONE),
}
"""Looks of the frame and of the sign, and ground of a goal that lies face down."""


class _Area(NamedTuple):
    """Part of a tile."""

    columns: range
    rows: range


class _Over(NamedTuple):
    """Text over a row of a tile, from a column on."""

    row: int
    column: int
    span: StyledSpan


@lru_cache(maxsize=1 << 12)
def paint_tile(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return a tile as rows of exactly its size."""
    lying = tile.lying
    if isinstance(lying, EmptyCell | Rubble):
        return draw_tile(tile, size, glyphs)
    is_cut_off = isinstance(lying, LaidCard) and lying.state is CardState.CUT_OFF
    if size is TileSize.SMALL or (size is TileSize.COMPACT and is_cut_off):
        return tuple(_in_paint(row, tile, size) for row in draw_tile(tile, size, glyphs))
    ground = _ground(tile, size)
    match lying:
        case LaidCard(path, CardState.CUT_OFF, sign):
            dug = _dig(path, size, _CUT_OFF[size])
            lines = tuple(line.replace(_SOLID, _HATCH) for line in dug)
            look = _cut_off_look(ground)
            over = [] if path.through else [_middle(size, StyledSpan("x", look, ground))]
            rows = _paint_lines(lines, look, ground, [*over, *_put_sign(sign, size)])
        case LaidCard(path, _state, sign):
            rubble = [*_rubble(path, size, Look.RUBBLE, ground)]
            lines = _dig(path, size, _REACHED[size])
            look = Look.GLOW if tile.glows else Look.SAND
            rows = _paint_lines(lines, look, ground, [*rubble, *_put_sign(sign, size)])
        case Ghost(path, fits):
            look = Look.FITS if fits else Look.WRONG
            rubble = [*_rubble(path, size, look, ground)]
            rows = _paint_lines(_dig(path, size, _REACHED[size]), look, ground, rubble)
        case FaceDown(sign):
            frame = glyphs.chosen_face_down if tile.cursor else glyphs.face_down
            look, of_sign, back = _BACKS[sign]
            if ground is not back:
                look = of_sign = Look.UNKNOWN
            text = sign.value if size is TileSize.COMPACT else f" {sign.value} "
            name = _middle(size, StyledSpan(text, of_sign, ground))
            rows = _paint_lines(_card_back(frame, size), look, ground, [name])
        case _:
            assert_never(lying)
    marks = _marks(tile, size, glyphs, ground)
    return tuple(merge_pieces(row) for row in _overlaid(rows, marks))


def mark_tile(rows: tuple[Row, ...], tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return the rows of a tile with the cursor and the mark over them."""
    ground = Ground.CURSOR_ROCK if tile.cursor else Ground.ROCK
    if tile.cursor and isinstance(tile.lying, FaceDown):
        frame = _card_back(glyphs.chosen_face_down, size)
        edges = [
            _Over(row, column, StyledSpan(frame[row][column], Look.MARK, ground))
            for row in range(size.rows)
            for column in range(size.columns)
            if row in (0, size.rows - 1) or column in (0, size.columns - 1)
        ]
        rows = _overlaid(rows, edges)
    return _overlaid(rows, _marks(tile, size, glyphs, ground))


def _in_paint(row: Row, tile: Tile, size: TileSize) -> Row:
    """Return a row drawn in lines in the colours of painted tiles."""
    ground = _ground(tile, size)
    if ground is ground_of(tile, size):
        return row
    if isinstance(tile.lying, FaceDown):
        return tuple(StyledSpan(text, _BACKS[tile.lying.sign][1], ground) for text, *_ in row)
    return tuple(
        StyledSpan(text, Look.INK, _SMALL_SIGNS[look])
        if look in _SMALL_SIGNS
        else StyledSpan(
            text,
            _cut_off_look(ground) if look is Look.CUT_OFF else _SMALL_LOOKS.get(look) or look,
            ground,
        )
        for text, look, _card in row
    )


def _ground(tile: Tile, size: TileSize) -> Ground | None:
    """Return the rock of a tile, or the ground that the cursor or a mark gives it."""
    ground, lying = ground_of(tile, size), tile.lying
    if isinstance(lying, FaceDown):
        return _BACKS[lying.sign][2] if ground in _PLAIN else ground
    if ground is None or not isinstance(lying, LaidCard):
        return ground
    if lying.state is CardState.CUT_OFF and ground in _PLAIN:
        return Ground.BURIED_ROCK
    if ground is Ground.ODD_CARD and size.columns < TileSize.WIDE.columns:
        return Ground.ROCK  # flat in small terminals, which links of few bytes serve
    return _ROCKS.get(ground, ground)


def _cut_off_look(ground: Ground | None) -> Look:
    """Return the look of tunnels cut off: dark, but for those on a ground that is lit."""
    return Look.BURIED if ground is Ground.BURIED_ROCK else Look.SAND


def _paint_lines(
    lines: Iterable[str], look: Look, ground: Ground | None, over: Iterable[_Over]
) -> tuple[Row, ...]:
    """Return lines as rows of one colour, with texts over them."""
    return _overlaid(tuple((StyledSpan(line, look, ground),) for line in lines), over)


def _overlaid(rows: tuple[Row, ...], over: Iterable[_Over]) -> tuple[Row, ...]:
    shown = list(rows)
    for row, column, span in over:
        shown[row] = overlaid(shown[row], column, span)
    return tuple(shown)


@cache
def _dig(path: Path, size: TileSize, bore: Bore) -> tuple[str, ...]:
    """Return the rows of a card in block characters; the middle of a dead end is left out."""
    columns, rows = size.columns, size.rows
    left, top = columns - bore.wide // 2, rows - bore.high // 2
    across, down = range(left, left + bore.wide), range(top, top + bore.high)
    middle = _filled_middle(size, bore)
    # Of two rows the middle is the lower half of one and the upper half of the other.
    filled = down if size is TileSize.COMPACT else range(2 * middle.rows[0], 2 * middle.rows.stop)

    def is_dug(half_column: int, half_row: int) -> bool:
        if half_column // 2 in middle.columns and half_row in filled and not path.through:
            return False
        if half_column in across and half_row in down:
            return True
        if half_column in across:
            return bool(path.edges & (N if half_row < top else S))
        return half_row in down and bool(path.edges & (W if half_column < left else E))

    return tuple(
        "".join(
            _BLOCKS[
                is_dug(2 * x, 2 * y),
                is_dug(2 * x + 1, 2 * y),
                is_dug(2 * x, 2 * y + 1),
                is_dug(2 * x + 1, 2 * y + 1),
            ]
            for x in range(columns)
        )
        for y in range(rows)
    )


def _filled_middle(size: TileSize, bore: Bore) -> _Area:
    """Return the middle that rubble or gold fills, three columns of it at least, or two of four."""
    left = min((size.columns - bore.wide // 2) // 2, size.columns // 2 - 1)
    top = (size.rows - bore.high // 2) // 2
    return _Area(range(left, size.columns - left), range(top, size.rows - top))


def _rubble(path: Path, size: TileSize, look: Look, ground: Ground | None) -> Iterator[_Over]:
    """Yield the rubble in the middle of a dead end, with its `x`."""
    if path.through:
        return
    columns, rows = _filled_middle(size, _REACHED[size])
    if size is TileSize.COMPACT:
        for row, side in zip(rows, (N, S), strict=True):
            if not path.edges & side:
                yield _Over(row, columns[0], StyledSpan("▒▒", look, ground))
        yield _middle(size, StyledSpan("x", look, ground))
        return
    for row in rows:
        text = "".join("▒▓"[(x + row) % 2 and len(rows) > 1] for x in columns)
        if row == size.middle_row:
            half = len(text) // 2
            text = f"{text[:half]}x{text[half + 1 :]}"
        yield _Over(row, columns[0], StyledSpan(text, look, ground))


def _put_sign(sign: Sign | None, size: TileSize) -> Iterator[_Over]:
    """Yield the ladder of the start, or the middle of a goal that lies face up."""
    match sign:
        case None | Sign.UNKNOWN:
            return
        case Sign.START if size is TileSize.COMPACT:
            for row, text in enumerate((f"├{sign.value}", "├┤")):
                yield _Over(row, 1, StyledSpan(text, Look.LADDER, Ground.SAND))
        case Sign.START:
            inner = size.columns // 4 | 1
            for row in range(size.rows):
                rung = (sign.value if row == size.middle_row else "─").center(inner, "─")
                yield _centre(row, size, StyledSpan(f"├{rung}┤", Look.LADDER, Ground.SAND))
        case Sign.TREASURE:
            yield from _heap(sign, "**", size, Ground.GOLD)
        case Sign.STONE:
            yield from _heap(sign, "()", size, Ground.STONE)
        case _:
            assert_never(sign)


def _heap(sign: Sign, sides: str, size: TileSize, ground: Ground) -> Iterator[_Over]:
    """Yield gold or a stone in the middle of a tile."""
    columns, rows = _filled_middle(size, _REACHED[size])
    for row in rows:
        inner = " " * (len(columns) - 2)
        yield _Over(row, columns[0], StyledSpan(sides[0] + inner + sides[1], Look.INK, ground))
    yield _middle(size, StyledSpan(sign.value, Look.INK, ground))


def _card_back(frame: Border, size: TileSize) -> list[str]:
    """Return the rows of the back of a card."""
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    inner = size.columns - 2
    filling = " " * inner if inner < 7 else "░" * inner
    return [
        upper_left + frame.across * inner + upper_right,
        *[frame.along + filling + frame.along] * (size.rows - 2),
        lower_left + frame.across * inner + lower_right,
    ]


def _marks(tile: Tile, size: TileSize, glyphs: Glyphs, ground: Ground | None) -> list[_Over]:
    """Return the corners of the cursor, crosses where the card may not lie, and the mark."""
    over = []
    if tile.cursor and not isinstance(tile.lying, FaceDown):
        forbidden = isinstance(tile.lying, Ghost) and not tile.lying.fits
        corners, look = ("xxxx", Look.WRONG) if forbidden else (glyphs.cursor, Look.MARK)
        places = [(row, column) for row in (0, size.rows - 1) for column in (0, size.columns - 1)]
        over = [
            _Over(row, column, StyledSpan(corner, look, ground))
            for (row, column), corner in zip(places, corners, strict=True)
            if not _is_tunnel(tile, size, row, column)
        ]
    sign = mark_on_card(tile)
    if sign:
        # A mark without an arrow has the look of the tunnel: each change of looks costs bytes.
        is_plain = not tile.label and isinstance(tile.lying, LaidCard)
        look = Look.SAND if is_plain else Look.MARK
        # In two rows a dead end has its tunnel to the north in the second column.
        is_full = size is TileSize.COMPACT and not isinstance(tile.lying, FaceDown)
        over.append(_Over(0, size.middle_column if is_full else 1, StyledSpan(sign, look, ground)))
    return over


def _is_tunnel(tile: Tile, size: TileSize, row: int, column: int) -> bool:
    """Return True for a corner that is left to a tunnel: of two rows, one of the lower two."""
    if size is not TileSize.COMPACT or row == 0 or not isinstance(tile.lying, LaidCard):
        return False
    return bool(tile.lying.path.edges & (E if column else W))


def _middle(size: TileSize, span: StyledSpan) -> _Over:
    return _centre(size.middle_row, size, span)


def _centre(row: int, size: TileSize, span: StyledSpan) -> _Over:
    return _Over(row, size.middle_column - len(span.text) // 2, span)


PAINTED_SIZES: Final = (TileSize.SMALL, TileSize.COMPACT)
"""Sizes of tiles that are too small for drawings."""

_CORNER_GROUNDS: Final = {True: "#604c20", False: "#f3d48a"}
"""Grounds of the corners of a picture's frame, on a dark screen and on a light one."""

_DEAD: Final = Paint("#2a1c00", "#b3aca0")
"""Colours of the `x` in the rubble of a dead end."""

_SMALL_FRONTS: Final = {Look.SAND: "#e6bc7a", Look.RUBBLE: "#b3aca0", Look.LADDER: "#4a2d12"}
_SMALL_GROUNDS: Final = {
    Ground.ROCK: "#49311e",
    Ground.ODD_ROCK: "#523721",
    Ground.SAND: _SMALL_FRONTS[Look.SAND],
}
"""Colours of painted tiles among drawn cards, on a dark screen."""

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
        return _paint_alike(tile, size, glyphs)
    has_frame = tile.cursor and size.rows > TileSize.WIDE.rows and not isinstance(lying, FaceDown)
    cells = draw_cells(drawing, size.value, glyphs, tint, has_frame=has_frame)
    if has_frame and (not isinstance(lying, Ghost) or lying.fits):
        tile = replace(tile, cursor=False)  # else there are crosses in the corners
    rows = [
        tuple(StyledSpan(one.glyph, Paint(one.front, one.ground)) for one in row) for row in cells
    ]
    is_clear = glyphs.has_pictures or size.rows > TileSize.LARGE.rows
    if _is_dead_end(tile) and not is_clear:
        middle = rows[size.middle_row]
        rows[size.middle_row] = overlaid(middle, size.middle_column, StyledSpan("x", _DEAD))
    if tile.mark.is_target and isinstance(lying, LaidCard):
        # A badge costs fewer bytes than light on each of forty cards.
        badge = mark_on_card(tile).center(1 if size.columns < TileSize.LARGE.columns else 3)
        rows[0] = overlaid(rows[0], 1, StyledSpan(badge, Look.INK, Ground.GOLD))
        tile = replace(tile, mark=CellMark.NONE)
    return tuple(merge_pieces(row) for row in mark_tile(tuple(rows), tile, size, glyphs))


def _paint_alike(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return a painted tile; tunnels and rock of small ones are in the colours of drawn ones."""
    rows = paint_tile(tile, size, glyphs)
    if size not in PAINTED_SIZES or glyphs.has_pictures or glyphs.cards is not CardColours.TRUE:
        return rows
    return tuple(tuple(map(_recolour, row)) for row in rows)


def _recolour(span: StyledSpan) -> StyledSpan:
    front, ground = (
        None if isinstance(span.look, Paint) else _SMALL_FRONTS.get(span.look),
        None if span.ground is None else _SMALL_GROUNDS.get(span.ground),
    )
    return span if front is None or ground is None else StyledSpan(span.text, Paint(front, ground))


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
    frame, inner = glyphs.face_down, size.columns - 2
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    lines = [f"{frame.along}{' ' * inner}{frame.along}"] * size.rows
    lines[0] = f"{upper_left}{frame.across * inner}{upper_right}"
    lines[-1] = f"{lower_left}{frame.across * inner}{lower_right}"
    text = place_text(tile.mark, tile.label).center(inner)
    lines[size.middle_row] = f"{frame.along}{text}{frame.along}"
    return tuple((StyledSpan(line, Look.FITS, Ground.LIT),) for line in lines)


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


def _is_drawn(drawing: Drawing, size: TileSize, glyphs: Glyphs) -> bool:
    """Return True for a drawing that is shown in this size; pictures are in two rows, too."""
    if glyphs.has_pictures:
        return size is not TileSize.SMALL and bool(list_sprite_sizes(drawing.name))
    return size not in PAINTED_SIZES and size.value in list_sizes(drawing.name)


def _is_dead_end(tile: Tile) -> bool:
    return isinstance(tile.lying, LaidCard | Ghost) and not tile.lying.path.through


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
