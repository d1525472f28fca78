"""The whole mine as rows: cards, axes, and what stands out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Path
from sabtui.art.kitty import Sent
from sabtui.art.placeholders import FIRST_SIGN
from sabtui.tui.mine.picture import CellFrame, Highlights, lying_cells, picture
from sabtui.tui.mine.tiles import CellMark, TileSize, Viewport, sign, sign_below
from sabtui.tui.theme import ASCII, PICTURED
from sabtui.tui.widgets.panel import Ground, Look, Paint, plain
from tests.sabtui.cases import DIG

WINDOW = Viewport(30, 7, TileSize.SMALL, west=0, north=-2)


def text(shown: Highlights, window: Viewport = WINDOW) -> str:
    return "".join(f"{plain(row).rstrip()}\n" for row in picture(DIG, shown, window, ASCII))


def test_goals_show_what_this_seat_knows() -> None:
    assert text(Highlights()) == (
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
        (3, 0), {(3, 0): CellMark.FITS, (2, -1): CellMark.FITS}, (Path.read("NW"), True)
    )
    drawn = text(shown).splitlines()
    assert drawn[2] == "n1        +"
    assert drawn[3] == "0  -S-----'--'             [o]"
    rows = picture(DIG, shown, WINDOW, ASCII)
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
    [first, *_rows] = text(Highlights(), replace(WINDOW, columns=31, west=west, north=north)).split(
        "\n"
    )
    assert first == axis


def test_the_arrow_south_is_for_the_rule_below_the_mine() -> None:
    assert sign_below(lying_cells(DIG), WINDOW) == ""
    assert sign_below(lying_cells(DIG), replace(WINDOW, rows=4)) == "v1"
    assert sign_below(lying_cells(DIG), replace(WINDOW, north=-9)) == "v6"
    assert sign("v", 1000) == "v99", "a sign has three columns"


@pytest.mark.parametrize("size", [TileSize.COMPACT, TileSize.LARGE])
def test_in_the_dark_no_number_of_a_picture_is_changed(size: TileSize) -> None:
    """A terminal is sent a picture by the number that is the colour of its cells."""
    window = Viewport(9 * size.columns + 3, 5 * size.rows + 1, size, 0, -2)
    for moving in ({}, {(8, 0): CellFrame(sevenths=3)}):
        drawn = picture(DIG, Highlights(is_dim=True, moving=moving), window, PICTURED)
        numbers = {
            int(span.look.front[1:], 16)
            for row in drawn
            for span in row
            if isinstance(span.look, Paint) and span.text >= FIRST_SIGN
        }
        sent = Sent()
        assert all(sent.send(number, (8, 16)) for number in numbers)
        assert bool(numbers) is bool(moving), "only the card that is turned over is a picture"
