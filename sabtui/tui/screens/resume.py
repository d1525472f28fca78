"""The screen for coming back to a table: the list of tables."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.content import Content

from net.protocol.text import sanitise
from sabtui.app.requests import ResumableTable
from sabtui.text.errors import ago
from sabtui.text.i18n import _
from sabtui.text.names import pad_to, width
from sabtui.text.seats import looking_for_table
from sabtui.tui.command import Command
from sabtui.tui.screens.bases import PendingScreen
from sabtui.tui.widgets.list import Menu

GAP_COLUMNS: Final = 2
"""Columns between a table's name and its description."""


class ResumeScreen(PendingScreen):
    """List of tables to return to."""

    AUTO_FOCUS = "Menu"

    def __init__(self) -> None:
        self.tables: tuple[ResumableTable, ...] = ()
        super().__init__()
        empty = _(
            "No table to come back to. Tables you left for now are listed here, and tables "
            "you hosted and did not close."
        )
        self.menu: Final = Menu(empty=empty, title=_("Tables to come back to"))

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command(
            "return",
            ("enter",),
            _("come back"),
            _("come back to the table under the cursor"),
            self.enter,
            self.why_not,
        )
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        """Yield the list."""
        yield self.menu

    def on_screen_resume(self) -> None:
        """Show the tables that can be resumed, also after another screen was on top."""
        self.tables = self.context.tables.resumable()
        self.menu.show(_rows(self.tables, time.time()), ids=[table.id for table in self.tables])

    def why_not(self) -> str | None:
        """Return why no table can be resumed now, or `None` if one can."""
        none = None if self.tables else _("There is no table to come back to.")
        return self.why_busy() or none

    def enter(self) -> None:
        """Resume the table under the cursor."""
        handle = self.context.tables.resume(self.tables[self.menu.at])
        self.leave_by(handle, looking_for_table())


def _rows(tables: Sequence[ResumableTable], now: float) -> list[Content]:
    """Return a row for each table: its name, the player's part in it, and when it was left."""
    names = [sanitise(table.title) for table in tables]
    columns = max(map(width, names), default=0) + GAP_COLUMNS
    return [
        Content(pad_to(name, columns)).stylize("bold", 0, len(name))
        + Content(_describe_table(table, now))
        for name, table in zip(names, tables, strict=True)
    ]


def _describe_table(table: ResumableTable, now: float) -> str:
    """Return the description of a table."""
    if table.problem:
        return _("cannot be brought back: press Enter to see why")
    text = _("you are the host - last played {ago}")
    if not table.is_host:
        text = _("your seat is kept - left {ago}")
    return text.format(ago=ago(now - table.when))
