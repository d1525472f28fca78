"""The whole log on a screen of its own, with a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult

from sabtui.text.i18n import _
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.widgets.form import TextField
from sabtui.tui.widgets.panel import Panel
from sabtui.tui.widgets.rows import Ground, Look, Row, StyledSpan, cut, fill_row, plain

RowsFunction = Callable[[int], Sequence[Row]]
"""Function that returns the rows of the log for a number of columns."""

MAX_SEARCH_COLUMNS: Final = 40

MAX_LOG_ROWS: Final = 1 << 16
"""More rows than any log has."""


class LogScreen(CommandScreen):
    """The log, the newest line at the bottom.

    `rows_of` is called at each drawing, so that the log goes on while it is read. `back_rows` is
    the number of rows below those that are shown. `found` is the text that is searched for, ""
    if none is, and `match` the row to which the search went last, if the log was not scrolled
    since.
    """

    DEFAULT_CSS = """
    LogScreen {
        #log-title { height: 1; }
        #log-page { height: 1fr; }
        #search { display: none; }
        &.-searching #search { display: block; }
    }
    """

    def __init__(self, rows_of: RowsFunction) -> None:
        self.rows_of = rows_of
        self.back_rows = 0
        self.found = ""
        self.match: int | None = None
        self.heading: Final = Panel("log-title")
        self.page: Final = Panel("log-page")
        self.line: Final = TextField("search", "", MAX_SEARCH_COLUMNS, "", _("search"))
        self.line.id = "search"
        super().__init__()

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command(
            "search", ("slash",), _("search"), _("search the log for a text"), self.search
        )
        older, newer = _("the next older line that matches"), _("the next newer one")
        yield Command(
            "older match",
            ("n",),
            _("older lines"),
            older,
            lambda: self.go_to(1),
            self._why_no_match,
        )
        yield Command(
            "newer match",
            ("N",),
            _("newer lines"),
            newer,
            lambda: self.go_to(-1),
            self._why_no_match,
        )
        for name, keys, purpose, scroll in (
            ("up", ("up", "k"), _("the previous row"), lambda: self.scroll_by(1)),
            ("down", ("down", "j"), _("the next row"), lambda: self.scroll_by(-1)),
            ("page up", ("pageup", "b"), _("one page up"), lambda: self.scroll_pages(1)),
            ("page down", ("pagedown", "space"), _("one page down"), lambda: self.scroll_pages(-1)),
            ("first", ("home", "g"), _("the first line"), lambda: self.scroll_by(MAX_LOG_ROWS)),
            ("last", ("end", "G"), _("the last line"), lambda: self.scroll_by(-MAX_LOG_ROWS)),
        ):
            yield Command(name, keys, purpose, purpose, scroll, hidden=True)
        yield Command(
            "back", ("escape", "q", "L"), _("back"), _("back to where you were"), self.leave
        )

    def body(self) -> ComposeResult:
        """Yield the title, the page and the line to search with."""
        yield self.heading
        yield self.page
        yield self.line

    def on_mount(self) -> None:
        """Draw the log at each size of the page, which the layout may find late."""
        self.screen_layout_refresh_signal.subscribe(self, lambda _screen: self.redraw())

    def on_panel_wheeled(self, wheeled: Panel.Wheeled) -> None:
        """Scroll with the wheel."""
        self.scroll_by(-2 * wheeled.down)

    def search(self) -> None:
        """Open the line to search with."""
        self.add_class("-searching")
        self.line.value = ""
        self.set_focus(self.line)

    def take_line(self, text: str) -> None:
        """Go to the last line that matches."""
        self.found = text.strip()
        self._close_line()
        self.back_rows, self.match = 0, None
        if self.found:
            self.go_to(0)

    def leave(self) -> None:
        """Close the line to search with, else end the search, else go back to the table."""
        if self.has_class("-searching"):
            self._close_line()
        elif self.found:
            self.found = ""
            self.redraw()
        else:
            self.back()

    def go_to(self, step: int) -> None:
        """Show the next match: an older one if `step` is 1, a newer one if -1, 0: the last."""
        matches = self._matches()
        lowest = self._height() - self.back_rows
        here = lowest if self.match is None else self.match
        if step > 0:
            others = [at for at in matches if at < here]
        else:
            others = [at for at in matches if at > here][::-1] if step else matches
        if not others:
            text = _("No line matches: {text}.") if not matches else _("No more lines match.")
            self.say(text.format(text=self.found))
        else:
            self.match = others[-1]
            self.back_rows = self._height() - self.match - 1
            self.say("")
        self.redraw()
        self.look_again()

    def scroll_by(self, rows: int) -> None:
        """Scroll: up if `rows` is positive. The search goes on from there."""
        self.back_rows += rows
        self.match = None
        self.redraw()

    def scroll_pages(self, pages: int) -> None:
        """Scroll by pages: up if positive. One line stays in view."""
        self.scroll_by(pages * max(self.page.size.height - 1, 1))

    def redraw(self) -> None:
        """Draw the rows in view; lines that match the search stand out."""
        columns, room = self.page.size.width, self.page.size.height
        if not columns:
            return
        rows = self.rows_of(columns - 2)
        self.back_rows = max(0, min(self.back_rows, len(rows) - room))
        last = len(rows) - self.back_rows
        shown = [
            (StyledSpan(" "), *self._highlight(row)) for row in rows[max(last - room, 0) : last]
        ]
        self.page.show([*[()] * (room - len(shown)), *shown])
        where = _("line {last} of {count}").format(last=last, count=len(rows))
        title, room = _("log"), columns - cell_len(where) - 1
        if self.found:
            title += f": {self.found} ({len(self._matches())})"
        head = fill_row((StyledSpan(f" {cut(title, room - 2)}", Look.STRONG),), room)
        row = (*head, StyledSpan(where, Look.DIM), StyledSpan(" "))
        self.heading.show([tuple(span._replace(ground=Ground.TITLE) for span in row)])

    def _highlight(self, row: Row) -> Row:
        if not self.found or self.found.casefold() not in plain(row).casefold():
            return row
        return tuple(span._replace(ground=Ground.NEW) for span in row)

    def _matches(self) -> list[int]:
        """Return the indices of the rows that contain the text searched for."""
        rows = self.rows_of(max(self.page.size.width - 2, 1))
        wanted = self.found.casefold()
        return [at for at, row in enumerate(rows) if wanted in plain(row).casefold()]

    def _why_no_match(self) -> str | None:
        return None if self.found else _("Search first: press / and type a text.")

    def _close_line(self) -> None:
        self.remove_class("-searching")
        self.set_focus(None)
        self.redraw()

    def _height(self) -> int:
        return len(self.rows_of(max(self.page.size.width - 2, 1)))
