"""One cell of the mine as rows of text, drawn in lines, in ten sizes and two sets of glyphs.

Nothing depends on colour: the arms of a dead end are capped before they reach the `x` in its
middle, tunnels cut off are drawn in thinner strokes, the cursor is four corners, and places for the
chosen card have a mark.

    tunnel   dead end   cut off   goal    a card fits   cursor   it would not fit
      ║         ╨          │      ┌───┐                 ┌   ┐        x ║ x
    ══╬══     ═╡x╞═      ──┼──    │ ? │      [+]                     ══╝
      ║         ╥          │      └───┘                 └   ┘        x   x

Tiles of two rows have no row above the middle: its joint alone shows a tunnel to the north.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Final, TypeAlias, assert_never

from engine.board import CardState
from engine.cards import E, Goal, N, Path, S, W
from sabtui.tui.theme import Border, Glyphs, Strokes
from sabtui.tui.widgets.rows import Ground, Look, Row, StyledSpan, merge_pieces


class TileSize(Enum):
    """Columns and rows of a tile."""

    SMALL = 3, 1
    COMPACT = 4, 2
    NORMAL = 5, 3
    WIDE = 7, 3
    LARGE = 9, 4
    GREAT = 11, 5
    HUGE = 13, 5
    HIGH = 13, 6
    GIANT = 15, 7
    POSTER = 18, 8

    @property
    def columns(self) -> int:
        """Columns of a tile."""
        return self.value[0]

    @property
    def rows(self) -> int:
        """Rows of a tile."""
        return self.value[1]

    @property
    def middle_row(self) -> int:
        """Row of the tile's middle, the upper one of two."""
        return (self.rows - 1) // 2

    @property
    def middle_column(self) -> int:
        """Column of the tile's middle, the right one of two."""
        return self.columns // 2


class Sign(Enum):
    """Sign in the middle of the start, or of a goal according to what is known about it."""

    START = "S"
    UNKNOWN = "?"
    TREASURE = "$"
    STONE = "o"

    @staticmethod
    def of(goal: Goal | None) -> Sign:
        """Return the sign for a goal, or for an unknown one."""
        match goal:
            case None:
                return Sign.UNKNOWN
            case Goal.TREASURE:
                return Sign.TREASURE
            case Goal.STONE_NE | Goal.STONE_NW:
                return Sign.STONE
            case _:
                assert_never(goal)


@dataclass(frozen=True, slots=True)
class EmptyCell:
    """An empty cell."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card that lies face up."""

    path: Path
    state: CardState = CardState.REACHED
    sign: Sign | None = None


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A face-down goal, with the sign for what is known about it."""

    sign: Sign


@dataclass(frozen=True, slots=True)
class Ghost:
    """The chosen card as it would lie. `fits` is True if it may be laid there."""

    path: Path
    fits: bool


@dataclass(frozen=True, slots=True)
class Rubble:
    """The remains of a card for a moment after a rockfall."""

    is_dense: bool


TileContent: TypeAlias = EmptyCell | LaidCard | FaceDown | Ghost | Rubble


class CellMark(Enum):
    """Mark on a cell where the chosen card can be played."""

    NONE = ""
    FITS = "+"
    HERE = "*"
    """The card here can be looked at (a map), or brought down (a rockfall)."""
    JOINED = "="
    """The chosen card would join this one to the start, or to itself."""
    OPENED = ">"
    """The chosen card would open a tunnel onto this cell, or reach the goal here."""

    @property
    def is_target(self) -> bool:
        """True if the chosen card can be played here."""
        return self not in (CellMark.NONE, CellMark.JOINED, CellMark.OPENED)


@dataclass(frozen=True, slots=True)
class Tile:
    """Cell to draw. `odd` cells have another background, as on a chequered board.

    `label` is the arrow where a tunnel opens. A card that `glows` is lit for a moment.
    """

    lying: TileContent = EmptyCell()
    mark: CellMark = CellMark.NONE
    cursor: bool = False
    new: bool = False
    odd: bool = False
    label: str = field(default="", kw_only=True)
    glows: bool = field(default=False, kw_only=True)


_SIGN_LOOKS: Final = {
    Sign.START: Look.START,
    Sign.UNKNOWN: Look.UNKNOWN,
    Sign.TREASURE: Look.GOLD,
    Sign.STONE: Look.STONE,
}


@lru_cache(maxsize=1 << 12)
def draw_tile(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return a tile as rows of exactly its size."""
    look, middle, lines = _lines(tile, size, glyphs)
    if size is not TileSize.SMALL:
        lines = _mark(lines, tile, size, glyphs)
    elif tile.mark is CellMark.HERE and isinstance(tile.lying, LaidCard):
        [line] = lines
        middle, lines = Look.MARK, (line[0] + tile.mark.value + line[2],)
    ground = ground_of(tile, size)
    half = size.middle_column
    rows = []
    for at, line in enumerate(lines):
        of_middle = middle if at == size.middle_row else look
        spans = (
            StyledSpan(line[:half], look, ground),
            StyledSpan(line[half], of_middle, ground),
            StyledSpan(line[half + 1 :], look, ground),
        )
        rows.append(merge_pieces(spans))
    return tuple(rows)


def card_drawn(path: Path, size: TileSize, glyphs: Glyphs) -> tuple[str, ...]:
    """Return the rows of a card in the hand, as it would lie."""
    return _card(path, CardState.REACHED, "", size, glyphs)


def _lines(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Look, Look, tuple[str, ...]]:
    """Return the look of a cell, the look of its middle, and its lines."""
    lying = tile.lying
    match lying:
        case EmptyCell():
            look = Look.EMPTY if tile.mark is CellMark.NONE else Look.FITS
            return look, look, _empty(tile, size, glyphs)
        case LaidCard(path, state, sign):
            look = Look.GOLD if tile.glows else _state_look(state)
            middle = look if sign is None else _SIGN_LOOKS[sign]
            text = "" if sign is None else sign.value
            return look, middle, _card(path, state, text, size, glyphs)
        case FaceDown(sign):
            frame = glyphs.chosen_face_down if tile.cursor else glyphs.face_down
            return Look.UNKNOWN, _SIGN_LOOKS[sign], _box(sign.value, frame, tile, size)
        case Ghost(path, fits):
            look = Look.FITS if fits else Look.WRONG
            return look, look, _card(path, CardState.REACHED, "", size, glyphs)
        case Rubble(is_dense):
            line = glyphs.rubble[not is_dense] * size.columns
            return Look.STONE, Look.STONE, (line,) * size.rows
        case _:
            assert_never(lying)


def _state_look(state: CardState) -> Look:
    match state:
        case CardState.REACHED:
            return Look.REACHED
        case CardState.DEAD:
            return Look.DEAD
        case CardState.CUT_OFF:
            return Look.CUT_OFF
        case _:
            assert_never(state)


def ground_of(tile: Tile, size: TileSize) -> Ground | None:
    """Return the background of a tile; the cursor goes before marks, and marks before cards."""
    small = size is TileSize.SMALL
    if tile.cursor:
        return Ground.SMALL_CURSOR if small else Ground.CURSOR
    if isinstance(tile.lying, EmptyCell | Rubble):
        return Ground.LIT if tile.mark.is_target else None
    if tile.glows:
        return Ground.NEW
    if tile.mark is not CellMark.NONE:
        return Ground.SMALL_LIT if small else Ground.LIT
    if tile.new:
        return Ground.NEW
    return Ground.ODD_CARD if tile.odd else Ground.CARD


def _empty(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[str, ...]:
    mark, label = tile.mark, tile.label
    text = place_text(mark, label) or glyphs.empty
    if size is TileSize.SMALL and mark is CellMark.FITS:
        text = mark.value
    return _around(text.center(size.columns), size)


def place_text(mark: CellMark, label: str) -> str:
    """Return the text on an empty cell with a mark, "" for a cell without mark and label."""
    return f"[{mark.value}]" if mark is CellMark.FITS else label


def _around(line: str, size: TileSize) -> tuple[str, ...]:
    """Return the rows of a tile that is blank but for the line in its middle."""
    blank = (" " * size.columns,)
    return (*blank * size.middle_row, line, *blank * (size.rows - 1 - size.middle_row))


def _card(
    path: Path, state: CardState, middle: str, size: TileSize, glyphs: Glyphs
) -> tuple[str, ...]:
    cut_off = state is CardState.CUT_OFF
    small = glyphs.small_cut if cut_off else glyphs.small_reached
    match size:
        case TileSize.SMALL:
            return (_small(path, middle, small, glyphs),)
        case TileSize.COMPACT:
            stub = glyphs.stubs[1] if path.edges & N and not path.through else ""
            return _big(path, middle or stub, small, size)
        case _:
            return _big(path, middle, glyphs.cut if cut_off else glyphs.reached, size)


def _big(path: Path, middle: str, strokes: Strokes, size: TileSize) -> tuple[str, ...]:
    """Return the rows of a card; the arms of a dead end stop short of the middle."""
    edges, above, below = path.edges, size.middle_row, size.rows - size.middle_row - 1
    before, after = " " * size.middle_column, " " * (size.columns - size.middle_column - 1)
    north, east, south, west = tuple(strokes.caps)
    left, right = strokes.across * len(before), strokes.across * len(after)
    if path.through:
        north, south = strokes.along, strokes.along
        centre = middle or strokes.joints[edges]
    else:
        left, right, centre = left[1:] + west, east + right[1:], middle or "x"
    # A tunnel takes the rows up to the edge, and a cap the one beside the middle, if there is one.
    up = (strokes.along * above)[1:] + north[:above] if edges & N else " " * above
    down = south + strokes.along * (below - 1) if edges & S else " " * below
    return (
        *(before + character + after for character in up),
        (left if edges & W else before) + centre + (right if edges & E else after),
        *(before + character + after for character in down),
    )


def _small(path: Path, middle: str, strokes: Strokes, glyphs: Glyphs) -> str:
    """Return the one row of a card; its middle shows the open sides to north and south."""
    edges = path.edges
    if path.through:
        west = east = strokes.across
        centre = strokes.joints[edges]
    else:
        _north, east, _south, west = tuple(strokes.caps)
        centre = glyphs.stubs[bool(edges & N) + 2 * bool(edges & S)]
    return (west if edges & W else " ") + (middle or centre) + (east if edges & E else " ")


def _box(sign: str, frame: Border, tile: Tile, size: TileSize) -> tuple[str, ...]:
    if size is TileSize.SMALL:
        return (f"[{sign}]" if tile.mark is CellMark.NONE else f"{tile.label or '<'}{sign}>",)
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    across = frame.across * (size.columns - 2)
    if size is TileSize.COMPACT:
        return upper_left + across[1:] + sign + upper_right, lower_left + across + lower_right
    _first, *between, _last = _around(sign.center(size.columns), size)
    return (
        upper_left + across + upper_right,
        *(frame.along + line[1:-1] + frame.along for line in between),
        lower_left + across + lower_right,
    )


def _mark(lines: tuple[str, ...], tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[str, ...]:
    """Return the lines with the cursor's corners and, in the first one, the mark."""
    first, *between, last = lines
    if tile.cursor and not isinstance(tile.lying, FaceDown):
        forbidden = isinstance(tile.lying, Ghost) and not tile.lying.fits
        corners = "xxxx" if forbidden else glyphs.cursor
        upper_left, upper_right, lower_left, lower_right = tuple(corners)
        if size is TileSize.COMPACT and isinstance(tile.lying, LaidCard):
            # Tunnels end where its upper corners are.
            upper_left = first[0].strip() or upper_left
            upper_right = first[-1].strip() or upper_right
        first = upper_left + first[1:-1] + upper_right
        last = lower_left + last[1:-1] + lower_right
    sign = mark_on_card(tile)
    if sign:
        first = first[0] + sign + first[2:]
    return (first, *between, last)


def mark_on_card(tile: Tile) -> str:
    """Return the character that marks a card, "" for none."""
    is_marked = tile.mark in (CellMark.HERE, CellMark.JOINED, CellMark.OPENED)
    if not is_marked or isinstance(tile.lying, EmptyCell | Ghost):
        return ""
    return tile.label or tile.mark.value
