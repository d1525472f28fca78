"""Updates of the session to lines, and to the next `PlainSession`.

A snapshot is summarised by the present state, never by the events that led to it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.events import TurnEvent
from engine.state import Phase
from net.client.session import ConnectionState, Received, Status, Update
from net.protocol.chat import chat_line_of
from net.protocol.lobby import Lobby, Stage
from net.protocol.lobby_events import BotClaimed, LobbyEvent
from net.room.fold import apply
from sabtui.plain.lobby import BETWEEN, obvious, others_lines, phase, table_lines
from sabtui.plain.model import GameView, PlainSession, Reaction
from sabtui.table.sight import Sight
from sabtui.text.audit import new_words, right_lines, wrong_lines
from sabtui.text.connection import (
    disk_sentence,
    host_lines,
    own_news,
    report_sentence,
    standing,
)
from sabtui.text.evening import evening_lines
from sabtui.text.events import log_lines, your_role
from sabtui.text.i18n import _, ngettext
from sabtui.text.lesson import task_of
from sabtui.text.lobby import cast_of, lobby_sentence
from sabtui.text.moves import name_winner
from sabtui.text.moving import TYPED
from sabtui.text.reasons import refusal_sentence
from sabtui.text.results import final_lines, round_line
from sabtui.text.seats import new_seat, watching_sentence
from sabtui.text.summary import player_lines, round_words
from sabtui.text.talk import bot_reason, chat_words


def apply_update(session: PlainSession, update: Update) -> Reaction:
    """Apply an update: return what happened, then the present state if it needs showing."""
    before, status = session.status, update.status
    heard = update.received or Received()
    after_it = replace(
        session,
        status=status,
        awaiting=_awaiting(session, update),
        game=_face(session, status, heard),
        silent=session.silent and status.view is None,
        replay=session.replay if phase(status) is Phase.OVER else None,
    )
    lines = _connection_lines(before, status)
    lines += _table_lines(after_it, before, heard)
    if heard.refused is not None and status.lobby is not None:  # else another name is tried
        lines.append(refusal_sentence(heard.refused.reason))
    lines += host_lines(heard)
    if not after_it.silent:
        lines += [*new_words(status, before), *wrong_lines(heard), *right_lines(heard)]
    if heard.report and heard.disagreed is not None:
        lines.append(report_sentence(heard.report))
    if before.game_state is not None and before.disk is not status.disk:
        lines.append(disk_sentence(status.disk, is_host=status.is_host))
    lines += own_news(status, before, session.addresses, TYPED)
    if not after_it.silent and _is_prompt_due(after_it, before, heard):
        lines += after_it.where()
    elif task_of(status) is not None and (heard.settled or task_of(before) is None):
        lines += after_it.task_lines()
    return after_it.say(lines)


def _table_lines(session: PlainSession, before: Status, received: Received) -> list[str]:
    """Return the lines for what happened, or after a snapshot the present state."""
    if received.renewed:
        return _describe_snapshot(session, before)
    if session.silent or session.status.lobby is None:
        return []
    return _describe_events(session, before, received)


def _awaiting(session: PlainSession, update: Update) -> int:
    """Return how many requests the host has still to answer.

    A request made a moment ago may not have reached the session when it sent this update, so that
    only an answer, or a change of the connection, lowers the count.
    """
    heard, status = update.received or Received(), update.status
    answered = heard.settled or heard.refused is not None or heard.renewed
    if answered or status.connection is not session.status.connection:
        return status.unanswered
    return max(session.awaiting, status.unanswered)


def _face(session: PlainSession, status: Status, received: Received) -> GameView | None:
    """Return the `GameView` after an update; a card stays chosen as long as nothing happens."""
    sight = Sight.of(status, spelt=True)
    if sight is None:
        return None
    if session.game is None or received.events or received.renewed:
        return GameView(sight, session.size)
    return replace(session.game, sight=sight)


def _connection_lines(before: Status, status: Status) -> list[str]:
    """Return the line on a changed connection, if it deserves one; the driver reports its end."""
    connecting, connected = ConnectionState.CONNECTING, ConnectionState.CONNECTED
    if status.connection in (before.connection, connecting, ConnectionState.ENDED):
        return []
    has_begun = (before.connection, status.connection) == (connecting, connected)
    return [] if has_begun else [standing(status, TYPED)]


def _describe_events(session: PlainSession, before: Status, received: Received) -> list[str]:
    """Return the lines for the lobby events and game events of one step, in order."""
    lines: list[str] = []
    lobby = before.lobby or session.lobby
    for event in received.news:
        text = _lobby_sentence(event, lobby, session)
        lines += [] if text is None else [text]
        lobby = apply(lobby, event)
    if session.game is not None:
        lines += session.game.apply(received.events)
    return [*lines, *_count_gold(session, before)]


def _count_gold(session: PlainSession, before: Status) -> list[str]:
    """Return the round that has just ended with its gold, or all of a game that is over."""
    now = phase(session.status)
    if session.game is None or now not in BETWEEN or phase(before) in BETWEEN:
        return []
    tally, names = session.game.sight.tally, session.game.names
    if now is Phase.OVER:
        return [*final_lines(tally, names), *evening_lines(session.lobby)]
    return [round_line(one, names) for one in tally.rounds[-1:] if one.roles is not None]


def _lobby_sentence(event: LobbyEvent, lobby: Lobby, session: PlainSession) -> str | None:
    line = chat_line_of(event, lobby)
    if line is None:
        return lobby_sentence(event, lobby, session.status.member)
    names, game, why = cast_of(lobby, session.status.member), session.game, ""
    if game is not None and isinstance(event, BotClaimed):
        why = bot_reason(line, game.view, game.names)
    return chat_words(line, names.names, why)


def _describe_snapshot(session: PlainSession, before: Status) -> list[str]:
    """Return the lines for a snapshot: the whole table on joining, else a short sentence."""
    status, lobby, game_view = session.status, session.lobby, session.game
    if before.game_state is None:
        if session.silent:
            return []
        if game_view is None:
            return table_lines(status, lobby)
        lines = table_lines(status, lobby)[:1]
        if status.seat is None:
            lines.append(watching_sentence())
        if game_view.view.role is not None:
            lines.append(your_role(game_view.view.role))
        lines += player_lines(game_view.view, game_view.names)
        return [*lines, *others_lines(status, lobby), round_words(game_view.view)]
    is_same = status.seat == before.seat
    text = _("You are up to date again.") if is_same else new_seat(status.seat)
    if game_view is None:
        return [text]
    return [f"{text} {round_words(game_view.view)}", *_describe_missed(game_view, before)]


MAX_MISSED_MOVES: Final = 6
"""Most moves that are told after a snapshot, the last ones."""


def _describe_missed(game_view: GameView, before: Status) -> list[str]:
    """Return what a player missed: the rounds that ended, the number of moves, the last of them.

    A snapshot has the moves of the present round alone.
    """
    old, view = before.view, game_view.view
    if old is None:
        return []
    ended = range(old.score.number, min(view.score.number, len(view.score.wins) + 1))
    lines = [name_winner(number, view.score.wins[number - 1]) for number in ended]
    seen = len(old.history) if old.score.number == view.score.number else 0
    missed = [event for event in view.history[seen:] if isinstance(event, TurnEvent)]
    if not missed:
        return lines
    text = ngettext(
        "You missed {count} move of this round.",
        "You missed {count} moves of this round.",
        len(missed),
    ).format(count=len(missed))
    if len(missed) > MAX_MISSED_MOVES:
        more = _("The last {count} of them:").format(count=MAX_MISSED_MOVES)
        text = f"{text} {more}"
    told = log_lines(missed[-MAX_MISSED_MOVES:], view, game_view.names)
    return [*lines, text, *told]


def _is_prompt_due(session: PlainSession, before: Status, received: Received) -> bool:
    """Return True if the player has to be shown what the table or the game waits for now."""
    status = session.status
    if status.lobby is None or status.connection is not ConnectionState.CONNECTED:
        return False
    if status.lobby.paused or status.lobby.stage is Stage.CLOSED:
        return False
    if status.lobby.is_drawing and not received.renewed:
        return False  # the deal follows at once, unless a program is silent
    if received.renewed:
        return True
    if status.lobby.stage is Stage.PLAYING and phase(status) not in BETWEEN:
        mine = session.game is not None and session.game.my_turn and not session.is_on_autopilot
        return mine and (bool(received.events) or bool(before.lobby and before.lobby.paused))
    return _place(before) != _place(status)


def _place(status: Status) -> object:
    """Return the facts whose change is worth showing while the game waits for no move."""
    if status.lobby is None:
        return None
    chair = None if status.seat is None else status.lobby.chairs[status.seat]
    return status.lobby.stage, phase(status), chair, obvious(status, status.lobby)
