"""A line typed in a game that is no command: a number, a card or a move.

Knows what lines mean where a face stands. Whatever cannot be done is answered in a sentence, and
changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from engine.cards import Card
from engine.moves import Discard, Keep
from engine.notation import NotationError, parse_own_move
from engine.reasons import NotInHand
from engine.table import Phase
from sabtui.plain.choices import held, named_card
from sabtui.plain.face import Face, Said
from sabtui.words.notation import problem
from sabtui.words.reasons import why_not
from sabtui.words.tongue import _
from sabtui.words.turns import waiting

_NUMBERS: Final = re.compile(r"([0-9]{1,3})(?:[ ,.]+([0-9]{1,3}|[xX]))?", re.ASCII)
_LIKE_A_MOVE: Final = re.compile(r"[-+x$]|.*[@>]")


def move(face: Face, line: str) -> Said:
    """What a line does that is no command and not empty."""
    numbers = _NUMBERS.fullmatch(line)
    if numbers is not None:
        return _number(face, int(numbers[1]), numbers[2])
    card = named_card(line)
    if card is not None:
        return _named(face, card)
    try:
        return face.attempt(parse_own_move(line))
    except NotationError as error:
        if _LIKE_A_MOVE.match(line) is None:
            return face.say([unknown(line), *_numbers(face)])
        told = _("{line}: {problem}.").format(line=line[:40], problem=problem(error))
        return face.say([told])


def unknown(line: str) -> str:
    """Say that a line means nothing here."""
    return _("{line} is nothing I know. Type ? for help.").format(line=line[:40])


def _numbers(face: Face) -> list[str]:
    """Which numbers can be typed now."""
    if not face.my_turn or face.view.phase is Phase.GOLD:
        return []
    if face.card is not None and face.plays:
        return [_has(face.card, len(face.plays))]
    return [_("Your cards are 1 to {last}.").format(last=len(held(face.view)))]


def _has(card: Card, last: int) -> str:
    return _("{card} has 1 to {last}.").format(card=card.text, last=last)


def _number(face: Face, first: int, then: str | None) -> Said:
    """A number is a gold card's nuggets, a card's, or a place's once a card was chosen."""
    if not face.my_turn:
        return face.say([waiting(face.view, face.cast)])
    if face.view.phase is Phase.GOLD:
        return face.attempt(Keep(first))
    if face.card is not None and then is None:
        return _place(face, first)
    kinds = held(face.view)
    if not 1 <= first <= len(kinds):
        return face.say([_("Your cards are 1 to {last}.").format(last=len(kinds))])
    card = kinds[first - 1].card
    if then is None:
        return face.choose(card)
    if then in "xX":
        return face.attempt(Discard(card))
    return _place(replace(face, card=card), int(then), face)


def _place(face: Face, number: int, otherwise: Face | None = None) -> Said:
    """Do with the chosen card what has this number; where nothing has, nothing has changed."""
    plays = face.plays
    if 1 <= number <= len(plays):
        return face.attempt(plays[number - 1])
    assert face.card is not None
    stays = otherwise or face
    if not plays:
        told = _("{card} can only be discarded now.").format(card=face.card.text)
        return stays.say([told])
    return stays.say([_has(face.card, len(plays))])


def _named(face: Face, card: Card) -> Said:
    """A card's name chooses it."""
    if not face.my_turn:
        return face.say([waiting(face.view, face.cast)])
    if card not in face.view.hand or face.view.phase is not Phase.PLAY:
        discard = Discard(card)
        reason = face.view.why_not(discard) or NotInHand(card)
        return face.say([why_not(reason, discard, face.view, face.cast)])
    return face.choose(card)
