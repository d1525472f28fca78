"""Text widgets: a page that scrolls, and a log of the last lines.

No scrollbar, which would cost bytes on every line: the page's title line shows the position.
Textual writes 3.1 kB to scroll such a page at 80x24 by a line, and 29 kB by a page, as it shows the
way; this widget writes 2.1 kB for either.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import ClassVar, Final

from rich.cells import set_cell_size
from rich.color import Color
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget

from net.protocol.text import sanitise
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines, prose_lines, two_columns
from sabtui.text.names import width
from sabtui.tui.widgets.rows import Ground, Paint, Row, StyledSpan

TextLines = Sequence[Content]
LinesFunction = Callable[[int], TextLines]
"""Function that returns the lines for a number of columns."""


def prose(text: str, columns: int) -> list[Content]:
    """Return a paragraph as lines."""
    return [Content(line) for line in prose_lines(text, columns)]


def in_columns(rows: Sequence[tuple[str, str]], columns: int) -> list[Content]:
    """Return rows of a word and its meaning in two columns, the second one wrapped."""
    return [
        Content(word).stylize("bold $accent", 0, len(word.rstrip())) + Content(meaning)
        for word, meaning in two_columns(rows, columns)
    ]


def position_words(last: int, count: int) -> str:
    """Return the number of the last line in sight, of `count`, and if there is more below."""
    text = _("line {last} of {count}")
    if last < count:
        text = _("line {last} of {count}, Down for more")
    return text.format(last=last, count=count)


def position_beside(title: str, last: int, count: int, columns: int) -> str:
    """Return the position in as many words as fit beside a title."""
    plain = _("line {last} of {count}").format(last=last, count=count)
    for words in (position_words(last, count), plain):
        if width(title) + POSITION_GAP_COLUMNS + width(words) <= columns:
            return words
    return f"{last}/{count}"


POSITION_GAP_COLUMNS: Final = 2
"""Least columns between a title and the position on its page."""

CUT: Final = "..."
"""Sign at the end of a text that is cut."""


def cut_short(text: str, columns: int) -> str:
    """Return a text in at most `columns` cells; dots mark a cut."""
    if width(text) <= columns:
        return text
    return set_cell_size(text, max(columns - len(CUT), 0)).rstrip(" .") + CUT


class TextPage(Widget, can_focus=True):
    """Title and lines below it, which scroll."""

    DEFAULT_CSS = """
    TextPage {
        height: 1fr;
        padding: 0 1;
    }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        ("up,k", "scroll_by(-1)"),
        ("down,j", "scroll_by(1)"),
        ("pageup", "scroll_page(-1)"),
        ("pagedown,space", "scroll_page(1)"),
        ("home", "scroll_by(-9999)"),
        ("end", "scroll_by(9999)"),
    ]

    def __init__(self, title: str, tell: LinesFunction) -> None:
        super().__init__()
        self._title = title
        self._tell = tell
        self._top = 0

    def turn_to(self, title: str, tell: LinesFunction) -> None:
        """Show another page from its first line."""
        self._title, self._tell, self._top = title, tell, 0
        self.refresh()

    @property
    def room(self) -> int:
        """Lines that are visible at once."""
        return max(self.size.height - 2, 1)

    def render(self) -> Content:
        """Return the title, the position, and the visible lines."""
        columns = max(self.size.width, 20)
        lines = self._tell(columns)
        self._top = max(0, min(self._top, len(lines) - self.room))
        seen = lines[self._top : self._top + self.room]
        where = ""
        if len(lines) > self.room:
            last = self._top + len(seen)
            where = position_beside(self._title, last, len(lines), columns)
        text = cut_short(self._title, columns - width(where) - 1)
        gap = " " * max(columns - width(text) - width(where), 0)
        title = Content(text).stylize("bold $accent") + Content(gap + where)
        return Content("\n").join([title, Content(""), *seen])

    def action_scroll_by(self, lines: int) -> None:
        """Scroll by a number of lines."""
        self._top = max(0, self._top + lines)
        self.refresh()

    def action_scroll_page(self, pages: int) -> None:
        """Scroll by a number of pages."""
        self.action_scroll_by(pages * max(self.room - 1, 1))

    def on_mouse_scroll_down(self, _event: events.MouseScrollDown) -> None:
        """Scroll down with the wheel."""
        self.action_scroll_by(2)

    def on_mouse_scroll_up(self, _event: events.MouseScrollUp) -> None:
        """Scroll up with the wheel."""
        self.action_scroll_by(-2)


MAX_LOG_VIEW_LINES: Final = 200
LOG_INDENT_COLUMNS: Final = 2
"""Columns by which the continuation of a broken line is indented."""


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
        """Add lines."""
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
        """Leave a line out for as long as it stands elsewhere; "" leaves none out."""
        self._elsewhere = sanitise(line)
        self.refresh()

    def render(self) -> Content:
        """Return the last lines."""
        lines = [line for line in self._lines if line != self._elsewhere]
        shown = last_lines(lines, self.size.width, self.size.height)
        blank = [""] * (self.size.height - len(shown))
        return Content("\n".join([*blank, *shown]))


def last_lines(lines: Sequence[str], columns: int, rows: int) -> list[str]:
    """Return the last lines that fit, wrapped; whole lines only, if one fits."""
    shown: list[str] = []
    for line in reversed(lines):
        parts = confine_lines([line], columns, LOG_INDENT_COLUMNS)
        if len(shown) + len(parts) > rows:
            return shown or parts[:rows]
        shown[:0] = parts
    return shown


def assemble(row: Row) -> Content:
    """Return a row of drawn cards or portraits as a line."""
    return Content.assemble(*((span.text, _style(span)) for span in row))


def _style(span: StyledSpan) -> str:
    """Return the style of a piece of a row; what is written beside a picture is bold."""
    if isinstance(span.look, Paint):
        return _paint_style(span.look)
    style = "" if span.text.isspace() else "bold"
    return f"{style} on $panel".lstrip() if span.ground is Ground.CARD else style


@cache
def _paint_style(paint: Paint) -> str:
    """Return the style of colours as Textual reads it."""
    front, ground = (
        "" if name == "default" else Color.parse(name).get_truecolor().hex for name in paint
    )
    return f"{front} on {ground}" if ground else front
