"""Cells of the mine in lines, and the window onto it."""

from __future__ import annotations

import itertools

import pytest
from rich.cells import cell_len

from engine.board import START, CardState
from engine.cards import PATHS, Path
from sabtui.tui.mine.picture import draw_cell
from sabtui.tui.mine.tiles import (
    AXIS_ROWS,
    HOME,
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
    sign_below,
)
from sabtui.tui.theme import ASCII, BOX, PAINTED, Glyphs
from sabtui.tui.widgets.panel import plain

EVERY: list[TileContent] = [
    EmptyCell(),
    *(LaidCard(path, state) for path in PATHS for state in CardState),
    *(LaidCard(Path.read("NESW"), CardState.REACHED, sign) for sign in Sign),
    *(FaceDown(sign) for sign in Sign),
    *(Ghost(path, fits) for path in PATHS for fits in (True, False)),
]


def text(tile: Tile, size: TileSize = TileSize.NORMAL, glyphs: Glyphs = BOX) -> str:
    return "\n".join(plain(row) for row in draw_tile(tile, size, glyphs))


def side_by_side(tiles: list[Tile], size: TileSize, glyphs: Glyphs) -> str:
    rows = zip(*(draw_tile(tile, size, glyphs) for tile in tiles), strict=True)
    return "\n".join(" ".join(plain(row) for row in line).rstrip() for line in rows)


THREE = [
    Tile(LaidCard(Path.read("NESW"))),
    Tile(LaidCard(Path.read("nesw"), CardState.DEAD)),
    Tile(LaidCard(Path.read("NESW"), CardState.CUT_OFF)),
    Tile(LaidCard(Path.read("ne"), CardState.CUT_OFF)),
    Tile(LaidCard(Path.read("SW"))),
    Tile(FaceDown(Sign.UNKNOWN)),
    Tile(EmptyCell(), CellMark.FITS),
]

IN_BOXES = """\
  ║     ╨     │     ┴         ┌───┐
══╬══ ═╡x╞═ ──┼──   x├─ ══╗   │ ? │  [+]
  ║     ╥     │           ║   └───┘"""


def test_dead_ends_are_capped_and_what_is_cut_off_is_thinner() -> None:
    assert side_by_side(THREE, TileSize.NORMAL, BOX) == IN_BOXES


def test_in_two_rows_the_cursor_hides_no_tunnel() -> None:
    def corners(path: str) -> str:
        return text(Tile(LaidCard(Path.read(path)), cursor=True), TileSize.COMPACT)

    assert corners("EW") == "════\n└  ┘"
    assert corners("ES") == "┌ ╔═\n└ ║┘"
    wrong = Tile(Ghost(Path.read("EW"), fits=False), cursor=True)
    assert text(wrong, TileSize.COMPACT) == "x══x\nx  x"


def test_the_cursor_is_four_corners_and_crosses_where_the_card_may_not_lie() -> None:
    path = Path.read("NW")
    assert text(Tile(Ghost(path, fits=True), CellMark.FITS, cursor=True)) == "┌ ║ ┐\n══╝  \n└   ┘"
    assert text(Tile(Ghost(path, fits=False), cursor=True)) == "x ║ x\n══╝  \nx   x"
    assert text(Tile(FaceDown(Sign.STONE), cursor=True)) == "╔═══╗\n║ o ║\n╚═══╝"


def test_places_have_a_plus_and_opened_cells_arrows() -> None:
    assert text(Tile(EmptyCell(), CellMark.FITS), TileSize.SMALL).strip() == "+"
    assert text(Tile(EmptyCell(), CellMark.FITS)).strip() == "[+]"
    assert text(Tile(EmptyCell(), CellMark.OPENED, label="^")).strip() == "^"
    assert text(Tile(LaidCard(Path.read("EW")), CellMark.HERE), TileSize.SMALL) == "═*═"
    assert text(Tile(LaidCard(Path.read("EW")), CellMark.JOINED)).startswith(" =")
    reached = Tile(FaceDown(Sign.UNKNOWN), CellMark.OPENED, label="v")
    assert text(reached).startswith("┌v─")
    assert text(reached, TileSize.SMALL) == "v?>"


@pytest.mark.parametrize("size", TileSize)
@pytest.mark.parametrize("glyphs", [BOX, ASCII, PAINTED], ids=["box", "ascii", "painted"])
def test_every_tile_has_exactly_its_size(size: TileSize, glyphs: Glyphs) -> None:
    every_look = [*itertools.product(CellMark, (False, True))]
    looks = itertools.cycle(every_look)
    for lying in EVERY:
        for mark, cursor in itertools.islice(looks, len(every_look) // 3):  # each in its turn
            rows = draw_cell(Tile(lying, mark, cursor=cursor), START, size, glyphs)
            assert [cell_len(plain(row)) for row in rows] == [size.columns] * size.rows


@pytest.mark.parametrize("size", TileSize)
@pytest.mark.parametrize("glyphs", [BOX, ASCII], ids=["box", "ascii"])
def test_no_two_cards_look_alike_without_colour(size: TileSize, glyphs: Glyphs) -> None:
    seen: dict[str, str] = {}
    for path in PATHS:
        for state in (CardState.REACHED, CardState.CUT_OFF):
            picture = text(Tile(LaidCard(path, state)), size, glyphs)
            seen.setdefault(picture, f"{path.text} {state.value}")
            other = seen[picture].split()[0]
            assert other == path.text, f"{other} and {path.text} look alike"


def test_ascii_is_ascii_and_boxes_are_on_every_console() -> None:
    for size, lying, cursor in itertools.product(TileSize, EVERY, (False, True)):
        tile = Tile(lying, cursor=cursor)
        assert text(tile, size, ASCII).isascii()
        text(tile, size, BOX).encode("cp437")


AT_80 = Viewport.over(HOME, 49, 16)


def test_the_way_to_the_goals_is_in_sight_in_the_largest_tiles_that_fit() -> None:
    assert AT_80.size is TileSize.NORMAL
    assert all(AT_80.shows(cell) for cell in HOME)
    assert (AT_80.west, AT_80.north) == (0, -2)
    assert Viewport.over(HOME, 31, 13).size is TileSize.SMALL
    assert Viewport.over([*HOME, (-1, -3)], 49, 16).size is TileSize.COMPACT
    assert Viewport.over(HOME, 67, 32).size is TileSize.WIDE
    assert Viewport.over(HOME, 84, 21).size is TileSize.LARGE
    assert Viewport.over(HOME, 84, 20).size is TileSize.WIDE
    assert Viewport.over(HOME, 144, 52).size is TileSize.GIANT
    assert Viewport.over(HOME, 166, 43).size is TileSize.POSTER


def test_all_of_a_mine_is_in_sight_wherever_it_fits_and_as_large_as_it_fits() -> None:
    for columns, rows, west, north, east, south in itertools.product(
        (31, 49, 85, 144), (13, 16, 32, 52), (0, -4, -9), (-2, -6), (8, 15), (2, 9)
    ):
        mine = [(west, north), (east, south)]
        window = Viewport.over(mine, columns, rows)
        across, down = east - west + 1, south - north + 1
        fitting = [
            size
            for size in TileSize
            if ROW_NAME_COLUMNS + across * size.columns <= columns
            and AXIS_ROWS + down * size.rows <= rows
        ]
        assert window.shows_all(mine) == bool(fitting)
        assert window.size is (fitting[-1] if fitting else TileSize.SMALL)


def test_each_cell_in_sight_is_found_where_it_is_drawn() -> None:
    for size in TileSize:
        window = Viewport(80, 24, size, west=-3, north=-4)
        cells = {(x, y) for x in window.xs for y in window.ys}
        for cell in cells:
            where = window.corner_of(cell)
            assert where is not None
            column, row = where
            assert window.at(column, row) == cell
            assert window.at(column + size.columns - 1, row + size.rows - 1) == cell
    assert AT_80.corner_of((9, 0)) is None
    assert AT_80.at(ROW_NAME_COLUMNS - 1, 5) is None
    assert AT_80.at(20, AXIS_ROWS - 1) is None
    assert AT_80.at(ROW_NAME_COLUMNS + 45, 5) is None, "what is left over is no cell"


def test_it_follows_a_cell_no_further_than_it_must() -> None:
    assert AT_80.following((4, 1)) == AT_80
    assert AT_80.following((9, 0)) == AT_80.pan(1, 0)
    assert AT_80.following((9, 0), 1) == AT_80.pan(2, 0)
    assert AT_80.following((-1, 4)) == AT_80.pan(-1, 2)
    assert AT_80.following((0, 0), 99).shows((0, 0)), "a margin has room"


def test_zoom_keeps_a_cell_in_the_middle_and_stops_at_both_ends() -> None:
    compact = AT_80.zoom(-1, (8, 0))
    assert compact.size is TileSize.COMPACT
    small = compact.zoom(-1, (8, 0))
    assert small.size is TileSize.SMALL
    assert small.middle == (8, 0)
    assert small.zoom(-1, (8, 0)) == small
    largest = AT_80.zoom(7, START)
    assert largest.size is TileSize.POSTER
    assert largest.zoom(1, START) == largest


def test_fewer_rows_hide_nothing_that_still_fits_and_rather_all_else_than_what_is_kept() -> None:
    low = AT_80.lower(3, HOME, (8, 2))
    assert (low.down, low.rows) == (AT_80.down - 1, AT_80.rows - 3)
    assert low.shows((8, 2)), "the last row was in sight, and it is kept"
    assert AT_80.lower(3, HOME, (8, -2)).shows((8, -2))
    assert AT_80.lower(3, HOME, (8, 2), (0, -2)).shows((0, -2)), "most of all the last"
    flat = ((0, 0), (1, 1), (1, 2))
    assert AT_80.lower(3, flat).shows_all(flat), "they fit in one row fewer"
    assert AT_80.lower(3, flat, (40, 40)).xs == AT_80.xs, "what was out of sight stays so"


def test_the_sign_below_the_mine_counts_the_cards_out_of_sight_alone() -> None:
    last = AT_80.ys[-1]
    assert sign_below([(0, last)], AT_80) == ""
    assert sign_below([(0, last), (0, last + 1), (5, last + 9)], AT_80) == "v2"
