"""Who may be a saboteur, and where the gold may be: exact Bayes over every way they can lie.

There are at most 330 ways to deal the dwarves (S2), and three places for the treasure. What a seat
did weighs by how often each role does so in self-play (`arena deeds` counts it), but flattened,
so that one move never decides: a suspicion is 0 or 1 only where the dwarf cards leave no other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import exp
from random import Random
from typing import Final

from engine.board import GOAL_CELLS
from engine.bots.actions import ActionKind, classify
from engine.bots.evaluation import where_gold_may_be
from engine.cards import Goal, Role
from engine.deal import SABOTEURS
from engine.events import Public, RoundEnded
from engine.view import View

EVIDENCE_WEIGHT: Final = 0.6
"""Moves of one seat are less independent than Bayes would have them."""

FOLLOWED_EVIDENCE_WEIGHT: Final = 1.5
"""Where miners dig tells more of what they have seen than one deed after the other would."""

MAX_LOG_ODDS_STEP: Final = 1.6
"""The most that one deed moves the log-odds of a role."""

MIN_LOG_LIKELIHOOD: Final = -12.0
"""The least that a way is thought likely beside the likeliest, as a logarithm."""

_ODDS: Final[Mapping[ActionKind, tuple[float, float]]] = {
    ActionKind.DUG: (-0.9, -2.5),
    ActionKind.STRAYED: (-2.3, -3.0),
    ActionKind.TURNED_AWAY: (-3.4, -1.9),
    ActionKind.BLOCKED: (-3.9, -1.5),
    ActionKind.CLEARED: (-2.9, -3.9),
    ActionKind.RUINED: (-3.9, -2.6),
    ActionKind.LOOKED: (-2.2, -2.6),
    ActionKind.MENDED_OWN: (-1.7, -2.0),
    ActionKind.IDLED: (-1.3, -1.0),
    ActionKind.WAITED: (-0.6, -0.4),
}
"""The logarithm of how often a miner does it where it can be done, and a saboteur."""

_ODDS_BETWEEN: Final[Mapping[ActionKind, tuple[float, float, float]]] = {
    ActionKind.BROKE: (2.2, 2.4, 1.5),
    ActionKind.MENDED: (-1.1, -1.9, -0.9),
}
"""The same for what miners do to saboteurs, saboteurs to miners, and saboteurs to saboteurs,
above what miners do to miners."""

Saboteurs = frozenset[int]
"""The seats of the saboteurs."""

Hypothesis = tuple[Saboteurs, int]
"""Who the saboteurs are, and which goal is the treasure, from north to south."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Every way the dwarves and the gold can lie with its weight, and what that comes to.

    By seat, `of` is how likely it is to be a saboteur; by goal, `gold` how likely the treasure.
    """

    hypotheses: tuple[Hypothesis, ...]
    weights: tuple[float, ...]
    of: tuple[float, ...]
    gold: tuple[float, ...]

    def draw(self, rng: Random) -> Hypothesis:
        """One of the ways, each as often as it is likely."""
        return rng.choices(self.hypotheses, self.weights)[0]


def infer_beliefs(view: View, *then: Public) -> Beliefs:
    """What a seat, or a watcher, has reason to think, once something more was done `then`."""
    players = view.table.players
    if view.table.end is not None:
        return _certain(view.table.end)
    places = [GOAL_CELLS.index(cell) for cell in where_gold_may_be(view)]
    mined = [0.0] * len(GOAL_CELLS)
    alone = [[0.0] * players for _ in GOAL_CELLS]
    between: Counter[tuple[ActionKind, int, int]] = Counter()
    for one in classify(view, *then):
        seat, deeds = one.seat, one.kinds
        if seat == view.seat:
            continue
        if deeds[0] in _ODDS_BETWEEN:
            between[deeds[0], seat, one.target] += 1
            continue
        for gold in places:
            miner, saboteur = _ODDS[deeds[gold]]
            mined[gold] += FOLLOWED_EVIDENCE_WEIGHT * miner
            alone[gold][seat] += _flattened(saboteur - miner)
    dealt = _dealt(players, view.seat, view.role)
    told = [sum([count * _between(way, *deed) for deed, count in between.items()]) for way in dealt]
    hypotheses = tuple((way, gold) for gold in places for way in dealt)
    logs = [
        mined[gold] + tells + sum([alone[gold][seat] for seat in way])
        for gold in places
        for way, tells in zip(dealt, told, strict=True)
    ]
    most = max(logs)
    weights = [exp(max(log - most, MIN_LOG_LIKELIHOOD)) for log in logs]
    return _summed(hypotheses, weights, players)


def public_beliefs(view: View, *then: Public) -> Beliefs:
    """What a watcher of the same table has reason to think, once something more was done `then`."""
    return infer_beliefs(View(None, view.table, view.score, history=view.history), *then)


def _certain(end: RoundEnded) -> Beliefs:
    """What everybody knows once a round has ended (R4)."""
    saboteurs = (seat for seat, role in enumerate(end.roles) if role is Role.SABOTEUR)
    way = frozenset(saboteurs), end.goals.index(Goal.TREASURE)
    return _summed((way,), [1.0], len(end.roles))


def _summed(hypotheses: tuple[Hypothesis, ...], weights: list[float], players: int) -> Beliefs:
    total, of, gold = 0.0, [0.0] * players, [0.0] * len(GOAL_CELLS)
    for (saboteurs, goal), weight in zip(hypotheses, weights, strict=True):
        total += weight
        gold[goal] += weight
        for seat in saboteurs:
            of[seat] += weight
    return Beliefs(
        hypotheses,
        tuple(weights),
        tuple([weight / total for weight in of]),
        tuple([weight / total for weight in gold]),
    )


def _flattened(odds: float) -> float:
    return max(-MAX_LOG_ODDS_STEP, min(MAX_LOG_ODDS_STEP, EVIDENCE_WEIGHT * odds))


def _between(saboteurs: Saboteurs, kind: ActionKind, seat: int, target: int) -> float:
    """How a deed done to somebody weighs for these saboteurs, as log-odds."""
    at = 2 * (seat in saboteurs) + (target in saboteurs)
    return _flattened(_ODDS_BETWEEN[kind][at - 1]) if at else 0.0


@lru_cache(maxsize=64)
def _dealt(players: int, seat: int | None, role: Role | None) -> tuple[Saboteurs, ...]:
    """The ways to deal the dwarves that agree with what a seat was dealt, all equally likely."""
    cards = SABOTEURS[players]
    among_all = (
        frozenset(seats)
        for count in (cards - 1, cards)
        for seats in combinations(range(players), count)
    )
    return tuple(
        saboteurs
        for saboteurs in among_all
        if role is None or (seat in saboteurs) == (role is Role.SABOTEUR)
    )
