"""The review of a game that is over: its turning points, and what would have been better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from engine.bots.review import (
    DEFAULT_EFFORT,
    Effort,
    PlayedStep,
    ReviewSummary,
    StatementsByStep,
    StepReview,
    review,
    summarise,
)
from engine.bots.talk import Statement
from engine.notation.record import Replay
from engine.state import Phase
from sabtui.after.replays import read_replay
from sabtui.after.text import only_whole, story_lines
from sabtui.app.errors import UserError, print_lines, show_progress
from sabtui.text.layout import LINE_COLUMNS, draw_progress, wrap_lines
from sabtui.text.names import PlayerNames

Progress: TypeAlias = Callable[[int, int], bool]
"""Callback with how many steps are done, and of how many; it returns False to stop."""

STORY_INDENT: Final = 2
"""Indent, in columns, of the continuation of a wrapped sentence of the story."""


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of each step of a game, and the summary."""

    steps: tuple[StepReview, ...]
    summary: ReviewSummary


def steps_of(replay: Replay) -> tuple[tuple[PlayedStep, ...], StatementsByStep]:
    """Return the steps of a game that is over, and the claims made after each.

    Raises UserError: the game is not over, or its record does not have all cards.
    """
    steps = [PlayedStep(step.game, step.move) for step in replay.steps if step.game is not None]
    is_whole = steps and len(steps) == len(replay.steps)
    if not is_whole or steps[-1].game.phase is not Phase.OVER:
        raise UserError(only_whole())
    said = {
        step.number: tuple(
            Statement(statement.seat, statement.claim, steps[step.number].game.round.table.unplayed)
            for statement in step.said
            if statement.claim is not None and statement.seat is not None
        )
        for step in replay.steps
        if step.said
    }
    return tuple(steps), said


def review_game(
    replay: Replay, progress: Progress = lambda _done, _all: True, effort: Effort = DEFAULT_EFFORT
) -> GameReview | None:
    """Return the review of a game, `None` if `progress` stopped it.

    Raises UserError: the game is not over, or its record does not have all cards.
    """
    steps, said = steps_of(replay)
    done = list[StepReview]()
    for step_review in review(steps, said, effort=effort):
        done.append(step_review)
        if not progress(len(done), len(steps)) and len(done) < len(steps):
            return None
    return GameReview(tuple(done), summarise(steps, done))


def tell_story(replay: Replay, done: GameReview) -> list[str]:
    """Return a reviewed game as lines, without figures: turning points, who won, who was what."""
    names = PlayerNames.of(replay.names, None)
    lines = story_lines(replay, done.steps, done.summary, names)
    return wrap_lines(lines, LINE_COLUMNS, STORY_INDENT)


def show_review(path: str, effort: Effort = DEFAULT_EFFORT) -> int:
    """Print the review of the game in a file. Returns the exit code.

    Raises UserError: the file is no record of a whole game that is over.
    """
    replay = read_replay(Path(path)).replay

    def tell(done: int, steps: int) -> bool:
        show_progress(draw_progress(done, steps), done, steps)
        return True

    reviewed = review_game(replay, tell, effort)
    assert reviewed is not None, "nothing stops it"
    return print_lines(tell_story(replay, reviewed))
