"""One cell of the mine painted: tunnels of sand in rock, where no card is drawn.

Nothing depends on colour alone. Tunnels are block characters: those of a dead end stop at rubble
around its `x`, and those cut off are half as wide. Signs, marks and the cursor's corners are those
of other tiles. Tiles of one row, and the backs of goals, are in lines of these colours.

    tunnel   dead end   cut off   goal    treasure
      ▐█▌      ▐█▌         █      ┌───┐      ▐█▌
     █████      ▒x▒█     ▀▀█▀▀    │ ? │     █ $ █
      ▐█▌                  █      └───┘      ▐█▌
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from engine.board import CardState
from engine.cards import E, N, Path, S, W
from sabtui.art.glyphs import BlockSet, glyphs_of
from sabtui.tui.mine.tiles import (
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
)
from sabtui.tui.theme import Border, Glyphs
from sabtui.tui.widgets.panel import Ground, Look, Paint, Row, StyledSpan, merge_pieces, overlaid

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
_RUBBLE = _STONES, _DEAD = "▒", "x"


@lru_cache(maxsize=1 << 12)
def paint_tile(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return a tile as rows of exactly its size."""
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
    """Return what a tile is painted on: rock, the back of a goal, or what no paint covers."""
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
    """Return a piece of a tile in lines in the colours of painted tiles."""
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
    """Return the rows of a card, in the looks of its tunnels and of the rubble in a dead end."""
    return tuple(
        merge_pieces(
            tuple(StyledSpan(glyph, rubble if glyph in _RUBBLE else look, ground) for glyph in row)
        )
        for row in dug
    )


def _find_bore(size: TileSize, *, is_cut_off: bool = False) -> tuple[range, range]:
    """Return the half columns of tunnels to north and south, and the half rows of the others.

    Tunnels are as high as wide, as a column is half as wide as a row is high. Of those that are
    cut off it is half as much.
    """
    high = (size.rows + 2) // 3 * (1 if is_cut_off else 2)
    left, top = size.columns - high, size.rows - (high + 1) // 2
    return range(left, left + 2 * high), range(top, top + high)


def _find_middle(across: range, down: range) -> tuple[range, range]:
    """Return the columns and rows in which tunnels meet."""
    return (
        range(across.start // 2, (across.stop + 1) // 2),
        range(down.start // 2, (down.stop + 1) // 2),
    )


@cache
def _dig(path: Path, size: TileSize, *, is_cut_off: bool = False) -> tuple[str, ...]:
    """Return the rows of a card in block characters."""
    across, down = _find_bore(size, is_cut_off=is_cut_off)
    columns, rows = _find_middle(across, down)

    def is_dug(x: int, y: int) -> bool:
        if y in down and x // 2 in columns and not path.through:
            return False
        if x in across:
            return y in down or bool(path.edges & (N if y < down.start else S))
        return y in down and bool(path.edges & (W if x < across.start else E))

    def draw(column: int, row: int) -> str:
        is_blocked = not path.through and column in columns and row in rows
        if is_blocked and (column, row) == (size.middle_column, size.middle_row):
            return _DEAD
        pattern = sum(is_dug(2 * column + at % 2, 2 * row + at // 2) << at for at in range(4))
        return _STONES if is_blocked and not pattern else glyphs_of(BlockSet.QUADRANTS)[pattern]

    return tuple(
        "".join(draw(column, row) for column in range(size.columns)) for row in range(size.rows)
    )


def _put_sign(rows: tuple[Row, ...], sign: Sign, size: TileSize) -> tuple[Row, ...]:
    """Return the rows of a card with what lies in its middle, which has the sign on it."""
    shown, (columns, middle) = list(rows), _find_middle(*_find_bore(size))
    for row in middle:
        text = (sign.value if row == size.middle_row else "").center(len(columns))
        span = StyledSpan(text, Look.INK, _SIGN_GROUNDS[sign])
        shown[row] = overlaid(shown[row], columns.start, span)
    return tuple(shown)


def mark_tile(
    rows: tuple[Row, ...], tile: Tile, size: TileSize, glyphs: Glyphs, ground: Ground | None
) -> tuple[Row, ...]:
    """Return the rows of a tile with the cursor, crosses where it may not lie, and the mark."""
    shown, right, bottom = list(rows), size.columns - 1, size.rows - 1
    is_low = size is TileSize.COMPACT
    signs, look = list[tuple[int, int, str]](), Look.MARK
    if tile.cursor and isinstance(tile.lying, FaceDown):
        frame = glyphs.chosen_face_down
        top, *_between, below = draw_frame(frame, size)
        signs = [(0, 0, top), (bottom, 0, below)]
        signs += [(row, at, frame.along) for row in range(1, bottom) for at in (0, right)]
    elif tile.cursor:
        is_forbidden = isinstance(tile.lying, Ghost) and not tile.lying.fits
        corners, look = ("xxxx", Look.WRONG) if is_forbidden else (glyphs.cursor, look)
        places = ((0, 0), (0, right), (bottom, 0), (bottom, right))
        signs = [(*place, sign) for place, sign in zip(places, corners, strict=True)]
        if is_low and isinstance(tile.lying, LaidCard):
            del signs[2:]  # the lower halves of its tunnels are seen
    for row, column, sign in signs:
        shown[row] = overlaid(shown[row], column, StyledSpan(sign, look, ground))
    if mark := mark_on_card(tile):
        # A mark without an arrow has the look of the tunnel: each change of looks costs bytes.
        is_plain = not tile.label and isinstance(tile.lying, LaidCard)
        span = StyledSpan(mark, Look.SAND if is_plain else Look.MARK, ground)
        shown[0] = overlaid(shown[0], 0 if is_low else 1, span)
    return tuple(shown)


def draw_frame(frame: Border, size: TileSize) -> list[str]:
    """Return the rows of a frame of a tile's size."""
    inner = size.columns - 2
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    return [
        f"{upper_left}{frame.across * inner}{upper_right}",
        *[f"{frame.along}{' ' * inner}{frame.along}"] * (size.rows - 2),
        f"{lower_left}{frame.across * inner}{lower_right}",
    ]
