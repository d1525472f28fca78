"""Table to choose a row from, by arrows and Enter or by the mouse: Textual's, in a box.

Enter is the screen's. The row under the cursor has a mark, and the terminal's own cursor. Columns
are as wide as what they hold; where there is less room, the widest are cut, with dots. The foot of
the box tells how far it is scrolled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.coordinate import Coordinate
from textual.geometry import Offset
from textual.message import Message
from textual.widgets import DataTable

from net.protocol.cleaning import sanitise
from sabtui.text.layout import confine_lines, width
from sabtui.tui.widgets.menu import MARK, find_row
from sabtui.tui.widgets.text import cut_short, describe_position

GAP_COLUMNS: Final = 2  # cells between two columns, and of the mark before the first
MIN_COLUMNS: Final = 6  # fewest columns to which a column is cut

RowCells = Sequence[str]


class RowTable(DataTable[object], inherit_bindings=False):
    """Rows of cells, one of them under the cursor; a click on a row chooses it.

    With `marked` the row under the cursor is marked while a text field has the focus, too. `empty`
    is shown without rows.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "cursor_up"),
        ("down", "cursor_down"),
        ("pageup", "page_up"),
        ("pagedown", "page_down"),
        ("home", "scroll_top"),
        ("end", "scroll_bottom"),
    ]

    class Moved(Message):
        """Message: the player has moved the cursor to another row."""

    class Chosen(Message):
        """Message: the row under the cursor was chosen by a click."""

    def __init__(
        self, title: str, titles: RowCells = (), *, empty: str = "", marked: bool = False
    ) -> None:
        super().__init__(
            cursor_type="row",
            cell_padding=0,
            cursor_foreground_priority="renderable",
            classes="box",
        )
        self.border_title = Content(sanitise(title))
        self.set_class(marked, "-marked")
        self.at = 0
        self._titles = tuple(titles)
        self._rows: tuple[tuple[str, ...], ...] = ()
        self._ids: tuple[str, ...] = ()
        self._empty = empty
        self._is_filling = False

    def show(
        self,
        rows: Sequence[RowCells],
        at: int | None = None,
        *,
        ids: Sequence[str] = (),
        titles: RowCells | None = None,
    ) -> None:
        """Show these rows; the cursor moves to `at`, else stays with the row of the same id."""
        before = self._titles, self._rows
        self._titles = self._titles if titles is None else tuple(titles)
        self._rows = tuple(tuple(map(sanitise, row)) for row in rows)
        followed = self._ids[self.at : self.at + 1] if at is None else ()
        self._ids = tuple(ids)
        self.at = find_row(self.at if at is None else at, followed, self._ids, len(rows))
        if (self._titles, self._rows) != before:
            self._fill()
        elif self._rows:
            self._point()

    def set_empty_text(self, text: str) -> None:
        """Set the text that is shown without rows."""
        if text != self._empty:
            self._empty = text
            if not self._rows:
                self._fill()

    def is_here(self, row: int) -> bool:
        """Return True for the row under the cursor, if it is to be marked."""
        return row == self.at and (self.has_focus or self.has_class("-marked"))

    def action_move(self, rows: int) -> None:
        if self._rows:
            self.move_cursor(row=max(0, min(self.at + rows, len(self._rows) - 1)))

    def _fill(self) -> None:
        """Rebuild columns and rows for the space available."""
        room = self.content_size.width
        if not room:  # before the first layout
            return
        self._is_filling = True
        self.clear(columns=True)
        self.show_header = self.show_cursor = bool(self._rows)
        if self._rows:
            self.add_column("", width=GAP_COLUMNS)
            wide = fit_columns([self._titles, *self._rows], room - GAP_COLUMNS)
            for title, columns in zip(self._titles, wide, strict=True):
                self.add_column(Text(cut_short(title, columns)), width=columns + GAP_COLUMNS)
            for number, row in enumerate(self._rows):
                first, *others = map(cut_short, row, wide)
                self.add_row(CursorSign(self, number), Text(first, "bold"), *map(Text, others))
        else:
            parts = (confine_lines([line], room, 0) or [""] for line in self._empty.split("\n"))
            lines = [line for part in parts for line in part]
            self.add_column("", width=room)
            self.add_row(Text("\n".join(lines)), height=len(lines))
        self._point()
        self._is_filling = False

    def _point(self) -> None:
        self.move_cursor(row=self.at if self._rows else 0)
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        """Place the terminal's own cursor on the row, and tell which rows are out of sight."""
        top, room = self.scroll_offset.y, self.content_size.height - self.header_height
        more = 0 < room < len(self._rows)
        last = min(top + room, len(self._rows))
        self.border_subtitle = Content(describe_position(last, len(self._rows)) if more else "")
        if self.has_focus:
            below = self.at - top + self.header_height if self._rows else 0
            self.app.cursor_position = self.content_region.offset + Offset(0, below)

    def watch_cursor_coordinate(
        self, old_coordinate: Coordinate, new_coordinate: Coordinate
    ) -> None:
        """Follow Textual's cursor, and tell that it was moved."""
        was, moved = self.at, not self._is_filling and bool(self._rows)
        if moved:
            self.at = new_coordinate.row
        super().watch_cursor_coordinate(old_coordinate, new_coordinate)
        if moved and self.at != was:
            self.call_after_refresh(self._settle)
            self.post_message(self.Moved())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._settle()

    def on_resize(self) -> None:
        self._fill()

    def on_focus(self) -> None:
        self._settle()

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()
        row = event.style.meta.get("row", -1)
        if self._rows and row >= 0:
            self.move_cursor(row=row)
            self.post_message(self.Chosen())


class CursorSign:
    """First cell of a row: a sign if the row is under the cursor, else blank."""

    def __init__(self, table: RowTable, row: int) -> None:
        self._table = table
        self._row = row

    def __rich__(self) -> Text:
        return Text(MARK if self._table.is_here(self._row) else "")


def fit_columns(rows: Sequence[RowCells], room: int) -> list[int]:
    """Return the width of each column of these rows: `room` cells with the gaps, if possible."""
    wide = [max(map(width, column)) for column in zip(*rows, strict=True)]
    over = sum(wide) + GAP_COLUMNS * (len(wide) - 1) - room
    while over > 0 and max(wide) > MIN_COLUMNS:
        wide[wide.index(max(wide))] -= 1
        over -= 1
    return wide
