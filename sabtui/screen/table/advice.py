"""Advice at the table: the moves that a bot would think of in the player's place, one by one.

Thinks beside the app, of what the player's own seat knows. What is advised is laid ready on the
desk, so that Enter would do it; it is never played from here. Knows the table screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from engine.bots import Playouts
from engine.bots.hints import Hint, hints
from engine.view import View
from sabtui.logs import note
from sabtui.screen.table.hint import with_more
from sabtui.words.hints import hint_words
from sabtui.words.tongue import _

if TYPE_CHECKING:
    from sabtui.screen.table.screen import TableScreen

THOUGHT: Final = Playouts(600)
"""The same for everybody, so that who asks again is told the same; a third of a second or so."""

BEST: Final = 4
"""How many moves are told of, round and round."""


class Advice:
    """What was thought of the turn that is in view, and how much of it was told."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self._about: View | None = None
        self._found: Sequence[Hint] = ()
        self._told = 0

    def ask(self) -> None:
        """Tell the best move, or the next best after that; think first, in a new turn."""
        view = self._table.now.view
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
            found = await asyncio.to_thread(hints, view, Random(len(view.history)), THOUGHT)
        except Exception as error:  # noqa: BLE001 - a host may tell what never can have happened
            note(error)
            found = []
        table = self._table
        if table.now.view != view:
            if table.foot.said == _thinking():
                table.say("")
            return
        self._found = found[:BEST]
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
        table.seen = table.seen.with_desk(table.desk.about_to(hint.move, view))
        told = [hint_words(hint, table.cast)]
        if count > 1:
            more = _("i: hint {number} of {count}.")
            told.append(more.format(number=self._told % count + 1, count=count))
        table.say(with_more([*told, _("Enter does it.")], table.seen.layout.columns - 2))
        table.look_again()


def _thinking() -> str:
    return _("Thinking of a hint...")
