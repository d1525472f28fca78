"""Typed lines to reactions: an answer to a question, a command, a number, a card or a move.

A line that cannot be carried out is answered by a sentence, and changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.cards import Card
from engine.moves import Discard, KeepGold, parse_own_move
from engine.reasons import NotInHand
from engine.state import Phase
from engine.tokens import NotationError
from net.client.session import ConnectionState
from net.protocol.messages import Refusal
from net.protocol.text import sanitise
from sabtui.plain.commands import (
    AsHost,
    AtTable,
    InGame,
    ParsedCommand,
    SetTo,
    move_lines,
    parse_command,
)
from sabtui.plain.deeds import handle_deed, handle_host
from sabtui.plain.handlers import handle, handle_in_game
from sabtui.plain.lobby import obvious
from sabtui.plain.model import (
    Asked,
    GameView,
    Parting,
    PendingQuestion,
    PlainSession,
    Reaction,
    Reply,
)
from sabtui.table.deed import Deed
from sabtui.table.seat_deeds import LEAVE_FOR_GOOD
from sabtui.text.connection import standing
from sabtui.text.i18n import _, pgettext
from sabtui.text.moves import not_begun, waiting
from sabtui.text.reasons import refusal_sentence, why_not
from sabtui.text.settings import nothing_changed
from sabtui.text.summary import hand_entries, named_card

if TYPE_CHECKING:
    from sabtui.app.replays import ReplayPosition

_NUMBERS: Final = re.compile(r"([0-9]{1,3})(?:[ ,.]+([0-9]{1,3}|[xX]))?", re.ASCII)
"""One number, or a card's number followed by a place's number or x for a discard."""
_SIDES: Final = re.compile(r"(x?)([NESW]{2,4}|[nesw]{2,4})(@.*|)")
"""The sides of a path card in any order, to be chosen, discarded, or laid at a cell."""
_LIKE_A_MOVE: Final = re.compile(r"[-+x$]|.*[@>]")
"""Beginnings of lines that are meant as moves, so that the answer says how they are written."""


def interpret_move(game: GameView, line: str) -> Reply:
    """Interpret a line in a game that is no command and not empty."""
    numbers = _NUMBERS.fullmatch(line)
    if numbers is not None:
        return _number(game, int(numbers[1]), numbers[2])
    sides = _SIDES.fullmatch(line)
    if sides is not None and (usual := _in_usual_order(sides[2])) != sides[2]:
        text = _("{typed} is usually written {usual}.").format(typed=sides[2], usual=usual)
        reply = interpret_move(game, f"{sides[1]}{usual}{sides[3]}")
        return replace(reply, lines=(text, *reply.lines))
    card = named_card(line)
    if card is not None:
        return _choose_by_name(game, card)
    try:
        return game.attempt(parse_own_move(line))
    except NotationError:
        is_like_a_move = _LIKE_A_MOVE.match(line) is not None
        return game.say([unknown(line), *(move_lines() if is_like_a_move else _numbers(game))])


def _in_usual_order(sides: str) -> str:
    """Return the letters of sides in the one order of the notation; unchanged if one is twice."""
    if len(set(sides)) < len(sides):
        return sides
    return "".join(sorted(sides, key="NESWnesw".index))


def unknown(line: str) -> str:
    """Return the sentence that a line is not understood."""
    return _("I do not understand {line}. Type ? for help.").format(line=line[:40])


def _numbers(game: GameView) -> list[str]:
    """Return the sentence on which numbers can be typed now, none if none can."""
    if not game.my_turn or game.view.phase is Phase.GOLD:
        return []
    if game.card is not None and game.plays:
        return [_has(game.card, len(game.plays))]
    return [_("Your cards are 1 to {last}.").format(last=len(hand_entries(game.view)))]


def _has(card: Card, last: int) -> str:
    return _("{card} has places 1 to {last}.").format(card=card.text, last=last)


def _number(game: GameView, first: int, then: str | None) -> Reply:
    """Interpret a number: nuggets of a gold card, a card, or a place once a card is chosen."""
    if not game.my_turn:
        return game.say([waiting(game.view, game.names)])
    if game.view.phase is Phase.GOLD:
        return game.attempt(KeepGold(first))
    if game.card is not None and then is None:
        return _place(game, first)
    kinds = hand_entries(game.view)
    if not 1 <= first <= len(kinds):
        return game.say([_("Your cards are 1 to {last}.").format(last=len(kinds))])
    card = kinds[first - 1].card
    if then is None:
        return game.choose(card)
    if then in "xX":
        return game.attempt(Discard(card))
    return _place(replace(game, card=card), int(then), game)


def _place(game: GameView, number: int, otherwise: GameView | None = None) -> Reply:
    """Make the chosen card's play with this number; if there is none, go on from `otherwise`."""
    plays = game.plays
    if 1 <= number <= len(plays):
        return game.attempt(plays[number - 1])
    assert game.card is not None
    stays = otherwise or game
    return stays.say([_has(game.card, len(plays))]) if plays else stays.choose(game.card)


def _choose_by_name(game: GameView, card: Card) -> Reply:
    """Choose a card by its name."""
    if not game.my_turn:
        return game.say([waiting(game.view, game.names)])
    if card not in game.view.hand or game.view.phase is not Phase.PLAY:
        discard = Discard(card)
        reason = game.view.why_not(discard) or NotInHand(card)
        return game.say([why_not(reason, discard, game.view, game.names)])
    return game.choose(card)


MAX_TYPED_CHARACTERS: Final = 4096
"""Characters of a line that are read: a file's path is the longest thing anybody types."""


def interpret(session: PlainSession, typed: str) -> Reaction:
    """Interpret a typed line, which may contain anything."""
    line = sanitise(typed[:MAX_TYPED_CHARACTERS]).strip()
    if session.question is not None:
        return _interpret_answer(session, session.question, line)
    if session.replay is not None:
        return _step_replay(session, session.replay, line)
    found = parse_command(line) if line else None
    if session.status.game_state is None and not _is_always_possible(found):
        return session.say([standing(session.status)])
    if session.status.connection is ConnectionState.ENDED and not _is_looking(found):
        if not line or (found is not None and found.command in (AtTable.QUIT, LEAVE_FOR_GOOD)):
            return session.say([], Parting.DISCONNECT)
        return session.say([*([] if found else [unknown(line)]), *session.where()])
    if found is not None:
        return _obey(session, found)
    if not line:
        return _went_on(session)
    if session.game is None:
        return session.say([unknown(line)])
    return session.react_to_reply(interpret_move(session.game, line))


def _step_replay(session: PlainSession, replay: ReplayPosition, line: str) -> Reaction:
    """Step through the finished game that is watched again, or leave it."""
    from sabtui.plain.replay import QUIT_WORDS, answer  # noqa: PLC0415 - rarely needed

    if line.casefold() in QUIT_WORDS:
        return replace(session, replay=None).say(session.where())
    position, lines = answer(replay, line, session.size)
    return replace(session, replay=position).say(lines)


def _is_always_possible(found: ParsedCommand | None) -> bool:
    """Return True for a command that can be used before the table is there to be seen."""
    return found is not None and found.command is AtTable.QUIT


def _is_looking(found: ParsedCommand | None) -> bool:
    """Return True if a command needs no connection to the table."""
    if found is None:
        return False
    return isinstance(found.command, InGame) or found.command in (
        AtTable.HELP,
        AtTable.WHO,
        AtTable.TABLE,
        AtTable.RULES,
        AtTable.SAVE,
        AtTable.REPLAY,
    )


def _obey(session: PlainSession, found: ParsedCommand) -> Reaction:
    """Carry out a command, if the player may use it."""
    command = found.command
    if isinstance(command, Deed):
        return handle_deed(session, command, found.word, found.rest)
    if isinstance(command, AtTable):
        return handle(session, command, found.rest)
    if isinstance(command, AsHost | SetTo):
        if not session.status.is_host:
            return session.say([refusal_sentence(Refusal.HOST_ONLY)])
        return handle_host(session, command, found.rest)
    return _in_game(session, command, found.rest)


def _in_game(session: PlainSession, command: InGame, rest: str) -> Reaction:
    if session.game is None:
        return session.say([not_begun(), *session.where()])
    return session.react_to_reply(handle_in_game(session.game, command, rest))


def _went_on(session: PlainSession) -> Reaction:
    """Make the request that an empty line stands for, or say what the table waits for."""
    request = obvious(session.status, session.lobby)
    if request is not None and not session.awaiting:
        return session.request(request)
    game_view = None if session.game is None else session.game.put_back()
    back = replace(session, game=game_view)
    return back.say(back.where())


def _interpret_answer(
    session: PlainSession, question: PendingQuestion | Asked, line: str
) -> Reaction:
    """Interpret the answer to a question: anything but yes means no."""
    stays = replace(session, question=None)
    if line.casefold() not in pgettext("answers", "yes y quit q").split():
        quits = question is PendingQuestion.QUIT
        return stays.say([_("You are staying.") if quits else nothing_changed()])
    if isinstance(question, Asked):
        request = question.deed.request(replace(question.aim, status=session.status))
        assert request is not None
        return stays.request(request)
    return stays.say([], Parting.DISCONNECT)
