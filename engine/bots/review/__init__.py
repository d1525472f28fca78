"""The review of a game that is over: what could be known, what was likely, what was better.

A review holds all roles and cards of its game, so nothing that plays may import it, and nobody may
be shown one before the game is over (RULES K). It follows from the game, what was said, a seed and
the effort alone, so that the same review comes of them on every machine.

    steps     each step: suspicions, distance, the miners' chance, and the move beside the bot's
    summary   turning points, each player's best and worst move, when saboteurs were found out

Estimates come from play-outs of sampled rounds, and have intervals: they are as good as the play of
the play-outs, which is that of `engine.bots.rollout`.
"""

from __future__ import annotations

from engine.bots.review.steps import (
    DEFAULT_EFFORT,
    Effort,
    MoveReview,
    PlayedStep,
    StatementsByStep,
    StepReview,
    reason_of,
    review,
    talk_at,
)
from engine.bots.review.summary import (
    MoveOfNote,
    ReviewSummary,
    SeatReview,
    Suspicion,
    summarise,
    suspicions,
)

__all__ = [
    "DEFAULT_EFFORT",
    "Effort",
    "MoveOfNote",
    "MoveReview",
    "PlayedStep",
    "ReviewSummary",
    "SeatReview",
    "StatementsByStep",
    "StepReview",
    "Suspicion",
    "reason_of",
    "review",
    "summarise",
    "suspicions",
    "talk_at",
]
