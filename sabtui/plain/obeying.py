"""The commands of a line face, done.

Knows what each command of `commands` shows or wishes for. A typed line is read by `reading`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.moves import Discard
from engine.table import Phase
from sabtui.plain.choices import hand_lines, held, marks, named_card
from sabtui.plain.commands import Asked, Command, help_lines, move_lines, sign_lines
from sabtui.plain.drawing import drawn
from sabtui.plain.face import Face, Said
from sabtui.plain.looking import hand_shown, mine_shown, own_lines, pile_lines, who_lines
from sabtui.plain.telling import logged
from sabtui.plain.wishes import Again, Leave, Power, Save
from sabtui.words.tongue import _


def obey(face: Face, said: Asked) -> Said:
    """Do what a command says."""
    view, cast, rest = face.view, face.cast, said.rest
    over = view.phase is Phase.OVER
    match said.command:
        case Command.HELP:
            return face.say(_help(rest, over=over))
        case Command.HAND:
            back = replace(face, card=None, listed=0)
            return back.say(hand_shown(view))
        case Command.MINE:
            return face.say(mine_shown(rest, view))
        case Command.DRAW:
            return _draw(face, rest)
        case Command.WHO:
            return face.say(who_lines(view, cast))
        case Command.ROLE:
            return face.say(own_lines(view))
        case Command.LOG:
            return _log(face, rest)
        case Command.PILE:
            return face.say(pile_lines(view))
        case Command.MORE:
            return _more(face)
        case Command.BACK:
            return _back(face)
        case Command.DISCARD:
            return _discard(face, rest)
        case Command.AGAIN | Command.SAVE:
            return _once_over(face, said)
        case Command.QUIT:
            if over:
                return face.say([], Leave())
            return replace(face, leaving=True).say([_("Leave this game? yes or no.")])
        case _:
            assert_never(said.command)


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


def _help(rest: str, *, over: bool) -> list[str]:
    match rest.lower():
        case "moves":
            return move_lines()
        case "signs":
            return sign_lines()
        case _:
            return help_lines(over=over)


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


def _back(face: Face) -> Said:
    """Back from a card's places to the cards."""
    back = replace(face, card=None, listed=0)
    return back.say(hand_lines(face.view) if face.my_turn else back.where())


def _once_over(face: Face, said: Asked) -> Said:
    """What can be done when the game is over, by a driver who has the power."""
    power, wish = (
        (Power.AGAIN, Again()) if said.command is Command.AGAIN else (Power.SAVE, Save(said.rest))
    )
    if power not in face.powers:
        return face.say([_("Only the host of the table can do that.")])
    if face.view.phase is not Phase.OVER:
        return face.say([_("Once the game is over you can do that.")])
    if wish == Save(""):
        return face.say([_("Into which file? save FILE.")])
    return face.say([], wish)
