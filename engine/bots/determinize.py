"""Rounds sampled from what a seat may believe (determinization).

`sample_rounds` deals all that is hidden uniformly. Here roles and treasure are drawn from the
seat's beliefs, and cards are redistributed by the hand models, so that past actions count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

from engine.bots.actions import Observations
from engine.bots.beliefs import Beliefs, Saboteurs
from engine.bots.hand_model import EVEN_ODDS, HandModel, Odds, hand_models
from engine.cards import CARDS, Goal, Role, in_order
from engine.round import Round
from engine.sampling import sample_rounds

EXCHANGES_PER_CARD: Final = 4
"""Proposed swaps per card in other players' hands and passes."""


def determinize(observed: Observations, beliefs: Beliefs, rng: Random) -> Iterator[Round]:
    """Yield sampled rounds without end, each consistent with all that the view's seat knows."""
    view = observed.view
    known = hand_models(observed)
    rounds = sample_rounds(view, rng)
    while True:
        anyhow = next(rounds)
        saboteurs, gold = beliefs.draw(rng)
        roles = _roles(view.table.players, saboteurs)
        now = anyhow._replace(roles=roles, goals=_with_treasure(anyhow.goals, gold))
        holders = [
            (seat, known[seat][role]) for seat, role in enumerate(roles) if seat != view.seat
        ]
        yield _dealt_by_odds(now, holders, rng)


def _dealt_by_odds(now: Round, holders: list[tuple[int, HandModel]], rng: Random) -> Round:
    """Return the round with its hidden cards redistributed by the odds of the hand models.

    A Metropolis walk: it starts from the random deal and proposes swaps of two cards.
    """
    chance = rng.random
    cards: list[int] = []
    odds: list[Odds] = []
    for seat, hand_model in holders:
        cards += [card.index for card in sorted(now.hands[seat], key=lambda _: chance())]
        cards += [card.index for card in now.buried[seat]]
        odds += hand_model.hand
        odds += hand_model.passes
    told = len(cards)
    cards += [card.index for card in now.pile]
    odds += [EVEN_ODDS] * len(now.pile)
    total = len(cards)
    for _ in range(EXCHANGES_PER_CARD * told):
        one, other = int(chance() * told), int(chance() * total)
        mine, its = cards[one], cards[other]
        if mine != its:
            here, there = odds[one], odds[other]
            # The ratio of the odds after and before the swap, without a division.
            if here[its] * there[mine] > chance() * here[mine] * there[its]:
                cards[one], cards[other] = its, mine
    left = iter([CARDS[card] for card in cards])
    hands, buried = list(now.hands), list(now.buried)
    for seat, _ in holders:
        hands[seat] = in_order(islice(left, len(hands[seat])))
        buried[seat] = tuple(islice(left, len(buried[seat])))
    return now._replace(hands=tuple(hands), buried=tuple(buried), pile=tuple(left))


def _roles(players: int, saboteurs: Saboteurs) -> tuple[Role, ...]:
    """Return the role of each seat."""
    return tuple(Role.SABOTEUR if seat in saboteurs else Role.MINER for seat in range(players))


def _with_treasure(goals: tuple[Goal, Goal, Goal], gold: int) -> tuple[Goal, Goal, Goal]:
    """Return the goals with the treasure swapped into place `gold`."""
    instead = goals[gold]
    north, middle, south = (
        Goal.TREASURE if at == gold else instead if goal is Goal.TREASURE else goal
        for at, goal in enumerate(goals)
    )
    return north, middle, south
