"""Handlers of the commands that any player may use, at the table and in the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from engine.bots import Playouts
from engine.moves import Discard
from engine.state import Phase
from net.protocol.lobby import clean_text
from net.protocol.messages import Refusal
from net.protocol.requests import Chat, MakeClaim
from sabtui.app.autopilot import hints_for
from sabtui.app.errors import UserError
from sabtui.plain.commands import (
    AtTable,
    InGame,
    game_help,
    host_help,
    move_lines,
    settings_help,
    sign_lines,
    table_help,
)
from sabtui.plain.lobby import (
    bot_lines,
    gone_lines,
    others_lines,
    phase,
    seat_lines,
    table_lines,
)
from sabtui.plain.model import (
    GameView,
    Parting,
    PendingQuestion,
    PlainSession,
    Reaction,
    Reply,
    SaveRecord,
)
from sabtui.plain.rules import rules_lines
from sabtui.table.deeds import CLOSE
from sabtui.text.actions import action_lines, nothing_done, round_in_order, round_lines, since_turn
from sabtui.text.audit import words_sentence
from sabtui.text.i18n import _
from sabtui.text.lobby import cast_of
from sabtui.text.moves import (
    MAX_HINTS,
    hint_words,
    no_hint,
    no_hint_found,
    only_watching,
    player_words,
)
from sabtui.text.reasons import refusal_sentence
from sabtui.text.replays import once_over
from sabtui.text.seats import autopilot_stopped, leave_question
from sabtui.text.summary import (
    hand_entries,
    hand_lines,
    hand_shown,
    marks,
    mine_shown,
    named_card,
    own_lines,
    pile_lines,
    unseen_lines,
    who_lines,
)
from sabtui.text.talk import (
    chat_words,
    claim_lines,
    claim_words,
    quick_claims,
)
from sabtui.text.talk_line import cut_off_sentence, cut_to_talk


def handle(session: PlainSession, command: AtTable, rest: str) -> Reaction:
    """Carry out a command at the table; `rest` is the text after it."""
    match command:
        case AtTable.HELP:
            return session.say(_help(session, rest))
        case AtTable.WHO:
            return session.say(_who(session, rest))
        case AtTable.TALK:
            return _say(session, rest) if rest else session.say(_talk(session))
        case AtTable.CLAIM:
            return _claim(session, rest)
        case AtTable.TABLE:
            return session.say(table_lines(session.status, session.lobby))
        case AtTable.RULES:
            return session.say(rules_lines(rest, session.size.columns))
        case AtTable.WORDS:
            return session.say([words_sentence(session.status.words)])
        case AtTable.AUTO:
            return _auto(session)
        case AtTable.SAVE:
            return _save(session, rest)
        case AtTable.REPLAY:
            return _replay(session)
        case AtTable.QUIT:
            return quit_table(session)
        case _:
            assert_never(command)


def find_named(typed: str, names: Sequence[str]) -> int | None:
    """Return the index of the name that was typed, or of the only one that begins like that."""
    wanted, called = typed.casefold(), [name.casefold() for name in names]
    if wanted in called:
        return called.index(wanted)
    found = [at for at, name in enumerate(called) if name.startswith(wanted)]
    return found[0] if len(found) == 1 else None


def autopilot_sentence() -> str:
    """Return the sentence that the autopilot plays, and how to stop it."""
    return _("A bot plays for you now. Type auto, or a move, to take over again.")


def _help(session: PlainSession, rest: str) -> list[str]:
    is_host = session.status.is_host
    match rest.lower():
        case "moves":
            return move_lines()
        case "signs":
            return sign_lines()
        case "host" | "settings" if not is_host:
            return [refusal_sentence(Refusal.HOST_ONLY)]
        case "host":
            return host_help()
        case "settings":
            return settings_help()
        case "game":
            return game_help()
        case "":
            return game_help() if session.game is not None else table_help(is_host=is_host)
        case _:
            return table_help(is_host=is_host)


def _who(session: PlainSession, rest: str) -> list[str]:
    """Return the players, the watchers, and the players who are not connected.

    If a player is named, by name or seat, return what that player has done so far in the round.
    """
    status, lobby, game_view = session.status, session.lobby, session.game
    if game_view is not None and rest:
        return _about(game_view, rest)
    if game_view is None:
        return [*seat_lines(status, lobby), *others_lines(status, lobby)]
    who = who_lines(game_view.view, game_view.names)
    return [*who, *bot_lines(lobby), *others_lines(status, lobby), *gone_lines(lobby)]


def _about(game: GameView, name: str) -> list[str]:
    """Return the state of a player, and what they have done so far in the round."""
    view, names, last = game.view, game.names, game.view.table.players
    is_seat = name.isdecimal() and 1 <= int(name) <= last
    seat = int(name) - 1 if is_seat else find_named(name, names.names)
    if seat is None:
        text = _("Which player? Type who and a name, or a seat from 1 to {last}.")
        return [text.format(last=last)]
    return [
        f"{player_words(seat, view, names)}.",
        *action_lines(seat, view, game.sight.talk, names),
    ]


def _say(session: PlainSession, text: str) -> Reaction:
    """Say a text to everybody, cut to what the protocol allows."""
    said = cut_to_talk(text)
    asked = session.request(Chat(clean_text(said)))
    if said == text:
        return asked
    return replace(asked, lines=(*session.say([cut_off_sentence()]).lines, *asked.lines))


def _talk(session: PlainSession) -> list[str]:
    """Return the last chat lines, as many as fit on the terminal."""
    held = session.status.game_state
    names = cast_of(session.lobby, session.status.member).names
    lines = [] if held is None else [chat_words(line, names) for line in held.talk]
    return lines[2 - session.size.rows :] or [
        _("Nobody has said anything yet. Type t and your message.")
    ]


def _claim(session: PlainSession, rest: str) -> Reaction:
    """List the quick claims, or make the one whose number was typed."""
    names = cast_of(session.lobby, session.status.member)
    claims = quick_claims(len(session.lobby.chairs), names.me)
    if rest.isdecimal() and 1 <= int(rest) <= len(claims):
        return session.request(MakeClaim(claims[int(rest) - 1]))
    if rest.isdecimal():
        text = _("There is no claim {number}: they are 1 to {last}.")
        return session.say([text.format(number=rest[:3], last=len(claims))])
    listed = [f"{at:2} {claim_words(claim, names.names)}" for at, claim in enumerate(claims, 1)]
    return session.say([_("Type c and a number to make a claim."), *listed])


def _auto(session: PlainSession) -> Reaction:
    """Turn the autopilot on or off, for a player."""
    if session.status.seat is None:
        return session.say([only_watching()])
    if session.is_on_autopilot:
        back = replace(session, is_on_autopilot=False)
        return back.say([autopilot_stopped(), *back.where()])
    return replace(session, is_on_autopilot=True).say([autopilot_sentence()])


def _save(session: PlainSession, rest: str) -> Reaction:
    assert session.status.game_state is not None
    if not session.status.game_state.record:
        return session.say([once_over()])
    if not rest:
        return session.say([_("Into which file? Type save FILE.")])
    return session.say([], SaveRecord(rest))


def _replay(session: PlainSession) -> Reaction:
    """Watch the finished game again; from then on the lines typed are commands of the replay."""
    from sabtui.app.replays import watched_text  # noqa: PLC0415 - rarely needed
    from sabtui.plain.replay import opening  # noqa: PLC0415 - as above

    held = session.status.game_state
    if held is None or not held.record:
        return session.say([once_over()])
    try:
        position = watched_text(held.record, held.lobby).begin()
    except UserError as trouble:
        return session.say([str(trouble)])
    return replace(session, replay=position).say(opening(position))


def quit_table(session: PlainSession) -> Reaction:
    """Leave for now, after a question unless nothing is left to lose."""
    if phase(session.status) is Phase.OVER or session.status.game_state is None:
        return session.say([], Parting.DISCONNECT)
    question = leave_question(session.status, close=CLOSE.typed[0])
    text = f"{question} {session.way_back}".rstrip()
    return replace(session, question=PendingQuestion.QUIT).say([text])


PLAIN_HINT_BUDGET: Final = Playouts(120)
"""Thinking budget for hints, in playouts."""


def handle_in_game(game: GameView, command: InGame, rest: str) -> Reply:
    """Carry out a command in the game; `rest` is the text after it."""
    view = game.view
    match command:
        case InGame.HAND:
            return game.put_back().say(hand_shown(view))
        case InGame.MINE:
            return game.say(mine_shown(rest, view))
        case InGame.DRAW:
            return _draw(game, rest)
        case InGame.ROLE:
            return game.say(own_lines(view))
        case InGame.LOG:
            return _log(game, rest)
        case InGame.SINCE:
            return game.say(_since(game))
        case InGame.CLAIMS:
            return game.say(claim_lines(view, game.sight.talk, game.names))
        case InGame.UNSEEN:
            return game.say(unseen_lines(view))
        case InGame.PILE:
            return game.say(pile_lines(view))
        case InGame.MORE:
            return _more(game)
        case InGame.BACK:
            back = game.put_back()
            is_turn = game.my_turn and view.phase is Phase.PLAY
            return back.say(hand_lines(view) if is_turn else back.where())
        case InGame.HINT:
            return game.say(_hints(game))
        case InGame.DISCARD:
            return _discard(game, rest)
        case _:
            assert_never(command)


def _hints(game: GameView) -> list[str]:
    """Return moves worth considering, with reasons, from what the seat knows."""
    reason = no_hint(game.view, game.names, allowed=game.sight.allows_hints)
    if reason is not None:
        return [reason]
    found = hints_for(game.view, game.sight.talk, PLAIN_HINT_BUDGET)
    if not found:
        return [no_hint_found()]
    return [hint_words(hint, game.view.role, game.names) for hint in found[:MAX_HINTS]]


def _since(game: GameView) -> list[str]:
    """Return what has happened and was said since the player's last turn."""
    view = game.view
    lines = round_lines(since_turn(view, game.sight.said), view, game.names)
    return [*lines] or [_("Nothing has happened since your last turn.")]


def _log(game: GameView, rest: str) -> Reply:
    """Return the last lines of the round's log: as many as asked for, or as fit on the terminal."""
    most = int(rest) if rest.isdecimal() else game.size.rows - 2
    view = game.view
    texts = round_lines(round_in_order(view, game.sight.said), view, game.names)
    lines = game.say(texts or [nothing_done()]).lines
    return Reply(game, lines[-max(most, 1) :])


def _discard(game: GameView, rest: str) -> Reply:
    """Discard the card that was named, numbered, or chosen before."""
    card = game.card if not rest else named_card(rest)
    kinds = hand_entries(game.view)
    if rest.isdecimal() and 1 <= int(rest) <= len(kinds):
        card = kinds[int(rest) - 1].card
    if card is None:
        text = _("Which card? Type x and its number: x1 to x{last}.")
        return game.say([text.format(last=len(kinds))])
    return game.attempt(Discard(card))


def _draw(game: GameView, rest: str) -> Reply:
    """Return the drawing of the mine, with the numbers of the chosen card's places."""
    large = {"big": True, "small": False}.get(rest.lower())
    placed = marks(game.plays) if game.card is not None else {}
    size = game.size
    lines = game.view.draw(placed, columns=size.columns, rows=size.rows, large=large)
    return Reply(game, tuple(lines))


def _more(game: GameView) -> Reply:
    """Return the next part of a long list, and after the last one the first again."""
    if game.card is None:
        return game.say([_("There is no list to continue.")])
    return game.choose(game.card, game.listed if game.listed < len(game.plays) else 0)
