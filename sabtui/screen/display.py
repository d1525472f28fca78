"""A terminal around its screen: its title, its own cursor, and giving both back.

Knows escape sequences, and whom to give them to; what they are for, the app does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual.app import App

from net.text import harmless

SHOW_CURSOR, HIDE_CURSOR = "\x1b[4 q\x1b[?25h", "\x1b[?25l"
USUAL_CURSOR: Final = "\x1b[0 q"
"""A cursor that stands still below the tile it is on; and one as the terminal had it."""

PUSH_TITLE, POP_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""Keep the terminal's title, and give it back. Terminals that cannot take no notice."""


class Display:
    """A terminal's title and cursor, while an app is on it; `write` sends it a sequence."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._cursor_shown = False

    def attend(self, app: App[None]) -> None:
        """Give the cursor back while an app is suspended; after that, Textual hides it."""
        app.app_suspend_signal.subscribe(app, lambda _app: self.give_back(), immediate=True)
        app.app_resume_signal.subscribe(app, lambda _app: self._draw_cursor())

    def entitle(self, text: str) -> None:
        """Show this in the title."""
        self._write(titled(text))

    def show_cursor(self, *, shown: bool) -> None:
        """Show the terminal's own cursor, or hide it."""
        if shown is not self._cursor_shown:
            self._cursor_shown = shown
            self._draw_cursor()

    def give_back(self) -> None:
        """Let the cursor be as the terminal had it."""
        self._write(USUAL_CURSOR)

    def _draw_cursor(self) -> None:
        self._write(SHOW_CURSOR if self._cursor_shown else HIDE_CURSOR)


def titled(text: str) -> str:
    """What makes a terminal show this as its title, whatever it says."""
    return f"\x1b]2;{harmless(text)}\x07"
