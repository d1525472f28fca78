"""A game watched again, in words: what all did with all cards open, what was said, where one is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from engine.cards import Card
from engine.events import (
    DiscardedCard,
    Drew,
    Event,
    GoalPeeked,
    GoldReceived,
    GoldTaken,
    Looked,
    Passed,
    addressee,
    visible_to,
)
from engine.notation.record import Highlight, ReplayStep, Truth, Utterance
from engine.view import View
from net.protocol.chat import BEFORE_ALL, ChatLine, Moment, table_claim
from net.protocol.fields import seat_code
from sabtui.text.cards import goal_words, name_card, nuggets_counted, the_goal
from sabtui.text.events import log_lines
from sabtui.text.i18n import _
from sabtui.text.names import PlayerNames
from sabtui.text.talk import chat_words


def chat_line(said: Utterance, names: PlayerNames, when: Moment = BEFORE_ALL) -> ChatLine:
    """Return what was said as a line of chat."""
    name = said.name or ("" if said.seat is None else names.names[said.seat])
    claim = None if said.claim is None else table_claim(said.claim)
    return ChatLine(name, seat_code(said.seat), said.text, claim, when)


def said_words(said: Utterance, names: PlayerNames, truth: Truth | None) -> str:
    """Return what was said with its speaker, and whether it was true if that is to be told."""
    words = chat_words(chat_line(said, names), names.names)
    match truth:
        case None:
            return words
        case Truth.TRUE:
            # Translators: after a claim, in a game that is watched again: all cards are known.
            return _("{said} (true)").format(said=words)
        case Truth.FALSE:
            # Translators: after a claim that was an error: the speaker did not know better.
            return _("{said} (wrong)").format(said=words)
        case Truth.LIE:
            # Translators: after a claim of somebody who knew better.
            return _("{said} (a lie)").format(said=words)
        case _:
            assert_never(truth)


def open_lines(step: ReplayStep, names: PlayerNames, card: str = "") -> Iterator[tuple[Event, str]]:
    """Yield the events of a step in sentences, with the cards that only one seat saw.

    `card` is as in `sabtui.text.events.happened`.
    """
    view = step.view(None)
    hidden = {(type(event), addressee(event)): event for event in step.events}
    for event in visible_to(step.events, None):
        secret = None
        if isinstance(event, Passed | Looked | GoldTaken):
            secret = hidden.get((_SECRETS[type(event)], event.seat))
        if secret is not None:
            yield event, _opened_sentence(secret, names)
        elif not isinstance(event, Drew):
            for line in log_lines([event], view, names, card):
                yield event, line


_SECRETS: Final[dict[type[Event], type[Event]]] = {
    Passed: DiscardedCard,
    Looked: GoalPeeked,
    GoldTaken: GoldReceived,
}
"""The events that everybody saw, by which it is known that one seat saw more."""


def _opened_sentence(event: Event, names: PlayerNames) -> str:
    """Return the sentence on what only one seat saw."""
    match event:
        case DiscardedCard(seat, card):
            return _("{name} discarded {card}.").format(
                name=names.names[seat], card=name_card(card, spelt=names.spelt)
            )
        case GoalPeeked(seat, cell, goal):
            return _("{name} looked at {goal}: {what}.").format(
                name=names.names[seat],
                goal=the_goal(cell, spelt=names.spelt),
                what=goal_words(goal),
            )
        case GoldReceived(seat, nuggets):
            gold = nuggets_counted(sum(nuggets))
            return _("{name} gets {gold}.").format(name=names.names[seat], gold=gold)
        case _:
            return ""


def step_lines(
    step: ReplayStep, names: PlayerNames, view: View | None, card: str = ""
) -> list[str]:
    """Return a step in sentences: all of it for `view=None`, else what the seat of a view saw."""
    if view is None:
        return [text for _event, text in open_lines(step, names, card)]
    return log_lines(visible_to(step.events, view.seat), view, names, card)


def hand_words(cards: tuple[Card, ...]) -> str:
    """Return the cards of a hand in notation."""
    return " ".join(card.text for card in cards) or _("no cards")


def highlight_words(kind: Highlight) -> str:
    """Return a kind of step to jump to."""
    match kind:
        case Highlight.BROKE:
            return _("a broken tool")
        case Highlight.REACHED:
            return _("a goal that was reached")
        case Highlight.UNMASKED:
            return _("the end of a round, where the roles are shown")
        case _:
            assert_never(kind)


def none_left(kind: Highlight) -> str:
    """Return the sentence that there is no such step that way."""
    return _("Not found from here: {what}.").format(what=highlight_words(kind))


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
