"""Lists, tables, pages and panels as widgets by themselves: the cursor, scrolling, the mouse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
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
from sabtui.tui.widgets.table import RowTable, fit_columns
from sabtui.tui.widgets.text import TextPage
from tests.sabtui.tui.pictures import text_of


class OneWidget(App[None]):
    """An app with one widget, which keeps what the widget tells."""

    CSS_PATH = Path(sabtui.tui.__file__).with_name("app.tcss")

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.animation_level = "none"
        self.widget = widget
        self.chosen: list[int] = []
        self.wheeled: list[tuple[int, int, bool]] = []

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_option_list_option_selected(self, chosen: Menu.OptionSelected) -> None:
        self.chosen.append(chosen.option_index)

    def on_row_table_chosen(self) -> None:
        assert isinstance(self.widget, RowTable)
        self.chosen.append(self.widget.at)

    def on_panel_wheeled(self, wheeled: Panel.Wheeled) -> None:
        self.wheeled.append((wheeled.right, wheeled.down, wheeled.is_zoom))


@asynccontextmanager
async def show_widget(widget: Widget) -> AsyncIterator[tuple[OneWidget, Pilot[None]]]:
    app = OneWidget(widget)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        yield app, pilot


def show(widget: Menu | RowTable, letters: str, at: int | None = None) -> None:
    """Show a row for each letter, which is its id."""
    if isinstance(widget, Menu):
        widget.show([Content(f"row {letter}") for letter in letters], at, ids=letters)
    else:
        widget.show([(f"row {letter}", "x") for letter in letters], at, ids=letters)


BOTH = pytest.mark.parametrize(
    "make",
    [Menu, lambda: RowTable("Title", ("one", "two"), empty="nothing\n\nat all")],
    ids=["list", "table"],
)


@BOTH
async def test_the_cursor_stays_on_its_row_or_on_the_one_in_its_place(
    make: Callable[[], Menu | RowTable],
) -> None:
    widget = make()
    async with show_widget(widget) as (app, pilot):
        widget.focus()
        for letters, at, expected in (
            ("abc", None, 0),
            ("dabc", None, 1),
            ("dbc", None, 1),  # a row that is gone leaves its place to the next
            ("bcd", 0, 0),
            ("", None, 0),
            ("db", None, 0),
            ("abcdefghi", 8, 8),
            ("abc", None, 2),
            ("abcdefghi", None, 2),
        ):
            show(widget, letters, at)
            await pilot.pause()
            assert widget.at == expected
            if letters:
                assert f"> row {letters[expected]}" in text_of(app)
        header = 1 if isinstance(widget, RowTable) else 0
        offset = widget.content_region.offset + Offset(0, 2 + header)
        assert app.cursor_position == offset, "there is terminal colours"


@BOTH
async def test_a_click_chooses_the_row_under_the_mouse_and_the_wheel_moves_no_cursor(
    make: Callable[[], Menu | RowTable],
) -> None:
    widget, letters = make(), "abcdefghijklmnopqrst"
    async with show_widget(widget) as (app, pilot):
        show(widget, letters)
        await pilot.pause()

        async def click(letter: str) -> None:
            [row] = [y for y, line in enumerate(text_of(app).splitlines()) if f"w {letter}" in line]
            await pilot.click(offset=(5, row))

        await click("d")
        for _ in range(3):
            down = MouseScrollDown(widget, 1, 1, 0, 1, 0, shift=False, meta=False, ctrl=False)
            widget.post_message(down)
        await pilot.pause()
        assert (app.chosen, widget.at) == ([3], 3)
        assert "row d" not in text_of(app)
        await click("k")
        assert app.chosen == [3, letters.index("k")]


async def test_where_rows_are_pointed_at_a_second_click_chooses() -> None:
    menu = Menu([Content(f"row {number}") for number in range(9)], opens_on_second_click=True)
    async with show_widget(menu) as (app, pilot):
        for row in (4, 2):
            await pilot.click(menu, offset=(2, row))
            assert (menu.at, app.chosen) == (row, [])
        await pilot.click(menu, offset=(2, 2))
        assert app.chosen == [2]


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


def test_the_widest_columns_give_way() -> None:
    rows = [("a" * 20, "b" * 10, "c")]
    assert fit_columns(rows, 35) == [20, 10, 1]
    assert fit_columns(rows, 25) == [10, 10, 1]
    assert fit_columns(rows, 21) == [8, 8, 1]


async def test_a_cell_without_room_is_cut_with_dots_and_rows_out_of_sight_are_told() -> None:
    table = RowTable("Title", ("one", "two"))
    async with show_widget(table) as (app, pilot):
        cells = [(f"row {number}", "x" * number) for number in range(20)]
        table.show([("long " * 12, "short"), *cells])
        await pilot.pause()
        assert "> long long lon...  short" in text_of(app)
        assert "line 7 of 21, Down for more" in text_of(app)
        await pilot.press("end")
        await pilot.pause()
        assert "> row 19" in text_of(app)
        assert "line 21 of 21" in text_of(app)
        assert table.at == 20
