"""Resume: the tables one has left and may come back to, last played first."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from net.text import harmless
from sabtui.screen.commands import Command
from sabtui.screen.doors import Comeback
from sabtui.screen.leaving import Leaving
from sabtui.screen.menu import Menu
from sabtui.words.cast import padded, width
from sabtui.words.times import ago
from sabtui.words.tongue import _

TITLE: Final = 26
"""Columns of a table's name."""


class Resume(Leaving):
    """Tables to come back to."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    Resume > Menu {
        padding: 0 1;
    }
    """

    def __init__(self) -> None:
        self.tables: tuple[Comeback, ...] = ()
        super().__init__()
        empty = _(
            "No table to come back to. Those that you leave without saying goodbye\n"
            "are listed here, and those that you hosted and did not close."
        )
        self.menu: Final = Menu(empty=empty)

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        yield Command(
            "return",
            ("enter",),
            _("come back"),
            _("come back to the table under the cursor"),
            self.enter,
            self.why_not,
        )
        yield Command("back", ("escape",), _("back"), _("back to the welcome screen"), self.back)

    def body(self) -> ComposeResult:
        """The list."""
        yield Static(_("Tables to come back to"), markup=False, classes="heading")
        yield self.menu

    def on_mount(self) -> None:
        """List them."""
        self.list_tables()

    def on_screen_resume(self) -> None:
        """List them anew, after a table was on top."""
        self.list_tables()

    def list_tables(self) -> None:
        """Show what can be come back to."""
        self.tables = self.house.doors.comebacks()
        self.menu.show([_row(table, time.time()) for table in self.tables])

    def why_not(self) -> str | None:
        """Say that one is on one's way, or has nowhere to go."""
        if self.busy:
            return _("On the way back already, one moment.")
        return None if self.tables else _("There is no table to come back to.")

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Come back to the table that was chosen."""
        self.action_command("return")

    def enter(self) -> None:
        """Come back to the table under the cursor."""
        way = self.house.doors.come_back(self.tables[self.menu.at])
        self.leave_by(way, _("Looking for the table..."))


def _row(table: Comeback, now: float) -> Content:
    """A table: its name, whose it is, and when it was played."""
    title = harmless(table.title)
    gap = " " * max(TITLE - width(title), 1)
    whose = _("you host it") if table.is_host else _("a seat is yours")
    return Content(title).stylize("bold") + Content(
        f"{gap}{padded(whose, 16)}{ago(now - table.when)}"
    )
