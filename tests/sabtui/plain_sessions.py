"""Places at a table in lines, made by hand, and what lines typed there do."""

from __future__ import annotations

from dataclasses import replace

from engine.notation import format_move
from engine.view import View
from net.client.session import ConnectionState, Received, Status, Update
from net.client.trail import GameState
from net.protocol.lobby import Lobby, Stage
from net.protocol.lobby_events import LobbyEvent
from sabtui.plain.model import PlainSession, Reaction, SendMove
from sabtui.plain.parser import interpret
from sabtui.plain.updates import apply_update
from sabtui.text.layout import TerminalSize
from tests.sabtui.tables import ANA, lobby

WIDE = TerminalSize(100, 24)
SMALL = TerminalSize(60, 18)


def now_at(
    table: Lobby, view: View | None = None, member: int = ANA, *, record: str = "", step: int = 5
) -> Status:
    """What a seat was told last."""
    return Status(ConnectionState.CONNECTED, member, GameState(1, step, table, view, record=record))


def at(status: Status, size: TerminalSize = SMALL) -> PlainSession:
    """A place at which somebody has just been shown what is now."""
    return replace(
        apply_update(PlainSession(size=size), Update(status, Received(renewed=True))).session,
        size=size,
    )


def playing(
    view: View, member: int = ANA, *, record: str = "", size: TerminalSize = SMALL
) -> PlainSession:
    """A place in a game of the host Ana, Bruno and Dede."""
    table = lobby(*lobby().chairs[:3], stage=Stage.PLAYING)
    return at(now_at(table, view, member, record=record), size)


def type_lines(plain_session: PlainSession, *lines: str) -> Reaction:
    """What the last of these lines does."""
    answer = Reaction(plain_session)
    for line in lines:
        answer = interpret(answer.session, line)
    return answer


def tell_update(
    session: PlainSession, status: Status, received: Received | None = None
) -> list[str]:
    """What is said when this comes."""
    return [*apply_update(session, Update(status, received)).lines]


def news(session: PlainSession, *all_of_it: LobbyEvent, now: Status | None = None) -> list[str]:
    """What is said of news, after which all is as `now` tells, or as before."""
    return tell_update(session, now or session.status, Received(news=all_of_it))


def move(answer: Reaction) -> str:
    """The move that is wished for, in notation."""
    assert isinstance(answer.effect, SendMove), answer.lines
    return format_move(answer.effect.move)
