"""Why something cannot be done at the table now: a sentence each, `None` where it can be.

Knows what the table screen shows: what is now, the player's desk, and the names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.moves import Keep
from engine.reasons import DealAwaited, GameOver, GoldBeingShared, OnlyWatching
from engine.table import Phase
from engine.view import View
from net.client.seat import Standing
from net.messages import DiskIs
from sabtui.screen.table.drawing import seats_part
from sabtui.screen.table.endings import waited_for
from sabtui.screen.table.hint import hint
from sabtui.words.reasons import why_not
from sabtui.words.tongue import _
from sabtui.words.turns import waiting

if TYPE_CHECKING:
    from sabtui.screen.table.screen import TableScreen


NO_MOVE: Final = Keep(0)
"""A move that never can be made: what keeps one from any other is asked of it."""


class Can:
    """Asked by commands, before they are shown or done."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def do(self) -> str | None:
        """Whether Enter does something."""
        now = self._table.now
        view, lobby = now.view, now.lobby
        if now.standing is Standing.ENDED:
            return None
        in_the_way = now.standing is not Standing.LINKED or now.disk is DiskIs.FULL
        if view is None or lobby is None or in_the_way:
            return self._hint()
        if self._table.is_sent:
            return _("Your move is on its way to the host.")
        match view.phase:
            case Phase.OVER:
                return None if now.is_host else self._hint()
            case Phase.DEAL:
                return None if view.seat in waited_for(lobby) else self._hint()
            case Phase.GOLD | Phase.PLAY if lobby.paused:
                return self._hint()
            case Phase.GOLD | Phase.PLAY:
                return self._table.flying.in_the_way() or self._play(view)

    def with_card(self) -> str | None:
        """Whether a card is chosen."""
        view = self._table.now.view
        if view is None or not view.hand:
            return self.no_cards()
        if self._table.desk.card is None:
            return _("Choose a card first, 1 to {last}.").format(last=len(view.hand))
        return None

    def no_cards(self) -> str:
        """Why there are no cards to choose from."""
        view = self._table.now.view
        if view is None:
            return _("The game has not begun yet.")
        reason = view.why_not(NO_MOVE)
        if isinstance(reason, OnlyWatching | DealAwaited | GameOver | GoldBeingShared):
            return why_not(reason, NO_MOVE, view, self._table.cast)
        return _("You have no cards now.")

    def turn(self) -> str | None:
        """Whether the chosen card has another way."""
        view = self._table.now.view
        choice = None if view is None else self._table.desk.choice(view)
        if choice is None:
            return self.with_card()
        if choice.other_way(self._table.desk.place, self._table.desk.turned) is None:
            return _("There is no other way to play this card here.")
        return None

    def change_pane(self) -> str | None:
        """Whether there is another pane to show."""
        view = self._table.now.view
        if view is None or view.phase is Phase.OVER:
            return self.look()
        if seats_part(view, self._table.seen).is_tall:
            return _("What you know and what was said are in sight both.")
        return None

    def look(self) -> str | None:
        """Whether there is a mine to look at."""
        return _("The game has not begun yet.") if self._table.now.view is None else None

    def back(self) -> str | None:
        """Whether Escape goes back from something."""
        if self._table.can_go_back:
            return None
        return _("There is nothing to go back from. q leaves the table.")

    def have_hint(self) -> str | None:
        """Whether there is a move to give advice on."""
        view, lobby = self._table.now.view, self._table.now.lobby
        if view is None or lobby is None:
            return self.look()
        if not lobby.settings.hints:
            return _("No hints at this table: that was agreed.")
        if view.seat is None or view.to_act != view.seat:
            return waiting(view, self._table.cast)
        if self._table.is_sent:
            return _("Your move is on its way to the host.")
        return self._table.flying.in_the_way()

    def claim(self) -> str | None:
        """Whether something can be claimed."""
        return self.look()

    def note(self) -> str | None:
        """Whether a player is under the cursor."""
        if self._table.desk.seat is None:
            return _("Go to a player first: p, then Up or Down; or click on one.")
        return None

    def save(self) -> str | None:
        """Whether there is a record to save."""
        held = self._table.now.held
        if held is None or not held.record:
            return _("The record can be saved once the game is over.")
        return None

    def _play(self, view: View) -> str | None:
        table = self._table
        if view.phase is Phase.GOLD and view.to_act == view.seat:
            nuggets = table.desk.kept(view)
            if nuggets is None:
                return _("Choose a gold card first: press the number on it.")
            reason = view.why_not(Keep(nuggets))
            return None if reason is None else why_not(reason, Keep(nuggets), view, table.cast)
        wish = table.desk.wish(view)
        if wish is None:
            if table.desk.card is None and view.to_act == view.seat:
                return self.with_card()
            return self._hint()
        reason = view.why_not(wish)
        return None if reason is None else why_not(reason, wish, view, table.cast)

    def _hint(self) -> str:
        table = self._table
        return hint(table.now, table.desk, table.cast, 0)
