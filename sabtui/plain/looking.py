"""What a player asks to see: who sits there, the pile, one's own secrets, the mine.

Knows a view and the names; changes nothing.
"""

from __future__ import annotations

from collections import Counter

from engine.cards import CARDS, Role
from engine.deals import SABOTEURS
from engine.edition import Direction
from engine.notation import NotationError, parse_cell
from engine.view import View
from sabtui.plain.choices import hand_lines
from sabtui.words.cards import nuggets_counted
from sabtui.words.cast import Cast
from sabtui.words.events import your_role
from sabtui.words.mine import around_words, mine_words
from sabtui.words.notation import problem
from sabtui.words.tongue import _, ngettext, pgettext
from sabtui.words.turns import pile_words, standing, waiting


def who_lines(view: View, cast: Cast) -> list[str]:
    """The players, a line each, in the order of their seats, and how turns pass."""
    lines = player_lines(view, cast)
    up = view.table.edition.direction is Direction.CLOCKWISE
    order = _("Turns go down this list.") if up else _("Turns go up this list.")
    most = SABOTEURS[view.table.players]
    about = ngettext(
        "At most {count} of you is a saboteur.", "At most {count} of you are saboteurs.", most
    ).format(count=most)
    return [*lines, f"{order} {about}", waiting(view, cast)]


def player_lines(view: View, cast: Cast) -> list[str]:
    """The players, a line each, in the order of their seats."""
    return [standing(seat, view, cast) for seat in range(view.table.players)]


def round_words(view: View) -> str:
    """Which round it is."""
    return _("Round {number} of {rounds}.").format(
        number=view.score.number, rounds=view.score.rounds
    )


def pile_lines(view: View) -> list[str]:
    """What is left to draw, and what was discarded, face up and face down."""
    counted = Counter(view.table.discards)
    shown = [
        f"{counted[card]}x {card.text}" if counted[card] > 1 else card.text
        for card in CARDS
        if counted[card]
    ]
    return [
        pile_words(view),
        _("Discarded face up: {cards}.").format(cards=" ".join(shown) or pgettext("cards", "none")),
        _("Discarded face down: {count}.").format(count=sum(view.table.buried)),
    ]


def own_lines(view: View) -> list[str]:
    """What one is and has: dwarf, gold, cards discarded in passes."""
    lines = [] if view.role is None else [your_role(view.role)]
    lines.append(_own_gold(view))
    if view.buried:
        buried = " ".join(card.text for card in view.buried)
        lines.append(_("You discarded face down: {cards}.").format(cards=buried))
    wins = Counter(view.score.wins)
    lines.append(
        _("Round {number} of {rounds}. Won by miners: {miners}, by saboteurs: {saboteurs}.").format(
            number=view.score.number,
            rounds=view.score.rounds,
            miners=wins[Role.MINER],
            saboteurs=wins[Role.SABOTEUR],
        )
    )
    return lines


def _own_gold(view: View) -> str:
    """One's own gold, and the cards it is on where they are several."""
    if len(view.gold) > 1:
        return _("Your gold: {sum} ({cards}).").format(
            sum=sum(view.gold), cards=" + ".join(map(str, view.gold))
        )
    gold = "".join(map(nuggets_counted, view.gold)) or pgettext("nuggets", "none")
    return _("Your gold: {gold}.").format(gold=gold)


def hand_shown(view: View) -> list[str]:
    """The hand."""
    if view.seat is None:
        return [_("You are watching: you have no cards.")]
    return hand_lines(view) or [_("You have no cards.")]


def mine_shown(rest: str, view: View) -> list[str]:
    """The mine in words, or what is around a cell."""
    if not rest:
        return mine_words(view)
    try:
        return around_words(parse_cell(rest), view)
    except NotationError as error:
        return [_("{text}: {problem}.").format(text=rest, problem=problem(error))]
