"""Cells of the mine in many colours: drawn cards, and painted tunnels."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from engine.board import CardState
from engine.cards import PATHS, E, N, Path, S, W
from sabtui.art.glyphs import BlockSet, glyphs_of
from sabtui.tui.mine.cards import draw_card, paint_tile
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
)
from sabtui.tui.theme import DRAWN, DRAWN_IN_256, DRAWN_ON_LIGHT, PAINTED, PICTURED, Glyphs
from sabtui.tui.widgets.panel import Ground, Look, Paint, Row, plain, width

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
    return draw_card(Tile(lying, CellMark.NONE, cursor=cursor), (3, 1), size, DRAWN)


@sizes
@pytest.mark.parametrize("lying", CARDS)
def test_every_card_is_drawn_in_exactly_its_size(lying: TileContent, size: TileSize) -> None:
    rows = tile_rows(lying, size)
    assert [width(row) for row in rows] == [size.columns] * size.rows
    assert any(isinstance(span.look, Paint) for row in rows for span in row)


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
    assert [width(row) for row in rows] == [size.columns] * size.rows
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
    for size, lying in product(TileSize, CARDS):
        tile = Tile(lying)
        rows = draw_card(tile, (3, 1), size, PICTURED)
        assert [width(row) for row in rows] == [size.columns] * size.rows
        assert (rows == paint_tile(tile, size, PICTURED)) is (size is TileSize.SMALL)
    assert all(len(picture_of(Tile(lying))) == 1 for lying in CARDS)
    pictures = {colour for lying in CARDS for colour in picture_of(Tile(lying))}
    assert len(pictures) == len(CARDS) - 1  # ghosts that fit and that do not are one of glass


def test_cursor_and_marks_stand_on_pictures_as_on_drawn_cards() -> None:
    tile = Tile(LaidCard(CROSSING), CellMark.JOINED, cursor=True)
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
THROUGH = LaidCard(Path.read("NESW"))
SHEET = [
    Tile(LaidCard(Path.read("ESW"))),
    Tile(LaidCard(Path.read("nes"), CardState.DEAD), odd=True),
    Tile(LaidCard(Path.read("NES"), CardState.CUT_OFF)),
    Tile(LaidCard(Path.read("new"), CardState.CUT_OFF)),
    Tile(LaidCard(Path.read("NESW"), sign=Sign.START)),
    Tile(LaidCard(Path.read("NESW"), sign=Sign.TREASURE)),
    Tile(LaidCard(Path.read("NW"), sign=Sign.STONE)),
    Tile(FaceDown(Sign.UNKNOWN)),
    Tile(Ghost(Path.read("ES"), fits=True), CellMark.FITS, cursor=True),
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
    TileSize.NORMAL: """\
       ▐█▌    █     █    ▐█▌
█████  ▒x▒█   █▀▀ ▀▀x▀▀ █ S █
 ▐█▌   ▐█▌    █          ▐█▌
rrrrr RRRRR bbbbb bbbbb rrrrr
rrrrr RRRRR bbbbb bbbbb rsssr
rrrrr RRRRR bbbbb bbbbb rrrrr
 ▐█▌   ▐█▌  ┌───┐ ┌   ┐
█ $ █ █ o   │ ? │  ▐███  [+]
 ▐█▌        └───┘ └▐█▌┘
rrrrr rrrrr kkkkk CCCCC LLLLL
rgggr rooor kkkkk CCCCC LLLLL
rrrrr rrrrr kkkkk CCCCC LLLLL
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


def text(tile: Tile, size: TileSize) -> str:
    return "\n".join(plain(row) for row in paint_tile(tile, size, PAINTED))


def colours(row: Row) -> str:
    return "".join(LETTERS[span.ground] * len(span.text) for span in row)


def sheet(size: TileSize) -> str:
    """Tiles side by side, and below them the letters of what they are painted on."""
    shown: list[str] = []
    for some in (SHEET[:5], SHEET[5:]):
        lines = list(zip(*(paint_tile(tile, size, PAINTED) for tile in some), strict=True))
        shown += [" ".join(plain(row) for row in line) for line in lines]
        shown += [" ".join(colours(row) for row in line) for line in lines]
    return "".join(f"{line.rstrip()}\n" for line in shown)


@pytest.mark.parametrize("size", SHEETS)
def test_sand_lies_in_rock_and_rubble_in_dead_ends(size: TileSize) -> None:
    assert sheet(size) == SHEETS[size]


@pytest.mark.parametrize("size", TileSize)
def test_no_two_cards_look_alike_without_colour(size: TileSize) -> None:
    seen: dict[str, str] = {}
    for path in PATHS:
        for state in (CardState.REACHED, CardState.CUT_OFF):
            # In one row, an arm of a dead end may be too short to tell if it is cut off.
            told = path.text if size is TileSize.SMALL else f"{path.text} {state.value}"
            assert seen.setdefault(text(Tile(LaidCard(path, state)), size), told) == told


@pytest.mark.parametrize("size", TileSize)
def test_the_cursor_marks_and_goals_are_told_without_colour(size: TileSize) -> None:
    for lying in (FaceDown(Sign.UNKNOWN), Ghost(Path.read("ES"), fits=True), EmptyCell()):
        if size is not TileSize.SMALL:  # where the cursor reverses the tile
            assert text(Tile(lying), size) != text(Tile(lying, cursor=True), size)
    for sign in Sign:
        assert sign.value in text(Tile(FaceDown(sign)), size)
        if sign is not Sign.UNKNOWN:
            assert sign.value in text(Tile(LaidCard(Path.read("NESW"), sign=sign)), size)
    if size is not TileSize.SMALL:
        assert "*" in text(Tile(THROUGH, CellMark.HERE), size)
        assert text(Tile(Ghost(Path.read("ES"), fits=False), cursor=True), size).count("x") == 4


def test_in_two_rows_the_cursor_and_a_mark_hide_no_tunnel() -> None:
    seen: dict[str, str] = {}
    for path, (mark, cursor) in product(PATHS, ((CellMark.HERE, False), ("", True))):
        tile = Tile(LaidCard(path), CellMark(mark), cursor=cursor)
        told = f"{path.text} {cursor}"
        assert seen.setdefault(text(tile, TileSize.COMPACT), told) == told


@pytest.mark.parametrize("size", [size for size in TileSize if size is not TileSize.SMALL])
def test_a_card_is_painted_in_another_colour_where_it_would_not_fit(size: TileSize) -> None:
    for fits, look in ((True, Look.FITS), (False, Look.WRONG)):
        spans = [
            span
            for row in paint_tile(Tile(Ghost(Path.read("NESW"), fits)), size, PAINTED)
            for span in row
            if span.text.strip()
        ]
        assert {span.look for span in spans} == {look}
