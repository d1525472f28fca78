"""The palette: a box over a screen that finds its commands, or answers, by a few letters.

Its line and its list are Textual's. Textual's palette as a whole is a screen: over a drawn table of
120x40 it writes 167 kB to open, 13 kB for a key and 85 kB to close. This is a layer of the screen
below, on which the game stays visible: it writes 26, 1.4 and 24 kB.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Input

from net.protocol.cleaning import sanitise
from sabtui.text.i18n import ngettext
from sabtui.text.layout import no_match, width
from sabtui.tui.command import PALETTE_KEYS, Command, key_name
from sabtui.tui.widgets.form import TextField
from sabtui.tui.widgets.menu import Menu
from sabtui.tui.widgets.text import cut_short

MAX_COLUMNS: Final = 76  # maximum columns of the box

ROWS_BESIDE: Final = 6
"""Rows of the screen without the list: the box around it, its line, the footer."""

COLUMNS_BESIDE: Final = 6
"""Columns of the box without a row: border, padding, the mark of the cursor."""

WITHIN_WORDS: Final = 3  # rank of a text that contains typed words only inside its own words


class CommandPalette(Vertical):
    """Commands of the screen below: those that work now, and folded below them the rest.

    The answers to a question are commands, too; `title` is the question. `hint` is shown while
    nothing is typed. `show_text` shows a sentence. At the end `close` is called with the command
    to run, or `None`.
    """

    def __init__(
        self,
        title: str,
        hint: str,
        commands: Sequence[Command],
        show_text: Callable[[str], None],
        close: Callable[[Command | None], None],
    ) -> None:
        super().__init__()
        self._title = sanitise(title)
        self._commands = commands
        self._show_text = show_text
        self._close = close
        self._is_folded = True
        self._columns = 0
        self._rows = 0
        self.found: tuple[Command, ...] = ()
        self.line: Final = TextField("what", "", 60, "", hint)
        self.menu: Final = Menu(marked=True)
        self.menu.can_focus = False
        self.menu.counts_rows = False  # the keys take that place

    def compose(self) -> ComposeResult:
        yield self.line
        yield self.menu

    def fit(self, screen: Size) -> None:
        """Take a place in the upper part of a screen of this size."""
        columns = min(MAX_COLUMNS, screen.width)
        self.styles.width = columns
        self.styles.margin = (1, 0, 0, (screen.width - columns) // 2)
        self._rows = max(1, min(len(self._commands), screen.height - ROWS_BESIDE))
        self.menu.styles.height = self._rows
        self._columns = columns - COLUMNS_BESIDE
        self.border_title = Content(cut_short(self._title, self._columns))
        at = self.menu.at
        self.find(self.line.value)
        self.menu.highlighted = at

    def on_input_changed(self, changed: Input.Changed) -> None:
        """List the commands that match the typed letters, or do the one with this digit."""
        changed.stop()
        digit = changed.value if changed.value.isdecimal() else None
        picked = next((command for command in self._commands if digit in command.keys), None)
        if picked is not None:
            self._close(picked)
        else:
            self.find(changed.value)

    def on_option_list_option_highlighted(self, moved: Menu.OptionHighlighted) -> None:
        """Show the whole text of the row under the cursor if it is cut."""
        moved.stop()
        self._show_whole_row()

    def on_option_list_option_selected(self, chosen: Menu.OptionSelected) -> None:
        chosen.stop()
        self._choose()

    def on_descendant_blur(self) -> None:
        """Close: the player is doing something else."""
        self._close(None)

    def on_key(self, event: events.Key) -> None:
        """Handle a key, unless it edits the line."""
        if self.press(event.key):
            event.stop()
            event.prevent_default()

    def press(self, key: str) -> bool:
        """Move the cursor, do the command there, or close; return False for any other key."""
        menu = self.menu
        steps = {"up": menu.action_cursor_up, "down": menu.action_cursor_down}
        steps |= {"pageup": menu.action_page_up, "pagedown": menu.action_page_down}
        if key in steps:
            steps[key]()
        elif key == "enter":
            self._choose()
        elif key in {"escape", *PALETTE_KEYS}:
            self._close(None)
        else:
            return False
        return True

    def find(self, typed: str) -> None:
        found = [
            (rank, command.why_not() is not None, command)
            for command in self._commands
            if (rank := match_words(typed, f"{command.label} {command.purpose}")) is not None
        ]
        found.sort(key=lambda row: row[:2])
        found = [row for row in found if row[0] != WITHIN_WORDS] or found  # if there are others
        is_folded = self._is_folded and not typed
        self.found = tuple(row[-1] for row in found if not (is_folded and row[1]))
        rows = [self._draw_row(command) for command in self.found]
        if more := len(found) - len(self.found):
            text = ngettext("{count} more, not now", "{count} more, not now", more)
            rows.append(Content(f"+ {text.format(count=more)}"))
        self.menu.set_empty_text(no_match(typed))
        self.menu.show(rows, 0)
        self._show_whole_row()

    def _choose(self) -> None:
        """Do the command under the cursor, or unfold what cannot be done now."""
        at = self.menu.at
        if at < len(self.found):
            self._close(self.found[at])
        elif self._is_folded and not self.line.value:
            self._is_folded = False
            self.find("")
            self.menu.highlighted = at

    def _draw_row(self, command: Command) -> Content:
        """Return a row for a command: its purpose, the reason if it is unavailable, its key."""
        key, room = self._key_and_room(command)
        text = cut_short(command.describe(), room)
        shown = Content(text)
        if command.why_not() is not None:
            shown = shown.stylize("$text-muted")
        gap = Content(" " * (room + 1 - width(text)))
        return shown + gap + Content(key).stylize("bold $accent")

    def _key_and_room(self, command: Command) -> tuple[str, int]:
        key = key_name(command.keys[0]) if command.keys else ""
        return key, self._columns - width(key) - 1

    def _show_whole_row(self) -> None:
        """Show the whole text of a cut row and, if some rows are hidden, its number."""
        count, text = self.menu.option_count, ""
        place = f"{self.menu.at + 1}/{count}" if count > self._rows else ""
        self.border_subtitle = Content(place)
        for command in self.found[self.menu.at : self.menu.at + 1]:
            whole, room = command.describe(), self._key_and_room(command)[1]
            text = whole if width(whole) > room else ""
        self._show_text(text)


def match_words(typed: str, text: str) -> int | None:
    """Return the rank of a text against the typed words, 0 the best; `None` if it does not match.

    0: the words as one phrase; 1: all as whole words; 2: all at the start of words; else
    `WITHIN_WORDS`.
    """
    words, text = typed.casefold().split(), text.casefold()
    if not all(word in text for word in words):
        return None
    patterns = [re.escape(word) for word in words]
    if re.search(rf"\b{' '.join(patterns)}", text):
        return 0
    if all(re.search(rf"\b{pattern}\b", text) for pattern in patterns):
        return 1
    return 2 if all(re.search(rf"\b{pattern}", text) for pattern in patterns) else WITHIN_WORDS
