"""What a player looks at: the window follows the cursor and the newest card."""

from __future__ import annotations

from engine.board import GOAL_CELLS
from sabtui.screen.glyphs import BOX
from sabtui.screen.mine.tiles import Size
from sabtui.screen.mine.window import HOME, Window
from sabtui.screen.table.layout import Layout
from sabtui.screen.table.seen import Seen

SEEN = Seen(BOX).resized(80, 24)


def window(seen: Seen) -> Window:
    assert seen.window is not None
    return seen.window


def test_the_cursor_stays_in_sight_with_a_cell_around_it() -> None:
    assert window(SEEN.at((8, 0))) == window(SEEN), "the window moves only if it has to"
    moved = window(SEEN.at((9, 0)))
    assert moved.shows((10, 0))
    assert not moved.shows((11, 0))


def test_players_under_the_cursor_leave_the_window_alone() -> None:
    far = SEEN.panned(30, 0)
    assert window(far.at(2)) == window(far)


def test_a_new_card_comes_into_sight_and_the_goals_with_it_where_there_is_room() -> None:
    west = SEEN.newest((-1, 0))
    assert window(west).shows((-1, 0))
    assert not window(west).shows((8, 0)), "ten columns do not fit"
    back = west.newest((3, 0))
    assert all(window(back).shows(cell) for cell in (*HOME, (3, 0)))
    at_work = west.at((-1, 0)).newest((3, 0))
    assert window(at_work).shows((-1, 0)), "the cursor is not left behind"


def test_another_size_takes_the_tiles_that_fit_and_keeps_what_was_looked_at() -> None:
    assert window(SEEN.resized(60, 18)).size is Size.SMALL
    assert window(SEEN.resized(120, 40)).size is Size.WIDE
    far = SEEN.at((30, -9)).resized(60, 18)
    assert far.layout == Layout.of(60, 18)
    assert window(far).shows((30, -9))


def test_goals_are_gone_through_one_after_the_other() -> None:
    seen = SEEN
    gone = []
    for _time in range(4):
        seen = seen.at(seen.next_goal())
        gone.append(seen.desk.cell)
    assert gone == [*GOAL_CELLS, GOAL_CELLS[0]]


def test_before_the_first_layout_nothing_breaks() -> None:
    blank = Seen(BOX)
    assert blank.panned(1, 1) == blank.zoomed(1) == blank.newest((1, 0)) == blank
    assert blank.at((5, 5)).desk.cell == (5, 5)
