"""A bot in a person's seat: what it does, what it leaves alone, and a whole game of its own."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from threading import Event

import pytest

from engine.bots import BOTS, Budget
from engine.moves import Move
from engine.view import View
from net.client.session import ConnectionState, Status
from net.protocol.game_wire import read_move
from net.protocol.lobby import TablePhase
from net.protocol.messages import DiskStatus
from net.protocol.requests import MakeMove, Request, SetReady
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.autopilot import Autopilot, may_move, must_say_ready
from sabtui.app.requests import PracticeRequest
from sabtui.cli.play import practise_in_lines
from tests.sabtui.cases import BETWEEN, DIG, OVER, view_of
from tests.sabtui.plain_sessions import now_at, playing
from tests.sabtui.script import Script
from tests.sabtui.tables import ANA, BOT, BRUNO, DEDE, EVA, lobby, sits

MY_TURN = playing(DIG).status
NOT_MINE = playing(view_of("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?")).status
UNREADY = now_at(lobby(sits(ANA), sits(BRUNO, ready=False), BOT), member=BRUNO)


@pytest.fixture(autouse=True)
def quick_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the autopilot move by chance, at once."""
    monkeypatch.setattr("sabtui.app.autopilot.BOTS", {DEFAULT_BOT_LEVEL: BOTS["random"]})


class Seat:
    """A seat that keeps what is wanted of it."""

    def __init__(self, status: Status) -> None:
        self.status = status
        self.wanted: list[Request] = []
        self.moves: list[Move] = []
        self.moved = Event()

    def request(self, wanted: Request) -> None:
        if isinstance(wanted, MakeMove):
            self.moves.append(read_move(wanted.move))
            self.moved.set()
        else:
            self.wanted.append(wanted)

    def leave(self) -> None: ...


def fly(status: Status, *then: Status) -> Seat:
    """What an autopilot does that is told these."""
    session = Seat(status)
    pilot = Autopilot(session)
    for told in (status, *then):
        session.status = told
        pilot.on_update(told)
        if may_move(told):
            session.moved.wait(5)
    return session


def test_in_its_turn_it_makes_a_legal_move_and_in_no_turn_two() -> None:
    session = fly(MY_TURN, MY_TURN)
    assert len(session.moves) == 1
    assert session.moves[0] in DIG.legal_moves()


def test_it_says_that_it_is_ready_once_and_between_rounds_too() -> None:
    for told in ((UNREADY,), (replace(UNREADY, unanswered=1), UNREADY)):
        assert fly(UNREADY, *told).wanted == [SetReady(ready=True)]
    table = lobby(sits(ANA), sits(BRUNO, ready=False), sits(DEDE), stage=TablePhase.PLAYING)
    assert must_say_ready(now_at(table, BETWEEN._replace(seat=1), BRUNO))
    assert not must_say_ready(now_at(table, OVER._replace(seat=1), BRUNO))


@pytest.mark.parametrize(
    "status",
    [
        NOT_MINE,
        replace(MY_TURN, connection=ConnectionState.SHAKY),
        replace(MY_TURN, unanswered=1),
        replace(MY_TURN, disk=DiskStatus.FULL),
        playing(DIG._replace(seat=None), EVA).status,
        now_at(lobby(), member=EVA),
        Status(),
    ],
    ids=range(7),
)
def test_it_does_nothing_where_nothing_is_due(status: Status) -> None:
    session = Seat(status)
    Autopilot(session).on_update(status)
    assert (session.wanted, session.moves) == ([], [])
    assert not session.moved.wait(0.05)


def test_where_its_bot_breaks_it_moves_unless_the_seat_was_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_break, asked = Event(), Event()

    def break_down(_view: View, _rng: Random, _budget: Budget) -> Move:
        asked.set()
        may_break.wait(5)
        raise KeyError

    monkeypatch.setattr("sabtui.app.autopilot.BOTS", {DEFAULT_BOT_LEVEL: break_down})
    for is_taken_back in (True, False):
        session = Seat(MY_TURN)
        pilot = Autopilot(session)
        asked.clear()
        may_break.clear()
        pilot.on_update(MY_TURN)
        assert asked.wait(5)
        if is_taken_back:
            pilot.stop()
        may_break.set()
        assert session.moved.wait(0.05 if is_taken_back else 5) is not is_taken_back


def test_it_plays_a_whole_game_and_outlasts_the_end_of_input() -> None:
    script = Script(lambda _prompt, _lines: None)
    request = PracticeRequest("Ana", 2, rounds=2, seed=bytes(32), level="easy")
    assert practise_in_lines(request, script, is_on_autopilot=True) == 0
    lines = [*script.lines, *script.since]
    assert sum(line.startswith("You ") for line in lines) > 5
    assert sum(line == "Ana (you): ready." for line in lines) == 1
    assert script.prompts == ["Autopilot"]
    assert "The game is over. Nuggets, and the gold cards they came on:" in lines
