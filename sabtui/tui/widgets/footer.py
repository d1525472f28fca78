"""Footer of every screen: the status sentence, and the keys of the available commands.

It is our own because Textual's `Footer` has no line for a sentence, and cuts keys at the edge
without a sign. A sentence too long for one line takes more lines above the keys until the next
message; the keys on Escape are always visible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from net.protocol.cleaning import sanitise
from sabtui.text.layout import confine_lines, width

MAX_STATUS_LINES: Final = 3  # maximum number of lines of a status sentence
KEY_GAP_COLUMNS: Final = 2  # columns between two keys


class FooterKey(NamedTuple):
    """Key of a command that can be given now."""

    spelt: str  # as a player reads it, such as `Esc`
    label: str
    command: str

    @property
    def columns(self) -> int:
        return width(self.spelt) + 1 + width(self.label)


def status_lines(text: str, columns: int) -> list[str]:
    """Return the lines that a status sentence takes in a terminal of this width."""
    return confine_lines([sanitise(text)], max(columns - 2, 20), 0)[:MAX_STATUS_LINES]


class StatusFooter(Widget):
    """Status line above the line of keys."""

    ALLOW_SELECT = False

    @dataclass
    class Pressed(Message):
        """Message: a key was clicked; `name` is its command."""

        name: str

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.keys: tuple[FooterKey, ...] = ()  # of which those are shown that fit
        self.last: tuple[FooterKey, ...] = ()  # which are always shown, after them

    def say(self, text: str) -> None:
        """Show a status sentence, or clear it."""
        text = sanitise(text)
        if text != self.text:
            self.text = text
            self.refresh()
            self._take_room()

    @property
    def rows(self) -> int:
        return len(self._lines()) + 1

    def on_resize(self, _event: events.Resize) -> None:
        self._take_room()

    def _take_room(self) -> None:
        height = self.styles.height
        if height is None or height.value != self.rows:
            self.styles.height = self.rows

    def _lines(self) -> list[str]:
        if not self.size.width:  # before the first layout
            return [self.text]
        return status_lines(self.text, self.size.width)

    def show_keys(self, keys: Iterable[FooterKey], last: Iterable[FooterKey] = ()) -> None:
        """Show as many `keys` as fit, and after them all of `last`."""
        shown = tuple(keys), tuple(last)
        if shown != (self.keys, self.last):
            self.keys, self.last = shown
            self.refresh()

    @property
    def placed(self) -> tuple[tuple[int, FooterKey], ...]:
        """Keys that fit, each with the column where it begins."""
        room = self.size.width - sum(key.columns + KEY_GAP_COLUMNS for key in self.last)
        column, fitting = 1, list[tuple[int, FooterKey]]()
        for key in self.keys:
            if column + key.columns >= room:
                break
            fitting.append((column, key))
            column += key.columns + KEY_GAP_COLUMNS
        for key in self.last:
            fitting.append((column, key))
            column += key.columns + KEY_GAP_COLUMNS
        return tuple(fitting)

    def render(self) -> Content:
        said = [Content(f" {line}").stylize("bold") for line in self._lines()]
        parts: list[Content] = []
        column = 0
        for begins, key in self.placed:
            parts += [
                Content(" " * (begins - column)),
                Content(key.spelt).stylize("bold $accent"),
                Content(f" {key.label}"),
            ]
            column = begins + key.columns
        return Content("\n").join([*said, Content("").join(parts)])

    def on_click(self, event: events.Click) -> None:
        if event.y != self.size.height - 1:  # only the last line has keys
            return
        for begins, key in self.placed:
            if begins <= event.x < begins + key.columns:
                self.post_message(self.Pressed(key.command))
