"""Hints and autopilot.

Advice at the table: the moves that a bot would think of in the player's place, one by one.

Thinks beside the app, of what the player's own seat knows. What is advised is laid ready on the
desk, so that Enter would do it; it is never played from here.

The autopilot at the table: a bot plays the player's seat until they take over again.
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
from sabtui.text.moves import hint_words
from sabtui.tui.table.status import with_more

if TYPE_CHECKING:
    from sabtui.tui.table.screen import TableScreen

HINT_BUDGET: Final = Playouts(600)
"""The same for everybody, so that who asks again is told the same; a third of a second or so."""

MAX_HINTS: Final = 4
"""How many moves are told of, round and round."""


class HintControl:
    """What was thought of the turn that is in view, and how much of it was told."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self._about: View | None = None
        self._found: Sequence[Hint] = ()
        self._told = 0

    def ask(self) -> None:
        """Tell the best move, or the next best after that; think first, in a new turn."""
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
        """Think, and tell; what came too late for its turn is forgotten."""
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
        """Lay the next move ready, and say why."""
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
    """Whether a bot plays in one's seat."""

    def __init__(self, table: TableScreen, session: Session) -> None:
        self._table = table
        self._pilot = Autopilot(session)
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
            self._pilot.on_update(self._table.status)

    def why_not(self) -> str | None:
        """Why no bot can play here."""
        return (
            _("You watch: there is no seat to play in.")
            if self._table.status.seat is None
            else None
        )

    def in_the_way(self) -> str | None:
        """Why one cannot move by oneself."""
        return _("A bot plays for you: A takes over.") if self.is_on else None
