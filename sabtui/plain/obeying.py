"""The commands of a game in lines, done.

Knows what each of `commands.InGame` shows or wishes for.
"""

from __future__ import annotations

from random import Random
from typing import Final, assert_never

from engine.bots import Playouts
from engine.bots.hints import hints
from engine.moves import Discard
from sabtui.plain.choices import hand_lines, held, marks, named_card
from sabtui.plain.commands import InGame
from sabtui.plain.drawing import drawn
from sabtui.plain.face import Face, Said
from sabtui.plain.looking import hand_shown, mine_shown, own_lines, pile_lines
from sabtui.plain.telling import logged
from sabtui.words.hints import hint_words
from sabtui.words.tongue import _
from sabtui.words.turns import waiting

THOUGHT: Final = Playouts(120)
BEST: Final = 4


def obey(face: Face, command: InGame, rest: str) -> Said:
    """Do what a command says; `rest` is what was typed after it."""
    view = face.view
    match command:
        case InGame.HAND:
            return face.put_back().say(hand_shown(view))
        case InGame.MINE:
            return face.say(mine_shown(rest, view))
        case InGame.DRAW:
            return _draw(face, rest)
        case InGame.ROLE:
            return face.say(own_lines(view))
        case InGame.LOG:
            return _log(face, rest)
        case InGame.PILE:
            return face.say(pile_lines(view))
        case InGame.MORE:
            return _more(face)
        case InGame.BACK:
            back = face.put_back()
            return back.say(hand_lines(view) if face.my_turn else back.where())
        case InGame.HINT:
            return face.say(_hints(face))
        case InGame.DISCARD:
            return _discard(face, rest)
        case _:
            assert_never(command)


def _hints(face: Face) -> list[str]:
    """Moves that may be good, from what the seat knows, and why."""
    if not face.hints:
        return [_("No hints at this table: that was agreed.")]
    if not face.my_turn:
        return [waiting(face.view, face.cast)]
    found = hints(face.view, Random(len(face.view.history)), THOUGHT)
    return [hint_words(hint, face.cast) for hint in found[:BEST]]


def _log(face: Face, rest: str) -> Said:
    """The last of what happened: so many lines, or what the terminal has room for."""
    most = int(rest[:4]) if rest.isdecimal() else face.size.rows - 2
    told = logged(face.view.history, face.view, face.cast)
    lines = face.say(told or [_("Nothing has happened in this round yet.")]).lines
    return Said(face, lines[-max(most, 1) :])


def _discard(face: Face, rest: str) -> Said:
    """Discard the card that is named, numbered, or chosen."""
    card = face.card if not rest else named_card(rest)
    kinds = held(face.view)
    if rest.isdecimal() and 1 <= int(rest[:3]) <= len(kinds):
        card = kinds[int(rest[:3]) - 1].card
    if card is None:
        told = _("Which card? x and its number discards it: x1 to x{last}.")
        return face.say([told.format(last=len(kinds))])
    return face.attempt(Discard(card))


def _draw(face: Face, rest: str) -> Said:
    """The mine, with the numbers of the places of the chosen card."""
    large = {"big": True, "small": False}.get(rest.lower())
    placed = marks(face.plays) if face.card is not None else {}
    return Said(face, tuple(drawn(face.view, face.size, placed, large=large)))


def _more(face: Face) -> Said:
    """The rest of a long list, and then its beginning again."""
    if face.card is None:
        return face.say([_("There is no list to go on with.")])
    return face.choose(face.card, face.listed if face.listed < len(face.plays) else 0)
