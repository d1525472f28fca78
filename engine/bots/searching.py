"""`search`: the bot that compares the best moves over the same sampled rounds; and `wary`.

Rounds are sampled from the bot's beliefs and played out by `rollout`. Each round is played once for
every move before the next is sampled, so that luck is the same for all moves. The search stops when
one move is clearly ahead or the budget is spent. Of moves that win about as often, a saboteur
prefers the least revealing. Early in a round it reveals itself only for a large gain; late, or once
everybody knows it, for nearly any gain.

A `wary` miner makes the move of highest value without a play-out; a `wary` saboteur searches with a
few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from time import monotonic
from typing import Final

from engine.actions import Break, Map, Repair
from engine.bots.beliefs import (
    MATE_PROBABILITY,
    OBVIOUS_PROBABILITY,
    Beliefs,
    find_likely_gold,
    form_beliefs,
    infer_beliefs,
    infer_public_beliefs,
    measure_exposures,
    rank_moves,
)
from engine.bots.bot import Budget, Playouts, greedy
from engine.bots.evaluation import (
    EAGER_MINER,
    NEARER_VALUE,
    STRIKE_CARDS,
    STRIKE_UNPLAYED,
    WARY_MINER,
)
from engine.bots.evidence import Observations, observe
from engine.bots.fast_board import SITE_DISTANCES, FastBoard, find_possible_gold, targets_of
from engine.bots.hand_model import determinize
from engine.bots.rollout import FastRound, is_won, roll_out
from engine.bots.talk import SILENCE, Talk
from engine.bots.temper import USUAL_TEMPER, Temper
from engine.cards import Role
from engine.moves import Discard, Lay, Move, Play
from engine.view import View

MAX_MOVES_TRIED: Final = 7
"""Number of moves searched."""

MAX_SABOTEUR_MOVES_BY_VALUE: Final = 4
"""Number of a saboteur's moves searched for their value alone; others also for their secrecy."""

MAX_MOVES_OF_A_KIND: Final[Mapping[type[Play], int]] = {Lay: 4, Break: 3, Map: 1}
"""Number of moves searched of each of these kinds."""

MAX_MOVES_OF_OTHER_KINDS: Final = 2
"""Number of moves searched of every other kind."""

MIN_VALUE_TRIED: Final = 2.0
"""A move is searched only if its `wary` value is above this; the best one always is."""

DIG_VALUE: Final = NEARER_VALUE + 1
"""Value to a miner of a card that digs on. Only one that fills a hole is worth more than this."""

PRIOR_ROUNDS_PER_POINT: Final = 0.001
"""Weight of the `wary` value, in rounds won per point."""

SECRECY_WINS: Final = 0.1
"""Weight of seeming a miner to everybody rather than a saboteur, in rounds won."""

WARY_NERVE_WINS: Final = 0.6
"""How much a `wary` saboteur hides: the rounds won that it gives up for each point of public doubt
beyond `TRUSTED_DOUBT` that a move would raise. Measured: benchmarks/bots.md, "Nerve"."""

NERVE_WINS: Final = 0.4
"""How much a `search` saboteur hides: less, as it has stronger miners to stop. Measured:
benchmarks/bots.md, "Even tables"."""

BOLD_NERVE_WINS: Final[Mapping[int, float]] = {5: 0.15}
"""The same by number of players, where hiding less wins far more rounds, although it is found out
sooner. Measured: benchmarks/bots.md, "Bold saboteurs"."""

TRUSTED_DOUBT: Final = 0.5
"""Highest public saboteur probability at which a seat seems no worse than others."""

LOST_DOUBT: Final = 0.75
"""Public saboteur probability above which a saboteur has nothing left to hide."""

ROUNDS_PER_BATCH: Final = 6
"""Rounds played out between two checks for moves that are clearly behind."""

CARELESS: Final[Mapping[int, float]] = {4: 1.0, 6: 1.0, 8: 0.5, 9: 0.75}
"""By number of players where the saboteurs are few: the share of `wary` miners that overlook closed
ways. All of them there have the values of `EAGER_MINER`. Without either, miners would win seven to
nine rounds of ten. Measured: benchmarks/bots.md, "Even tables"."""

OVERSIGHTS: Final[Mapping[int, float]] = {4: 0.3}
"""By number of players: how often a `wary` miner overlooks its best card, unless it fills a hole.
Nothing that a lone saboteur does among four makes up for miners who never err. Measured:
benchmarks/bots.md, "Overlooked cards"."""

SABOTEURS_OVERSIGHTS: Final[Mapping[int, float]] = {7: 0.3}
"""The same for `wary` saboteurs, where they are three of seven: else `wary` miners win 46 rounds in
100. Measured: benchmarks/bots.md, "Overlooked cards"."""

THINKS_AT: Final[Mapping[int, int]] = {3: 18, 4: 8, 5: 36, 6: 15, 8: 36, 9: 20}
"""By number of players: a `search` miner thinks ahead once no more than this many of the 67 cards
are unplayed. Before, it moves as a `wary` miner does. At tables that are not listed it always
thinks ahead. Measured: benchmarks/bots.md, "Even tables"."""

WARY_PLAYOUTS: Final = 60
"""Play-outs that a `wary` saboteur is given for a move, before `SABOTEURS_PLAYOUTS`."""

SABOTEURS_PLAYOUTS: Final = 3
"""How many times more rounds saboteurs play out than miners: benchmarks/bots.md, "Even tables"."""

CLEAR_STANDARD_ERRORS: Final = 2.5
"""A move is dropped once it trails the best one by this many standard errors."""

ADDED_VARIANCE: Final = 0.02
"""Variance added to the results' own, so that a few equal ones are not taken for certain."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move, its prior, and the result of each play-out that began with it.

    The prior and the results in `ends` are in rounds won; results are for the side of the seat.
    """

    move: Play
    prior: float
    ends: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean result of the play-outs, plus the prior."""
        return self.prior + sum(self.ends) / max(len(self.ends), 1)

    @property
    def wins(self) -> float | None:
        """The share of its play-outs that its side won, or None before the first."""
        if not self.ends:
            return None
        return sum(map(is_won, self.ends)) / len(self.ends)

    def is_behind(self, best: Candidate) -> bool:
        """Return True if this does clearly worse than `best` in the rounds that both played."""
        gaps = [its - mine for mine, its in zip(self.ends, best.ends, strict=True)]
        mean = sum(gaps) / len(gaps)
        variance = sum([gap * gap for gap in gaps]) / len(gaps) - mean * mean
        error = sqrt((variance + ADDED_VARIANCE) / len(gaps))
        return best.mean - self.mean > CLEAR_STANDARD_ERRORS * error


def search(
    view: View, rng: Random, budget: Budget, talk: Talk = SILENCE, temper: Temper = USUAL_TEMPER
) -> Move:
    """Return the move that wins most play-outs. Raises `ValueError` if the seat is not to act."""
    if not _thinks_ahead(view):
        return wary(view, rng, budget, talk, temper)
    nerve = BOLD_NERVE_WINS.get(view.table.players, NERVE_WINS) * temper.nerve
    tried = compare_moves(view, rng, budget, talk, nerve=nerve)
    return tried[0].move if tried else greedy(view, rng, budget)


def compare_moves(
    view: View,
    rng: Random,
    budget: Budget,
    talk: Talk = SILENCE,
    *,
    nerve: float = NERVE_WINS,
) -> list[Candidate]:
    """Return the moves that `search` tries, best first; none if the seat is not to play a card.

    A saboteur's `nerve` is how much it hides. It makes `SABOTEURS_PLAYOUTS` times as many play-outs
    as a budget of play-outs has.
    """
    if view.seat is None or view.seat != view.table.turn:
        return []
    if isinstance(budget, Playouts) and view.role is Role.SABOTEUR:
        budget = Playouts(SABOTEURS_PLAYOUTS * budget.count)
    observed = observe(view, talk)
    return search_moves(observed, form_beliefs(observed), rng, budget, nerve=nerve)


def wary(
    view: View, rng: Random, budget: Budget, talk: Talk = SILENCE, temper: Temper = USUAL_TEMPER
) -> Move:
    """Return a miner's best-ranked move, or a saboteur's that wins most of a few play-outs.

    Their number does not depend on the budget. Raises `ValueError` if the seat is not to act.
    """
    if view.seat is None or view.seat != view.table.turn:
        return greedy(view, rng, budget)
    if view.role is Role.SABOTEUR:
        few = Playouts(WARY_PLAYOUTS)
        tried = compare_moves(view, rng, few, talk, nerve=WARY_NERVE_WINS * temper.nerve)
        best, *others = [candidate.move for candidate in tried]
        share = SABOTEURS_OVERSIGHTS.get(view.table.players, 0.0)
        return _overlook(best, others) if share and rng.random() < share else best
    beliefs = infer_beliefs(observe(view, talk))
    return _choose_medium_move(view, beliefs, rng, temper.care)


def _choose_medium_move(view: View, beliefs: Beliefs, rng: Random, care: float) -> Play:
    """Return the best-ranked move of a miner that is as careful as medium ones at this table."""
    players = view.table.players
    values = EAGER_MINER if players in CARELESS else WARY_MINER
    if care < CARELESS.get(players, 0.0):
        values = values._replace(sees_closed_ways=False)
    (value, best), *others = rank_moves(view, beliefs, rng, values)
    if value > DIG_VALUE or rng.random() >= OVERSIGHTS.get(players, 0.0):
        return best
    return best if _fills_hole(view, best) else _overlook(best, [move for _, move in others])


def _fills_hole(view: View, move: Play) -> bool:
    """Return True if a card is laid that joins cut-off tunnels to the start again."""
    board = view.table.board
    return isinstance(move, Lay) and bool(
        board.with_card(move.cell, move.path).reached - board.reached - {move.cell}
    )


def _overlook(best: Play, others: Iterable[Play]) -> Play:
    """Return the first of the other moves with a different card, the best move if there is none."""
    return next((move for move in others if move.card != best.card), best)


def _thinks_ahead(view: View) -> bool:
    """Return True if `search` plays out the moves of this seat now, for saboteurs always."""
    table = view.table
    is_early = table.unplayed > THINKS_AT.get(table.players, table.unplayed)
    return view.role is Role.SABOTEUR or not is_early


def search_moves(
    observed: Observations,
    beliefs: Beliefs,
    rng: Random,
    budget: Budget,
    *,
    nerve: float = NERVE_WINS,
) -> list[Candidate]:
    """Return the moves searched for the seat to play, best first.

    Moves that were dropped early come after those tried in more rounds. If the budget is too small
    to play out each move in a batch of rounds, they are in the order of `rank_moves`.
    """
    candidates = _choose_candidates(observed, beliefs, rng, nerve)
    thinking: _Search | None = None
    left = budget.count if isinstance(budget, Playouts) else 0
    # Where play-outs are counted the clock does not matter: the same seed gives the same move.
    until = 0.0 if isinstance(budget, Playouts) else monotonic() + budget.seconds
    going = candidates
    while len(going) > 1 and (left >= ROUNDS_PER_BATCH * len(going) or monotonic() < until):
        left -= ROUNDS_PER_BATCH * len(going)
        thinking = thinking or _Search(observed, beliefs, rng)
        thinking.play_batch(going)
        # A single batch is too little evidence to drop a move.
        if len(going[0].ends) > ROUNDS_PER_BATCH:
            best = max(going, key=_mean)
            going = [
                candidate
                for candidate in going
                if candidate is best or not candidate.is_behind(best)
            ]
        if isinstance(budget, Playouts) and left < ROUNDS_PER_BATCH * len(going):
            # Too few play-outs are left for all: the best ones get them.
            going = sorted(going, key=_mean, reverse=True)[: left // ROUNDS_PER_BATCH]
    if thinking is None:  # Without wins to compare, the secrecy in priors must not reorder them.
        return candidates
    return sorted(
        candidates, key=lambda candidate: (len(candidate.ends), candidate.mean), reverse=True
    )


def play_out(
    observed: Observations, beliefs: Beliefs, moves: Iterable[Play], rng: Random, rounds: int
) -> list[Candidate]:
    """Return these moves of the seat to play, each tried in the same sampled rounds.

    At least that many rounds are played out, in whole batches.
    """
    tried = [Candidate(move, 0.0) for move in moves]
    thinking = _Search(observed, beliefs, rng)
    for _ in range(0, rounds, ROUNDS_PER_BATCH):
        thinking.play_batch(tried)
    return tried


def _mean(candidate: Candidate) -> float:
    return candidate.mean


def _choose_candidates(
    observed: Observations, beliefs: Beliefs, rng: Random, nerve: float
) -> list[Candidate]:
    """Return the moves to try, with a limit for each kind: those of highest value.

    A miner's passes are tried only if a pass has the highest value: passing more often would win it
    more rounds, but nobody at the table would understand it. A miner that can fill a hole tries
    nothing else. A saboteur takes some moves of highest value, then those with the best priors, so
    that it can hide. A saboteur whom everybody knows makes no gifts: they would hide nothing.
    """
    view, feared = observed.view, _find_feared_gold(observed)
    ranked = rank_moves(view, beliefs, rng, feared=feared)
    if _is_known_saboteur(observed):
        ranked = [ranking for ranking in ranked if not _is_gift(view, beliefs, ranking[1])]
    least = DIG_VALUE if ranked[0][0] > DIG_VALUE else MIN_VALUE_TRIED
    priors = zip(ranked, _rate_priors(observed, ranked, nerve), strict=True)
    worth = [
        Candidate(move, prior)
        for (value, move), prior in priors
        if value > least or move is ranked[0][1]
    ]
    if observed.view.role is not Role.SABOTEUR:
        passes = isinstance(ranked[0][1], Discard)
        return _limit_kinds(
            (tried for tried in worth if passes or not isinstance(tried.move, Discard)),
            MAX_MOVES_TRIED,
        )
    by_value = _limit_kinds(worth, MAX_SABOTEUR_MOVES_BY_VALUE)
    known = {candidate.move for candidate in by_value}
    others = [candidate for candidate in worth if candidate.move not in known]
    return _limit_kinds([*by_value, *sorted(others, key=_mean, reverse=True)], MAX_MOVES_TRIED)


def _find_feared_gold(observed: Observations) -> tuple[float, ...]:
    """Return how likely each goal is the treasure to a saboteur who believes what was said.

    Its digging ignores the talk (`form_beliefs`), but it opens no goal that all the others name.
    Returns nothing where that does not matter.
    """
    view = observed.view
    if view.role is not Role.SABOTEUR or not observed.talk.reports():
        return ()
    return infer_beliefs(observed).gold


def _limit_kinds(candidates: Iterable[Candidate], most: int) -> list[Candidate]:
    """Return the first of these candidates, as many as there may be of all and of each kind."""
    tried: Counter[type[Play]] = Counter()
    found: list[Candidate] = []
    for candidate in candidates:
        kind = type(candidate.move)
        tried[kind] += 1
        of_kind = MAX_MOVES_OF_A_KIND.get(kind, MAX_MOVES_OF_OTHER_KINDS)
        if tried[kind] <= of_kind and len(found) < most:
            found.append(candidate)
    return found


def _rate_priors(
    observed: Observations, ranked: Sequence[tuple[float, Play]], nerve: float
) -> list[float]:
    """Return the prior of each move in rounds won: its value and, for a saboteur, its secrecy."""
    priors = [PRIOR_ROUNDS_PER_POINT * value for value, _ in ranked]
    if observed.view.role is not Role.SABOTEUR:
        return priors
    if _is_time_to_strike(observed.view):
        nerve = 0.0
    doubts = measure_exposures(observed, [move for _, move in ranked])
    return [
        prior - SECRECY_WINS * doubt - nerve * max(0.0, min(doubt, LOST_DOUBT) - TRUSTED_DOUBT)
        for prior, doubt in zip(priors, doubts, strict=True)
    ]


def _is_known_saboteur(observed: Observations) -> bool:
    """Return True if the seat is a saboteur that has nothing left to hide."""
    seat = observed.view.seat
    assert seat is not None
    return (
        observed.view.role is Role.SABOTEUR
        and infer_public_beliefs(observed).saboteur[seat] >= LOST_DOUBT
    )


def _is_gift(view: View, beliefs: Beliefs, move: Play) -> bool:
    """Return True if this repairs a tool of somebody whom the seat rather takes for a miner."""
    return (
        isinstance(move, Repair)
        and move.target != view.seat
        and beliefs.saboteur[move.target] < MATE_PROBABILITY
    )


def _is_time_to_strike(view: View) -> bool:
    """Return True if few cards are still to come, or the tunnel has nearly reached the gold."""
    table, sites = view.table, SITE_DISTANCES[targets_of(find_possible_gold(view))]
    return table.unplayed <= STRIKE_UNPLAYED or sites.count_needed(table.board) <= STRIKE_CARDS


def imagine_rounds(
    observed: Observations, beliefs: Beliefs, public: Beliefs, rng: Random
) -> Iterator[FastRound]:
    """Yield sampled rounds without end, to be played out.

    They are drawn from `beliefs`. The `public` beliefs decide whom everybody takes for a saboteur
    in them, and where the rumour puts the gold.
    """
    board = FastBoard(observed.view.table.board)
    marked = [doubt > OBVIOUS_PROBABILITY for doubt in public.saboteur]
    rumour = find_likely_gold(public)
    rounds = determinize(observed, beliefs, rng)
    while True:
        yield FastRound(next(rounds), marked, rumour, board.copy())


class _Search:
    """The sampled rounds in which one seat tries its moves."""

    def __init__(self, observed: Observations, beliefs: Beliefs, rng: Random) -> None:
        view = observed.view
        assert view.seat is not None
        self._seat = view.seat
        self._digs = view.role is not Role.SABOTEUR
        self._targets = find_likely_gold(beliefs)
        self._rounds = imagine_rounds(observed, beliefs, infer_public_beliefs(observed), rng)

    def play_batch(self, going: list[Candidate]) -> None:
        """Try each of these moves in one more batch of rounds."""
        for _ in range(ROUNDS_PER_BATCH):
            start = next(self._rounds)
            start.targets[self._seat] = self._targets
            for candidate in going:
                end = roll_out(start.after(candidate.move))
                candidate.ends.append(end if self._digs else 1 - end)
