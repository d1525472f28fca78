"""The title and the cursor of the terminal, and the pictures that it was sent and shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from textual.app import App

from net.protocol.text import sanitise
from sabtui.tui.output import ShownCells

if TYPE_CHECKING:
    from sabtui.art.kitty import Sent
    from sabtui.art.store import Size

SHOW_CURSOR, HIDE_CURSOR = "\x1b[4 q\x1b[?25h", "\x1b[?25l"
USUAL_CURSOR: Final = "\x1b[0 q"
"""Escape sequences: a steady underline cursor, shown or hidden; the terminal's default cursor."""

PUSH_TITLE, POP_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""Escape sequences that save and restore the terminal's title. Some terminals ignore them."""


class Display:
    """Title, cursor and pictures of the terminal. `write` sends it an escape sequence."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._cursor_shown = False
        self._sent: Sent | None = None
        self.shown: Final = ShownCells()

    def attend(self, app: App[None]) -> None:
        """Restore the cursor while the app is suspended; Textual hides it again on resume."""
        app.app_suspend_signal.subscribe(
            app, lambda _app: self._write(self.give_back()), immediate=True
        )
        app.app_resume_signal.subscribe(app, lambda _app: self._draw_cursor())

    def set_title(self, text: str) -> None:
        """Show a text in the terminal's title, sanitised."""
        self._write(f"\x1b]2;{sanitise(text)}\x07")

    def show_cursor(self, *, shown: bool) -> None:
        """Show the terminal's own cursor, or hide it."""
        if shown is not self._cursor_shown:
            self._cursor_shown = shown
            self._draw_cursor()

    def send_pictures(self, numbers: Iterable[int], cell: Size | None) -> None:
        """Send pictures that the terminal has not got yet, for cells of so many pixels."""
        for number in numbers:
            if self._sent is None:
                from sabtui.art.kitty import Sent  # noqa: PLC0415 - not at start

                self._sent = Sent()
            self._write(self._sent.send(number, cell))

    @contextmanager
    def without_cursor(self, *, when: bool) -> Iterator[None]:
        """Hide the cursor while pictures are drawn by sixel: where it was, xterm draws a blank."""
        if when and self._cursor_shown:
            self._write(HIDE_CURSOR)
        yield
        if when and self._cursor_shown:
            self._draw_cursor()

    def give_back(self) -> str:
        """Return what restores the terminal's default cursor, and takes back all pictures."""
        self.shown.forget()
        return USUAL_CURSOR + (self._sent.delete_all() if self._sent is not None else "")

    def _draw_cursor(self) -> None:
        self._write(SHOW_CURSOR if self._cursor_shown else HIDE_CURSOR)
