"""The lines at the foot of every screen: what is said, and the keys that do something now.

Two lines of plain text, so that a change costs one line of bytes. A sentence too long for its
line goes on in another until the next is said, above the keys, which are always there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from net.protocol.text import sanitise
from sabtui.text.layout import confined
from sabtui.text.names import width

MAX_STATUS_LINES: Final = 3
"""Lines of a sentence."""

KEY_GAP_COLUMNS: Final = 2
"""Blanks between two keys."""

FooterKey = tuple[str, str, str]
"""How a key is spelt, its label, and the name of its command."""


class StatusFooter(Widget):
    """Status and keys."""

    DEFAULT_CSS = """
    StatusFooter {
        dock: bottom;
        height: 2;
        background: $panel;
        color: $foreground;
    }
    """
    ALLOW_SELECT = False

    class Pressed(Message):
        """A key was clicked; `name` is its command's."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.keys: tuple[FooterKey, ...] = ()
        self.last: tuple[FooterKey, ...] = ()

    def say(self, text: str) -> None:
        """Say something, or nothing."""
        text = sanitise(text)
        if text != self.text:
            self.text = text
            self.refresh()
            self._take_room()

    @property
    def rows(self) -> int:
        """How many lines there are with that of the keys."""
        return len(self._lines()) + 1

    def on_resize(self, _event: events.Resize) -> None:
        """Take as many lines as the sentence needs in so many columns."""
        self._take_room()

    def _take_room(self) -> None:
        height = self.styles.height
        if height is None or height.value != self.rows:
            self.styles.height = self.rows

    def _lines(self) -> list[str]:
        if not self.size.width:  # there is no room yet
            return [self.text]
        return confined([self.text], max(self.size.width - 2, 20), 0)[:MAX_STATUS_LINES]

    def show_keys(self, keys: Iterable[FooterKey], last: Iterable[FooterKey] = ()) -> None:
        """Show these keys, as many as fit, and after them those that always have room."""
        shown = tuple(keys), tuple(last)
        if shown != (self.keys, self.last):
            self.keys, self.last = shown
            self.refresh()

    @property
    def placed(self) -> tuple[tuple[int, FooterKey], ...]:
        """The keys that fit, each with the column where it begins."""
        room = self.size.width - sum(_wide(key) + KEY_GAP_COLUMNS for key in self.last)
        column, fitting = 1, list[tuple[int, FooterKey]]()
        for key in self.keys:
            if column + _wide(key) >= room:
                break
            fitting.append((column, key))
            column += _wide(key) + KEY_GAP_COLUMNS
        for key in self.last:
            fitting.append((column, key))
            column += _wide(key) + KEY_GAP_COLUMNS
        return tuple(fitting)

    def render(self) -> Content:
        """What is said, and the line of the keys."""
        said = [Content(f" {line}").stylize("bold") for line in self._lines()]
        return Content("\n").join([*said, self._key_line()])

    def _key_line(self) -> Content:
        parts: list[Content] = []
        column = 0
        for begins, (spelt, label, _name) in self.placed:
            parts += [
                Content(" " * (begins - column)),
                Content(spelt).stylize("bold $accent"),
                Content(f" {label}"),
            ]
            column = begins + width(spelt) + 1 + width(label)
        return Content("").join(parts)

    def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        if event.y != self.size.height - 1:
            return
        for begins, key in self.placed:
            if begins <= event.x < begins + _wide(key):
                self.post_message(self.Pressed(key[2]))


def _wide(key: FooterKey) -> int:
    """How many columns a key takes with its label."""
    return width(key[0]) + 1 + width(key[1])
