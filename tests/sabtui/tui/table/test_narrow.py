"""The table in a narrow, high terminal, such as that of a phone held upright."""

from __future__ import annotations

import pytest

from sabtui.art.placeholders import FIRST_SIGN
from sabtui.tui.mine.tiles import HOME, TileSize, Viewport
from sabtui.tui.table import hand
from sabtui.tui.table.layout import Layout, StripSeats
from sabtui.tui.table.players import PlayersContext, strip
from sabtui.tui.table.selection import Selection
from sabtui.tui.theme import ASCII, BOX, DRAWN, PAINTED, PICTURED, Glyphs
from sabtui.tui.widgets.panel import Paint, plain, width
from tests.sabtui.tui import scenes
from tests.sabtui.tui.gallery import resize_to
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp

SIZES = [(45, 28), (45, 43), (51, 60), (59, 30)]


@pytest.mark.parametrize("size", SIZES)
def test_the_way_to_the_goals_is_in_sight_above_the_players_and_five_rows_of_news(
    size: tuple[int, int],
) -> None:
    layout = Layout.of(*size)
    assert layout.is_narrow
    assert not layout.is_too_small
    window = Viewport.over(HOME, layout.mine, layout.mine_rows)
    assert window.size is not TileSize.SMALL
    assert all(window.shows(cell) for cell in HOME)
    for players in range(3, 11):
        assert layout.seats(players).pane >= 5


@pytest.mark.parametrize("size", [(60, 28), (80, 24), (44, 28), (45, 27), (1, 1)])
def test_any_other_terminal_has_the_usual_layout(size: tuple[int, int]) -> None:
    assert not Layout.of(*size).is_narrow


@pytest.mark.parametrize(("size", "least"), [((30, 40), (45, 28)), ((50, 12), (60, 18))])
def test_who_has_too_small_a_terminal_is_told_the_size_for_its_shape(
    size: tuple[int, int], least: tuple[int, int]
) -> None:
    layout = Layout.of(*size)
    assert layout.is_too_small
    assert layout.least == least


@pytest.mark.parametrize("players", range(3, 11))
@pytest.mark.parametrize("size", SIZES)
def test_each_player_is_found_where_they_stand(size: tuple[int, int], players: int) -> None:
    room = Layout.of(*size).seats(players, titled=True)
    places = [room.corner_of(seat) for seat in range(players)]
    assert len(set(places)) == players
    for seat, (column, row) in enumerate(places):
        assert room.at(column, row) == room.at(column + room.columns - 1, row) == seat
    assert room.at(0, room.lines) is None, "the rule is nobody"
    last, row = places[-1]
    assert room.at(last + 2 * room.columns, row) is None, "nobody stands there"


def test_one_line_says_who_is_what() -> None:
    sight = scenes.sight()
    room = Layout.of(45, 28).seats(len(sight.seats))
    assert isinstance(room, StripSeats)
    (row,) = strip(PlayersContext(sight, BOX, cursor=1), room)
    assert plain(row) == ">1 Ana    2 Br.x*u 3~Ch.xxx 4!Dede   5 Norri "


@pytest.mark.parametrize("glyphs", [BOX, ASCII, PAINTED], ids=lambda glyphs: str(glyphs.name))
@pytest.mark.parametrize("size", SIZES)
def test_each_card_is_found_where_it_is_drawn(size: tuple[int, int], glyphs: Glyphs) -> None:
    view = scenes.view()
    columns, _rows = size
    rows = hand.draw_narrow_hand(view, Selection(), columns, glyphs)
    assert all(width(row) == columns for row in rows)
    for at in range(len(view.hand)):
        row, digit = next(
            (row, text.index(f" {at + 1}"))
            for row, text in enumerate(map(plain, rows))
            if f" {at + 1}" in text
        )
        for below in range(hand.CARD_ROWS):
            assert hand.find_narrow_card(digit + 1, row + below, columns, len(view.hand)) == at
    assert hand.find_narrow_card(columns - 1, 3, columns, 5) is None


def test_path_cards_are_pictures_where_they_are_shown_and_else_painted() -> None:
    view = scenes.view("EW@1 ?/?/?", "EW/NES/ew")
    for glyphs, each in ((PICTURED, hand.CARD_ROWS * TileSize.COMPACT.columns), (PAINTED, 0)):
        text = "".join(map(plain, hand.draw_narrow_hand(view, Selection(), 45, glyphs)))
        assert sum(letter >= FIRST_SIGN for letter in text) == 3 * each


@pytest.mark.parametrize(
    ("card", "columns", "cells"),
    [("-P", 45, 6), ("+L", 45, 6), ("M", 45, 6), ("R", 45, 6)],
)
def test_action_cards_have_icons_where_their_words_have_room_beside_them(
    card: str, columns: int, cells: int
) -> None:
    view = scenes.view("EW@1 ?/?/?", card)
    words = {
        glyphs.name: "".join(map(plain, hand.draw_narrow_hand(view, Selection(), columns, glyphs)))
        for glyphs in (PAINTED, DRAWN, PICTURED)
    }
    assert sum(letter >= FIRST_SIGN for letter in words["pictured"]) == cells
    for text in words.values():
        letters = ("".join(one for one in text if one.isalpha() or one == " ")).split()
        assert (
            letters
            == "".join(one for one in words["painted"] if one.isalpha() or one == " ").split()
        )
    rows = hand.draw_narrow_hand(view, Selection(), columns, DRAWN)
    has_icon = any(isinstance(span.look, Paint) for row in rows for span in row)
    assert has_icon == (cells == 6)


@pytest.mark.parametrize(
    ("card", "glyphs", "columns", "cells", "words"),
    [
        ("+PC", PICTURED, 45, 6, "repair +PC"),
        ("+PC", DRAWN, 45, 0, "repair pick, cart"),
        ("+PC", PICTURED, 59, 6, "repair pick, cart"),
        ("+LC", PICTURED, 45, 6, "repair +LC"),
        ("+LC", DRAWN, 45, 12, "+LC"),
        ("+LC", PAINTED, 45, 0, "repair +LC"),
        ("+LC", DRAWN, 59, 0, "repair lantern, cart"),
    ],
)
def test_two_tools_are_on_one_picture_and_in_blocks_side_by_side_where_words_have_no_room(
    card: str, glyphs: Glyphs, columns: int, cells: int, words: str
) -> None:
    rows = hand.draw_narrow_hand(scenes.view("EW@1 ?/?/?", card), Selection(), columns, glyphs)
    spans = [span for row in rows for span in row]
    assert sum(len(span.text) for span in spans if isinstance(span.look, Paint)) == cells
    said = "".join(span.text for span in spans if not isinstance(span.look, Paint))
    assert said.split() == ["1", *words.split()]


async def test_fingers_choose_a_card_and_lay_it() -> None:
    app = TableApp(PAINTED)
    async with app.run_test(size=(45, 28)) as pilot:
        seat = IdleSession(scenes.now())
        await app.show(seat)
        await pilot.pause()
        await pilot.click("#hand", offset=(2, 1))
        await pilot.pause()
        assert app.table.model.selection.card == 0
        cell = app.table.model.selection.cell
        window = app.table.model.window
        assert window is not None
        corner = window.corner_of(cell)
        assert corner is not None
        await pilot.click("#mine", offset=(corner[0] + 1, corner[1]))
        await pilot.pause()
        assert len(seat.moves) == 1


async def test_a_phone_that_is_turned_shows_the_same_game_in_the_other_layout() -> None:
    app = TableApp(BOX)
    async with app.run_test(size=(45, 28)) as pilot:
        await app.show(IdleSession(scenes.now()))
        await pilot.pause()
        upright = text_of(app)
        assert "T-junction" in await resize_to(pilot, (80, 24))
        assert await resize_to(pilot, (45, 28)) == upright
