"""The autopilot at the table: a bot plays the player's seat until they take over again.

Knows the table screen; what the bot does, `sabtui.autopilot` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from net.client.seat import Seat
from sabtui.autopilot import Autopilot
from sabtui.words.tongue import _

if TYPE_CHECKING:
    from sabtui.screen.table.screen import TableScreen


class Flying:
    """Whether a bot plays in one's seat."""

    def __init__(self, table: TableScreen, seat: Seat) -> None:
        self._table = table
        self._pilot = Autopilot(seat)
        self.is_on = False

    def change(self) -> None:
        """Let the bot play, or take over."""
        self.is_on = not self.is_on
        if self.is_on:
            self._table.say(_("A bot plays for you from now on; A takes over again."))
        else:
            self._pilot.rest()
            self._table.say(_("You play again."))
        self.go_on()

    def go_on(self) -> None:
        """Let the bot do what is due, if it plays."""
        if self.is_on:
            self._pilot.heed(self._table.now)

    def why_not(self) -> str | None:
        """Why no bot can play here."""
        return (
            _("You watch: there is no seat to play in.") if self._table.now.seat is None else None
        )

    def in_the_way(self) -> str | None:
        """Why one cannot move by oneself."""
        return _("A bot plays for you: A takes over.") if self.is_on else None
