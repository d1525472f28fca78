"""A table that has gone back: what it has lost, and whether to go on from there.

Knows what is missing of what was seen. Nothing is played at such a table until its player says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.content import Content

from net.client.seat import Update
from net.seen import Undone
from net.seen_record import seen_record
from sabtui.screen.commands import Command
from sabtui.screen.keeping import folder, keep
from sabtui.screen.pane import Lines, Page, prose
from sabtui.screen.seated import Seated
from sabtui.words.lost import lost_moves, lost_told
from sabtui.words.tongue import _


class GoneBack(Seated):
    """What is missing, and two ways from here."""

    AUTO_FOCUS = "Page"

    def commands(self) -> Iterable[Command]:
        """What can be done."""
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
        """What is missing."""
        yield Page(_("Moves are missing"), self._told)

    def hear(self, update: Update) -> None:
        """Keep what is now; the app shows the table once the player goes on."""
        super().hear(update)
        self.look_again()

    def go_on(self) -> None:
        """Go on from there."""
        self.seat.go_on()

    def leave(self) -> None:
        """Leave, and keep the record of what was seen."""
        held = self._undone.held
        record = seen_record(held)
        said = keep(record, held.lobby.name, folder()) if held is not None and record else ""
        self.house.stand(said)

    @property
    def _undone(self) -> Undone:
        assert self.now.undone is not None, "the table has not gone back"
        return self.now.undone

    def _told(self, columns: int) -> Lines:
        undone = self.now.undone
        if undone is None:
            return []
        told = [*prose(lost_told(undone), columns), Content("")]
        for sentence in lost_moves(undone, self.now.member):
            told += prose(sentence, columns)
        asked = _("Go on from where the table is now, or leave with the record of what you saw.")
        return [*told, Content(""), *prose(asked, columns)]
