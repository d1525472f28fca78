"""Hints and autopilot.

Hints are computed in a thread, from the view of the player's own seat. A suggested move is selected
on the table so that Enter plays it; it is never played from here. The autopilot lets a bot play the
player's seat until they take over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from engine.bots import Playouts
from engine.bots.hints import Hint, hints
from engine.view import View
from net.client.session import Session
from sabtui.app.autopilot import Autopilot
from sabtui.app.paths import log_exception
from sabtui.text.i18n import _
from sabtui.text.moves import MAX_HINTS, hint_words
from sabtui.tui.table.status import with_more

if TYPE_CHECKING:
    from sabtui.tui.table.screen import TableScreen

HINT_BUDGET: Final = Playouts(600)
"""Playouts per request: fixed, so that asking again gives the same hints; about 0.3 s."""


class HintControl:
    """Hints for the current turn, and which of them was shown last."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self._about: View | None = None
        self._found: Sequence[Hint] = ()
        self._told = 0

    def ask(self) -> None:
        """Show the next best move; for a new turn, compute the hints first."""
        view = self._table.status.view
        if view is None:
            return
        if self._about == view and self._found:
            self._tell(view)
            return
        self._table.say(_thinking())
        if self._about != view:
            self._about, self._found, self._told = view, (), 0
            self._table.run_worker(self._think(view), group="advice", exclusive=True)

    async def _think(self, view: View) -> None:
        """Compute the hints and show the first; drop them if the view has changed meanwhile."""
        try:
            found = await asyncio.to_thread(hints, view, Random(len(view.history)), HINT_BUDGET)
        except Exception as error:  # noqa: BLE001 - a host may tell what never can have happened
            log_exception(error)
            found = []
        table = self._table
        if table.status.view != view:
            if table.footer.text == _thinking():
                table.say("")
            return
        self._found = found[:MAX_HINTS]
        if not found:
            self._about = None
        if table.question is not None or table.is_sent:
            return
        if found:
            self._tell(view)
        else:
            table.say(_("No hint comes to mind."))

    def _tell(self, view: View) -> None:
        """Select the next suggested move, and say why."""
        table, count = self._table, len(self._found)
        hint = self._found[self._told % count]
        self._told += 1
        table.model = table.model.with_desk(table.desk.about_to(hint.move, view))
        lines = [hint_words(hint, table.cast)]
        if count > 1:
            more = _("i: hint {number} of {count}.")
            lines.append(more.format(number=self._told % count + 1, count=count))
        table.say(with_more([*lines, _("Enter does it.")], table.model.layout.columns - 2))
        table.look_again()


def _thinking() -> str:
    return _("Thinking of a hint...")


class AutopilotControl:
    """Switch for a bot that plays the player's seat."""

    def __init__(self, table: TableScreen, session: Session) -> None:
        self._table = table
        self._pilot = Autopilot(session)
        self.is_on = False

    def change(self) -> None:
        """Switch the autopilot on or off."""
        self.is_on = not self.is_on
        if self.is_on:
            self._table.say(_("A bot plays for you from now on; A takes over again."))
        else:
            self._pilot.rest()
            self._table.say(_("You play again."))
        self.go_on()

    def go_on(self) -> None:
        """Let the bot make the pending move, if the autopilot is on."""
        if self.is_on:
            self._pilot.on_update(self._table.status)

    def why_not(self) -> str | None:
        """Return why no bot can play here, or `None` if one can."""
        return (
            _("You watch: there is no seat to play in.")
            if self._table.status.seat is None
            else None
        )

    def in_the_way(self) -> str | None:
        """Return why the player cannot move while the autopilot is on, or `None`."""
        return _("A bot plays for you: A takes over.") if self.is_on else None
