"""A typed line, read where a face stands: a command, a number, a card or a move.

Knows what lines mean. Whatever cannot be done is answered in a sentence, and changes nothing.
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
from sabtui.plain.commands import asked
from sabtui.plain.face import Face, Said
from sabtui.plain.obeying import obey
from sabtui.plain.wishes import Deal, Leave, Power
from sabtui.words.reasons import why_not
from sabtui.words.tongue import _, pgettext
from sabtui.words.turns import waiting

LONGEST: Final = 200
"""Characters of a line that are read: a file's path is the longest thing anybody types."""

_NUMBERS: Final = re.compile(r"([0-9]{1,3})(?:[ ,.]+([0-9]{1,3}|[xX]))?", re.ASCII)
_LIKE_A_MOVE: Final = re.compile(r"[-+x$]|.*[@>]")


def read(face: Face, typed: str) -> Said:
    """What a line does. It may hold anything."""
    line = "".join(c for c in typed[:LONGEST].replace("\t", " ") if c.isprintable()).strip()
    if face.leaving:
        return _answer(face, line)
    if not line:
        return _enter(face)
    command = asked(line)
    if command is not None:
        return obey(face, command)
    numbers = _NUMBERS.fullmatch(line)
    if numbers is not None:
        return _number(face, int(numbers[1]), numbers[2])
    card = named_card(line)
    if card is not None:
        return _named(face, card)
    try:
        return face.attempt(parse_own_move(line))
    except NotationError as error:
        told = (
            _("{line}: {problem}.")
            if _LIKE_A_MOVE.match(line)
            else _("{line} is nothing I know. Type ? for help.")
        )
        return face.say([told.format(line=line[:40], problem=error.problem)])


def _enter(face: Face) -> Said:
    """An empty line goes on, or tells where one is."""
    if face.view.phase is Phase.DEAL and Power.DEAL in face.powers:
        return face.say([], Deal())
    back = replace(face, card=None, listed=0)
    return back.say(back.where())


def _answer(face: Face, line: str) -> Said:
    """The answer to whether to leave: anything but yes stays."""
    if line.casefold() in pgettext("answers", "yes y quit q").split():
        return face.say([], Leave())
    stays = replace(face, leaving=False)
    return stays.say([_("You stay."), waiting(face.view, face.cast)])


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
    stays, card = otherwise or face, face.card.text
    if not plays:
        return stays.say([_("{card} can only be discarded now.").format(card=card)])
    told = _("{card} has 1 to {last}.").format(card=card, last=len(plays))
    return stays.say([told])


def _named(face: Face, card: Card) -> Said:
    """A card's name chooses it."""
    if not face.my_turn:
        return face.say([waiting(face.view, face.cast)])
    if card not in face.view.hand or face.view.phase is not Phase.PLAY:
        move = Discard(card)
        reason = face.view.why_not(move) or NotInHand(card)
        return face.say([why_not(reason, move, face.view, face.cast)])
    return face.choose(card)
