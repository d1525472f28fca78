"""The screen for coming back to a table: the list of tables."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from net.protocol.text import sanitise
from sabtui.app.requests import ResumableTable
from sabtui.text.errors import ago
from sabtui.text.i18n import _
from sabtui.text.seats import looking_for_table
from sabtui.tui.command import Command
from sabtui.tui.screens.bases import PendingScreen
from sabtui.tui.screens.forms import FormScreen
from sabtui.tui.widgets.list import Menu
from sabtui.tui.widgets.table import RowTable


class ResumeScreen(FormScreen, PendingScreen):
    """List of tables to return to."""

    AUTO_FOCUS = "RowTable"

    def __init__(self) -> None:
        self.tables: tuple[ResumableTable, ...] = ()
        super().__init__()
        empty = _(
            "No table to come back to. Tables you left for now are listed here, and tables "
            "you hosted and did not close."
        )
        titles = (_("Table"), _("You"))
        self.menu: Final = RowTable(_("Tables to come back to"), titles, empty=empty)

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
        """Yield the list, and beside it what keeps a table away."""
        yield from self.lay_out("", Vertical(self.menu, id="games"))

    def on_screen_resume(self) -> None:
        """Show the tables that can be resumed, also after another screen was on top."""
        self.tables = self.context.tables.resumable()
        now = time.time()
        rows = [(table.title, _describe_table(table, now)) for table in self.tables]
        self.menu.show(rows, ids=[table.id for table in self.tables])
        self._advise()

    def on_menu_moved(self, _moved: Menu.Moved) -> None:
        """Tell what keeps the table under the cursor away."""
        self._advise()

    def _advise(self) -> None:
        """Tell what keeps the table under the cursor away; of others the list says all."""
        if self.tables:
            table = self.tables[self.menu.at]
            self.note.border_title = Content(sanitise(table.title))
            self.note.tell(table.problem)
            self.note.display = bool(table.problem)

    def why_not(self) -> str | None:
        """Return why no table can be resumed now, or `None` if one can."""
        none = None if self.tables else _("There is no table to come back to.")
        return self.why_busy() or none

    def enter(self) -> None:
        """Resume the table under the cursor."""
        handle = self.context.tables.resume(self.tables[self.menu.at])
        self.leave_by(handle, looking_for_table())


def _describe_table(table: ResumableTable, now: float) -> str:
    """Return the description of a table."""
    if table.problem:
        return _("cannot be brought back: press Enter to see why")
    text = _("you are the host - last played {ago}")
    if not table.is_host:
        text = _("your seat is kept - left {ago}")
    return text.format(ago=ago(now - table.when))
