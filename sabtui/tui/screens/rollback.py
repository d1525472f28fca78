"""Screen for a table that has gone back: what is lost, and whether to continue from there.

The client plays nothing at such a table until its player agrees.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.content import Content

from net.client.own_record import seen_record
from net.client.session import Update
from net.client.trail import Rollback
from sabtui.app.records import folder, keep
from sabtui.text.i18n import _
from sabtui.text.lost import lost_moves, lost_told
from sabtui.tui.commands import Command
from sabtui.tui.screens.session import SessionScreen
from sabtui.tui.widgets.text import TextLines, TextPage, prose


class RollbackScreen(SessionScreen):
    """Lost moves, with the choice to go on or leave."""

    AUTO_FOCUS = "TextPage"

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command(
            "go on",
            ("g", "enter"),
            _("go on"),
            _("go on from where the table is now"),
            self.go_on,
        )
        yield Command(
            "leave",
            ("q", "escape"),
            _("leave"),
            _("leave, and keep the record of what you saw; your seat is kept too"),
            self.leave,
        )

    def body(self) -> ComposeResult:
        """Yield the page of lost moves."""
        yield TextPage(_("Moves are missing"), self._told)

    def show_update(self, update: Update) -> None:
        """Take in an update. The app shows the table once the player goes on."""
        super().show_update(update)
        self.look_again()

    def go_on(self) -> None:
        """Go on from the table's current state."""
        self.session.go_on()

    def leave(self) -> None:
        """Leave, and save a record of what this seat saw."""
        held = self._undone.held
        record = seen_record(held)
        text = keep(record, held.lobby.name, folder()) if held is not None and record else ""
        self.context.stand(text)

    @property
    def _undone(self) -> Rollback:
        assert self.status.undone is not None, "the table has not gone back"
        return self.status.undone

    def _told(self, columns: int) -> TextLines:
        undone = self.status.undone
        if undone is None:
            return []
        lines = [*prose(lost_told(undone), columns), Content("")]
        for sentence in lost_moves(undone, self.status.member):
            lines += prose(sentence, columns)
        asked = _("Go on from where the table is now, or leave with the record of what you saw.")
        return [*lines, Content(""), *prose(asked, columns)]
