"""Rounds that the one being played may be, each as often as a seat has reason to think.

`sample_game` deals what is hidden by chance alone. Here the dwarves and the gold lie as the
suspicion has it, and the cards as `hand_models` has them: what others did tells of their hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

from engine.bots.beliefs import Beliefs, Saboteurs
from engine.bots.hand_model import EVEN_ODDS, HandModel, Odds, hand_models
from engine.cards import CARDS, Goal, Role, in_order
from engine.round import Round
from engine.sampling import sample_game
from engine.view import View

EXCHANGES_PER_CARD: Final = 4
"""How often each card that is not in the pile is offered another place."""


def determinize(view: View, beliefs: Beliefs, rng: Random) -> Iterator[Round]:
    """Rounds without end, of which the seat of the view knows all that it does of the real one."""
    known = hand_models(view)
    while True:
        saboteurs, gold = beliefs.draw(rng)
        roles = _roles(view.table.players, saboteurs)
        now = sample_game(view, rng).round
        now = now._replace(roles=roles, goals=_with_treasure(now.goals, gold))
        holders = [
            (seat, known[seat][role]) for seat, role in enumerate(roles) if seat != view.seat
        ]
        yield _dealt_by_odds(now, holders, rng)


def _dealt_by_odds(now: Round, holders: list[tuple[int, HandModel]], rng: Random) -> Round:
    """The round with its hidden cards in other places, as often as the odds have it.

    Two at a time change places (Metropolis), from where chance has dealt them.
    """
    chance = rng.random
    cards: list[int] = []
    odds: list[Odds] = []
    for seat, hand_model in holders:
        cards += [card.index for card in rng.sample(now.hands[seat], len(now.hands[seat]))]
        cards += [card.index for card in now.buried[seat]]
        odds += hand_model.hand
        odds += hand_model.passes
    told = len(cards)
    cards += [card.index for card in now.pile]
    odds += [EVEN_ODDS] * len(now.pile)
    for _ in range(EXCHANGES_PER_CARD * told):
        one, other = int(chance() * told), int(chance() * len(cards))
        mine, its = cards[one], cards[other]
        if mine != its:
            here, there = odds[one], odds[other]
            if here[its] * there[mine] > chance() * here[mine] * there[its]:
                cards[one], cards[other] = its, mine
    left = iter([CARDS[card] for card in cards])
    hands, buried = list(now.hands), list(now.buried)
    for seat, _ in holders:
        hands[seat] = in_order(islice(left, len(hands[seat])))
        buried[seat] = tuple(islice(left, len(buried[seat])))
    return now._replace(hands=tuple(hands), buried=tuple(buried), pile=tuple(left))


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
