"""The summary of a review: turning points, each player's best and worst move, saboteurs found out.

A saboteur was found out at the first step from which everybody had reason to suspect them until the
round was over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.bots.bayesian import OBVIOUS_PROBABILITY
from engine.bots.estimates import Estimate, change
from engine.bots.review.steps import MoveReview, PlayedStep, StepReview
from engine.cards import Role
from engine.events import RoundEnded

FOUND_OUT_PROBABILITY: Final = OBVIOUS_PROBABILITY
"""Public saboteur probability from which a seat counts as suspected, as it does for the bots."""

TURNING_POINT_SWING: Final = 0.1
"""A move is a turning point if the whole interval of its change lies beyond this. So with 100
play-outs, at most one round in 20, of 60 moves that change nothing, gets a turning point."""

MAX_TURNING_POINTS: Final = 3
"""Most turning points of a round."""

NOTABLE_CHANGE: Final = 0.05
"""A move is called good or bad only if it surely changed, or cost, more than this."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A saboteur of a round, and the step from which everybody had reason to suspect them.

    `step` is `None` if there was none before the round was over. `miners` are the seats of miners
    who were more suspected than this saboteur when the round was about to end.
    """

    round: int
    seat: int
    step: int | None
    miners: tuple[int, ...]


def suspicions(steps: Sequence[PlayedStep], reviews: Sequence[StepReview]) -> tuple[Suspicion, ...]:
    """Return the suspicion of each saboteur, for each round that ended."""
    return tuple(
        _suspicion(seat, [step for step in reviews if _in_play(steps, step, number)], end)
        for number, end in _ends(steps).items()
        for seat, role in enumerate(end.roles)
        if role is Role.SABOTEUR
    )


def _suspicion(seat: int, reviews: Sequence[StepReview], end: RoundEnded) -> Suspicion:
    since = None
    for step in reversed(reviews):
        if step.suspicion[seat] <= FOUND_OUT_PROBABILITY:
            break
        since = step.number
    last = reviews[-1]
    miners = tuple(
        other
        for other, role in enumerate(end.roles)
        if role is Role.MINER and last.suspicion[other] > last.suspicion[seat]
    )
    return Suspicion(last.round, seat, since, miners)


def _in_play(steps: Sequence[PlayedStep], step: StepReview, number: int) -> bool:
    """Return True for a step of this round after which it goes on."""
    return step.round == number and steps[step.number].game.round.table.end is None


def _ends(steps: Sequence[PlayedStep]) -> dict[int, RoundEnded]:
    """Return the ends of the rounds that ended, by their numbers."""
    return {
        game.score.number: game.round.table.end
        for game, _ in steps
        if game.round.table.end is not None
    }


@dataclass(frozen=True, slots=True)
class MoveOfNote:
    """A move after a step, and by how much the miners' chance then changed."""

    step: int
    review: MoveReview
    swing: Estimate


@dataclass(frozen=True, slots=True)
class SeatReview:
    """A seat's best and worst moves in a game, as far as they are sure.

    `best` helped the seat's side most, by the miners' chance before and after. Of `worst`, the
    bot's move would have won most more rounds. `bot_moves` of its `moves` were the bot's own.
    """

    seat: int
    best: MoveOfNote | None
    worst: MoveOfNote | None
    moves: int
    bot_moves: int


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """The turning points in their order, each seat's moves, and when saboteurs were found out."""

    turning_points: tuple[MoveOfNote, ...]
    seats: tuple[SeatReview, ...]
    suspicions: tuple[Suspicion, ...]


def summarise(steps: Sequence[PlayedStep], reviews: Sequence[StepReview]) -> ReviewSummary:
    """Return the summary of a review of all steps."""
    moves = tuple(moves_of_note(reviews))
    return ReviewSummary(
        turning_points=turning_points(moves, reviews),
        seats=tuple(
            _seat_review(seat, [noted for noted in moves if noted.review.seat == seat], steps)
            for seat in range(len(reviews[0].suspicion))
        ),
        suspicions=suspicions(steps, reviews),
    )


def moves_of_note(reviews: Iterable[StepReview]) -> Iterator[MoveOfNote]:
    """Yield each move with the change of the miners' chance."""
    for before, after in pairwise(reviews):
        if after.move is not None:
            yield MoveOfNote(after.number, after.move, change(before.chance, after.chance))


def turning_points(
    moves: Iterable[MoveOfNote], reviews: Sequence[StepReview]
) -> tuple[MoveOfNote, ...]:
    """Return the moves of each round that surely changed most, in their order."""
    rounds = {step.number: step.round for step in reviews}
    found: dict[int, list[MoveOfNote]] = {}
    for move in moves:
        if surely(move.swing) > TURNING_POINT_SWING:
            found.setdefault(rounds[move.step], []).append(move)
    most = [
        move
        for turns in found.values()
        for move in sorted(turns, key=_size, reverse=True)[:MAX_TURNING_POINTS]
    ]
    return tuple(sorted(most, key=lambda move: move.step))


def surely(change: Estimate) -> float:
    """Return the least size of a change that its interval allows, 0 if it may be none."""
    return max(change.low, -change.high, 0.0)


def _size(move: MoveOfNote) -> float:
    return abs(move.swing.value)


def _seat_review(seat: int, moves: Sequence[MoveOfNote], steps: Sequence[PlayedStep]) -> SeatReview:
    def measure_gain(move: MoveOfNote) -> float:
        role = steps[move.step].game.round.roles[seat]
        return move.swing.value if role is Role.MINER else -move.swing.value

    def measure_loss(move: MoveOfNote) -> float:
        return move.review.gain.value

    helped = [
        noted for noted in moves if surely(noted.swing) > NOTABLE_CHANGE and measure_gain(noted) > 0
    ]
    harmed = [noted for noted in moves if noted.review.gain.low > NOTABLE_CHANGE]
    return SeatReview(
        seat,
        _most(helped, measure_gain),
        _most(harmed, measure_loss),
        len(moves),
        sum(noted.review.agrees for noted in moves),
    )


def _most(moves: Sequence[MoveOfNote], of: Callable[[MoveOfNote], float]) -> MoveOfNote | None:
    return max(moves, key=of, default=None)
