"""Saying something: in words, in two keys, and to oneself in notes.

Knows the table screen: the seat to say it by, and the list of quick claims while it is open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from net.messages import Tell
from sabtui.screen.table import claims
from sabtui.words.tongue import _

if TYPE_CHECKING:
    from sabtui.screen.table.screen import TableScreen


class Talking:
    """What a player says."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def talk(self) -> None:
        """Begin to say something."""
        table = self._table
        table.seen = replace(table.seen, about=None)
        table.set_focus(table.talk_line)
        table.say(_("Say it to all and press Enter; Esc goes back to the table."))

    def claim(self) -> None:
        """Open the list of quick claims, or close it."""
        table = self._table
        view = table.now.view
        if view is not None:
            about = claims.first_about(view, table.desk.seat)
            table.seen = replace(
                table.seen, about=about if table.seen.about is None else None, claims_page=0
            )
            if table.seen.about is not None:
                table.say(_("Press the key of a claim; Up, Down: about another player."))

    def take(self, key: str, character: str | None) -> bool:
        """Take a key while the list is open; whether it was one of its own."""
        table = self._table
        view, about = table.now.view, table.seen.about
        if view is None or about is None:
            return False
        if key in {"up", "down"}:
            step = 1 if key == "down" else -1
            table.seen = replace(table.seen, about=claims.next_about(view, about, step))
            table.redraw()
            return True
        listed = claims.claims(view, about)
        at = claims.KEYS.find(character) if character else -1
        if not 0 <= at < len(listed):
            return False
        self.claimed(at)
        return True

    def claimed(self, at: int) -> None:
        """Claim one thing of the list."""
        table = self._table
        view, about = table.now.view, table.seen.about
        if view is None or about is None:
            return
        listed = claims.claims(view, about)
        if at < len(listed):
            table.seat.want(Tell(listed[at]))
            table.seen = replace(table.seen, about=None)
            table.say("")
            table.look_again()

    def note(self) -> None:
        """Mark the player under the cursor."""
        table = self._table
        if table.desk.seat is not None:
            table.seen = table.seen.marked(table.cast.names[table.desk.seat])
