"""The bot that thinks ahead: the best of `wary`'s moves, each tried in the same imagined rounds.

The rounds are drawn as its own suspicion has them and played out in haste to their end, all moves
in one before the next is drawn, so that luck is the same for all. It stops when one move is
clearly ahead, or the budget is spent. In the play-outs who is plainly a saboteur is given no help
and hindered by all; and of moves that win about as often a saboteur makes the one that gives
least away. That is why one goes on like a miner for as long as harm does not pay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from random import Random
from time import monotonic
from typing import Final

from engine.bots.bayesian import OBVIOUS_PROBABILITY, exposure, likely_gold, rank_moves
from engine.bots.beliefs import Beliefs, infer_beliefs, public_beliefs
from engine.bots.bot import Budget, Playouts
from engine.bots.determinize import determinize
from engine.bots.evaluation import greedy
from engine.bots.rollout import FastRound
from engine.cards import Role
from engine.moves import Break, Discard, Lay, Map, Move, Play, Repair, Rockfall
from engine.view import View

MAX_MOVES_TRIED: Final = 7
"""How many moves are tried."""

MAX_MOVES_OF_A_KIND: Final[dict[type[Play], int]] = {
    Lay: 4,
    Break: 3,
    Repair: 2,
    Rockfall: 2,
    Discard: 2,
    Map: 1,
}
"""How many of them do the same kind of thing."""

MIN_VALUE_TRIED: Final = 2.0
"""What `wary` thinks of less is not tried."""

PRIOR_ROUNDS_PER_POINT: Final = 0.001
"""How many rounds won a point of `wary`'s worth counts for."""

SECRECY_WINS: Final = 0.1
"""How many rounds won it counts for to seem a miner to all rather than a saboteur."""

ROUNDS_PER_BATCH: Final = 6
"""Rounds between two looks at what is clear by now."""

CLEAR_STANDARD_ERRORS: Final = 2.5
"""Standard errors by which a move is clearly behind."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move, what `wary` thinks of it, and how each round ended that began with it."""

    move: Play
    prior: float
    ends: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """How well it does, rounds won and prior together."""
        return self.prior + sum(self.ends) / max(len(self.ends), 1)

    @property
    def wins(self) -> float | None:
        """The share of these rounds that its side won, `None` before the first."""
        if not self.ends:
            return None
        return sum(end > 0.5 for end in self.ends) / len(self.ends)

    def is_behind(self, best: Candidate) -> bool:
        """Whether it does clearly worse, over the rounds that both were tried in."""
        gaps = [its - mine for mine, its in zip(self.ends, best.ends, strict=True)]
        mean = sum(gaps) / len(gaps)
        variance = sum([gap * gap for gap in gaps]) / len(gaps) - mean * mean
        return best.mean - self.mean > CLEAR_STANDARD_ERRORS * sqrt((variance + 0.02) / len(gaps))


def search(view: View, rng: Random, budget: Budget) -> Move:
    """The move that wins most. Raises `ValueError` where the seat is not to act."""
    if view.seat is None or view.seat != view.table.turn:
        return greedy(view, rng, budget)
    return best_first(view, rng, budget)[0].move


def best_first(view: View, rng: Random, budget: Budget) -> list[Candidate]:
    """The moves that the seat to play would think of, the best first."""
    beliefs = infer_beliefs(view)
    candidates = _candidates(view, beliefs, rng)
    thinking: _Search | None = None
    left = budget.count if isinstance(budget, Playouts) else 0
    until = 0.0 if isinstance(budget, Playouts) else monotonic() + budget.seconds
    going = candidates
    while len(going) > 1 and (left >= ROUNDS_PER_BATCH * len(going) or monotonic() < until):
        left -= ROUNDS_PER_BATCH * len(going)
        thinking = thinking or _Search(view, beliefs, rng)
        thinking.go_on(going)
        if len(going[0].ends) == ROUNDS_PER_BATCH:
            continue
        best = max(going, key=_mean)
        going = [one for one in going if one is best or not one.is_behind(best)]
    return sorted(candidates, key=lambda one: (len(one.ends), one.mean), reverse=True)


def _mean(candidate: Candidate) -> float:
    return candidate.mean


def _candidates(view: View, beliefs: Beliefs, rng: Random) -> list[Candidate]:
    """The best of `wary`'s moves, and not too many of a kind."""
    left = dict(MAX_MOVES_OF_A_KIND)
    found: list[Candidate] = []
    for value, move in rank_moves(view, beliefs, rng):
        left[type(move)] -= 1
        if not found or (left[type(move)] >= 0 and value > MIN_VALUE_TRIED):
            found.append(Candidate(move, _prior(view, value, move)))
            if len(found) == MAX_MOVES_TRIED:
                break
    return found


def _prior(view: View, value: float, move: Play) -> float:
    """What a move counts before it is tried: what looks well, and for saboteurs what hides."""
    if view.role is Role.SABOTEUR:
        return PRIOR_ROUNDS_PER_POINT * value - SECRECY_WINS * exposure(view, move)
    return PRIOR_ROUNDS_PER_POINT * value


class _Search:
    """The rounds in which one seat tries its moves."""

    def __init__(self, view: View, beliefs: Beliefs, rng: Random) -> None:
        assert view.seat is not None
        self._seat = view.seat
        self._digs = view.role is not Role.SABOTEUR
        self._targets = likely_gold(beliefs)
        self._worlds = determinize(view, beliefs, rng)
        public = public_beliefs(view)
        self._marked = [doubt > OBVIOUS_PROBABILITY for doubt in public.of]
        self._rumour = likely_gold(public)

    def go_on(self, going: list[Candidate]) -> None:
        """Try each of these moves in some more rounds."""
        for _ in range(ROUNDS_PER_BATCH):
            start = FastRound(next(self._worlds), self._marked, self._rumour)
            start.targets[self._seat] = self._targets
            for one in going:
                end = start.after(one.move).run()
                one.ends.append(end if self._digs else 1 - end)
