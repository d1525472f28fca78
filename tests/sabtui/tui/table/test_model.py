"""How a table shares a terminal of any size, and what of the mine is in sight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sabtui.tui.mine.tiles import HOME, ROW_NAME_COLUMNS, TileSize, Viewport, sign_above
from sabtui.tui.table.layout import FIELD_CELLS, FIELD_ROWS, MIN_SIDE_COLUMNS, RULE_COLUMNS, Layout
from sabtui.tui.table.model import TableModel
from sabtui.tui.theme import BOX, PAINTED
from tests.sabtui.tui import scenes


@pytest.mark.parametrize(
    ("columns", "rows", "side", "tiles"),
    [
        (60, 18, 29, TileSize.SMALL),
        (80, 24, 31, TileSize.NORMAL),
        (120, 40, 35, TileSize.LARGE),
        (130, 24, 56, TileSize.WIDE),
        (166, 33, 56, TileSize.LARGE),
        (166, 34, 45, TileSize.HUGE),
        (200, 60, 34, TileSize.POSTER),
    ],
)
def test_the_way_to_the_goals_is_in_sight_and_the_side_has_the_rest(
    columns: int, rows: int, side: int, tiles: TileSize
) -> None:
    layout = Layout.of(columns, rows)
    assert layout.text + RULE_COLUMNS == side
    assert not layout.is_too_small
    window = Viewport.over(HOME, layout.mine, layout.body)
    assert window.size is tiles
    assert all(window.shows(cell) for cell in HOME)


@pytest.mark.parametrize(
    ("columns", "rows", "tiles", "hand"),
    [
        (60, 18, TileSize.SMALL, 2),
        (80, 24, TileSize.NORMAL, 5),
        (120, 40, TileSize.LARGE, 10),
        (200, 60, TileSize.POSTER, 14),
    ],
)
def test_drawn_cards_of_mine_and_hand_grow_with_the_terminal(
    columns: int, rows: int, tiles: TileSize, hand: int
) -> None:
    layout = Layout.of(columns, rows, is_drawn=True)
    window = Viewport.over(HOME, layout.mine, layout.body)
    assert (window.size, layout.hand) == (tiles, hand)
    assert window.shows_all(HOME)
    assert Layout.of(columns, rows).hand <= 5, "others do not grow"


@pytest.mark.parametrize("is_drawn", [False, True])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_at_most_a_fifth_of_the_mine_is_unused_where_larger_tiles_would_fit(
    size: tuple[int, int], *, is_drawn: bool
) -> None:
    layout = Layout.of(*size, is_drawn=is_drawn)
    tiles = Viewport.over(HOME, layout.mine, layout.body).size
    used = FIELD_CELLS * tiles.columns * FIELD_ROWS * tiles.rows
    wider = next((size.columns for size in TileSize if size.columns > tiles.columns), size[0])
    room = size[0] - MIN_SIDE_COLUMNS - ROW_NAME_COLUMNS
    assert FIELD_CELLS * wider > room or used >= 0.8 * layout.mine * layout.body


def test_the_moves_of_all_others_fit_into_the_usual_terminal() -> None:
    for players in range(3, 11):
        assert Layout.of(80, 24).seats(players).pane >= players - 1
        assert Layout.of(60, 18).seats(players).pane >= 5


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (200, 60)])
def test_from_seven_players_up_they_are_listed_in_two_columns(size: tuple[int, int]) -> None:
    paired = [players for players in range(3, 11) if Layout.of(*size).seats(players).is_paired]
    assert paired == [7, 8, 9, 10]


@pytest.mark.parametrize("titled", [False, True])
@pytest.mark.parametrize("players", range(3, 11))
def test_each_player_is_found_where_they_stand(players: int, *, titled: bool) -> None:
    for size, is_drawn in (((60, 18), False), ((80, 24), False), ((200, 60), True)):
        room = Layout.of(*size, is_drawn=is_drawn).seats(players, titled=titled, is_drawn=is_drawn)
        places = [room.corner_of(seat) for seat in range(players)]
        assert len(set(places)) == players
        for seat, (column, row) in enumerate(places):
            assert row < room.rows - 1
            assert room.at(column, row) == room.at(column + room.columns - 1, row) == seat
            assert room.at(column, row + room.seat_rows - 1) == seat, "in both rows of a board"
        assert room.at(3, room.rows - 1) is None, "the rule is nobody"
        assert (room.at(3, 0) is None) is room.has_title
    odd = Layout.of(60, 18).seats(9)
    assert odd.at(odd.columns + 3, odd.has_title + odd.lines - 1) is None, "nobody stands there"


SEEN = TableModel(BOX).resize(80, 24)


def test_the_cursor_stays_in_sight_with_a_cell_around_it() -> None:
    assert SEEN.at((8, 0)).window == SEEN.window, "the window moves only if it has to"
    moved = SEEN.pan(2, 0).at((11, 0)).window
    assert moved.shows((12, 0))
    assert not moved.shows((13, 0))


def test_a_cursor_outside_the_window_brings_smaller_tiles_if_the_whole_mine_fits_then() -> None:
    west = SEEN.at((-1, 0))
    assert west.window.size is TileSize.COMPACT
    assert west.window.shows_all((*HOME, (-1, 0)))
    panned = SEEN.pan(20, 0).at((-1, 0))
    assert panned.window.size is TileSize.NORMAL, "what the player looked at was panned there"


def test_players_under_the_cursor_leave_the_window_alone() -> None:
    far = SEEN.pan(30, 0)
    assert far.at(2).window == far.window


def test_a_new_card_comes_into_sight_and_the_goals_with_it_where_there_is_room() -> None:
    west = SEEN.show_newest((-1, 0))
    assert west.window.size is TileSize.COMPACT, "ten columns do not fit otherwise"
    assert west.window.shows_all((*HOME, (-1, 0)))
    assert west.show_newest((3, 0)).window == west.window, "and so it stays"
    at_work = SEEN.at((3, 6)).show_newest((3, 0))
    assert at_work.window.shows((3, 6)), "the cursor is not left behind"


def test_all_of_the_mine_is_in_sight_whenever_it_fits() -> None:
    model = SEEN
    for cell in ((1, -3), (2, -4), (3, -4), (4, 0), (5, 5), (-3, 1)):
        model = model.show_newest(cell)
        assert model.window.shows_all(model.cells), cell
    assert model.window.size is TileSize.SMALL, "ten rows do not fit otherwise"
    far = model.show_newest((40, 0))
    assert far.window.shows((40, 0)), "the newest card, where all of it does not fit"


def test_in_paint_a_mine_of_eight_rows_scrolls_and_a_cursor_brings_in_the_rest() -> None:
    model = TableModel(PAINTED).resize(80, 24)
    for south in range(3, 8):
        model = model.show_newest((4, south))
        assert model.window.shows((4, south))
        assert model.window.size.columns >= TileSize.COMPACT.columns, "no lines in place of cards"
    assert model.window.size is TileSize.COMPACT
    assert not model.window.shows((8, -2))
    assert sign_above(model.cells, model.window) is not None
    assert model.at((8, -2)).window.shows((8, -2))
    assert model.zoom(-1).window.size is TileSize.SMALL, "who asks for it sees all of it"


def test_tiles_of_the_players_choice_stay_and_the_view_does_not_jump_back() -> None:
    large = SEEN.show_newest((1, -3)).zoom(1)
    assert large.window.size is TileSize.NORMAL
    strip = large.show_newest((2, 0))
    assert strip.window.size is TileSize.NORMAL
    assert strip.window.shows((2, 0))
    above = large.show_newest((6, -3))
    assert above.window.shows((6, -3))
    assert above.zoom(-1).window.shows_all(above.cells)
    assert above.zoom(-1).size is None, "as it would be by itself"


def test_zooming_out_shows_all_of_the_mine_and_not_the_surroundings_of_the_cursor() -> None:
    small = SEEN.at((0, 0)).zoom(-1)
    assert small.window.size is TileSize.COMPACT
    assert small.window.shows_all(HOME)
    assert small.zoom(-1).window.size is TileSize.SMALL
    assert small.zoom(-1).window.shows_all(HOME)


def test_zooming_in_hides_no_column_or_row_that_fits() -> None:
    tall = SEEN.show_newest((4, -5)).at((8, 0))
    large = tall.zoom(2)
    assert large.window.size is TileSize.NORMAL
    assert list(large.window.xs) == list(range(9)), "the start too"
    assert large.window.shows((8, 0))
    low = tall.at((8, 2)).zoom(2)
    assert list(low.window.ys) == [-2, -1, 0, 1, 2], "and the cursor's row"


def test_a_new_round_begins_with_all_of_the_mine() -> None:
    before, view = scenes.between(), scenes.view()
    view = view._replace(score=replace(view.score, number=3))
    panned = SEEN.follow(None, before).pan(20, 20)
    assert panned.follow(before, before).window == panned.window
    assert panned.follow(before, view).window.shows_all(HOME)
    assert panned.follow(before, None).cells == frozenset(HOME)


def test_another_size_takes_the_tiles_that_fit_and_keeps_what_was_looked_at() -> None:
    assert SEEN.resize(60, 18).window.size is TileSize.SMALL
    assert SEEN.resize(120, 40).window.size is TileSize.LARGE
    far = SEEN.at((30, -9)).resize(60, 18)
    assert far.layout == Layout.of(60, 18)
    assert far.window.shows((30, -9))
