"""Choosing cards and playing them.

Knows the table screen: the seat to want moves of, and the player's desk. Decides no rule.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.moves import Keep
from engine.table import Phase
from engine.view import View
from net.client.seat import Standing
from net.messages import PlayAgain, SetReady
from sabtui.words.endings import ended
from sabtui.words.reasons import why_not
from sabtui.words.tongue import _, ngettext

if TYPE_CHECKING:
    from sabtui.screen.table.screen import TableScreen


class Playing:
    """What a player does with cards."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def do_it(self) -> None:
        """Do what the hint says."""
        table = self._table
        view = table.now.view
        if table.now.standing is Standing.ENDED:
            table.house.stand(ended(table.now.ending))
        elif view is not None:
            self._do(view)

    def _do(self, view: View) -> None:
        table = self._table
        match view.phase:
            case Phase.OVER:
                told = _("Put this game away and play again? All keep their seats.")
                table.ask(told, lambda: table.seat.want(PlayAgain()))
            case Phase.DEAL:
                table.seat.want(SetReady(ready=True))
            case Phase.GOLD if (nuggets := table.desk.kept(view)) is not None:
                table.seat.play(Keep(nuggets))
                table.mark_sent()
            case _:
                wish = table.desk.wish(view)
                if wish is not None:
                    table.seat.play(wish)
                    table.mark_sent()

    def choose(self, digit: int) -> None:
        """Choose a card by its digit, or turn it if it is chosen already."""
        table = self._table
        view = table.now.view
        if view is not None and view.phase is Phase.GOLD and view.offer:
            self._choose_gold(view, digit)
        elif view is None or not view.hand or view.phase is not Phase.PLAY:
            table.say(table.can.no_cards())
        elif digit > len(view.hand):
            table.say(self.no_card())
        elif table.desk.card == digit - 1 and not table.desk.discarding:
            table.obey(table.by_name["turn"])
        else:
            table.seen = table.seen.with_desk(table.desk.choosing(digit - 1, view))

    def no_card(self) -> str:
        """Return why a digit chooses no card."""
        view = self._table.now.view
        if view is None or not view.hand or view.phase is not Phase.PLAY:
            return self._table.can.no_cards()
        count = len(view.hand)
        return ngettext("You hold {count} card.", "You hold {count} cards.", count).format(
            count=count
        )

    def _choose_gold(self, view: View, nuggets: int) -> None:
        table = self._table
        reason = view.why_not(Keep(nuggets))
        if reason is not None:
            table.say(why_not(reason, Keep(nuggets), view, table.cast))
        else:
            table.seen = table.seen.with_desk(replace(table.desk, nuggets=nuggets))

    def turn(self) -> None:
        """Turn the card, or say why it cannot lie the other way up here."""
        table = self._table
        view = table.now.view
        choice = None if view is None else table.desk.choice(view)
        if view is None or choice is None:
            return
        other = choice.other_way(table.desk.place, table.desk.turned)
        if other is None:
            return
        reason = choice.why_not(other)
        if choice.at(table.desk.place) is not None and reason is not None:
            table.say(why_not(reason, other, view, table.cast))
            return
        wish = choice.way(table.desk.place, table.desk.turned)
        turned = table.desk.turned
        if choice.way(table.desk.place, not turned) != wish:
            turned = not turned
        table.seen = table.seen.with_desk(replace(table.desk, turned=turned, discarding=False))

    def jump(self, step: int) -> None:
        """Go to the next place for the card."""
        table = self._table
        view = table.now.view
        choice = None if view is None else table.desk.choice(view)
        if choice is None:
            return
        place = choice.after(table.desk.place, step)
        if place is None:
            table.say(_("This card can do nothing now: x discards it."))
        else:
            table.seen = table.seen.at(place)

    def discard(self) -> None:
        """Be about to discard the card; a second time does it."""
        table = self._table
        if table.desk.discarding:
            table.obey(table.by_name["do"])
            return
        table.seen = table.seen.with_desk(replace(table.desk, discarding=True))
