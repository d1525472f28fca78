"""Rounds that the one being played may be, each as often as a seat has reason to think.

`View.imagine` deals what is hidden by chance alone. Here the dwarves and the gold lie as the
suspicion has it, and who did not do the obvious a moment ago is seldom given the card for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from engine.bots.deeds import Deed, done
from engine.bots.sites import RANKS, SITES, targets_of
from engine.bots.suspicion import Saboteurs, Suspicion
from engine.cards import CARDS, Card, Goal, Role, Tool, in_order
from engine.round import Round
from engine.view import View

BELIEVED: Final = 0.8
"""How often a card that would have been played is taken from a hand."""

Cards = frozenset[Card]

_NONE: Final[Cards] = frozenset()
_BREAKS: Final = frozenset(card for card in CARDS if card.breaks)
_DEAD_ENDS: Final = frozenset(card for card in CARDS if card.ways and not card.ways[0].through)
_HARM: Final = _BREAKS | _DEAD_ENDS | {Card.ROCKFALL}
_REPAIRS: Final = tuple(
    frozenset(card for card in CARDS if any(tool in card.repairs for tool in Tool.within(broken)))
    for broken in range(8)
)
"""The cards that repair one of these tools."""


def worlds(view: View, doubt: Suspicion, rng: Random) -> Iterator[Round]:
    """Rounds without end, of which the seat of the view knows all that it does of the real one.

    What another seat's last deed tells of its hand is only probable; the gold and the draw
    pile change with it.
    """
    last = {seat: deeds[0] for deeds, seat, _ in done(view) if seat != view.seat}
    digs = _digs(view)
    while True:
        saboteurs, gold = doubt.draw(rng)
        now = view.imagine(rng).round
        hands, pile = [list(hand) for hand in now.hands], list(now.pile)
        for seat, deed in last.items():
            unlikely = _unlikely(view, seat, deed, digs, saboteurs)
            if pile and hands[seat] and unlikely:
                _exchange(hands[seat], pile, unlikely, rng)
        yield now._replace(
            roles=_roles(view.table.players, saboteurs),
            goals=_with_treasure(now.goals, gold),
            hands=tuple(in_order(hand) for hand in hands),
            pile=tuple(pile),
        )


def _roles(players: int, saboteurs: Saboteurs) -> tuple[Role, ...]:
    return tuple(Role.SABOTEUR if seat in saboteurs else Role.MINER for seat in range(players))


def _with_treasure(goals: tuple[Goal, Goal, Goal], gold: int) -> tuple[Goal, Goal, Goal]:
    """These goals, the treasure and what lies on that place having changed places."""
    instead = goals[gold]
    north, middle, south = (
        Goal.TREASURE if at == gold else instead if goal is Goal.TREASURE else goal
        for at, goal in enumerate(goals)
    )
    return north, middle, south


def _exchange(hand: list[Card], pile: list[Card], unlikely: Cards, rng: Random) -> None:
    """Put most of the unlikely cards of a hand into the pile; one card was drawn just now."""
    drawn = rng.randrange(len(hand))
    for at, card in enumerate(hand):
        if at != drawn and card in unlikely and rng.random() < BELIEVED:
            other = rng.randrange(len(pile))
            if pile[other] not in unlikely:
                hand[at], pile[other] = pile[other], card


def _digs(view: View) -> Cards:
    """The path cards that would lead nearer to some goal."""
    board = view.table.board
    sites = SITES[targets_of(board.hidden)]
    ahead = sites.ahead(board)
    return frozenset(
        card
        for card in CARDS
        if card.ways and any(sites[site][card.index] // RANKS < ahead for site in board.openings)
    )


def _unlikely(view: View, seat: int, deed: Deed, digs: Cards, saboteurs: Saboteurs) -> Cards:
    """What a seat would have played rather than do that, had it been in its hand."""
    if seat in saboteurs:
        if deed is Deed.IDLED:
            return _HARM
        return _NONE if deed is Deed.BROKE else _BREAKS
    if deed is Deed.WAITED:
        return _REPAIRS[view.table.broken[seat]]
    busy = deed in (Deed.DUG, Deed.MENDED_OWN, Deed.BLOCKED)
    return _NONE if busy or view.table.broken[seat] else digs
