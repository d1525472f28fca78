"""The review of a game in sentences: each step as a row of a table, and the summary.

All figures are estimates, and stand beside their 95 % intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from engine.bots.estimates import Estimate
from engine.bots.hints import FindsOut, FreesYou, HintReason, Sheds
from engine.bots.review import (
    Effort,
    MoveOfNote,
    ReviewSummary,
    SeatReview,
    StepReview,
    Suspicion,
)
from engine.moves import format_move
from engine.notation.replays import Replay, Truth
from sabtui.text.cards import card_words, the_goal
from sabtui.text.i18n import _, ngettext, pgettext
from sabtui.text.layout import aligned
from sabtui.text.moves import reason_words
from sabtui.text.names import PlayerNames
from sabtui.text.plots import sparkline

SPARKLINE_COLUMNS: Final = 60
"""Width in columns of a player's line of suspicion."""


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.0f} %"


def estimated(estimate: Estimate) -> str:
    """Return a share with its interval; one that is known has none."""
    if estimate.low == estimate.high:
        return percent(estimate.value)
    # Translators: an estimated share, and the ends of its interval: 48 % (39 to 58).
    return _("{share} ({low} to {high})").format(
        share=percent(estimate.value),
        low=f"{100 * estimate.low:.0f}",
        high=f"{100 * estimate.high:.0f}",
    )


def changed(estimate: Estimate) -> str:
    """Return a change in percent, with its sign and its interval."""
    return _("{share} ({low} to {high})").format(
        share=f"{round(100 * estimate.value):+d} %",
        low=f"{round(100 * estimate.low):+d}",
        high=f"{round(100 * estimate.high):+d}",
    )


def effort_sentence(effort: Effort) -> str:
    """Return the sentence on where the figures of a review come from."""
    text = ngettext(
        "Estimated from {count} round that bots played out from each step, with 95 % "
        "intervals: only as good as the bots' play.",
        "Estimated from {count} rounds that bots played out from each step, with 95 % "
        "intervals: only as good as the bots' play.",
        effort.chance,
    )
    return text.format(count=effort.chance)


def progress_words(done: int, steps: int) -> str:
    """Return how far a review is."""
    return _("Reviewing step {done} of {steps}.").format(done=done, steps=steps)


def beside_lines(one: StepReview) -> list[str]:
    """Return the review of one step in a few short lines, to stand beside the game."""
    away = "-" if one.distance is None else str(one.distance)
    # Translators: {chance} is such as 48 % (39 to 58); {away} is a number of cards; short.
    text = _("miners win {chance}; gold {away} away")
    lines = [text.format(chance=estimated(one.chance), away=away)]
    if one.move is not None:
        if one.move.agrees:
            lines.append(_("the hard bot plays the same"))
        else:
            # Translators: {move} is in notation; {gain} is such as +12 % (3 to 21); short.
            text = _("the hard bot: {move}, gain {gain}")
            move = format_move(one.move.best)
            lines.append(text.format(move=move, gain=changed(one.move.gain)))
    suspects = " ".join(f"{seat}:{100 * doubt:.0f}" for seat, doubt in enumerate(one.suspicion, 1))
    # Translators: after it each player's number and percentage: 1:33 2:70; short.
    lines.append(_("suspicion, %: {suspects}").format(suspects=suspects))
    return lines


def step_rows(
    replay: Replay, reviews: Sequence[StepReview], names: PlayerNames, number: int
) -> list[str]:
    """Return the steps of a round as the rows of a table, under its header."""
    header = (
        pgettext("review", "step"),
        pgettext("review", "player"),
        pgettext("review", "move"),
        # Translators: how many cards the tunnel still needs to the gold; at most 6 columns.
        pgettext("review", "away"),
        pgettext("review", "miners win"),
        pgettext("review", "the hard bot"),
    )
    rows = [_row(replay, one, names) for one in reviews if one.round == number]
    return aligned([header, *rows])


def _row(replay: Replay, one: StepReview, names: PlayerNames) -> tuple[str, ...]:
    step = replay.steps[one.number]
    bot = ""
    if one.move is not None:
        # Translators: the hard bot would have made the same move; short.
        bot = pgettext("review", "the same")
        if not one.move.agrees:
            bot = f"{format_move(one.move.best)} {changed(one.move.gain)}"
    return (
        str(one.number),
        "" if step.seat is None else names.name(step.seat),
        "" if step.move is None else format_move(step.move),
        "-" if one.distance is None else str(one.distance),
        estimated(one.chance),
        bot,
    )


def suspicion_rows(
    reviews: Sequence[StepReview], names: PlayerNames, number: int, *, ascii_only: bool = False
) -> list[str]:
    """Return how likely each player of a round seemed a saboteur, as a line of blocks each."""
    of_round = [one for one in reviews if one.round == number]
    rows = [
        (
            names.name(seat),
            sparkline(
                [one.suspicion[seat] for one in of_round], SPARKLINE_COLUMNS, ascii_only=ascii_only
            ),
        )
        for seat in range(len(names.names))
    ]
    return aligned(rows)


def summary_lines(replay: Replay, summary: ReviewSummary, names: PlayerNames) -> list[str]:
    """Return the summary of a review, in sentences."""
    return [
        *_turning_points(replay, summary, names),
        *(line for one in summary.suspicions for line in _found_out(replay, one, names)),
        *(line for one in summary.seats for line in _of_seat(replay, one, names)),
        *claims_lines(replay, names),
    ]


def _turning_points(replay: Replay, summary: ReviewSummary, names: PlayerNames) -> Iterator[str]:
    if not summary.turning_points:
        yield _("No single move clearly turned a round.")
    for one in summary.turning_points:
        # Translators: {place} is "round 1, move 12"; {change} is how much a share changed.
        text = _("Turning point, {place}: {name} played {move}. Miners win: {change}.")
        yield text.format(
            place=_place(replay, one.step),
            name=names.name(one.review.seat),
            move=format_move(one.review.move),
            change=changed(one.swing),
        )


def _place(replay: Replay, number: int) -> str:
    """Return where in the game a step is."""
    step = replay.steps[number]
    return _("round {round}, move {move}").format(round=step.round, move=step.moves)


def _found_out(replay: Replay, one: Suspicion, names: PlayerNames) -> Iterator[str]:
    name = names.name(one.seat)
    if one.step is None:
        text = _("{name}, a saboteur in round {round}, was not found out before its end.")
        yield text.format(name=name, round=one.round)
    else:
        # Translators: {place} is "round 1, move 12".
        text = _("{name}, a saboteur, was plainly suspicious from {place} on.")
        yield text.format(name=name, place=_place(replay, one.step))
    if one.miners:
        text = _("At the end of round {round} there was more reason to suspect {names}.")
        yield text.format(round=one.round, names=names.call_all(one.miners))


def _of_seat(replay: Replay, one: SeatReview, names: PlayerNames) -> Iterator[str]:
    name = names.name(one.seat)
    text = ngettext(
        "{name}: {same} of {count} moves was the hard bot's, too.",
        "{name}: {same} of {count} moves were the hard bot's, too.",
        one.bot_moves,
    )
    yield text.format(name=name, same=one.bot_moves, count=one.moves)
    if one.best is not None:
        yield _best(replay, one.best, names)
    if one.worst is not None:
        yield _worst(replay, one.worst, names)


def _best(replay: Replay, one: MoveOfNote, names: PlayerNames) -> str:
    # Translators: {place} is "round 1, move 12"; {reason} is such as "it reaches the middle goal".
    text = _("   Best: {move} in {place}: {reason}. Miners win: {change}.")
    return text.format(
        move=format_move(one.review.move),
        place=_place(replay, one.step),
        reason=others_reason(one.review.reason, names),
        change=changed(one.swing),
    )


def _worst(replay: Replay, one: MoveOfNote, names: PlayerNames) -> str:
    # Translators: {place} is "round 1, move 12"; {reason} is such as "it reaches the middle goal".
    text = _("   Worst: {move} in {place}. Better was {best}: {reason}. Their side wins: {gain}.")
    return text.format(
        move=format_move(one.review.move),
        place=_place(replay, one.step),
        best=format_move(one.review.best),
        reason=others_reason(one.review.best_reason, names),
        gain=changed(one.review.gain),
    )


def others_reason(reason: HintReason, names: PlayerNames) -> str:
    """Return the reason for the move of another player, a clause about the move."""
    match reason:
        case FreesYou():
            return _("it repairs one of their own tools")
        case FindsOut(cell):
            return _("it shows them {goal}").format(goal=the_goal(cell, spelt=names.spelt))
        case Sheds(card):
            return _("{card} is the card they need least").format(card=card_words(card))
        case _:
            return reason_words(reason, None, names)


def claims_lines(replay: Replay, names: PlayerNames) -> list[str]:
    """Return how many claims of each player were true, mistaken and lies; none if none were."""
    counts: dict[int, Counter[Truth]] = {}
    for step in replay.steps:
        for said in step.said:
            truth = replay.truth(step, said)
            if truth is not None and said.seat is not None:
                counts.setdefault(said.seat, Counter())[truth] += 1
    # Translators: after each colon is a number.
    text = _("Claims of {name}: true {true}, wrong {mistaken}, lies {lies}.")
    return [
        text.format(
            name=names.name(seat),
            true=counts[seat][Truth.TRUE],
            mistaken=counts[seat][Truth.FALSE],
            lies=counts[seat][Truth.LIE],
        )
        for seat in sorted(counts)
    ]
