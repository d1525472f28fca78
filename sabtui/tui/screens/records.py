"""Screens for saved games: the list of records, and one record lap by lap.

`sabtui.app.records` reads and checks a record before any of it is shown.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from net.protocol.text import sanitise
from sabtui.app.errors import UserError
from sabtui.app.records import RecordFile, folder, records
from sabtui.text.errors import ago
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.text.names import width
from sabtui.tui.commands import Command, CommandScreen
from sabtui.tui.widgets.list import Menu
from sabtui.tui.widgets.text import TextPage

FILE_NAME_COLUMNS: Final = 44
"""Columns of a file's name."""


class RecordsScreen(CommandScreen):
    """List of the saved games."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    RecordsScreen > Menu {
        padding: 0 1;
    }
    """

    def __init__(self) -> None:
        self.kept: tuple[RecordFile, ...] = ()
        super().__init__()
        text = _("No game saved yet. When a game is over, S saves its record here:\n{folder}")
        self.menu: Final = Menu(empty=text.format(folder=_shown(folder())))

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command(
            "read",
            ("enter",),
            _("read"),
            _("read the record under the cursor"),
            self.read,
            lambda: None if self.kept else _("There is no record to read."),
        )
        yield Command("back", ("escape",), _("back"), _("back to the welcome screen"), self.back)

    def body(self) -> ComposeResult:
        """Yield the list."""
        yield Static(_("Your saved games"), markup=False, classes="heading")
        yield self.menu

    def on_mount(self) -> None:
        """Read the folder and list its records."""
        self.kept = records(folder())
        self.menu.show([_row(file, time.time()) for file in self.kept])

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Open the record that was chosen."""
        self.action_command("read")

    def read(self) -> None:
        """Open the record under the cursor."""
        from sabtui.app.records import read  # noqa: PLC0415 - what reads records is needed only now

        file = self.kept[self.menu.at]
        try:
            lines = read(str(file.path))
        except UserError as trouble:
            self.say(_shown(trouble))
        else:
            self.show(RecordScreen(_shown(file.path.stem), lines))


class RecordScreen(CommandScreen):
    """One record, lap by lap."""

    AUTO_FOCUS = "TextPage"

    def __init__(self, title: str, lines: list[str]) -> None:
        self.title_told = title
        self.lines = lines
        super().__init__()

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command("back", ("escape", "q"), _("back"), _("back to the list"), self.back)

    def body(self) -> ComposeResult:
        """Yield the record in a page that scrolls."""
        yield TextPage(self.title_told, self._told)

    def _told(self, columns: int) -> list[Content]:
        lines: list[str] = []
        for line in map(_shown, self.lines):
            lines += confined([line], columns, 5 if line.startswith(" ") else 0)
        return [*map(Content, lines)]


def _shown(text: object) -> str:
    """Return a file's text or name with unprintable characters replaced."""
    return sanitise(str(text), "?")


def _row(file: RecordFile, now: float) -> Content:
    name = _shown(file.path.stem)
    gap = " " * max(FILE_NAME_COLUMNS - width(name), 1)
    return Content(name).stylize("bold") + Content(gap + ago(now - file.when))
