"""Bayesian beliefs about who is a saboteur and where the gold is, exact over all hypotheses.

There are at most 330 ways to deal the dwarves (S2), and three places for the treasure. An action is
weighted by how often each role does it in self-play (counted by `arena deeds`), flattened so that a
single move never decides: a probability is 0 or 1 only if the dwarf cards leave no other case.
Claims of other players are weaker evidence of the same kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import exp, log
from random import Random
from typing import Final

from engine.board import GOAL_CELLS
from engine.bots.actions import ActionKind, Observations
from engine.bots.distance import where_gold_may_be
from engine.bots.talk import Honesty, TrackRecord
from engine.cards import Goal, Role
from engine.deal import SABOTEURS
from engine.events import RoundEnded

EVIDENCE_WEIGHT: Final = 0.6
"""Factor on the log-odds of an action. Below 1, as moves of one seat are not independent."""

FOLLOWED_EVIDENCE_WEIGHT: Final = 1.0
"""Factor on the log-likelihoods that tell where the gold is. Above 1, as miners who follow what
they have seen tell more together than as independent moves."""

MAX_LOG_ODDS_STEP: Final = 1.6
"""Largest change that one action makes to the log-odds of a role."""

MIN_LOG_LIKELIHOOD: Final = -12.0
"""Floor of a hypothesis' log-likelihood, relative to the most likely one."""

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
    ActionKind.WAITED: (-0.5, -0.5),
}
"""Log of how often a miner, and a saboteur, does this where it can be done."""

_ODDS_BETWEEN: Final[Mapping[ActionKind, tuple[float, float, float]]] = {
    ActionKind.BROKE: (2.2, 2.4, 1.5),
    ActionKind.MENDED: (-1.1, -1.9, -0.9),
}
"""Log of how often miners do this to saboteurs, saboteurs to miners, and saboteurs to saboteurs,
relative to how often miners do it to miners."""


def _scale_odds(odds: float) -> float:
    """Return log-odds scaled by `EVIDENCE_WEIGHT` and limited to `MAX_LOG_ODDS_STEP`."""
    return max(-MAX_LOG_ODDS_STEP, min(MAX_LOG_ODDS_STEP, EVIDENCE_WEIGHT * odds))


_EVIDENCE: Final = {
    kind: (FOLLOWED_EVIDENCE_WEIGHT * miner, _scale_odds(saboteur - miner))
    for kind, (miner, saboteur) in _ODDS.items()
}
"""By the kind of an action, its evidence of where the gold is and of a saboteur."""

_EVIDENCE_BETWEEN: Final = {
    kind: (0.0, *map(_scale_odds, odds)) for kind, odds in _ODDS_BETWEEN.items()
}
"""The same of a seat's action on another: miner on miner, then as in `_ODDS_BETWEEN`."""

USUAL_HONESTY: Final = TrackRecord(Honesty(3.6, 0.4), Honesty(2, 2))
"""Reports, true and false, that each role is taken to have made before a game. They are as many as
a person makes in a whole game, so that a liar loses credit round by round, and never all of it."""

INFORMED_PROBABILITY: Final = 0.7
"""Probability that reports at this table follow from what their speakers saw. The alternative is
that all are random, so each contradiction between reports makes all of them count for less."""

SILENCE_ODDS: Final = 0.2
"""Log-odds that a seat is a saboteur if it looked at a goal and reports none, while others do."""

_ACCUSED: Final = (0.8, 0.3, 0.2)
"""Log of how often miners accuse saboteurs, saboteurs miners, and saboteurs saboteurs, relative to
how often miners accuse miners."""

_VOUCHED: Final = (-0.8, 0.0, 0.0)
"""The same for how often they vouch for each other."""

Saboteurs = frozenset[int]
"""The seats of the saboteurs."""

Hypothesis = tuple[Saboteurs, int]
"""The seats of the saboteurs, and the goal that is the treasure, counted from north to south."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """All hypotheses with their weights, and the probabilities that follow from them.

    `saboteur` is each seat's probability of being one; `gold` is each goal's probability of being
    the treasure. The `weights` are not normalised.
    """

    hypotheses: tuple[Hypothesis, ...]
    weights: tuple[float, ...]
    saboteur: tuple[float, ...]
    gold: tuple[float, ...]

    def draw(self, rng: Random) -> Hypothesis:
        """Return a hypothesis, sampled by its weight."""
        return rng.choices(self.hypotheses, self.weights)[0]


def infer_beliefs(observed: Observations) -> Beliefs:
    """Return the beliefs of the view's seat, or of a spectator, from what it observed.

    The actions of the view's own seat are no evidence to itself. Once the round has ended, the
    beliefs are certain (R4).
    """
    view = observed.view
    players = view.table.players
    if view.table.end is not None:
        return _certain(view.table.end)
    places = [GOAL_CELLS.index(cell) for cell in where_gold_may_be(view)]
    mined = [0.0] * len(GOAL_CELLS)
    alone = [[0.0] * players for _ in GOAL_CELLS]
    between: Counter[tuple[ActionKind, int, int]] = Counter()
    for one in observed.actions:
        seat, kinds = one.seat, one.kinds
        if seat == view.seat:
            continue
        if kinds[0] in _ODDS_BETWEEN:
            between[kinds[0], seat, one.target] += 1
            continue
        for gold in places:
            miner, saboteur = _EVIDENCE[kinds[gold]]
            mined[gold] += miner
            alone[gold][seat] += saboteur
    dealt = _enumerate_saboteurs(players, view.seat, view.role)
    told = [sum([count * _between(way, *one) for one, count in between.items()]) for way in dealt]
    hypotheses = tuple((way, gold) for gold in places for way in dealt)
    logs = [
        mined[gold] + tells + sum([alone[gold][seat] for seat in way])
        for gold in places
        for way, tells in zip(dealt, told, strict=True)
    ]
    if observed.talk.said:
        heard = _claims_likelihood(observed, hypotheses)
        logs = [seen + said for seen, said in zip(logs, heard, strict=True)]
    most = max(logs)
    weights = [exp(max(log - most, MIN_LOG_LIKELIHOOD)) for log in logs]
    return _sum_weights(hypotheses, weights, players)


def public_beliefs(observed: Observations) -> Beliefs:
    """Return the beliefs of a spectator of the same table."""
    return infer_beliefs(observed.public())


def _certain(end: RoundEnded) -> Beliefs:
    """Return the certain beliefs that everybody has once a round has ended (R4)."""
    saboteurs = (seat for seat, role in enumerate(end.roles) if role is Role.SABOTEUR)
    way = frozenset(saboteurs), end.goals.index(Goal.TREASURE)
    return _sum_weights((way,), [1.0], len(end.roles))


def _sum_weights(hypotheses: tuple[Hypothesis, ...], weights: list[float], players: int) -> Beliefs:
    """Return beliefs with the probabilities summed from the weights of the hypotheses."""
    total, doubts, gold = 0.0, [0.0] * players, [0.0] * len(GOAL_CELLS)
    for (saboteurs, goal), weight in zip(hypotheses, weights, strict=True):
        total += weight
        gold[goal] += weight
        for seat in saboteurs:
            doubts[seat] += weight
    return Beliefs(
        hypotheses,
        tuple(weights),
        tuple([weight / total for weight in doubts]),
        tuple([weight / total for weight in gold]),
    )


def _claims_likelihood(observed: Observations, hypotheses: Sequence[Hypothesis]) -> list[float]:
    """Return the log-likelihood of all claims of others, given each hypothesis.

    A report that the view's own map or a revealed goal proves false speaks against its speaker, and
    one proven true speaks for them, as much as follows from how often each role lies.
    """
    reports, opinions, silent = _reports(observed), _opinions(observed), _silent(observed)
    chance = (1 - INFORMED_PROBABILITY) * 0.5 ** len(reports)
    found = []
    for saboteurs, gold in hypotheses:
        likely = INFORMED_PROBABILITY
        for seat, by_role in reports:
            likely *= by_role[seat in saboteurs][gold]
        heard = log(likely + chance) + SILENCE_ODDS * len(silent & saboteurs)
        for by, of, odds in opinions:
            heard += odds[2 * (by in saboteurs) + (of in saboteurs)]
        found.append(heard)
    return found


def _reports(observed: Observations) -> list[tuple[int, tuple[tuple[float, ...], ...]]]:
    """Return the reports of others about goals that they had looked at.

    Each is the speaker, and the likelihood of the report for a miner and for a saboteur, by the
    place of the gold. The report of a known liar counts for nothing. It is not taken for its
    opposite, as a liar could then mislead bots by telling the truth.
    """
    talk, view = observed.talk, observed.view
    found = []
    for (seat, goal), gold_told in talk.reports().items():
        if seat != view.seat and observed.looks[seat] >> goal & 1:
            honest = zip(talk.record(seat), USUAL_HONESTY, strict=True)
            truths = [max(record.probability(usual), 0.5) for record, usual in honest]
            true = [gold_told == (goal == gold) for gold in range(len(GOAL_CELLS))]
            by_role = tuple(tuple([p if so else 1 - p for so in true]) for p in truths)
            found.append((seat, by_role))
    return found


def _opinions(observed: Observations) -> list[tuple[int, int, tuple[float, ...]]]:
    """Return the accusations and vouchers of others: the speaker, the other seat and the log-odds.

    The log-odds are by the roles of both, indexed as in `_between`. The more seats somebody
    accuses, the less each accusation counts; accusing everybody counts for nothing.
    """
    opinions = observed.talk.opinions()
    others = observed.view.table.players - 1
    told = Counter((by, vouched) for (by, _), vouched in opinions.items())
    found = []
    for (by, of), vouched in opinions.items():
        if by != observed.view.seat:
            times = told[by, vouched]
            weight = EVIDENCE_WEIGHT * (others - times) / (others - 1) / times
            odds = _VOUCHED if vouched else _ACCUSED
            found.append((by, of, (0.0, *(weight * one for one in odds))))
    return found


def _silent(observed: Observations) -> Saboteurs:
    """Return the seats that looked at a goal and report none, although others report theirs.

    A seat that has not acted since its look is not among them, as it may still speak.
    """
    reports = observed.talk.reports()
    last = {one.seat: one.kinds[0] for one in observed.actions}
    return frozenset(
        seat
        for seat, kind in last.items()
        if observed.looks[seat]
        and kind is not ActionKind.LOOKED
        and seat != observed.view.seat
        and reports
        and all(by != seat for by, _ in reports)
    )


def _between(saboteurs: Saboteurs, kind: ActionKind, seat: int, target: int) -> float:
    """Return the log-odds of one seat's action on another, given these saboteurs."""
    return _EVIDENCE_BETWEEN[kind][2 * (seat in saboteurs) + (target in saboteurs)]


@lru_cache(maxsize=64)
def _enumerate_saboteurs(
    players: int, seat: int | None, role: Role | None
) -> tuple[Saboteurs, ...]:
    """Return the equally likely sets of saboteurs that agree with the dwarf dealt to a seat.

    One dwarf card is left over (S2), so there may be one saboteur fewer than saboteur cards.
    """
    # The card left over is a saboteur (one fewer plays) or a miner (all of them play).
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
