"""A game watched again and its review in words: sentences, and a plot in characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from engine.actions import Looked
from engine.bots.estimates import change
from engine.bots.review import NOTABLE_CHANGE, ReviewSummary, StepReview, Suspicion, surely
from engine.cards import Card
from engine.events import (
    DiscardedCard,
    Drew,
    Event,
    GameEnded,
    GoalPeeked,
    GoldReceived,
    GoldTaken,
    Passed,
    RoundEnded,
    visible_to,
)
from engine.moves import Lay, Move
from engine.notation.record import Replay, ReplayStep, Truth, Utterance
from engine.view import View
from net.protocol.chat import BEFORE_ALL, ChatLine, Moment, table_claim
from net.protocol.fields import seat_code
from sabtui.text import cards, events, moves, talk
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.names import PlayerNames


def area(shares: Sequence[float], rows: int, *, ascii_only: bool = False) -> list[str]:
    """Return shares as columns of this many rows, half filled at the top where blocks are drawn."""
    steps = 1 if ascii_only else 2
    heights = [round(max(0.0, min(1.0, share)) * rows * steps) for share in shares]
    signs = " #" if ascii_only else " ▄█"
    return [
        "".join(signs[max(0, min(height - row * steps, steps))] for height in heights)
        for row in reversed(range(rows))
    ]


def chat_line(said: Utterance, names: PlayerNames, when: Moment = BEFORE_ALL) -> ChatLine:
    """Return what was said as a line of chat."""
    name = said.name or ("" if said.seat is None else names.names[said.seat])
    claim = None if said.claim is None else table_claim(said.claim)
    return ChatLine(name, seat_code(said.seat), said.text, claim, when)


def said_words(said: Utterance, names: PlayerNames, truth: Truth | None) -> str:
    """Return what was said with its speaker, and whether it was true if that is to be told."""
    words = talk.chat_words(chat_line(said, names), names.names)
    if truth is None:
        return words
    worth = {
        Truth.TRUE: pgettext("claim", "true"),
        Truth.FALSE: pgettext("claim", "false"),
        # Translators: of a claim: the speaker knew better.
        Truth.LIE: pgettext("claim", "a lie"),
    }
    return _("{name} ({facts})").format(name=words, facts=worth[truth])


def open_lines(step: ReplayStep, names: PlayerNames, card: str = "") -> Iterator[tuple[Event, str]]:
    """Yield the events of a step in sentences, with the cards that only one seat saw.

    `card` is as in `sabtui.text.events.happened`.
    """
    view, opened = step.view(None), dict[tuple[type[Event], int], str]()
    for event in step.events:
        match event:
            case DiscardedCard(seat, found):
                opened[Passed, seat] = _("{name} discarded: {card}.").format(
                    name=names.names[seat], card=cards.name_card(found, spelt=names.spelt)
                )
            case GoalPeeked(seat, cell, goal):
                opened[Looked, seat] = _("{name} looked at {goal}: {what}.").format(
                    name=names.names[seat],
                    goal=cards.the_goal(cell, spelt=names.spelt),
                    what=cards.goal_words(goal),
                )
            case GoldReceived(seat, nuggets):
                gold = cards.nuggets_counted(sum(nuggets))
                text = _("{name} gets {gold}.").format(name=names.names[seat], gold=gold)
                opened[GoldTaken, seat] = text
            case _:
                pass
    for event in visible_to(step.events, None):
        told = ""
        if isinstance(event, Passed | Looked | GoldTaken):
            told = opened.get((type(event), event.seat), "")
        if told:
            yield event, told
        elif not isinstance(event, Drew):
            for line in events.log_lines([event], view, names, card):
                yield event, line


def step_lines(
    step: ReplayStep, names: PlayerNames, view: View | None, card: str = ""
) -> list[str]:
    """Return a step in sentences: all of it for `view=None`, else what the seat of a view saw."""
    if view is None:
        return [text for _event, text in open_lines(step, names, card)]
    return events.log_lines(visible_to(step.events, view.seat), view, names, card)


def hand_words(hand: tuple[Card, ...]) -> str:
    """Return the cards of a hand in notation."""
    return " ".join(card.text for card in hand) or cards.cards_counted(0)


def seen_by_words(seat: int | None, names: PlayerNames, *, is_open: bool) -> str:
    """Return from whose side a game is watched."""
    if is_open:
        return _("all cards open")
    if seat is None:
        return _("as a watcher saw it")
    return _("as {name} saw it").format(name=names.names[seat])


def only_whole() -> str:
    """Return why a game cannot be reviewed that is not over, or of which not all is known."""
    return _("Only a whole game that is over can be reviewed, not what one player saw.")


SUSPECTS_SHOWN: Final = 3
"""Most players named beside a step: most games have no more saboteurs, and the pane is low."""

LEAST_DOUBT_SHOWN: Final = 0.005  # least suspicion told, as a share: less would read as 0%


def percent(share: float, *, is_change: bool = False) -> str:
    """Return a share in percent; a change of one has its sign."""
    number = f"{round(100 * share):{'+' if is_change else ''}d}"
    # Translators: a share; some languages have a space before the sign.
    return _("{number}%").format(number=number)


def beside_lines(review: StepReview, names: PlayerNames) -> list[str]:
    """Return the review of one step in a few short lines, to stand beside the game."""
    away = "-" if review.distance is None else str(review.distance)
    # Translators: {chance} is such as 48%; {away} is a number of cards; short.
    text = _("miners win {chance}; cards to the gold: {away}")
    lines = [text.format(chance=percent(review.chance.value), away=away)]
    by_doubt = sorted(enumerate(review.suspicion), key=lambda of_seat: -of_seat[1])
    suspects = [
        f"{names.name(seat)} {percent(doubt)}"
        for seat, doubt in by_doubt[:SUSPECTS_SHOWN]
        if doubt >= LEAST_DOUBT_SHOWN
    ]
    if suspects:
        # Translators: {suspects} is such as: Ana 70%, Bruno 33%; short.
        lines.append(_("most suspected: {suspects}").format(suspects=", ".join(suspects)))
    if review.move is not None:
        gain = review.move.gain
        # Translators: {move} is such as: Bend at 3n1; short.
        text = _("the hard bot: {move}").format(move=_move_in_full(review.move.best, names))
        if surely(gain) > NOTABLE_CHANGE:
            facts = percent(gain.value, is_change=True)
            text = _("{name} ({facts})").format(name=text, facts=facts)
        lines.append(_("the hard bot plays the same") if review.move.agrees else text)
    return lines


def _move_in_full(move: Move, names: PlayerNames) -> str:
    """Return a move in words that tell it from any other, such as the same card turned."""
    match move:
        case Lay(path, cell):
            text = _("{shape} at {cell}")
            return text.format(
                shape=capitalise(cards.path_titled(path)),
                cell=cards.cell_words(cell, spelt=names.spelt),
            )
        case _:
            return moves.move_words(move, names)


def walked_words(
    replay: Replay, review: StepReview, before: StepReview, names: PlayerNames, *, is_flag: bool
) -> str:
    """Return what happened in a step, and what it was worth as far as that is sure; no figures.

    `before` is the step before, and `is_flag` True for a turning point.
    """
    step = replay.steps[review.number]
    place = _("round {number}").format(number=step.round)
    if step.moves:
        place = _place(replay, review.number)
    deed = next((text for _event, text in open_lines(step, names)), "")
    facts = pgettext("review", "the deal") if step.seat is None else deed
    said = [_("{title}: {facts}").format(title=capitalise(place), facts=facts)]
    if is_flag:
        said.append(_("A turning point."))
    swing = change(before.chance, review.chance)
    if review.move is not None and surely(swing) > NOTABLE_CHANGE:
        helps, hurts = _("Good for the miners."), _("Good for the saboteurs.")
        said.append(helps if swing.value > 0 else hurts)
    if review.move is not None and surely(review.move.gain) > NOTABLE_CHANGE:
        # Translators: {best} is such as "Bend at 4"; {reason} such as "it reaches the middle goal".
        text = _("Better: {best} ({reason}).")
        best, reason = review.move.best, moves.reason_words(review.move.best_reason, None, names)
        said.append(text.format(best=_move_in_full(best, names), reason=reason))
    return " ".join(said)


def story_lines(
    replay: Replay, reviews: Sequence[StepReview], summary: ReviewSummary, names: PlayerNames
) -> list[str]:
    """Return a game in sentences without figures: turning points, who won, who was what."""
    flags = {point.step for point in summary.turning_points}
    lines = [] if flags else [_("No single move decided a round.")]
    for before, review in pairwise((reviews[0], *reviews)):
        if review.round != before.round or review is reviews[0]:
            lines.append(capitalise(_("round {number}")).format(number=review.round))
        if review.number in flags:
            lines.append(walked_words(replay, review, before, names, is_flag=True))
        told = list(open_lines(replay.steps[review.number], names))
        lines += [text for event, text in told if isinstance(event, RoundEnded | GameEnded)]
        if any(isinstance(event, RoundEnded) for event, _text in told):
            of_round = (found for found in summary.suspicions if found.round == review.round)
            lines += (line for found in of_round for line in found_out_lines(replay, found, names))
    return lines


def _place(replay: Replay, number: int) -> str:
    """Return where in the game a step is."""
    step = replay.steps[number]
    return _("round {round}, move {move}").format(round=step.round, move=step.moves)


def found_out_lines(replay: Replay, review: Suspicion, names: PlayerNames) -> Iterator[str]:
    """Yield whether and when a saboteur stood out, and who did more."""
    name = names.name(review.seat)
    if review.step is None:
        text = _("{name} got away with being a saboteur in round {round}.")
        yield text.format(name=name, round=review.round)
    else:
        # Translators: {place} is "round 1, move 12".
        text = _("{name}, a saboteur, stood out from {place} on.")
        yield text.format(name=name, place=_place(replay, review.step))
    if review.miners:
        # Translators: {names} are miners, one or more.
        text = _("At the end of round {round}, {names} looked more suspicious than {saboteur}.")
        miners = names.call_all(review.miners)
        yield text.format(round=review.round, names=miners, saboteur=name)
