"""Tiles: open the drawings and look."""

from __future__ import annotations

import itertools

import pytest
from rich.cells import cell_len

from engine.board import START, CardState
from engine.cards import PATHS, Path
from sabtui.tui.mine.picture import draw_cell
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
