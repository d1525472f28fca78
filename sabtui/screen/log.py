"""The last lines of what was said and what happened, as many as there is room for.

No scrollbar and no markup. Knows lines alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from textual.content import Content
from textual.widget import Widget

from net.text import harmless
from sabtui.plain.wrap import confined

MOST: Final = 200
INDENT: Final = 2
"""How far the rest of a broken line is indented."""


class Log(Widget):
    """Lines, the newest at the bottom."""

    DEFAULT_CSS = """
    Log {
        height: 1fr;
        min-height: 2;
        padding: 0 1;
        color: $text-muted;
    }
    """
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=MOST)

    def add(self, lines: Iterable[str]) -> None:
        """Add lines."""
        new = tuple(map(harmless, lines))
        if new:
            self._lines.extend(new)
            self.refresh()

    def begin_with(self, lines: Iterable[str]) -> None:
        """Show these lines and no older ones."""
        self._lines.clear()
        self._lines.extend(map(harmless, lines))
        self.refresh()

    def render(self) -> Content:
        """The last lines."""
        shown = last_lines(tuple(self._lines), self.size.width, self.size.height)
        blank = [""] * (self.size.height - len(shown))
        return Content("\n".join([*blank, *shown]))


def last_lines(lines: Sequence[str], columns: int, rows: int) -> list[str]:
    """The last lines that fit, broken into rows; none is shown from its middle on if one fits."""
    shown: list[str] = []
    for line in reversed(lines):
        parts = confined([line], columns, INDENT)
        if len(shown) + len(parts) > rows:
            return shown or parts[:rows]
        shown[:0] = parts
    return shown
