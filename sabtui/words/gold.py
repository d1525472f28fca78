"""What happened to the gold, and how a game ended.

Knows nuggets and names. The cards of others are not told before the game is over, for the events
do not tell them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.events import (
    ChoiceBegan,
    GoldDrawn,
    GoldEvent,
    GoldGot,
    GoldShown,
    GoldTaken,
    SaboteursPaid,
)
from engine.table import Score
from sabtui.words.cards import nuggets_counted
from sabtui.words.cast import Cast
from sabtui.words.tongue import _, listed, ngettext


def gold_happened(event: GoldEvent, cast: Cast) -> str:
    """Tell an event of the gold's story."""
    match event:
        case GoldDrawn(cards):
            return ngettext(
                "{count} gold card is drawn for the miners.",
                "{count} gold cards are drawn for the miners.",
                cards,
            ).format(count=cards)
        case ChoiceBegan(seat):
            return cast.say(
                seat, _("You are to choose a gold card."), _("{name} is choosing a gold card.")
            )
        case GoldShown(_seat, nuggets):
            return _("On offer: {cards}.").format(cards=_each(nuggets))
        case GoldTaken(seat):
            return cast.say(seat, _("You took a gold card."), _("{name} took a gold card."))
        case GoldGot(_seat, nuggets):
            return _("You got {cards}.").format(cards=_each(nuggets))
        case SaboteursPaid():
            return _paid(event, cast)
        case _:
            assert_never(event)


def all_shown(gold: Sequence[Sequence[int]], cast: Cast) -> str:
    """Tell everybody's gold cards (F1)."""
    shown = (
        _("{name} {nuggets}").format(name=cast.name(seat), nuggets="+".join(map(str, cards)) or "-")
        for seat, cards in enumerate(gold)
    )
    return _("All gold is shown: {gold}.").format(gold=", ".join(shown))


def result(score: Score, cast: Cast) -> list[str]:
    """Tell a game that is over: everybody's nuggets, most first, and last who won (F1)."""
    assert score.nuggets is not None
    assert score.winners is not None
    told = [_("The game is over. Nuggets, and the gold cards they are on:")]
    ranks = sorted(enumerate(score.nuggets), key=lambda seat: -seat[1])
    for seat, nuggets in ranks:
        cards = [str(on_card) for on_card in (score.gold or ())[seat]]
        # Translators: a note of nuggets owed, for what the pile lacked.
        cards += [_("chit")] * score.chits[seat]
        gold = _("{name}: {facts}").format(name=cast.name(seat), facts=" ".join(cards) or "-")
        told.append(f"{nuggets:4} {gold}")
    told.append(winners(score.winners, cast))
    return told


def winners(seats: Sequence[int], cast: Cast) -> str:
    """Tell who won the game (F1)."""
    if len(seats) > 1 and cast.me in seats:
        others = cast.call_all(seat for seat in seats if seat != cast.me)
        return _("You share the win with {names}.").format(names=others)
    if len(seats) > 1:
        return _("{names} share the win.").format(names=cast.call_all(seats))
    return cast.say(seats[0], _("You win the game!"), _("{name} wins the game."))


def _each(nuggets: Sequence[int]) -> str:
    """Gold cards one by one: the last number says what they are counted in."""
    *first, last = nuggets
    cards = listed([*map(str, first), nuggets_counted(last)])
    return ngettext("a gold card of {cards}", "gold cards of {cards}", len(nuggets)).format(
        cards=cards
    )


def _paid(event: SaboteursPaid, cast: Cast) -> str:
    """Tell what the saboteurs were paid, and the chits for what the pile lacked (D5, D8)."""
    paid = [
        seat for seat, given in enumerate(zip(event.cards, event.chits, strict=True)) if any(given)
    ]
    told = [
        _("{due} for each saboteur: {names}.").format(
            due=nuggets_counted(event.due), names=cast.call_all(paid)
        )
    ]
    told += [
        cast.say(
            seat,
            _("The pile lacked gold: {count} of yours in chits."),
            _("The pile lacked gold: {count} of {name}'s in chits."),
            count=event.chits[seat],
        )
        for seat in paid
        if event.chits[seat]
    ]
    return " ".join(told)
