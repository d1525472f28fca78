"""List to choose a row from, by arrows and Enter or by the mouse: Textual's, with signs.

Enter is the screen's. The row under the cursor has a mark that is seen without colours, and the
terminal's own cursor. Signs at the end of a row show that it is cut, and how many rows are hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.reactive import reactive
from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from net.protocol.cleaning import sanitise

MARK: Final = "> "  # sign before the row under the cursor; other rows have as many blanks
CUT: Final = "..."  # sign at the end of a text that is cut
MIN_COLUMNS: Final = 12  # fewest columns of a list that has room for its signs


class Menu(OptionList, inherit_bindings=False):
    """Rows, one of them under the cursor; a click on a row chooses it.

    If it `opens_on_second_click`, a first click only moves the cursor to a row. With
    `marked` the row under the cursor is marked while a text field has the focus, too. With a
    `title` it has a box. `empty` is shown without rows. If it `counts_rows`, the rows at its edges
    tell how many are out of sight.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "cursor_up"),
        ("down", "cursor_down"),
        ("pageup", "page_up"),
        ("pagedown", "page_down"),
        ("home", "first"),
        ("end", "last"),
    ]
    # As in Textual, but a step of the cursor repaints two rows and not all of them.
    highlighted: reactive[int | None] = reactive(None, repaint=False)

    def __init__(
        self,
        rows: Sequence[Content] = (),
        *,
        empty: str = "",
        opens_on_second_click: bool = False,
        marked: bool = False,
        title: str = "",
    ) -> None:
        self._rows: tuple[Content, ...] = ()
        self._ids: tuple[str, ...] = ()
        self._empty = empty
        self._opens_on_second_click = opens_on_second_click
        self.counts_rows = True
        super().__init__(classes="box" if title else None, markup=False)
        self.set_class(marked, "-marked")
        self.border_title = Content(sanitise(title))
        self._fill(rows, 0)

    @property
    def at(self) -> int:
        """Index of the row under the cursor, 0 without rows."""
        return self.highlighted or 0

    def show(
        self, rows: Sequence[Content], at: int | None = None, *, ids: Sequence[str] = ()
    ) -> None:
        """Show these rows; the cursor moves to `at`, else stays with the row of the same id."""
        followed = self._ids[self.at : self.at + 1] if at is None else ()
        self._ids = tuple(ids)
        at = find_row(self.at if at is None else at, followed, self._ids, len(rows))
        if tuple(rows) != self._rows:
            self._fill(rows, at)
        elif rows:
            self.highlighted = at

    def set_empty_text(self, text: str) -> None:
        """Set the text that is shown without rows."""
        if text != self._empty:
            self._empty = text
            if not self._rows:
                self._fill((), 0)

    def _fill(self, rows: Sequence[Content], at: int) -> None:
        """Show these rows, scrolled as before, with the cursor on the row `at`."""
        self._rows, top = tuple(rows), self.scroll_y
        with self.prevent(OptionList.OptionHighlighted):
            self.set_options(self._rows or [Option(self._empty, disabled=True)])
            self.scroll_y = top
            self.highlighted = at if self._rows else None

    def render_line(self, y: int) -> Strip:
        """Return a row with its mark, and signs for what is cut and for rows out of sight."""
        strip, top, at = super().render_line(y), self.scroll_offset.y, self.scroll_offset.y + y
        columns, rows = self.scrollable_content_region.size
        if at >= len(self._rows) or columns < MIN_COLUMNS:
            return strip
        hidden = len(self._rows) - at - 1 if y == rows - 1 else 0
        hidden = top if top and y == 0 else hidden
        end = f" +{hidden}" if hidden and self.counts_rows else ""
        room = columns - len(end)
        kept = strip.crop(len(MARK), room)
        if len(MARK) + self._rows[at].cell_length > room:
            kept = strip.crop(len(MARK), room - len(CUT))
            kept = kept.crop(0, cell_len(kept.text.rstrip()))
            end = CUT.ljust(room - len(MARK) - kept.cell_length) + end
        style = next(iter(strip)).style
        is_marked = at == self.highlighted and (self.has_focus or self.has_class("-marked"))
        mark = MARK if is_marked else " " * len(MARK)
        pieces = [Segment(mark, style), *kept, Segment(end, style)]
        return Strip(pieces).simplify().apply_meta({"option": at})

    def _watch_highlighted(self, before: int | None, now: int | None) -> None:
        """Repaint the rows that the cursor leaves and enters."""
        for at in (before, now):
            if at is not None:
                self.refresh_line(at)
        self._settle()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._settle()

    def on_focus(self) -> None:
        """Place the terminal's own cursor on the row."""
        self._settle()

    def _settle(self) -> None:
        """Place the terminal's own cursor on the row, for braille and screen readers."""
        row = self.at - self.scroll_offset.y
        if self.has_focus and 0 <= row < max(self.content_region.height, 1):
            self.app.cursor_position = self.content_region.offset + Offset(0, row)

    def on_click(self, event: events.Click) -> None:
        """If a second click opens, let the first one on a row only move the cursor there."""
        at = event.style.meta.get("option")
        if self._opens_on_second_click and at != self.highlighted:
            event.prevent_default()
            if self._rows and at is not None:
                self.highlighted = at


def find_row(at: int, followed: Sequence[str], ids: Sequence[str], count: int) -> int:
    """Return the index of the row for the cursor, of `count` rows with these ids.

    It is the row whose id is `followed`, at most one, or else the row at `at`.
    """
    found = next((ids.index(row_id) for row_id in followed if row_id in ids), at)
    return max(0, min(found, count - 1))
