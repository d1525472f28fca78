"""What a player looks at: the window follows the cursor and the newest card."""

from __future__ import annotations

from dataclasses import replace

from sabtui.tui.mine.tiles import HOME, TileSize, Viewport
from sabtui.tui.table.layout import Layout
from sabtui.tui.table.model import TableModel
from sabtui.tui.theme import BOX
from tests.sabtui.tui import scenes

SEEN = TableModel(BOX).resize(80, 24)


def window(model: TableModel) -> Viewport:
    return model.window


def test_the_cursor_stays_in_sight_with_a_cell_around_it() -> None:
    assert window(SEEN.at((8, 0))) == window(SEEN), "the window moves only if it has to"
    moved = window(SEEN.pan(2, 0).at((11, 0)))
    assert moved.shows((12, 0))
    assert not moved.shows((13, 0))


def test_a_cursor_outside_the_window_brings_smaller_tiles_if_the_whole_mine_fits_then() -> None:
    west = SEEN.at((-1, 0))
    assert window(west).size is TileSize.COMPACT
    assert window(west).shows_all((*HOME, (-1, 0)))
    panned = SEEN.pan(20, 0).at((-1, 0))
    assert window(panned).size is TileSize.NORMAL, "what the player looked at was panned there"


def test_players_under_the_cursor_leave_the_window_alone() -> None:
    far = SEEN.pan(30, 0)
    assert window(far.at(2)) == window(far)


def test_a_new_card_comes_into_sight_and_the_goals_with_it_where_there_is_room() -> None:
    west = SEEN.show_newest((-1, 0))
    assert window(west).size is TileSize.COMPACT, "ten columns do not fit otherwise"
    assert window(west).shows_all((*HOME, (-1, 0)))
    assert window(west.show_newest((3, 0))) == window(west), "and so it stays"
    at_work = SEEN.at((3, 6)).show_newest((3, 0))
    assert window(at_work).shows((3, 6)), "the cursor is not left behind"


def test_all_of_the_mine_is_in_sight_whenever_it_fits() -> None:
    model = SEEN
    for cell in ((1, -3), (2, -4), (3, -4), (4, 0), (5, 5), (-3, 1)):
        model = model.show_newest(cell)
        assert window(model).shows_all(model.cells), cell
    assert window(model).size is TileSize.SMALL, "ten rows do not fit otherwise"
    far = model.show_newest((40, 0))
    assert window(far).shows((40, 0)), "the newest card, where all of it does not fit"


def test_tiles_stay_in_two_rows_where_the_mine_is_two_rows_or_columns_larger_than_usual() -> None:
    for cells in (((1, -3), (2, -4), (-1, 0)), ((4, 3), (9, 3), (10, 0)), ((0, -3), (0, 3))):
        model = SEEN
        for cell in cells:
            model = model.show_newest(cell)
            assert window(model).size is TileSize.COMPACT, cell
            assert window(model).shows_all(model.cells), cell


def test_tiles_of_the_players_choice_stay_and_the_view_does_not_jump_back() -> None:
    large = SEEN.show_newest((1, -3)).zoom(1)
    assert window(large).size is TileSize.NORMAL
    strip = large.show_newest((2, 0))
    assert window(strip).size is TileSize.NORMAL
    assert window(strip).shows((2, 0))
    above = large.show_newest((6, -3))
    assert window(above).shows((6, -3))
    assert window(above.zoom(-1)).shows_all(above.cells)
    assert above.zoom(-1).size is None, "as it would be by itself"


def test_zooming_out_shows_all_of_the_mine_and_not_the_surroundings_of_the_cursor() -> None:
    small = SEEN.at((0, 0)).zoom(-1)
    assert window(small).size is TileSize.COMPACT
    assert window(small).shows_all(HOME)
    assert window(small.zoom(-1)).size is TileSize.SMALL
    assert window(small.zoom(-1)).shows_all(HOME)


def test_zooming_in_hides_no_column_or_row_that_fits() -> None:
    tall = SEEN.show_newest((4, -5)).at((8, 0))
    large = tall.zoom(2)
    assert window(large).size is TileSize.NORMAL
    assert list(window(large).xs) == list(range(9)), "the start too"
    assert window(large).shows((8, 0))
    low = tall.at((8, 2)).zoom(2)
    assert list(window(low).ys) == [-1, 0, 1, 2, 3], "and one row below, to dig there"


def test_a_new_round_begins_with_all_of_the_mine() -> None:
    before, view = scenes.between(), scenes.view()
    view = view._replace(score=replace(view.score, number=3))
    panned = SEEN.follow(None, before).pan(20, 20)
    assert window(panned.follow(before, before)) == window(panned)
    assert window(panned.follow(before, view)).shows_all(HOME)
    assert panned.follow(before, None).cells == frozenset(HOME)


def test_another_size_takes_the_tiles_that_fit_and_keeps_what_was_looked_at() -> None:
    assert window(SEEN.resize(60, 18)).size is TileSize.SMALL
    assert window(SEEN.resize(120, 40)).size is TileSize.LARGE
    far = SEEN.at((30, -9)).resize(60, 18)
    assert far.layout == Layout.of(60, 18)
    assert window(far).shows((30, -9))
