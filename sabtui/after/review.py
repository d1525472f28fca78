"""The review of a game that is over, in sentences: turning points, better moves."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

from engine.bots import review as reviewing
from engine.bots.estimates import estimate_change
from engine.bots.review import (
    DEFAULT_EFFORT,
    NOTABLE_CHANGE,
    Effort,
    PlayedStep,
    ReviewSummary,
    StatementsByStep,
    StepReview,
    Suspicion,
    measure_sure_change,
    summarise,
)
from engine.bots.talk import Statement
from engine.events import GameEnded, RoundEnded
from engine.moves import Lay, Move
from engine.notation.record import Replay
from engine.state import Phase
from sabtui.after.replays import open_lines, place_words, read_replay
from sabtui.app.errors import UserError, print_lines, show_progress
from sabtui.text import cards, moves
from sabtui.text.i18n import _, add_facts, capitalise, pgettext
from sabtui.text.layout import LINE_COLUMNS, draw_progress, wrap_lines
from sabtui.text.names import PlayerNames

Progress: TypeAlias = Callable[[int, int], bool]
"""Callback with the number of steps that are done, and of all; it returns False to stop."""

STORY_INDENT: Final = 2  # columns before the further lines of a wrapped sentence of the story


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of each step of a game, and the summary."""

    steps: tuple[StepReview, ...]
    summary: ReviewSummary


def only_full_records() -> str:
    return _("Only the full record of a finished game can be reviewed.")


def read_steps(replay: Replay) -> tuple[tuple[PlayedStep, ...], StatementsByStep]:
    """Return the steps of a game that is over, and the claims made after each.

    Raises UserError: the game is not over, or its record does not have all cards.
    """
    steps = [PlayedStep(step.game, step.move) for step in replay.steps if step.game is not None]
    is_whole = steps and len(steps) == len(replay.steps)
    if not is_whole or steps[-1].game.phase is not Phase.OVER:
        raise UserError(only_full_records())
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
    steps, said = read_steps(replay)
    done = list[StepReview]()
    for step_review in reviewing.review(steps, said, effort=effort):
        done.append(step_review)
        if not progress(len(done), len(steps)) and len(done) < len(steps):
            return None
    return GameReview(tuple(done), summarise(steps, done))


SUSPECTS_SHOWN: Final = 3
"""Maximum number of players named beside a step: few games have more saboteurs, and the pane is
low."""

MIN_DOUBT_SHOWN: Final = 0.005  # least suspicion that is shown: less would read as 0%


def percent_words(share: float, *, is_change: bool = False) -> str:
    """Return a share in percent; with `is_change`, it has a sign."""
    number = f"{round(100 * share):{'+' if is_change else ''}d}"
    # Translators: a share; some languages have a space before the sign.
    return _("{number}%").format(number=number)


def beside_lines(review: StepReview, names: PlayerNames) -> list[str]:
    """Sum up the review of one step in a few short lines, shown beside the game."""
    away = "-" if review.distance is None else str(review.distance)
    # Translators: {chance} is such as 48%; {away} is a number of cards; short.
    text = _("miners' chance {chance}; cards from the gold: {away}")
    lines = [text.format(chance=percent_words(review.chance.value), away=away)]
    by_doubt = sorted(enumerate(review.suspicion), key=lambda of_seat: -of_seat[1])
    suspects = [
        f"{names.name(seat)} {percent_words(doubt)}"
        for seat, doubt in by_doubt[:SUSPECTS_SHOWN]
        if doubt >= MIN_DOUBT_SHOWN
    ]
    if suspects:
        # Translators: {suspects} is such as: Ana 70%, Bruno 33%; short.
        lines.append(_("most suspected: {suspects}").format(suspects=", ".join(suspects)))
    if review.move is not None:
        gain = review.move.gain
        # Translators: {move} is such as: Bend at 3n1; short.
        text = _("the hard bot: {move}").format(move=_move_in_full(review.move.best, names))
        if measure_sure_change(gain) > NOTABLE_CHANGE:
            facts = percent_words(gain.value, is_change=True)
            text = add_facts(text, facts)
        lines.append(_("the hard bot would do the same") if review.move.agrees else text)
    return lines


def _move_in_full(move: Move, names: PlayerNames) -> str:
    """Return a move in words; the shape of its path card says how the card is turned."""
    if not isinstance(move, Lay):
        return moves.move_words(move, names)
    shape = capitalise(cards.title_path(move.path))
    cell = cards.cell_words(move.cell, spelt=names.spelt)
    return _("{shape} at {cell}").format(shape=shape, cell=cell)


def walked_words(
    replay: Replay, review: StepReview, before: StepReview, names: PlayerNames, *, is_flag: bool
) -> str:
    """Describe a step's events, the side it helped, and a better move, as far as that is certain.

    `before` is the review of the step before; `is_flag` is True for a turning point.
    """
    step = replay.steps[review.number]
    words = next((text for _event, text in open_lines(step, names)), "")
    facts = pgettext("review", "the deal") if step.seat is None else words
    said = [_("{title}: {facts}").format(title=capitalise(place_words(step)), facts=facts)]
    if is_flag:
        said.append(_("A turning point."))
    swing = estimate_change(before.chance, review.chance)
    if review.move is not None and measure_sure_change(swing) > NOTABLE_CHANGE:
        helps, hurts = _("Good for the miners."), _("Good for the saboteurs.")
        said.append(helps if swing.value > 0 else hurts)
    if review.move is not None and measure_sure_change(review.move.gain) > NOTABLE_CHANGE:
        # Translators: {best} is such as "Bend at 4"; {reason} such as "it reaches the middle goal".
        text = _("Better: {best} ({reason}).")
        best, reason = review.move.best, moves.reason_words(review.move.best_reason, None, names)
        said.append(text.format(best=_move_in_full(best, names), reason=reason))
    return " ".join(said)


def describe_game(replay: Replay, done: GameReview, bots: Container[int] = ()) -> list[str]:
    """Describe a reviewed game in lines.

    The lines name the turning points, each player's costliest moves, winners and saboteurs. `bots`
    are the known seats of bots, which are marked where they lost something.
    """
    names = PlayerNames.of(replay.names, None)
    marked = replace(names, names=tuple(_mark_bots(names.names, bots)))
    flags = {point.step for point in done.summary.turning_points}
    losses = {loss.step: loss.review.gain for loss in done.summary.losses}
    lines = [] if flags else [_("No single move decided a round.")]
    for before, review in pairwise((done.steps[0], *done.steps)):
        if review.round != before.round or review is done.steps[0]:
            lines.append(capitalise(_("round {number}")).format(number=review.round))
        step, said = review.number, list[str]()
        if step in flags or step in losses:
            known = marked if step in losses else names
            said.append(walked_words(replay, review, before, known, is_flag=step in flags))
        if step in losses:
            text = _("That wins {number} more rounds in 100.")
            said.append(text.format(number=round(100 * losses[step].value)))
        lines += [" ".join(said)] if said else []
        events = list(open_lines(replay.steps[review.number], names))
        lines += [text for event, text in events if isinstance(event, RoundEnded | GameEnded)]
        if any(isinstance(event, RoundEnded) for event, _text in events):
            of_round = (found for found in done.summary.suspicions if found.round == review.round)
            lines += (line for found in of_round for line in found_out_lines(replay, found, names))
    return wrap_lines(lines, LINE_COLUMNS, STORY_INDENT)


def _mark_bots(names: Iterable[str], bots: Container[int]) -> Iterator[str]:
    for seat, name in enumerate(names):
        yield add_facts(name, pgettext("label", "bot")) if seat in bots else name


def found_out_lines(replay: Replay, review: Suspicion, names: PlayerNames) -> Iterator[str]:
    """Return a sentence on when a saboteur was suspected, and which miners were suspected more."""
    name = names.name(review.seat)
    if review.step is None:
        text = _("{name} got away with being a saboteur in round {round}.")
        yield text.format(name=name, round=review.round)
    else:
        # Translators: {place} is "round 1, move 12".
        text = _("{name}, a saboteur, looked suspicious from {place} on.")
        yield text.format(name=name, place=place_words(replay.steps[review.step]))
    if review.miners:
        # Translators: {names} are miners, one or more.
        text = _("At the end of round {round}, {names} looked more suspicious than {saboteur}.")
        miners = names.call_all(review.miners)
        yield text.format(round=review.round, names=miners, saboteur=name)


def show_review(path: str, effort: Effort = DEFAULT_EFFORT) -> int:
    """Print the review of the game in a file. Returns the exit code.

    Raises UserError: the file is not a record of a whole game that is over.
    """
    watched = read_replay(Path(path))
    replay = watched.replay

    def show_step(done: int, steps: int) -> bool:
        show_progress(draw_progress(done, steps), done, steps)
        return True

    reviewed = review_game(replay, show_step, effort)
    assert reviewed is not None, "nothing stops it"
    return print_lines(describe_game(replay, reviewed, watched.bots))
