"""A page of text that scrolls: a title, lines, and how far one is.

No scrollbar, which would cost bytes on every line; the title line tells where one is. Knows lines,
and not what they are about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget

from sabtui.plain.wrap import confined
from sabtui.words.cast import width
from sabtui.words.tongue import _

MOST_WIDE: Final = 78
"""Prose is no wider, whatever the terminal: long lines are hard to read."""

Lines = Sequence[Content]
Tell = Callable[[int], Lines]
"""Gives the lines for so many columns."""


def prose(text: str, columns: int) -> list[Content]:
    """A paragraph in lines."""
    return [Content(line) for line in confined([text], min(columns, MOST_WIDE), 0)]


def in_columns(rows: Iterable[tuple[str, str]], columns: int) -> list[Content]:
    """Rows of a word and what it means, in two columns, the second one broken into lines."""
    kept = list(rows)
    left = max((width(word) for word, _meaning in kept), default=0) + 2
    told: list[Content] = []
    for word, meaning in kept:
        first, *rest = confined([meaning], max(min(columns, MOST_WIDE) - left, 20), 0) or [""]
        blanks = " " * (left - width(word))
        told.append(Content(word).stylize("bold $accent") + Content(blanks + first))
        told += [Content(" " * left + line) for line in rest]
    return told


class Page(Widget, can_focus=True):
    """A title and lines below it."""

    DEFAULT_CSS = """
    Page {
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

    def __init__(self, title: str, tell: Tell) -> None:
        super().__init__()
        self._title = title
        self._tell = tell
        self._top = 0

    def turn_to(self, title: str, tell: Tell) -> None:
        """Show other lines, from the first."""
        self._title, self._tell, self._top = title, tell, 0
        self.refresh()

    @property
    def room(self) -> int:
        """How many lines are seen at once."""
        return max(self.size.height - 2, 1)

    def render(self) -> Content:
        """The title, how far one is, and the lines from there."""
        columns = max(self.size.width, 20)
        lines = self._tell(columns)
        self._top = max(0, min(self._top, len(lines) - self.room))
        seen = lines[self._top : self._top + self.room]
        where = ""
        if len(lines) > self.room:
            where = _("{last} of {count} lines, Down for more")
            if self._top + self.room >= len(lines):
                where = _("{last} of {count} lines, the end")
            where = where.format(last=self._top + len(seen), count=len(lines))
        gap = " " * max(columns - width(self._title) - width(where), 1)
        title = Content(self._title).stylize("bold $accent") + Content(gap + where)
        return Content("\n").join([title, Content(""), *seen])

    def action_scroll_by(self, lines: int) -> None:
        """Go up or down."""
        self._top = max(0, self._top + lines)
        self.refresh()

    def action_scroll_page(self, pages: int) -> None:
        """Go up or down by what is seen at once."""
        self.action_scroll_by(pages * max(self.room - 1, 1))

    def on_mouse_scroll_down(self, _event: events.MouseScrollDown) -> None:
        """Go down by the wheel."""
        self.action_scroll_by(2)

    def on_mouse_scroll_up(self, _event: events.MouseScrollUp) -> None:
        """Go up by the wheel."""
        self.action_scroll_by(-2)
