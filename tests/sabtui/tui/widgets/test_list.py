"""Lists, tables, pages and panels as widgets by themselves: the cursor, scrolling, the mouse."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.content import Content
from textual.events import MouseScrollDown
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widget import Widget

import sabtui.tui
from sabtui.tui.widgets.menu import Menu
from sabtui.tui.widgets.panel import Panel
from sabtui.tui.widgets.table import ROWS_AHEAD, RowTable, fit_columns
from sabtui.tui.widgets.text import TextPage
from tests.sabtui.tui.pictures import text_of

ROWS = [Content(f"row {number}") for number in range(9)]


class OneWidget(App[None]):
    """An app with one widget, which keeps what the widget tells."""

    CSS_PATH = Path(sabtui.tui.__file__).with_name("app.tcss")

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget
        self.chosen: list[int] = []
        self.wheeled: list[tuple[int, int, bool]] = []

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_option_list_option_selected(self, chosen: Menu.OptionSelected) -> None:
        self.chosen.append(chosen.option_index)

    def on_panel_wheeled(self, wheeled: Panel.Wheeled) -> None:
        self.wheeled.append((wheeled.right, wheeled.down, wheeled.zoom))


@asynccontextmanager
async def show_widget(widget: Widget) -> AsyncIterator[tuple[OneWidget, Pilot[None]]]:
    app = OneWidget(widget)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        yield app, pilot


async def test_the_cursor_of_a_list_that_grows_shorter_stays_on_a_row() -> None:
    menu = Menu(ROWS)
    async with show_widget(menu):
        menu.action_last()
        assert menu.at == 8
        menu.show(ROWS[:3])
        assert menu.at == 2
        menu.show(ROWS)
        assert menu.at == 2


async def test_a_list_marks_its_row_and_tells_what_is_cut_and_how_many_rows_are_hidden() -> None:
    menu = Menu([Content(f"{at} " + "ab cd " * at) for at in range(15)])
    async with show_widget(menu) as (app, pilot):
        await pilot.press("end", "up", "up", "up")
        lines = text_of(app).splitlines()
        assert [line[:4] for line in lines] == [
            f"{'>' if at == 11 else ' ':2}{at:<2}" for at in range(5, 15)
        ]
        assert lines[0].endswith(" +5")
        assert lines[2] == "  7 ab cd ab cd ab cd ab cd ab cd ab..."
        assert app.cursor_position == (0, 6)
        await pilot.press("home")
        assert text_of(app).splitlines()[-1] == "  9 ab cd ab cd ab cd ab cd ab cd...  +5"


async def test_a_list_of_any_width_is_drawn_within_it() -> None:
    menu = Menu([Content("金 and words " * 3) for _ in range(2000)])
    async with show_widget(menu) as (app, pilot):
        await pilot.press("pagedown", "pagedown")
        for columns in range(1, 20):
            menu.styles.width = columns
            await pilot.pause()
            assert max(map(cell_len, text_of(app).splitlines())) <= columns


async def test_the_cursor_stays_on_its_row_where_rows_have_ids() -> None:
    menu = Menu()
    async with show_widget(menu):
        menu.show(ROWS[:3], ids="abc")
        assert menu.at == 0
        menu.show(ROWS[:4], ids="dabc")
        assert menu.at == 1
        menu.show(ROWS[:3], ids="dbc")
        assert menu.at == 1, "a row that is gone leaves its place to the next"
        menu.show(ROWS[:3], 0, ids="bcd")
        assert menu.at == 0
        menu.show([], ids="")
        menu.show(ROWS[:2], ids="db")
        assert menu.at == 0


async def test_a_click_chooses_a_row_at_once_or_a_second_one_where_rows_are_pointed_at() -> None:
    menu = Menu(ROWS)
    async with show_widget(menu) as (app, pilot):
        await pilot.click(menu, offset=(2, 4))
        assert app.chosen == [4]
    menu = Menu(ROWS, point=True)
    async with show_widget(menu) as (app, pilot):
        for row in (4, 2):
            await pilot.click(menu, offset=(2, row))
            assert (menu.at, app.chosen) == (row, [])
        await pilot.click(menu, offset=(2, 2))
        assert app.chosen == [2]


async def test_a_page_scrolls_no_further_than_its_last_line() -> None:
    page = TextPage("one", lambda _columns: [Content(f"line {at}") for at in range(60)])
    async with show_widget(page) as (app, pilot):
        await pilot.press("end", "down", "pagedown")
        await pilot.pause()
        title, *lines, foot = (line.strip("│┌┐└┘─ ") for line in text_of(app).splitlines())
        assert title == "one"
        assert lines == [f"line {at}" for at in range(60 - len(lines), 60)]
        assert foot == "line 60 of 60"


async def test_shift_turns_the_wheel_sideways_and_ctrl_zooms() -> None:
    panel = Panel("mine")
    async with show_widget(panel) as (app, pilot):
        for shift, ctrl in ((False, False), (True, False), (False, True)):
            panel.wheel(MouseScrollDown(panel, 1, 1, 0, 0, 0, shift=shift, meta=False, ctrl=ctrl))
        await pilot.pause()
        assert app.wheeled == [(0, 1, False), (1, 0, False), (0, 1, True)]


CELLS = [(f"row {number}", "x" * number) for number in range(20)]


def test_the_widest_columns_give_way() -> None:
    rows = [("a" * 20, "b" * 10, "c")]
    assert fit_columns(rows, 35) == [20, 10, 1]
    assert fit_columns(rows, 25) == [10, 10, 1]
    assert fit_columns(rows, 21) == [8, 8, 1]


async def test_a_cell_without_room_is_cut_with_dots_and_rows_out_of_sight_are_told() -> None:
    table = RowTable("Title", ("one", "two"))
    async with show_widget(table) as (app, pilot):
        table.show([("long " * 12, "short"), *CELLS])
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
        table.show(CELLS[:3], ids="abc")
        table.focus()
        await pilot.press("down")
        table.show(CELLS[:4], ids="dabc")
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
