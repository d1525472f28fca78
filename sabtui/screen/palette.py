"""The palette: the commands of the screen beneath, found by a few letters of what they are for.

Made of our own list and line: Textual's costs sixty kilobytes over SSH, and has signs that not all
terminals show. Knows no screen in particular.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input

from sabtui.screen.commands import Command, Commanded
from sabtui.screen.form import Field, Line
from sabtui.screen.menu import Menu
from sabtui.words.cast import width
from sabtui.words.tongue import _, pgettext

KEYS: Final = 16
"""Columns of a command's keys."""


class Palette(Commanded):
    """The commands of the screen beneath, those first that can be done now."""

    AUTO_FOCUS = "Line"
    DEFAULT_CSS = """
    Palette > Field {
        margin-bottom: 1;
    }
    """

    def __init__(self, beneath: Commanded) -> None:
        self.beneath = beneath
        self.found: tuple[Command, ...] = ()
        super().__init__()
        self.line: Final = Line("what", "", 60, "", _("type what you want to do"))
        self.menu: Final = Menu(empty=_("  Nothing of that name can be done here."))

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        yield Command("do", ("enter",), _("do it"), _("do what is under the cursor"), self.do)
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.back)
        yield Command(
            "down", ("down",), pgettext("row", "next"), _("the next row"), lambda: self.move(1)
        )
        told = _("the row before")
        yield Command(
            "up", ("up",), pgettext("row", "before"), told, lambda: self.move(-1), hidden=True
        )

    def body(self) -> ComposeResult:
        """A line to type, and what it may mean."""
        yield Field(_("Commands"), self.line)
        yield self.menu

    def on_mount(self) -> None:
        """List all."""
        self.find("")

    def on_input_changed(self, changed: Input.Changed) -> None:
        """List what the letters may mean."""
        self.find(changed.value)

    def on_input_submitted(self, _submitted: Input.Submitted) -> None:
        """Do what is under the cursor."""
        self.do()

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Do what was clicked."""
        self.do()

    def find(self, typed: str) -> None:
        """List the commands that match what is typed, the best matches first.

        Among equal matches those come first that can be done now.
        """
        found = [
            (rank, command.why_not() is not None, command)
            for command in self.beneath.offered
            if command.do != self.beneath.palette
            and (rank := _match(typed, f"{command.label} {command.purpose}")) is not None
        ]
        found.sort(key=lambda one: one[:2])
        self.found = tuple(command for _rank, _idle, command in found)
        self.menu.show([_row(command) for command in self.found], 0)

    def move(self, rows: int) -> None:
        """Go up or down the list, while typing."""
        self.menu.action_move(rows)

    def do(self) -> None:
        """Do what is under the cursor, on the screen beneath."""
        if self.found:
            command = self.found[self.menu.at]
            self.back()
            self.app.call_later(self.beneath.obey, command)


def _match(typed: str, text: str) -> int | None:
    """Rank a text by how well it matches what was typed, best first; `None` where it does not.

    A phrase goes before whole words, those before beginnings of words, and what is only within
    others comes last.
    """
    words, text = typed.casefold().split(), text.casefold()
    if not all(word in text for word in words):
        return None
    patterns = [re.escape(word) for word in words]
    if re.search(rf"\b{' '.join(patterns)}", text):
        return 0
    if all(re.search(rf"\b{pattern}\b", text) for pattern in patterns):
        return 1
    return 2 if all(re.search(rf"\b{pattern}", text) for pattern in patterns) else 3


def _row(command: Command) -> Content:
    """A command: its keys, what it is for, and why it cannot be done now."""
    keys = command.spelt
    gap = " " * max(KEYS - width(keys), 1)
    why_not = command.why_not()
    told = command.purpose
    if why_not is not None:
        told = _("{purpose}. Not now: {why_not}").format(purpose=told, why_not=why_not)
    return Content(keys).stylize("bold $accent") + Content(gap + told)
