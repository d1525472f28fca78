"""Tiles of drawn cards: their size, and that nothing they tell depends on colour alone."""

from __future__ import annotations

from itertools import product

import pytest

from engine.board import CardState
from engine.cards import E, N, Path, S, W
from sabtui.tui.mine.cards import SIZES, draw_card
from sabtui.tui.mine.paint import paint_tile
from sabtui.tui.mine.tiles import (
    CellMark,
    EmptyCell,
    FaceDown,
    Ghost,
    LaidCard,
    Rubble,
    Sign,
    Tile,
    TileContent,
    TileSize,
)
from sabtui.tui.theme import (
    DRAWN,
    DRAWN_IN_256,
    DRAWN_ON_LIGHT,
    PAINTED,
    PICTURED,
    PICTURED_ON_LIGHT,
    Glyphs,
)
from sabtui.tui.widgets.panel import paint_style
from sabtui.tui.widgets.rows import Paint, Row, plain, width

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
sizes = pytest.mark.parametrize("size", [size for size in TileSize if size in SIZES])


def tile_rows(lying: TileContent, size: TileSize, *, cursor: bool = False) -> tuple[Row, ...]:
    return draw_card(Tile(lying, CellMark.NONE, cursor=cursor), (3, 1), size, DRAWN)


@sizes
@pytest.mark.parametrize("lying", CARDS)
def test_every_card_is_drawn_in_exactly_its_size(lying: TileContent, size: TileSize) -> None:
    rows = tile_rows(lying, size)
    assert [width(row) for row in rows] == [size.columns] * size.rows
    assert any(isinstance(span.look, Paint) for row in rows for span in row)
    assert rows != paint_tile(Tile(lying), size, PAINTED)


@pytest.mark.parametrize(
    "lying",
    [EmptyCell(), Rubble(is_dense=True), LaidCard(CROSSING, CardState.REACHED, Sign.STONE)],
)
def test_what_was_never_drawn_is_as_in_a_painted_mine(lying: TileContent) -> None:
    assert tile_rows(lying, TileSize.LARGE) == paint_tile(Tile(lying), TileSize.LARGE, DRAWN)


@pytest.mark.parametrize("size", [size for size in TileSize if size not in SIZES])
def test_cards_of_small_tiles_are_painted(size: TileSize) -> None:
    assert tile_rows(CARDS[0], size) == paint_tile(Tile(CARDS[0]), size, DRAWN)


@sizes
def test_a_dead_end_has_its_sign_and_the_cursor_its_corners(size: TileSize) -> None:
    assert plain(tile_rows(LaidCard(DEAD), size)[size.middle_row])[size.middle_column] == "x"
    top = plain(tile_rows(LaidCard(DEAD), size, cursor=True)[0])
    assert (top[0], top[-1]) == (DRAWN.cursor[0], DRAWN.cursor[1])
    back = tile_rows(FaceDown(Sign.UNKNOWN), size, cursor=True)
    assert plain(back[0]) == "╔" + "═" * (size.columns - 2) + "╗"


def test_a_card_that_fits_not_at_all_has_crosses_at_its_corners() -> None:
    rows = tile_rows(Ghost(CROSSING, fits=False), TileSize.LARGE, cursor=True)
    assert [plain(rows[row])[column] for row in (0, -1) for column in (0, -1)] == ["x"] * 4


def test_the_screens_own_ground_is_left_as_it_is() -> None:
    assert paint_style(Paint("#ffffff", "default")).bgcolor is None
    assert paint_style(Paint("#ffffff", "#000000")).bgcolor is not None


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
    pictured = {TileSize.NORMAL, TileSize.WIDE, *SIZES}
    for size, lying in product(TileSize, CARDS):
        tile = Tile(lying)
        rows = draw_card(tile, (3, 1), size, PICTURED)
        assert [width(row) for row in rows] == [size.columns] * size.rows
        is_painted = rows == paint_tile(tile, size, PICTURED)
        assert is_painted is (size not in pictured)
    assert all(len(picture_of(Tile(lying))) == 1 for lying in CARDS)
    pictures = {colour for lying in CARDS for colour in picture_of(Tile(lying))}
    assert len(pictures) == len(CARDS) - 1  # ghosts that fit and that do not are one of glass


def test_pictures_of_light_screens_are_others() -> None:
    tile = Tile(CARDS[0])
    assert picture_of(tile) != picture_of(tile, PICTURED_ON_LIGHT)


def test_what_is_no_picture_and_what_was_never_drawn_is_painted_between_pictures() -> None:
    for lying in (EmptyCell(), LaidCard(CROSSING, CardState.REACHED, Sign.STONE)):
        tile = Tile(lying)
        rows = draw_card(tile, (3, 1), TileSize.LARGE, PICTURED)
        assert rows == paint_tile(tile, TileSize.LARGE, PICTURED)


def test_cursor_and_marks_stand_on_pictures_as_on_painted_cards() -> None:
    tile = Tile(LaidCard(CROSSING), CellMark.JOINED, cursor=True, label="7")
    pictured = draw_card(tile, (3, 1), TileSize.LARGE, PICTURED)
    drawn = draw_card(tile, (3, 1), TileSize.LARGE, DRAWN)
    for row, other in zip(pictured, drawn, strict=True):
        assert [span for span in row if not isinstance(span.look, Paint)] == [
            span for span in other if not isinstance(span.look, Paint)
        ]
    assert pictured[0][0].text == f"{PICTURED.cursor[0]}7"
