"""Bayesian beliefs about who is a saboteur and where the gold is, exact over all hypotheses.

There are at most 330 ways to deal the dwarves (S2), and three places for the treasure. An action is
weighted by how often each role does it in self-play (counted by `benchmarks.arena actions`),
flattened so that a single move never decides: a probability is 0 or 1 only if the dwarf cards leave
no other case. Claims of other players are weaker evidence of the same kind.

`rank_moves` orders moves by their values under these beliefs. A `wary` miner makes the first of
them; `search` tries the first ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations
from math import exp, log
from random import Random
from typing import Final

from engine.board import GOAL_CELLS
from engine.bots.evaluation import (
    WARY_MINER,
    WARY_SABOTEUR,
    MinerValues,
    Outlook,
    value_to_miner,
    value_to_saboteur,
)
from engine.bots.evidence import ActionKind, Observations
from engine.bots.fast_board import SITE_DISTANCES, TargetSet, find_possible_gold
from engine.bots.talk import SILENCE, Honesty, TrackRecord
from engine.cards import Goal, Role
from engine.dealing import SABOTEURS
from engine.events import RoundEnded, public_event
from engine.moves import Play
from engine.view import View

EVIDENCE_WEIGHT: Final = 0.6
"""Factor on the log-odds of an action. Below 1, as moves of one seat are not independent."""

FOLLOWED_EVIDENCE_WEIGHT: Final = 1.0
"""Factor on the log-likelihoods of where the gold is. Above 1, as miners who follow what they have
seen tell more together than as independent moves."""

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
"""By the kind of an action: how strongly it shows where the gold is, and a saboteur."""

_EVIDENCE_BETWEEN: Final = {
    kind: (_scale_odds(saboteur), _scale_odds(by_saboteur), _scale_odds(both))
    for kind, (saboteur, by_saboteur, both) in _ODDS_BETWEEN.items()
}
"""By the kind of an action on another seat, its scaled odds in the order of `_ODDS_BETWEEN`."""

USUAL_HONESTY: Final = TrackRecord(Honesty(3.6, 0.4), Honesty(2, 2))
"""Imaginary reports, true and false, that count as each role's before a game. They are as many as a
person makes in a whole game, so that a liar loses credit round by round, and never all of it."""

INFORMED_PROBABILITY: Final = 0.7
"""Probability that reports at this table follow from what their speakers saw. The alternative is
that all are random, so each contradiction between reports makes all of them count for less."""

SILENCE_ODDS: Final = 0.2
"""Log-odds that a seat is a saboteur if it looked at a goal and reports none, while others do."""

_ACCUSED: Final = (1.2, 0.6, 0.6)
"""Log of how often miners accuse saboteurs, saboteurs miners, and saboteurs saboteurs, relative to
how often miners accuse miners. Measured: benchmarks/bots.md, "How they listen"."""

_VOUCHED: Final = (-0.8, 0.0, 0.0)
"""As `_ACCUSED`, for how often they vouch for each other."""

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
    """Return the beliefs of the view's seat, or of a watcher, from what it observed.

    A seat's own actions tell it nothing. Once the round has ended, the beliefs are certain (R4).
    """
    view = observed.view
    players = view.table.players
    if view.table.end is not None:
        return _make_certain(view.table.end)
    places = [GOAL_CELLS.index(cell) for cell in find_possible_gold(view)]
    mined = [0.0] * len(GOAL_CELLS)
    alone = [[0.0] * players for _ in GOAL_CELLS]
    together = [[0.0] * players for _ in range(players)]
    for action in observed.actions:
        seat, kinds = action.seat, action.kinds
        if seat == view.seat:
            continue
        # An action on a seat has the same kind wherever the gold is.
        if kinds[0] in _EVIDENCE_BETWEEN:
            _add_between(together, seat, action.target, _EVIDENCE_BETWEEN[kinds[0]])
            continue
        for gold in places:
            miner, saboteur = _EVIDENCE[kinds[gold]]
            mined[gold] += miner
            alone[gold][seat] += saboteur
    if observed.talk.said:
        for by, of, odds in _weigh_opinions(observed):
            _add_between(together, by, of, odds)
        for seat in _find_silent(observed):
            together[seat][seat] += SILENCE_ODDS
    dealt = _enumerate_saboteurs(players, view.seat, view.role)
    between = [sum([together[by][of] for by in way for of in way]) for way in dealt]
    logs = [
        mined[gold] + odds + sum([alone[gold][seat] for seat in way])
        for gold in places
        for way, odds in zip(dealt, between, strict=True)
    ]
    if reports := _weigh_reports(observed):
        reported = _rate_reports(reports, places, dealt)
        logs = [seen + said for seen, said in zip(logs, reported, strict=True)]
    most = max(logs)
    weights = [exp(max(likely - most, MIN_LOG_LIKELIHOOD)) for likely in logs]
    return _sum_weights(places, dealt, weights, players)


def infer_public_beliefs(observed: Observations) -> Beliefs:
    """Return the beliefs of a watcher of the same table."""
    return infer_beliefs(observed.public())


def _make_certain(end: RoundEnded) -> Beliefs:
    """Return the beliefs that everybody has once a round has ended (R4)."""
    saboteurs = (seat for seat, role in enumerate(end.roles) if role is Role.SABOTEUR)
    places = [end.goals.index(Goal.TREASURE)]
    return _sum_weights(places, (frozenset(saboteurs),), [1.0], len(end.roles))


def _sum_weights(
    places: Sequence[int], dealt: Sequence[Saboteurs], weights: Sequence[float], players: int
) -> Beliefs:
    """Return beliefs with the probabilities summed from the weights of the hypotheses.

    The weights are ordered by the place of the gold, then by the way to deal the dwarves.
    """
    by_place = [weights[at : at + len(dealt)] for at in range(0, len(weights), len(dealt))]
    total, doubts, gold = sum(weights), [0.0] * players, [0.0] * len(GOAL_CELLS)
    for place, of_place in zip(places, by_place, strict=True):
        gold[place] = sum(of_place) / total
    for way, weight in zip(dealt, map(sum, zip(*by_place, strict=True)), strict=True):
        for seat in way:
            doubts[seat] += weight
    return Beliefs(
        tuple([(way, place) for place in places for way in dealt]),
        tuple(weights),
        tuple([min(1.0, doubt / total) for doubt in doubts]),
        tuple(gold),
    )


def _add_between(
    together: list[list[float]], by: int, of: int, odds: tuple[float, float, float]
) -> None:
    """Add the `odds` of what seat `by` did to seat `of`, or said of it, to the pairs of seats.

    `odds` are log-odds as in `_ODDS_BETWEEN`: if only `of` is a saboteur, if only `by` is one, if
    both are. They are stored so that the sum of `together[a][b]` over all saboteurs a and b, also
    equal ones, gives the log-odds of these being the saboteurs.
    """
    saboteur, by_saboteur, both = odds
    together[of][of] += saboteur
    together[by][by] += by_saboteur
    together[by][of] += both - saboteur - by_saboteur


def _rate_reports(
    reports: Sequence[tuple[int, tuple[tuple[float, ...], ...]]],
    places: Sequence[int],
    dealt: Sequence[Saboteurs],
) -> list[float]:
    """Return the log-likelihood of all reports of others, given each hypothesis.

    So a report that the view's own map or a revealed goal proves false speaks against its speaker,
    and a report that is proven true speaks for them.
    """
    chance = (1 - INFORMED_PROBABILITY) * 0.5 ** len(reports)
    found = []
    for gold in places:
        for way in dealt:
            likely = INFORMED_PROBABILITY
            for seat, by_role in reports:
                likely *= by_role[seat in way][gold]
            found.append(log(likely + chance))
    return found


def _weigh_reports(observed: Observations) -> list[tuple[int, tuple[tuple[float, ...], ...]]]:
    """Return the reports of others about goals that they had looked at.

    Each is the speaker, and the likelihood of the report for a miner and for a saboteur, by the
    place of the gold. The report of a known liar counts for nothing, not for its opposite: a liar
    could then mislead bots by telling the truth.
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


def _weigh_opinions(observed: Observations) -> list[tuple[int, int, tuple[float, float, float]]]:
    """Return the accusations and vouchers of others: the speaker, the other seat and the log-odds.

    The log-odds are by the roles of both, as in `_ODDS_BETWEEN`. The more seats somebody
    accuses, the less each accusation counts; accusing everybody counts for nothing.
    """
    opinions = observed.talk.opinions()
    others = observed.view.table.players - 1
    counts = Counter((by, vouched) for (by, _), vouched in opinions.items())
    found = []
    for (by, of), vouched in opinions.items():
        if by != observed.view.seat:
            times = counts[by, vouched]
            weight = EVIDENCE_WEIGHT * (others - times) / (others - 1) / times
            saboteur, by_saboteur, both = _VOUCHED if vouched else _ACCUSED
            found.append((by, of, (weight * saboteur, weight * by_saboteur, weight * both)))
    return found


def _find_silent(observed: Observations) -> Saboteurs:
    """Return the seats that looked at a goal and report none, although others report theirs.

    A seat that has not acted since its look is not among them, as it may still speak.
    """
    reports = observed.talk.reports()
    last = {action.seat: action.kinds[0] for action in observed.actions}
    return frozenset(
        seat
        for seat, kind in last.items()
        if observed.looks[seat]
        and kind is not ActionKind.LOOKED
        and seat != observed.view.seat
        and reports
        and all(by != seat for by, _ in reports)
    )


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


OBVIOUS_PROBABILITY: Final = 0.6
"""Public saboteur probability above which bots take a seat for a saboteur beyond doubt."""

MATE_PROBABILITY: Final = 0.35
"""Probability of being a saboteur above which a saboteur takes somebody for its mate. Before
anybody has moved, it gives each of the others 0.2 to 0.3."""

DIG_RELATIVE_PROBABILITY: Final = 0.4
"""Dig towards goals more likely than this, relative to the likeliest one."""


def measure_exposures(observed: Observations, moves: Iterable[Play]) -> list[float]:
    """Return the public probability, after each of these moves, that its seat is a saboteur."""
    view, public = observed.view, observed.public()
    assert view.seat is not None
    known: dict[tuple[tuple[ActionKind, ...], int], float] = {}
    found = []
    for move in moves:
        after = public.after((public_event(view.seat, move, view.table.board),))
        action = after.actions[-1]
        # All moves of the same kinds on the same target give away the same.
        if (action.kinds, action.target) not in known:
            known[action.kinds, action.target] = infer_beliefs(after).saboteur[view.seat]
        found.append(known[action.kinds, action.target])
    return found


def form_beliefs(observed: Observations) -> Beliefs:
    """Return the beliefs that a bot acts on: a saboteur's leave out what was said.

    Believing it won saboteurs no rounds: benchmarks/bots.md, "How they listen".
    """
    if observed.view.role is Role.SABOTEUR:
        return infer_beliefs(replace(observed, talk=SILENCE))
    return infer_beliefs(observed)


def rank_moves(
    view: View,
    beliefs: Beliefs,
    rng: Random,
    values: MinerValues = WARY_MINER,
    feared: Sequence[float] = (),
) -> list[tuple[float, Play]]:
    """Return the legal moves of the seat to play with their values to its side, best first.

    Equal moves are in random order. `values` are used if the seat is a miner. A saboteur turns up
    no goal either that is likely to be the treasure by the probabilities that are `feared`.
    """
    assert view.seat is not None
    board, sites = view.table.board, SITE_DISTANCES[find_likely_gold(beliefs)]
    distance = sites.count_needed(board)
    sight = Outlook(
        view.seat,
        view.table,
        sites,
        distance,
        values.sees_closed_ways,
        beliefs.saboteur,
        beliefs.gold,
        feared,
    )
    worth: Callable[[Outlook, Play], float] = (
        partial(value_to_saboteur, WARY_SABOTEUR)
        if view.role is Role.SABOTEUR
        else partial(value_to_miner, values)
    )
    moves = [move for move in view.legal_moves() if isinstance(move, Play)]
    rng.shuffle(moves)
    return sorted([(worth(sight, move), move) for move in moves], key=_by_value)


def find_likely_gold(beliefs: Beliefs) -> TargetSet:
    """Return the goals that are likely enough to dig towards."""
    most = max(beliefs.gold)
    return sum(
        1 << goal
        for goal, gold in enumerate(beliefs.gold)
        if gold > DIG_RELATIVE_PROBABILITY * most
    )


def _by_value(found: tuple[float, Play]) -> float:
    return -found[0]
