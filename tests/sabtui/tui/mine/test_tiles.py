"""Tiles: open the drawings and look."""

from __future__ import annotations

import itertools

import pytest
from rich.cells import cell_len

from engine.board import CardState
from engine.cards import PATHS, Goal, Path
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
    card_drawn,
    draw_tile,
)
from sabtui.tui.theme import ASCII, BOX, Glyphs
from sabtui.tui.widgets.panel import Ground, Look, plain

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

IN_ASCII = """\
  |     |     :     :         .---.
--+-- - x - ..+..   x . --+   | ? |  [+]
  |     |     :           |   '---'"""

IN_TWO_ROWS = """\
══╬═ ═╡╨╞ ──┼─   ╨├ ══╗  ┌─?┐ [+]
  ║    ╥    │         ║  └──┘"""

IN_TWO_ROWS_OF_ASCII = """\
--+- --^- ~~+~   ^~ --.  .-?. [+]
  |    |    :         |  '--'"""


def test_dead_ends_are_capped_and_what_is_cut_off_is_thinner() -> None:
    assert side_by_side(THREE, TileSize.NORMAL, BOX) == IN_BOXES


def test_ascii_says_the_same() -> None:
    assert side_by_side(THREE, TileSize.NORMAL, ASCII) == IN_ASCII


@pytest.mark.parametrize(
    ("glyphs", "row"),
    [
        (BOX, "═╬═ ╡X╞ ─┼─  ╨├ ═╗  [?]  +"),
        (ASCII, "-+- -X- ~+~  ^~ -.  [?]  +"),
    ],
    ids=["box", "ascii"],
)
def test_one_row_says_the_same(glyphs: Glyphs, row: str) -> None:
    assert side_by_side(THREE, TileSize.SMALL, glyphs) == row


@pytest.mark.parametrize(
    ("glyphs", "rows"),
    [
        (BOX, IN_TWO_ROWS),
        (ASCII, IN_TWO_ROWS_OF_ASCII),
    ],
    ids=["box", "ascii"],
)
def test_two_rows_say_the_same(glyphs: Glyphs, rows: str) -> None:
    assert side_by_side(THREE, TileSize.COMPACT, glyphs) == rows


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


def test_what_a_rockfall_or_a_map_can_hit_has_a_star() -> None:
    assert text(Tile(LaidCard(Path.read("EW")), CellMark.HERE)) == " *   \n═════\n     "
    assert text(Tile(FaceDown(Sign.UNKNOWN), CellMark.HERE)) == "┌*──┐\n│ ? │\n└───┘"
    assert text(Tile(FaceDown(Sign.UNKNOWN), CellMark.HERE), TileSize.SMALL) == "<?>"


def test_places_have_a_plus_and_opened_cells_arrows() -> None:
    assert text(Tile(EmptyCell(), CellMark.FITS), TileSize.SMALL).strip() == "+"
    assert text(Tile(EmptyCell(), CellMark.FITS)).strip() == "[+]"
    assert text(Tile(EmptyCell(), CellMark.OPENED, label="^")).strip() == "^"
    assert text(Tile(LaidCard(Path.read("EW")), CellMark.HERE), TileSize.SMALL) == "═*═"
    assert text(Tile(LaidCard(Path.read("EW")), CellMark.JOINED)).startswith(" =")
    reached = Tile(FaceDown(Sign.UNKNOWN), CellMark.OPENED, label="v")
    assert text(reached).startswith("┌v─")
    assert text(reached, TileSize.SMALL) == "v?>"


def test_what_is_known_of_a_goal_is_its_sign() -> None:
    known: list[Goal | None] = [None, *Goal]
    assert [Sign.of(goal).value for goal in known] == ["?", "$", "o", "o"]


@pytest.mark.parametrize("size", TileSize)
@pytest.mark.parametrize("glyphs", [BOX, ASCII], ids=["box", "ascii"])
def test_every_tile_has_exactly_its_size(size: TileSize, glyphs: Glyphs) -> None:
    every_look = [*itertools.product(CellMark, (False, True))]
    looks = itertools.cycle(every_look)
    for lying in EVERY:
        for mark, cursor in itertools.islice(looks, len(every_look) // 3):  # each in its turn
            rows = draw_tile(Tile(lying, mark, cursor=cursor), size, glyphs)
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


def test_a_cell_has_one_ground_the_most_important() -> None:
    laid = LaidCard(Path.read("EW"))

    def ground(tile: Tile, size: TileSize = TileSize.NORMAL) -> Ground | None:
        return draw_tile(tile, size, BOX)[0][0].ground

    assert ground(Tile()) is None
    assert ground(Tile(laid)) is Ground.CARD
    assert ground(Tile(laid, odd=True)) is Ground.ODD_CARD
    assert ground(Tile(laid, new=True)) is Ground.NEW
    assert ground(Tile(laid, CellMark.HERE, new=True)) is Ground.LIT
    assert ground(Tile(laid, CellMark.HERE, cursor=True, new=True)) is Ground.CURSOR
    assert ground(Tile(laid, cursor=True), TileSize.SMALL) is Ground.SMALL_CURSOR
    assert ground(Tile(laid, CellMark.HERE), TileSize.SMALL) is Ground.SMALL_LIT


def test_signs_have_looks_of_their_own() -> None:
    rows = draw_tile(
        Tile(LaidCard(Path.read("NESW"), CardState.REACHED, Sign.TREASURE)), TileSize.WIDE, BOX
    )
    assert [(span.text, span.look) for span in rows[1]] == [
        ("═══", Look.REACHED),
        ("$", Look.GOLD),
        ("═══", Look.REACHED),
    ]


def test_a_card_in_the_hand_is_drawn_as_it_would_lie() -> None:
    assert card_drawn(Path.read("ES"), TileSize.NORMAL, BOX) == ("     ", "  ╔══", "  ║  ")
