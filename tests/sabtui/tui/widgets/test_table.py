"""A table of rows by itself: its columns, its cursor, the mouse."""

from __future__ import annotations

from textual.geometry import Offset

from sabtui.tui.widgets.table import ROWS_AHEAD, RowTable, fit_columns
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.widgets.test_list import show_widget

ROWS = [(f"row {number}", "x" * number) for number in range(20)]


def test_the_widest_columns_give_way() -> None:
    rows = [("a" * 20, "b" * 10, "c")]
    assert fit_columns(rows, 35) == [20, 10, 1]
    assert fit_columns(rows, 25) == [10, 10, 1]
    assert fit_columns(rows, 21) == [8, 8, 1]


async def test_a_cell_without_room_is_cut_with_dots_and_rows_out_of_sight_are_told() -> None:
    table = RowTable("Title", ("one", "two"))
    async with show_widget(table) as (app, pilot):
        table.show([("long " * 12, "short"), *ROWS])
        await pilot.pause()
        assert "> long long lon...  short" in text_of(app)
        assert "line 7 of 21, Down for more" in text_of(app)
        await pilot.press("end")
        await pilot.pause()
        assert "> row 19" in text_of(app)
        assert "line 21 of 21" in text_of(app)
        assert table.at == 20


async def test_the_cursor_stays_on_its_row_and_the_terminals_own_stands_there() -> None:
    table = RowTable("Title", ("one", "two"), empty="nothing\n\nat all")
    async with show_widget(table) as (app, pilot):
        await pilot.pause()
        assert "nothing" in text_of(app)
        table.show(ROWS[:3], ids="abc")
        table.focus()
        await pilot.press("down")
        table.show(ROWS[:4], ids="dabc")
        await pilot.pause()
        assert table.at == 2
        assert "> row 2" in text_of(app)
        assert app.cursor_position == table.content_region.offset + Offset(0, 3)


async def test_rows_are_made_as_one_comes_near_them() -> None:
    table = RowTable("Title", ("one", "two"))
    async with show_widget(table) as (app, pilot):
        table.show([(f"row {number}", "x") for number in range(10 * ROWS_AHEAD)])
        await pilot.pause()
        assert table.row_count == ROWS_AHEAD
        for _ in range(20):
            await pilot.press("pagedown")
        await pilot.pause()
        assert f"> row {table.at}" in text_of(app)
        assert table.at > ROWS_AHEAD
        await pilot.press("end")
        await pilot.pause()
        assert table.at == 10 * ROWS_AHEAD - 1
        assert f"> row {table.at}" in text_of(app)
        table.show([("row of others", "x")])
        await pilot.pause()
        assert table.at == 0
