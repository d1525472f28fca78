"""Cells of the mine in lines and in many colours, the whole mine as rows, its window."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from rich.cells import cell_len

from engine.board import START, CardState
from engine.cards import PATHS, E, N, Path, S, W
from sabtui.art.glyphs import BlockSet, glyphs_of
from sabtui.art.kitty import Sent
from sabtui.art.placeholders import FIRST_SIGN
from sabtui.tui.mine.card_tiles import draw_card, paint_tile
from sabtui.tui.mine.picture import CellFrame, Highlights, draw_cell, draw_view, lying_cells
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
from sabtui.tui.theme import (
    ASCII,
    BOX,
    DRAWN,
    DRAWN_IN_256,
    DRAWN_ON_LIGHT,
    PAINTED,
    PICTURED,
    Glyphs,
)
from sabtui.tui.widgets.panel import Ground, Look, Paint, Row, plain
from tests.sabtui.cases import DIG
from tests.samples import is_run

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
        return text(Tile(LaidCard(Path.read(path)), has_cursor=True), TileSize.COMPACT)

    assert corners("EW") == "════\n└  ┘"
    assert corners("ES") == "┌ ╔═\n└ ║┘"
    wrong = Tile(Ghost(Path.read("EW"), fits=False), has_cursor=True)
    assert text(wrong, TileSize.COMPACT) == "x══x\nx  x"


def test_the_cursor_is_four_corners_and_crosses_where_the_card_may_not_lie() -> None:
    path = Path.read("NW")
    assert (
        text(Tile(Ghost(path, fits=True), CellMark.FITS, has_cursor=True)) == "┌ ║ ┐\n══╝  \n└   ┘"
    )
    assert text(Tile(Ghost(path, fits=False), has_cursor=True)) == "x ║ x\n══╝  \nx   x"
    assert text(Tile(FaceDown(Sign.STONE), has_cursor=True)) == "╔═══╗\n║ o ║\n╚═══╝"


def test_places_have_a_plus_and_opened_cells_arrows() -> None:
    assert text(Tile(EmptyCell(), CellMark.FITS), TileSize.SMALL).strip() == "+"
    assert text(Tile(EmptyCell(), CellMark.FITS)).strip() == "[+]"
    assert text(Tile(EmptyCell(), CellMark.OPENED, label="^")).strip() == "^"
    assert text(Tile(LaidCard(Path.read("EW")), CellMark.HERE), TileSize.SMALL) == "═*═"
    assert text(Tile(LaidCard(Path.read("EW")), CellMark.JOINED)).startswith(" =")
    reached = Tile(FaceDown(Sign.UNKNOWN), CellMark.OPENED, label="v")
    assert text(reached).startswith("┌v─")
    assert text(reached, TileSize.SMALL) == "v?>"


LOOKS = 2 * len(CellMark) // 3 if is_run("thorough") else 2
"""How many marks each tile is drawn with, one after another, with and without the cursor."""


@pytest.mark.parametrize("size", TileSize)
@pytest.mark.parametrize(
    "glyphs", [BOX, ASCII, PAINTED, DRAWN, PICTURED], ids=lambda item: item.name
)
def test_every_tile_has_exactly_its_size(size: TileSize, glyphs: Glyphs) -> None:
    every_look = [*itertools.product(CellMark, (False, True))]
    looks = itertools.cycle(every_look)
    for lying in EVERY:
        for mark, cursor in itertools.islice(looks, LOOKS):  # each in its turn
            rows = draw_cell(Tile(lying, mark, has_cursor=cursor), START, size, glyphs)
            assert [cell_len(plain(row)) for row in rows] == [size.columns] * size.rows


@pytest.mark.parametrize("size", TileSize)
@pytest.mark.parametrize("glyphs", [BOX, ASCII, PAINTED], ids=lambda item: item.name)
def test_no_two_cards_look_alike_without_colour(size: TileSize, glyphs: Glyphs) -> None:
    seen: dict[str, str] = {}
    draw = paint_tile if glyphs is PAINTED else draw_tile
    for path, state in itertools.product(PATHS, (CardState.REACHED, CardState.CUT_OFF)):
        picture = "\n".join(map(plain, draw(Tile(LaidCard(path, state)), size, glyphs)))
        # In lines of two rows or one, an arm of a dead end may be too short to be seen cut off.
        is_short = size is TileSize.SMALL or (size is TileSize.COMPACT and glyphs is not PAINTED)
        told = path.text if is_short else f"{path.text} {state.value}"
        assert seen.setdefault(picture, told) == told


def test_ascii_is_ascii_and_boxes_are_on_every_console() -> None:
    for size, lying, cursor in itertools.product(TileSize, EVERY, (False, True)):
        tile = Tile(lying, has_cursor=cursor)
        assert text(tile, size, ASCII).isascii()
        text(tile, size, BOX).encode("cp437")


AT_80 = Viewport.over(HOME, 49, 16)


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
    assert (AT_80.west, AT_80.north, AT_80.size) == (0, -2, TileSize.NORMAL)
    assert AT_80.following((4, 1)) == AT_80
    assert AT_80.following((9, 0)) == AT_80.pan(1, 0)
    assert AT_80.following((9, 0), 1) == AT_80.pan(2, 0)
    assert AT_80.following((-1, 4)) == AT_80.pan(-1, 2)
    assert AT_80.following((0, 0), 99).shows((0, 0)), "a margin has room"


def test_zoom_stops_at_both_ends() -> None:
    assert AT_80.zoom(-1).size is TileSize.COMPACT
    assert AT_80.zoom(-2) == AT_80.zoom(-3) == replace(AT_80, size=TileSize.SMALL)
    assert AT_80.zoom(7) == AT_80.zoom(8) == replace(AT_80, size=TileSize.POSTER)


def test_fewer_rows_hide_nothing_that_still_fits_and_rather_all_else_than_what_is_kept() -> None:
    low = AT_80.lower(3, HOME, (8, 2))
    assert (low.down, low.rows) == (AT_80.down - 1, AT_80.rows - 3)
    assert low.shows((8, 2)), "the last row was in sight, and it is kept"
    assert AT_80.lower(3, HOME, (8, -2)).shows((8, -2))
    assert AT_80.lower(3, HOME, (8, 2), (0, -2)).shows((0, -2)), "most of all the last"
    flat = ((0, 0), (1, 1), (1, 2))
    assert AT_80.lower(3, flat).shows_all(flat), "they fit in one row fewer"
    assert AT_80.lower(3, flat, (40, 40)).xs == AT_80.xs, "what was out of sight stays so"


CROSSING = Path.of(N | E | S | W, through=True)
DEAD = Path.of(E | W, through=False)
CARDS: tuple[TileContent, ...] = (
    LaidCard(CROSSING, CardState.REACHED, Sign.START),
    LaidCard(CROSSING, CardState.CUT_OFF),
    LaidCard(DEAD),
    Ghost(CROSSING, fits=True),
    Ghost(CROSSING, fits=False),
    *(FaceDown(sign) for sign in (Sign.UNKNOWN, Sign.TREASURE, Sign.STONE)),
)
SMALL_SIZES = (TileSize.SMALL, TileSize.COMPACT)
"""Sizes of tiles that are too small for block characters."""

sizes = pytest.mark.parametrize("size", [size for size in TileSize if size not in SMALL_SIZES])


def tile_rows(lying: TileContent, size: TileSize, *, cursor: bool = False) -> tuple[Row, ...]:
    return draw_card(Tile(lying, CellMark.NONE, has_cursor=cursor), (3, 1), size, DRAWN)


@pytest.mark.parametrize("size", SMALL_SIZES)
@pytest.mark.parametrize("glyphs", [DRAWN, DRAWN_ON_LIGHT, DRAWN_IN_256])
def test_cards_of_small_tiles_are_painted(size: TileSize, glyphs: Glyphs) -> None:
    tile = Tile(CARDS[0])
    assert draw_card(tile, (3, 1), size, glyphs) == paint_tile(tile, size, glyphs)


@sizes
def test_a_dead_end_has_its_sign_and_the_cursor_its_corners(size: TileSize) -> None:
    is_small = size.rows <= TileSize.LARGE.rows
    middle = plain(tile_rows(LaidCard(DEAD), size)[size.middle_row])[size.middle_column]
    assert (middle == "x") is is_small, "in larger ones the rubble is clear"
    top = plain(tile_rows(LaidCard(DEAD), size, cursor=True)[0])
    is_framed = size.rows > TileSize.WIDE.rows
    corners = ("▛", "▜") if is_framed else (DRAWN.cursor[0], DRAWN.cursor[1])
    assert (top[0], top[-1]) == corners
    assert (set(top[1:-1]) == {"▀"}) is is_framed
    back = tile_rows(FaceDown(Sign.UNKNOWN), size, cursor=True)
    assert plain(back[0]) == "╔" + "═" * (size.columns - 2) + "╗"


@sizes
@pytest.mark.parametrize("blocks", BlockSet)
def test_cards_are_drawn_in_the_blocks_of_the_terminal(blocks: BlockSet, size: TileSize) -> None:
    glyphs = replace(DRAWN, blocks=blocks)
    shown = {
        sign
        for lying in CARDS
        for row in draw_card(Tile(lying), (3, 1), size, glyphs)
        for sign in plain(row)
    }
    assert shown <= {*glyphs_of(blocks), *"x?"}
    assert len(shown & {*glyphs_of(blocks)}) > 3


def test_cards_differ_in_shape_and_not_by_colour_alone() -> None:
    """Compare dead end with tunnel, cut off with reached, and what a goal shows."""
    through = Path.of(E | W, through=True)
    contents: tuple[TileContent, ...] = (
        LaidCard(through),
        LaidCard(through, CardState.CUT_OFF),
        LaidCard(DEAD),
        LaidCard(DEAD, CardState.CUT_OFF),
        *(FaceDown(sign) for sign in (Sign.UNKNOWN, Sign.TREASURE, Sign.STONE)),
    )
    for size in set(TileSize) - {*SMALL_SIZES}:
        shapes = {tuple(map(plain, tile_rows(lying, size))) for lying in contents}
        assert len(shapes) == len(contents), size


@pytest.mark.parametrize("glyphs", [DRAWN, PICTURED])
@sizes
def test_a_place_for_a_card_has_its_mark_and_in_large_tiles_an_outline(
    size: TileSize, glyphs: Glyphs
) -> None:
    rows = draw_card(Tile(EmptyCell(), CellMark.FITS), (0, 0), size, glyphs)
    assert {span.ground for row in rows for span in row} == {Ground.LIT}
    assert "[+]" in plain(rows[size.middle_row])
    corners = "".join(plain(rows[row])[column] for row in (0, -1) for column in (0, -1))
    assert corners == ("┌┐└┘" if size.rows > TileSize.WIDE.rows else "    ")


@pytest.mark.parametrize("glyphs", [DRAWN_IN_256, DRAWN_ON_LIGHT])
def test_light_screens_and_those_of_256_colours_have_colours_of_their_own(glyphs: Glyphs) -> None:
    tile = Tile(CARDS[0])
    usual = draw_card(tile, (0, 0), TileSize.LARGE, DRAWN)
    assert draw_card(tile, (0, 0), TileSize.LARGE, glyphs) != usual


def picture_of(tile: Tile, glyphs: Glyphs = PICTURED) -> set[str]:
    """The colours of the cells of a picture, which name it."""
    rows = draw_card(tile, (3, 1), TileSize.WIDE, glyphs)
    return {span.look.front for row in rows for span in row if isinstance(span.look, Paint)}


def test_a_card_is_one_picture_in_every_size_but_the_smallest() -> None:
    for size, lying in itertools.product(TileSize, CARDS):
        tile = Tile(lying)
        rows = draw_card(tile, (3, 1), size, PICTURED)
        assert (rows == paint_tile(tile, size, PICTURED)) is (size is TileSize.SMALL)
    assert all(len(picture_of(Tile(lying))) == 1 for lying in CARDS)
    pictures = {colour for lying in CARDS for colour in picture_of(Tile(lying))}
    assert len(pictures) == len(CARDS) - 1  # ghosts that fit and that do not are one of glass


def test_cursor_and_marks_stand_on_pictures_as_on_drawn_cards() -> None:
    tile = Tile(LaidCard(CROSSING), CellMark.JOINED, has_cursor=True)
    first, *_others, last = draw_card(tile, (3, 1), TileSize.LARGE, PICTURED)
    corners = plain(first)[0] + plain(first)[-1] + plain(last)[0] + plain(last)[-1]
    assert corners == PICTURED.cursor
    drawn = draw_card(tile, (3, 1), TileSize.LARGE, DRAWN)[0]
    badges = [[span for span in row if "=" in span.text] for row in (first, drawn)]
    assert badges[0] == badges[1] != []


LETTERS = {
    None: " ",
    Ground.ROCK: "r",
    Ground.ODD_ROCK: "R",
    Ground.BURIED_ROCK: "b",
    Ground.NEW_ROCK: "n",
    Ground.LIT_ROCK: "l",
    Ground.LIT: "L",
    Ground.CURSOR_ROCK: "c",
    Ground.CURSOR: "C",
    Ground.SMALL_CURSOR: "C",
    Ground.SAND: "s",
    Ground.GOLD: "g",
    Ground.STONE: "o",
    Ground.BACK: "k",
}
SHEET = [
    Tile(LaidCard(Path.read("ESW"))),
    Tile(LaidCard(Path.read("nes"), CardState.DEAD), is_odd=True),
    Tile(LaidCard(Path.read("NES"), CardState.CUT_OFF)),
    Tile(LaidCard(Path.read("new"), CardState.CUT_OFF)),
    Tile(LaidCard(Path.read("NESW"), sign=Sign.START)),
    Tile(LaidCard(Path.read("NESW"), sign=Sign.TREASURE)),
    Tile(LaidCard(Path.read("NW"), sign=Sign.STONE)),
    Tile(FaceDown(Sign.UNKNOWN)),
    Tile(Ghost(Path.read("ES"), fits=True), CellMark.FITS, has_cursor=True),
    Tile(EmptyCell(), CellMark.FITS),
]

SHEETS = {
    TileSize.SMALL: """\
━┳━  X┝  ├─ ┤┸├ ━S━
rrr RRR bbb bbb rsr
━$━ ━o  [?]  ┏━  +
rgr ror kkk CCC LLL
""",
    TileSize.COMPACT: """\
▄▄▄▄  ▀x▄  ▐▙▄ ▄▝x▄ ▄S ▄
▀██▀  ▄▄▀  ▐▌       ▀  ▀
rrrr RRRR bbbb bbbb rssr
rrrr RRRR bbbb bbbb rssr
▄$ ▄ ▄o   ┌─?┐ ┌▄▄┐ [+]
▀  ▀ ▀    └──┘ └██┘
rggr roor kkkk CCCC LLLL
rggr roor kkkk CCCC LLLL
""",
    TileSize.LARGE: """\
            ▐███▌      ▐█▌       ▐█▌      ▐███▌
█████████   ▒▒x▒▒██    ▐█▙▄▄▄ ▄▄▄▝x▘▄▄▄ ██  S  ██
█████████   ▒▒▒▒▒██    ▐█▛▀▀▀ ▀▀▀▒▒▒▀▀▀ ██     ██
  ▐███▌     ▐███▌      ▐█▌                ▐███▌
rrrrrrrrr RRRRRRRRR bbbbbbbbb bbbbbbbbb rrrrrrrrr
rrrrrrrrr RRRRRRRRR bbbbbbbbb bbbbbbbbb rrsssssrr
rrrrrrrrr RRRRRRRRR bbbbbbbbb bbbbbbbbb rrsssssrr
rrrrrrrrr RRRRRRRRR bbbbbbbbb bbbbbbbbb rrrrrrrrr
  ▐███▌     ▐███▌   ┌───────┐ ┌       ┐
██  $  ██ ██  o     │   ?   │   ▐██████    [+]
██     ██ ██        │       │   ▐██████
  ▐███▌             └───────┘ └ ▐███▌ ┘
rrrrrrrrr rrrrrrrrr kkkkkkkkk CCCCCCCCC LLLLLLLLL
rrgggggrr rrooooorr kkkkkkkkk CCCCCCCCC LLLLLLLLL
rrgggggrr rrooooorr kkkkkkkkk CCCCCCCCC LLLLLLLLL
rrrrrrrrr rrrrrrrrr kkkkkkkkk CCCCCCCCC LLLLLLLLL
""",
}


def painted_text(tile: Tile, size: TileSize) -> str:
    return "\n".join(plain(row) for row in paint_tile(tile, size, PAINTED))


def colours(row: Row) -> str:
    return "".join(LETTERS[span.ground] * len(span.text) for span in row)


def draw_sheet(size: TileSize) -> str:
    """Tiles side by side, and below them the letters of what they are painted on."""
    shown: list[str] = []
    for some in (SHEET[:5], SHEET[5:]):
        lines = list(zip(*(paint_tile(tile, size, PAINTED) for tile in some), strict=True))
        shown += [" ".join(plain(row) for row in line) for line in lines]
        shown += [" ".join(colours(row) for row in line) for line in lines]
    return "".join(f"{line.rstrip()}\n" for line in shown)


@pytest.mark.parametrize("size", SHEETS)
def test_sand_lies_in_rock_and_rubble_in_dead_ends(size: TileSize) -> None:
    assert draw_sheet(size) == SHEETS[size]


@pytest.mark.parametrize("size", TileSize)
def test_the_cursor_marks_and_goals_are_told_without_colour(size: TileSize) -> None:
    for lying in (FaceDown(Sign.UNKNOWN), Ghost(Path.read("ES"), fits=True), EmptyCell()):
        if size is not TileSize.SMALL:  # where the cursor reverses the tile
            assert painted_text(Tile(lying), size) != painted_text(
                Tile(lying, has_cursor=True), size
            )
    for known in Sign:
        assert known.value in painted_text(Tile(FaceDown(known)), size)
        if known is not Sign.UNKNOWN:
            assert known.value in painted_text(Tile(LaidCard(CROSSING, sign=known)), size)
    if size is not TileSize.SMALL:
        assert "*" in painted_text(Tile(LaidCard(CROSSING), CellMark.HERE), size)
        wrong = Tile(Ghost(Path.read("ES"), fits=False), has_cursor=True)
        assert painted_text(wrong, size).count("x") == 4


def test_in_two_rows_the_cursor_and_a_mark_hide_no_tunnel() -> None:
    seen: dict[str, str] = {}
    for path, (mark, cursor) in itertools.product(PATHS, ((CellMark.HERE, False), ("", True))):
        tile = Tile(LaidCard(path), CellMark(mark), has_cursor=cursor)
        told = f"{path.text} {cursor}"
        assert seen.setdefault(painted_text(tile, TileSize.COMPACT), told) == told


@pytest.mark.parametrize("size", list(TileSize)[1:])
def test_a_card_is_painted_in_another_colour_where_it_would_not_fit(size: TileSize) -> None:
    for fits, look in ((True, Look.FITS), (False, Look.WRONG)):
        rows = paint_tile(Tile(Ghost(Path.read("NESW"), fits)), size, PAINTED)
        assert {span.look for row in rows for span in row if span.text.strip()} == {look}


WINDOW = Viewport(30, 7, TileSize.SMALL, west=0, north=-2)


def mine_text(shown: Highlights, window: Viewport = WINDOW) -> str:
    return "".join(f"{plain(row).rstrip()}\n" for row in draw_view(DIG, shown, window, ASCII))


def test_goals_show_what_this_seat_knows() -> None:
    assert mine_text(Highlights()) == (
        "    0  1  2  3  4  5  6  7  8\n"
        "n2                         [?]\n"
        "n1\n"
        "0  -S-----'-               [o]\n"
        "s1\n"
        "s2                         [?]\n"
        "s3\n"
    )


def test_marks_the_card_and_the_cursor_stand_out() -> None:
    shown = Highlights(
        (3, 0), {(3, 0): CellMark.FITS, (2, -1): CellMark.FITS}, Ghost(Path.read("NW"), fits=True)
    )
    drawn = mine_text(shown).splitlines()
    assert drawn[2] == "n1        +"
    assert drawn[3] == "0  -S-----'--'             [o]"
    rows = draw_view(DIG, shown, WINDOW, ASCII)
    assert any(span.ground is Ground.SMALL_CURSOR for span in rows[3])
    assert [span.text.strip() for span in rows[0] if span.look is Look.STRONG] == ["3"]
    assert rows[3][0].look is Look.STRONG


@pytest.mark.parametrize(
    ("west", "north", "axis"),
    [
        (0, -2, "    0  1  2  3  4  5  6  7  8"),
        (1, -2, "<1  1  2  3  4  5  6  7  8  9"),
        (-1, -2, "   -1  0  1  2  3  4  5  6  7>3"),
        (0, 1, "    0  1 2^5 3  4  5  6  7  8"),
        (5, 3, "<3  5  6  7 8^6 9 10 11 12 13"),
        (9, -2, "<6  9 10 11 12 13 14 15 16 17"),
        (-30, 1, "   -30   -28   -26   -24^5   >6"),
    ],
)
def test_arrows_count_the_cards_that_lie_out_of_sight(west: int, north: int, axis: str) -> None:
    window = replace(WINDOW, columns=31, west=west, north=north)
    assert mine_text(Highlights(), window).splitlines()[0] == axis
    assert len(draw_view(DIG, Highlights(), replace(window, rows=9), ASCII)) == 9
    assert len(draw_view(DIG, Highlights(), replace(window, size=TileSize.LARGE), ASCII)) == 7


def test_the_arrow_south_is_for_the_rule_below_the_mine() -> None:
    assert sign_below(lying_cells(DIG), WINDOW) == ""
    assert sign_below(lying_cells(DIG), replace(WINDOW, rows=4)) == "v1"
    assert sign_below(lying_cells(DIG), replace(WINDOW, north=-9)) == "v6"
    assert sign_below([(0, y) for y in range(200)], WINDOW) == "v99", "a sign has three columns"


@pytest.mark.parametrize("size", [TileSize.COMPACT, TileSize.LARGE])
def test_in_the_dark_no_number_of_a_picture_is_changed(size: TileSize) -> None:
    """A terminal is sent a picture by the number that is the colour of its cells."""
    window = Viewport(9 * size.columns + 3, 5 * size.rows + 1, size, 0, -2)
    for moving in ({}, {(8, 0): CellFrame(sevenths=3)}):
        drawn = draw_view(DIG, Highlights(is_dim=True, moving=moving), window, PICTURED)
        numbers = {
            int(span.look.front[1:], 16)
            for row in drawn
            for span in row
            if isinstance(span.look, Paint) and span.text >= FIRST_SIGN
        }
        sent = Sent()
        assert all(sent.send(number, (8, 16)) for number in numbers)
        assert bool(numbers) is bool(moving), "only the card that is turned over is a picture"
