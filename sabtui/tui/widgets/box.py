"""A box of lines over a screen, such as help: a layer, below which the game stays visible.

As a screen of its own it would cost four times the bytes, as the palette would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from net.protocol.cleaning import sanitise
from sabtui.text.i18n import _
from sabtui.tui.widgets.text import LinesFunction

MAX_COLUMNS: Final = 88  # maximum columns of a box with its border
COLUMNS_BESIDE: Final = 6  # columns of the border and the blanks beside the lines
ROWS_BESIDE: Final = 4  # rows of the border, and of the footer that stays in sight


class OverBox(VerticalScroll, inherit_bindings=False):
    """Lines over a screen until a key is pressed.

    Calls `close` with the key, or with "" if the focus is lost.
    """

    can_focus = True

    def __init__(self, title: str, draw_lines: LinesFunction, close: Callable[[str], None]) -> None:
        super().__init__()
        self._title = sanitise(title)
        self._draw_lines = draw_lines
        self._close = close
        self._lines: Final = Static(markup=False)

    def compose(self) -> ComposeResult:
        yield self._lines

    def fit(self, screen: Size) -> None:
        """Take a place in the middle of a screen of this size."""
        lines = self._draw_lines(min(MAX_COLUMNS, screen.width) - COLUMNS_BESIDE)
        columns = max(line.cell_length for line in (*lines, Content(self._title))) + COLUMNS_BESIDE
        rows = min(len(lines) + 2, screen.height - ROWS_BESIDE + 2)
        self.styles.width, self.styles.height = columns, rows
        self.styles.margin = ((screen.height - 2 - rows) // 2, 0, 0, (screen.width - columns) // 2)
        self.border_title = Content(self._title)
        self._show_keys(is_more=len(lines) > rows - 2)
        self._lines.update(Content("\n").join(lines))

    def _show_keys(self, *, is_more: bool) -> None:
        self.border_subtitle = _("Down for more") if is_more else _("any key closes")

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._show_keys(is_more=new_value < self.max_scroll_y)

    def on_key(self, event: events.Key) -> None:
        """Scroll if there is more, else close."""
        event.stop()
        event.prevent_default()
        self.press(event.key)

    def press(self, key: str) -> None:
        """Take a key or a click on the footer."""
        if key in {"down", "up"} and self.max_scroll_y:
            self.scroll_relative(y=4 if key == "down" else -4, animate=False)
        else:
            self._close(key)

    def on_click(self) -> None:
        self._close("escape")

    def on_blur(self) -> None:
        """Close: the player is asked something else."""
        self._close("")
