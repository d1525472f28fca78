"""The step at which each saboteur was found out.

A saboteur was found out at the first step from which everybody had reason to suspect them until the
round was over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.bots.bayesian import OBVIOUS_PROBABILITY
from engine.bots.review.steps import PlayedStep, StepReview
from engine.cards import Role
from engine.events import RoundEnded

FOUND_OUT_PROBABILITY: Final = OBVIOUS_PROBABILITY
"""Public saboteur probability from which a seat counts as suspected, as it does for the bots."""


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
    """Return when each saboteur of each round that ended was found out."""
    return tuple(
        _suspicion(seat, [one for one in reviews if _in_play(steps, one, number)], end)
        for number, end in _ends(steps).items()
        for seat, role in enumerate(end.roles)
        if role is Role.SABOTEUR
    )


def _suspicion(seat: int, reviews: Sequence[StepReview], end: RoundEnded) -> Suspicion:
    since = None
    for one in reversed(reviews):
        if one.suspicion[seat] <= FOUND_OUT_PROBABILITY:
            break
        since = one.number
    last = reviews[-1]
    miners = tuple(
        other
        for other, role in enumerate(end.roles)
        if role is Role.MINER and last.suspicion[other] > last.suspicion[seat]
    )
    return Suspicion(last.round, seat, since, miners)


def _in_play(steps: Sequence[PlayedStep], one: StepReview, number: int) -> bool:
    """Return True for a step of this round after which it goes on."""
    return one.round == number and steps[one.number].game.round.table.end is None


def _ends(steps: Sequence[PlayedStep]) -> dict[int, RoundEnded]:
    """Return the ends of the rounds that ended, by their numbers."""
    return dict(_each_end(steps))


def _each_end(steps: Sequence[PlayedStep]) -> Iterator[tuple[int, RoundEnded]]:
    for step in steps:
        end = step.game.round.table.end
        if end is not None:
            yield step.game.score.number, end
