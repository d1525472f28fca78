"""What the game waits for, and how each player stands.

Knows a view's public half, and names.
"""

from __future__ import annotations

from typing import assert_never

from engine.cards import Role, Tool
from engine.table import Phase
from engine.view import View
from sabtui.words.cards import cards_counted, tool
from sabtui.words.cast import Cast
from sabtui.words.tongue import _, listed, ngettext


def waiting(view: View, cast: Cast) -> str:
    """Say what the game waits for."""
    match view.phase:
        case Phase.DEAL:
            return _before_deal(view)
        case Phase.PLAY:
            assert view.to_act is not None
            return cast.say(view.to_act, _("It is your turn."), _("It is {name}'s turn."))
        case Phase.GOLD:
            assert view.to_act is not None
            return cast.say(
                view.to_act, _("You choose a gold card."), _("{name} is choosing a gold card.")
            )
        case Phase.OVER:
            return _("The game is over.")
        case never:
            assert_never(never)


def pile_words(view: View) -> str:
    """Say how many cards can still be drawn."""
    if view.table.pile:
        return ngettext(
            "{count} card in the draw pile.", "{count} cards in the draw pile.", view.table.pile
        ).format(count=view.table.pile)
    return _("The draw pile is empty: nobody draws any more.")


def broken_tools(seat: int, view: View) -> str:
    """Which tools of a seat are broken, in a row; nothing where none is."""
    return listed([tool(broken) for broken in Tool.within(view.table.broken[seat])])


def standing(seat: int, view: View, cast: Cast) -> str:
    """Say in a line how a player stands: tools, cards, gold, and whether it is their turn."""
    told = player_words(seat, view, cast)
    return f"{'>' if seat == view.to_act else ' '}{seat + 1:2} {told}"


def player_words(seat: int, view: View, cast: Cast) -> str:
    """Say how a player stands: tools, cards, gold."""
    table, score = view.table, view.score
    gold = ngettext("{count} gold card", "{count} gold cards", score.cards[seat]).format(
        count=score.cards[seat]
    )
    broken = broken_tools(seat, view)
    facts = [_("broken: {tools}").format(tools=broken)] if broken else []
    facts += [cards_counted(table.hands[seat]), gold]
    if score.chits[seat]:
        facts.append(
            ngettext("{count} chit", "{count} chits", score.chits[seat]).format(
                count=score.chits[seat]
            )
        )
    return _("{name}: {facts}").format(name=cast.name(seat), facts=", ".join(facts))


def _before_deal(view: View) -> str:
    number = view.score.number
    if not view.score.wins:
        return _("The first round is still to be dealt.")
    match view.score.wins[-1]:
        case Role.MINER:
            told = _("Round {number} of {rounds} went to the miners.")
        case Role.SABOTEUR:
            told = _("Round {number} of {rounds} went to the saboteurs.")
        case never:
            assert_never(never)
    return told.format(number=number, rounds=view.score.rounds)
