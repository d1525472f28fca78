"""Text widgets: a page that scrolls, and a log of the last lines.

No scrollbar, which would cost bytes on every line: the foot of a page shows the position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final

from rich.cells import set_cell_size
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from net.protocol.cleaning import sanitise
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines, prose_lines, two_columns, width
from sabtui.tui.widgets.menu import CUT

LinesFunction = Callable[[int], Sequence[Content]]
"""Function that returns the lines for a number of columns."""


def wrap_prose(text: str, columns: int) -> list[Content]:
    return [Content(line) for line in prose_lines(text, columns)]


def lay_in_columns(rows: Sequence[tuple[str, str]], columns: int) -> list[Content]:
    """Return rows of a word and its meaning in two columns, the second one wrapped."""
    return [
        Content(word).stylize("bold $accent", 0, len(word.rstrip())) + Content(meaning)
        for word, meaning in two_columns(rows, columns)
    ]


def describe_position(last: int, count: int) -> str:
    """Return the number of the last line in sight, of `count`, and if there is more below."""
    text = _("line {last} of {count}")
    if last < count:
        more = _("Down for more")
        text = f"{text}, {more}"
    return text.format(last=last, count=count)


def cut_short(text: str, columns: int) -> str:
    """Return a text in at most `columns` cells; dots mark a cut."""
    if width(text) <= columns:
        return text
    return set_cell_size(text, max(columns - len(CUT), 0)).rstrip(" .") + CUT


class TextPage(VerticalScroll, inherit_bindings=False):
    """Lines in a box with a title, which scroll: no Markdown, because cards are drawn in them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up,k", "scroll_up"),
        ("down,j", "scroll_down"),
        ("pageup", "page_up"),
        ("pagedown,space", "page_down"),
        ("home", "scroll_home"),
        ("end", "scroll_end"),
    ]

    def __init__(self, title: str, draw_lines: LinesFunction) -> None:
        super().__init__(classes="box")
        self._title = title
        self._draw_lines = draw_lines
        self._lines: Final = Static(markup=False)
        self._count = 0

    def compose(self) -> ComposeResult:
        yield self._lines

    def turn_to(self, title: str, draw_lines: LinesFunction) -> None:
        """Show another page from its first line."""
        self._title, self._draw_lines = title, draw_lines
        self.scroll_home(animate=False, immediate=True)
        self.redraw()

    @property
    def room(self) -> int:
        """Lines that are visible at once."""
        return max(self.content_size.height, 1)

    def redraw(self) -> None:
        columns = self.content_size.width
        if columns:  # not before the first layout
            self.border_title = Content(cut_short(sanitise(self._title), columns))
            self._count = self.fill(columns)
            self.call_after_refresh(self._settle)

    def fill(self, columns: int) -> int:
        """Show the lines for this many columns, and return their number."""
        lines = self._draw_lines(columns)
        self._lines.update(Content("\n").join(lines))
        return len(lines)

    def on_resize(self) -> None:
        self.redraw()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._settle()

    def _settle(self) -> None:
        """Say how far the page is scrolled, if there is more than is in sight."""
        last = min(self.scroll_offset.y + self.room, self._count)
        more = self.room < self._count
        self.border_subtitle = Content(describe_position(last, self._count) if more else "")


MAX_LOG_VIEW_LINES: Final = 200
LOG_INDENT_COLUMNS: Final = 2  # indent of the continuation of a broken line


class LogView(Widget):
    """Lines, the newest at the bottom."""

    DEFAULT_CSS = """
    LogView {
        height: 1fr;
        min-height: 2;
        padding: 0 1;
        color: $text-muted;
    }
    """
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=MAX_LOG_VIEW_LINES)
        self._elsewhere = ""

    def add(self, lines: Iterable[str]) -> None:
        new = tuple(map(sanitise, lines))
        if new:
            self._lines.extend(new)
            self.refresh()

    def begin_with(self, lines: Iterable[str]) -> None:
        """Show these lines and no older ones."""
        self._lines.clear()
        self._lines.extend(map(sanitise, lines))
        self.refresh()

    def leave_out(self, line: str) -> None:
        """Leave a line out for as long as it is shown elsewhere; "" leaves none out."""
        self._elsewhere = sanitise(line)
        self.refresh()

    def render(self) -> Content:
        lines = [line for line in self._lines if line != self._elsewhere]
        shown = fit_last_lines(lines, self.size.width, self.size.height)
        blank = [""] * (self.size.height - len(shown))
        return Content("\n".join([*blank, *shown]))


def fit_last_lines(lines: Sequence[str], columns: int, rows: int) -> list[str]:
    """Return the last lines that fit, wrapped; whole lines only, if one fits."""
    shown: list[str] = []
    for line in reversed(lines):
        parts = confine_lines([line], columns, LOG_INDENT_COLUMNS)
        if len(shown) + len(parts) > rows:
            return shown or parts[:rows]
        shown[:0] = parts
    return shown
