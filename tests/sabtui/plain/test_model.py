"""When a typed line can be processed, and what questions and answers leave behind."""

from __future__ import annotations

from dataclasses import replace

from net.client.session import ConnectionState
from net.protocol.lobby import BotChair, Stage
from net.protocol.requests import Close
from sabtui.plain.model import SendRequests
from tests.sabtui.cases import DIG
from tests.sabtui.plain_sessions import WIDE, at, now_at, playing, type_lines
from tests.sabtui.tables import ANA, BRUNO, lobby, sits


def test_lines_from_a_file_wait_for_bots_to_move_and_those_of_people_do_not() -> None:
    theirs = DIG._replace(table=DIG.table._replace(turn=2))
    table = lobby(sits(ANA), sits(BRUNO), BotChair("Dede", "hard"), stage=Stage.PLAYING)
    session = at(now_at(table, theirs))
    assert session.bot_moves
    assert session.takes_line(eager=True)
    assert not session.takes_line(eager=False)
    mine = at(now_at(table, DIG))
    assert not mine.bot_moves
    assert mine.takes_line(eager=False)
    lost = replace(session, status=replace(session.status, connection=ConnectionState.LOST))
    assert lost.takes_line(eager=False)


def test_nothing_is_read_between_the_end_of_a_table_and_that_of_its_connection() -> None:
    session = at(now_at(lobby(stage=Stage.CLOSED)))
    assert not session.takes_line(eager=True)
    assert not session.takes_line(eager=False)
    for after in (ConnectionState.LOST, ConnectionState.ENDED):
        status = replace(session.status, connection=after)
        assert replace(session, status=status).takes_line(eager=True)


def test_a_question_is_over_once_it_is_answered() -> None:
    session = playing(DIG, size=WIDE)
    asked = type_lines(session, "q").session
    assert asked.question is not None
    assert type_lines(asked, "no").session.question is None
    assert type_lines(asked, "yes").session.question is None
    closing = type_lines(session, "close")
    assert closing.effect is None
    answer = type_lines(closing.session, "yes")
    assert answer.effect == SendRequests((Close(),))
    assert answer.session.question is None
