"""One cell of the mine as rows of text in ten sizes, and the window onto the endless mine.

Nothing depends on colour: the arms of a dead end are capped before they reach the `x` in its
middle, tunnels cut off are drawn in thinner strokes, the cursor is four corners, and places for the
chosen card have a mark.

    tunnel   dead end   cut off   goal    a card fits   cursor   it would not fit
      ║         ╨          │      ┌───┐                 ┌   ┐        x ║ x
    ══╬══     ═╡x╞═      ──┼──    │ ? │      [+]                     ══╝
      ║         ╥          │      └───┘                 └   ┘        x   x

Tiles of two rows have no row above the middle: only its joint shows a tunnel to the north. Only
whole tiles are shown. A `Viewport` is a value: moving it returns another one. Signs stand for the
cards outside it, an arrow and their number: for the south below the mine, else among column names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Final, TypeAlias

from engine.board import GOAL_CELLS, START, CardState, Cell
from engine.cards import E, Goal, N, Path, S, W
from sabtui.tui.theme import Border, Glyphs, Strokes
from sabtui.tui.widgets.panel import Ground, Look, Row, StyledSpan, merge_pieces, overlaid, plain


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
        return self.value[0]

    @property
    def rows(self) -> int:
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
        if goal is None:
            return Sign.UNKNOWN
        return Sign.TREASURE if goal is Goal.TREASURE else Sign.STONE


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
    """A mark on a cell where the chosen card can be played."""

    NONE = ""
    FITS = "+"
    HERE = "*"  # the card here can be looked at (a map), or brought down (a rockfall)
    JOINED = "="  # the chosen card would join this one to the start, or to itself
    OPENED = ">"  # the chosen card would open a tunnel onto this cell, or reach the goal here

    @property
    def is_target(self) -> bool:
        """True if the chosen card can be played here."""
        return self not in (CellMark.NONE, CellMark.JOINED, CellMark.OPENED)


@dataclass(frozen=True, slots=True)
class Tile:
    """Cell to draw. `is_odd` cells have another background, as on a chequered board.

    `label` is the arrow where a tunnel opens. A card that `glows` is lit for a moment.
    """

    lying: TileContent = EmptyCell()
    mark: CellMark = CellMark.NONE
    has_cursor: bool = False
    is_new: bool = False
    is_odd: bool = False
    label: str = field(default="", kw_only=True)
    glows: bool = field(default=False, kw_only=True)


_SIGN_LOOKS: Final = {
    Sign.START: Look.START,
    Sign.UNKNOWN: Look.UNKNOWN,
    Sign.TREASURE: Look.GOLD,
    Sign.STONE: Look.STONE,
}
_STATE_LOOKS: Final = {
    CardState.REACHED: Look.REACHED,
    CardState.DEAD: Look.DEAD,
    CardState.CUT_OFF: Look.CUT_OFF,
}


@lru_cache(maxsize=1 << 12)
def draw_tile(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    look, middle, lines = _draw_lines(tile, size, glyphs)
    if size is not TileSize.SMALL:
        lines = _draw_marks(lines, tile, size, glyphs)
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


def draw_in_hand(path: Path, size: TileSize, glyphs: Glyphs) -> tuple[str, ...]:
    """Return the rows of a card in the hand, as it would lie."""
    return _draw_card(path, CardState.REACHED, "", size, glyphs)


def _draw_lines(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Look, Look, tuple[str, ...]]:
    lying = tile.lying
    match lying:
        case EmptyCell():
            look = Look.EMPTY if tile.mark is CellMark.NONE else Look.FITS
            return look, look, _draw_empty(tile, size, glyphs)
        case LaidCard(path, state, sign):
            look = Look.GOLD if tile.glows else _STATE_LOOKS[state]
            middle = look if sign is None else _SIGN_LOOKS[sign]
            text = "" if sign is None else sign.value
            return look, middle, _draw_card(path, state, text, size, glyphs)
        case FaceDown(sign):
            frame = glyphs.chosen_face_down if tile.has_cursor else glyphs.face_down
            return Look.UNKNOWN, _SIGN_LOOKS[sign], _draw_goal(sign.value, frame, tile, size)
        case Ghost(path, fits):
            look = Look.FITS if fits else Look.WRONG
            return look, look, _draw_card(path, CardState.REACHED, "", size, glyphs)
        case Rubble(is_dense):
            line = glyphs.rubble[not is_dense] * size.columns
            return Look.STONE, Look.STONE, (line,) * size.rows


def ground_of(tile: Tile, size: TileSize) -> Ground | None:
    """Return the background of a tile; the cursor takes precedence over marks, marks over cards."""
    small = size is TileSize.SMALL
    if tile.has_cursor:
        return Ground.SMALL_CURSOR if small else Ground.CURSOR
    if isinstance(tile.lying, EmptyCell | Rubble):
        return Ground.LIT if tile.mark.is_target else None
    if tile.glows:
        return Ground.NEW
    if tile.mark is not CellMark.NONE:
        return Ground.SMALL_LIT if small else Ground.LIT
    if tile.is_new:
        return Ground.NEW
    return Ground.ODD_CARD if tile.is_odd else Ground.CARD


def _draw_empty(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[str, ...]:
    mark, label = tile.mark, tile.label
    text = place_text(mark, label) or glyphs.empty
    if size is TileSize.SMALL and mark is CellMark.FITS:
        text = mark.value
    return _add_blank_rows(text.center(size.columns), size)


def place_text(mark: CellMark, label: str) -> str:
    """Return the text on an empty cell with a mark, "" for a cell without mark and label."""
    return f"[{mark.value}]" if mark is CellMark.FITS else label


def _add_blank_rows(line: str, size: TileSize) -> tuple[str, ...]:
    blank = (" " * size.columns,)
    return (*blank * size.middle_row, line, *blank * (size.rows - 1 - size.middle_row))


def _draw_card(
    path: Path, state: CardState, middle: str, size: TileSize, glyphs: Glyphs
) -> tuple[str, ...]:
    cut_off = state is CardState.CUT_OFF
    small = glyphs.small_cut if cut_off else glyphs.small_reached
    match size:
        case TileSize.SMALL:
            return (_draw_in_a_row(path, middle, small, glyphs),)
        case TileSize.COMPACT:
            stub = glyphs.stubs[1] if path.edges & N and not path.through else ""
            return _draw_in_rows(path, middle or stub, small, size)
        case _:
            return _draw_in_rows(path, middle, glyphs.cut if cut_off else glyphs.reached, size)


def _draw_in_rows(path: Path, middle: str, strokes: Strokes, size: TileSize) -> tuple[str, ...]:
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
    # A tunnel takes the rows up to the edge, and a cap the row next to the middle, if any.
    up = (strokes.along * above)[1:] + north[:above] if edges & N else " " * above
    down = south + strokes.along * (below - 1) if edges & S else " " * below
    return (
        *(before + character + after for character in up),
        (left if edges & W else before) + centre + (right if edges & E else after),
        *(before + character + after for character in down),
    )


def _draw_in_a_row(path: Path, middle: str, strokes: Strokes, glyphs: Glyphs) -> str:
    """Return the one row of a card; its middle shows the open sides to north and south."""
    edges = path.edges
    if path.through:
        west = east = strokes.across
        centre = strokes.joints[edges]
    else:
        _north, east, _south, west = tuple(strokes.caps)
        centre = glyphs.stubs[bool(edges & N) + 2 * bool(edges & S)]
    return (west if edges & W else " ") + (middle or centre) + (east if edges & E else " ")


def _draw_goal(sign: str, frame: Border, tile: Tile, size: TileSize) -> tuple[str, ...]:
    if size is TileSize.SMALL:
        return (f"[{sign}]" if tile.mark is CellMark.NONE else f"{tile.label or '<'}{sign}>",)
    top, bottom = frame.top(size.columns), frame.bottom(size.columns)
    if size is TileSize.COMPACT:
        return top[:-2] + sign + top[-1], bottom
    _first, *between, _last = _add_blank_rows(sign.center(size.columns), size)
    return (top, *(frame.along + line[1:-1] + frame.along for line in between), bottom)


def _draw_marks(
    lines: tuple[str, ...], tile: Tile, size: TileSize, glyphs: Glyphs
) -> tuple[str, ...]:
    first, *between, last = lines
    if tile.has_cursor and not isinstance(tile.lying, FaceDown):
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


ROW_NAME_COLUMNS: Final = 3  # columns on the left for row names such as `n2`
AXIS_ROWS: Final = 1  # rows at the top for column names
HOME: Final = (START, *GOAL_CELLS)  # cells that an empty mine shows

_ORDER: Final = tuple(TileSize)


@dataclass(frozen=True, slots=True)
class Viewport:
    """Visible part of the mine. `west` and `north` are the first visible column and row."""

    columns: int
    rows: int
    size: TileSize = TileSize.NORMAL
    west: int = 0
    north: int = 0

    @staticmethod
    def over(
        cells: Iterable[Cell], columns: int, rows: int, least: TileSize = TileSize.SMALL
    ) -> Viewport:
        """Return the window with the largest tiles that shows all cells, else with the `least`."""
        kept = list(cells)
        across = 1 + max(x for x, _y in kept) - min(x for x, _y in kept)
        down = 1 + max(y for _x, y in kept) - min(y for _x, y in kept)
        size = least
        for larger in _ORDER[_ORDER.index(least) :]:
            room = Viewport(columns, rows, larger)
            if across <= room.across and down <= room.down:
                size = larger
        return Viewport(columns, rows, size).around(kept)

    @property
    def across(self) -> int:
        return max((self.columns - ROW_NAME_COLUMNS) // self.size.columns, 1)

    @property
    def down(self) -> int:
        return max((self.rows - AXIS_ROWS) // self.size.rows, 1)

    @property
    def xs(self) -> range:
        return range(self.west, self.west + self.across)

    @property
    def ys(self) -> range:
        return range(self.north, self.north + self.down)

    @property
    def middle(self) -> Cell:
        return self.west + self.across // 2, self.north + self.down // 2

    def shows(self, cell: Cell) -> bool:
        return cell[0] in self.xs and cell[1] in self.ys

    def shows_all(self, cells: Iterable[Cell]) -> bool:
        return all(self.shows(cell) for cell in cells)

    def corner_of(self, cell: Cell) -> tuple[int, int] | None:
        """Return the text column and row of a visible cell's upper left corner, or `None`."""
        if not self.shows(cell):
            return None
        x, y = cell
        return (
            ROW_NAME_COLUMNS + (x - self.west) * self.size.columns,
            AXIS_ROWS + (y - self.north) * self.size.rows,
        )

    def at(self, column: int, row: int) -> Cell | None:
        if column < ROW_NAME_COLUMNS or row < AXIS_ROWS:
            return None
        x = self.west + (column - ROW_NAME_COLUMNS) // self.size.columns
        y = self.north + (row - AXIS_ROWS) // self.size.rows
        return (x, y) if self.shows((x, y)) else None

    def pan(self, east: int, south: int) -> Viewport:
        """Return the window moved by a number of cells."""
        return replace(self, west=self.west + east, north=self.north + south)

    def around(self, cells: Iterable[Cell]) -> Viewport:
        """Return the window centred on the middle of these cells."""
        kept = list(cells)
        xs, ys = [x for x, _y in kept], [y for _x, y in kept]
        return replace(
            self,
            west=(min(xs) + max(xs) + 1 - self.across) // 2,
            north=(min(ys) + max(ys) + 1 - self.down) // 2,
        )

    def following(self, cell: Cell, margin: int = 0) -> Viewport:
        """Return the window moved just enough to show a cell, with a margin if there is room."""
        x, y = cell
        return replace(
            self,
            west=_move_into_view(self.west, self.across, x, margin),
            north=_move_into_view(self.north, self.down, y, margin),
        )

    def lower(self, rows: int, cells: Collection[Cell], *kept: Cell) -> Viewport:
        """Return the window with fewer rows: these cells, above all those `kept`, stay in sight."""
        visible = sorted((cell for cell in cells if self.shows(cell)), key=lambda cell: -cell[1])
        lower = replace(self, rows=self.rows - rows)
        for cell in (*visible, *(cell for cell in kept if self.shows(cell))):
            lower = lower.following(cell)
        return lower

    def zoom(self, steps: int) -> Viewport:
        """Return the window with larger tiles, or with smaller ones if `steps` is negative."""
        at = min(max(_ORDER.index(self.size) + steps, 0), len(_ORDER) - 1)
        return replace(self, size=_ORDER[at])


def _move_into_view(first: int, count: int, at: int, margin: int) -> int:
    """Return the first of `count` positions, moved just enough to keep `at` off the ends."""
    margin = min(margin, (count - 1) // 2)
    return min(max(first, at + margin - count + 1), at - margin)


WEST, NORTH, EAST, SOUTH = "<^>v"
MAX_COUNT_SHOWN: Final = 99  # highest number that a sign shows: it has three columns


def sign_above(cells: Collection[Cell], window: Viewport) -> tuple[int, str] | None:
    """Return the sign for cards to the north, and the column of the nearest: never the last one."""
    north = [cell for cell in cells if cell[1] < window.ys[0]]
    if not north:
        return None
    middle = window.middle[0]
    x, _y = min(north, key=lambda cell: (-cell[1], abs(cell[0] - middle), cell[0]))
    return min(max(x, window.xs[0]), max(window.xs[-1] - 1, window.xs[0])), _spell_sign(
        NORTH, len(north)
    )


def sign_below(cells: Collection[Cell], window: Viewport) -> str:
    """Return the sign for cards to the south, "" if there are none."""
    return _spell_sign(SOUTH, sum(y > window.ys[-1] for _x, y in cells))


def with_signs(axis: Row, cells: Collection[Cell], window: Viewport) -> Row:
    """Return the row of column names with the signs for cards to the west and east at its ends."""
    west = _spell_sign(WEST, sum(x < window.xs[0] for x, _y in cells))
    east = _spell_sign(EAST, sum(x > window.xs[-1] for x, _y in cells))
    at = window.columns - len(east)
    if east and plain(axis)[at : at + 1].strip():  # the sign would cut the last name: blank it
        last = ROW_NAME_COLUMNS + (window.across - 1) * window.size.columns
        axis = overlaid(axis, last, StyledSpan(" " * (window.columns - last)))
    axis = overlaid(axis, 0, StyledSpan(west, Look.TURN))
    return overlaid(axis, at, StyledSpan(east, Look.TURN))


def _spell_sign(arrow: str, count: int) -> str:
    """Return an arrow with a count, "" for no cards."""
    return f"{arrow}{min(count, MAX_COUNT_SHOWN)}" if count else ""
