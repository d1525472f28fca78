"""The review of a game of the library: worked out once, step by step, and kept in a file.

The file has the figures of each step, not the sentences: those follow from the game. A review that
cannot be read, or was worked out in another way, is worked out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from engine.bots.estimates import Estimate
from engine.bots.review import (
    DEFAULT_EFFORT,
    Effort,
    MoveReview,
    PlayedStep,
    ReviewSummary,
    StatementsByStep,
    StepReview,
    reason_of,
    review,
    summarise,
    talk_at,
)
from engine.bots.talk import Statement, Talk
from engine.mistakes import NotationError
from engine.moves import IllegalMove, KeepGold, format_move
from engine.notation.record import Replay
from engine.notation.record_parser import parse_summary
from engine.state import Phase
from net.files import private_folder, replace
from sabtui.after.replays import WatchedGame
from sabtui.after.text import only_whole, story_lines
from sabtui.app.errors import UserError
from sabtui.text.layout import LINE_COLUMNS, wrap_lines
from sabtui.text.names import PlayerNames

REVIEW_VERSION: Final = 3
"""Number of the way in which reviews are worked out: what another one left is not used."""

Progress: TypeAlias = Callable[[int, int], bool]
"""Callback with how many steps are done, and of how many; it returns False to stop."""

STORY_INDENT: Final = 2
"""Columns by which the continuation of a wrapped sentence of the story is indented."""


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of each step of a game, and the summary."""

    steps: tuple[StepReview, ...]
    summary: ReviewSummary


class StoredStep(msgspec.Struct, frozen=True, array_like=True):
    """The figures of a step in the file; `best` is the bot's move in notation, "" if none."""

    suspicion: tuple[float, ...]
    gold: tuple[float, ...]
    distance: int | None
    chance: Estimate
    best: str
    gain: Estimate


class StoredReview(msgspec.Struct, frozen=True):
    """A review in its file, as far as it was worked out."""

    version: int
    effort: tuple[int, int, int]
    steps: tuple[StoredStep, ...]


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
            Statement(one.seat, one.claim, steps[step.number].game.round.table.unplayed)
            for one in step.said
            if one.claim is not None and one.seat is not None
        )
        for step in replay.steps
        if step.said
    }
    return tuple(steps), said


def review_game(
    replay: Replay,
    stored: bytes | None = None,
    progress: Progress = lambda _done, _all: True,
    effort: Effort = DEFAULT_EFFORT,
) -> tuple[GameReview | None, bytes]:
    """Return the review of a game, and what to keep of it.

    It goes on from what was `stored`. The review is `None` if `progress` stopped it; what is to be
    kept then holds the steps that are done.

    Raises UserError: the game is not over, or its record does not have all cards.
    """
    steps, said = steps_of(replay)
    talks = tuple(talk_at(steps, said))
    done = list(_restore(stored, steps, talks, effort))
    for one in review(steps, said, effort=effort, first=len(done)):
        done.append(one)
        if not progress(len(done), len(steps)) and len(done) < len(steps):
            return None, _encode(done, effort)
    return GameReview(tuple(done), summarise(steps, done)), _encode(done, effort)


def kept_review(
    game: WatchedGame,
    where: Path,
    progress: Progress = lambda _done, _all: True,
    effort: Effort = DEFAULT_EFFORT,
) -> GameReview | None:
    """Return the review of a game, kept beside the library in a folder.

    Where that cannot be written it is worked out all the same. It is `None` if `progress` stopped
    it.

    Raises UserError: the game is not over, or its record does not have all cards.
    """
    path, stored = review_path(game, where), None
    with suppress(OSError):
        stored = path.read_bytes()
    done, kept = review_game(game.replay, stored, progress, effort)
    if kept != stored:
        with suppress(OSError):
            private_folder(path.parent)
            replace(path, kept, lasting=False)
    return done


def review_path(game: WatchedGame, where: Path) -> Path:
    """Return the file of the review of a game, for the library in a folder."""
    return where / "reviews" / f"{parse_summary(game.text).id}.json"


def _encode(done: Sequence[StepReview], effort: Effort) -> bytes:
    kept = StoredReview(REVIEW_VERSION, _counts(effort), tuple(map(_store, done)))
    return msgspec.json.encode(kept)


def _counts(effort: Effort) -> tuple[int, int, int]:
    return effort.chance, effort.choice, effort.comparison


def _store(one: StepReview) -> StoredStep:
    move = one.move
    return StoredStep(
        suspicion=one.suspicion,
        gold=one.gold,
        distance=one.distance,
        chance=one.chance,
        best="" if move is None else format_move(move.best),
        gain=Estimate.certain(0.0) if move is None else move.gain,
    )


def _restore(
    stored: bytes | None,
    steps: Sequence[PlayedStep],
    talks: Sequence[Talk],
    effort: Effort,
) -> Iterator[StepReview]:
    """Yield the reviews of the first steps, as far as they were kept and fit the game."""
    try:
        kept = msgspec.json.decode(stored or b"", type=StoredReview)
    except msgspec.MsgspecError:
        return
    if (kept.version, kept.effort) != (REVIEW_VERSION, _counts(effort)):
        return
    for number, one in enumerate(kept.steps[: len(steps)]):
        try:
            move = _move(one, number, steps, talks)
        except (NotationError, IllegalMove, ValueError):
            return
        played = steps[number].game.score.number
        yield StepReview(number, played, one.suspicion, one.gold, one.distance, one.chance, move)


def _move(
    one: StoredStep, number: int, steps: Sequence[PlayedStep], talks: Sequence[Talk]
) -> MoveReview | None:
    """Return the review of a step's move as it was kept. Raises if it does not fit the game."""
    made = steps[number].move
    if made is None or isinstance(made, KeepGold):
        return None
    game, talk = steps[number - 1].game, talks[number - 1]
    seat = game.round.table.turn
    assert seat is not None
    best = game.view(seat).read(one.best)
    assert not isinstance(best, KeepGold)
    return MoveReview(
        seat,
        made,
        reason_of(game, made, talk),
        best,
        reason_of(game, best, talk),
        one.gain,
    )


def tell_story(replay: Replay, done: GameReview) -> list[str]:
    """Return a reviewed game as lines, without figures: turning points, who won, who was what."""
    names = PlayerNames.of(replay.names, None)
    lines = story_lines(replay, done.steps, done.summary, names)
    return wrap_lines(lines, LINE_COLUMNS, STORY_INDENT)
