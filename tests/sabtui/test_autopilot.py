"""A bot in a person's seat: what it does, what it leaves alone, and a whole game of its own."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from threading import Event

import pytest

from engine.bots import Budget, Playouts
from engine.moves import Move
from engine.view import View
from net.client.seat import Now, Standing
from net.lobby import Stage
from net.messages import DiskIs, SetReady, Want
from sabtui.autopilot import Autopilot, is_asked_whether_ready, may_move
from sabtui.practise import Setup, practise
from tests.sabtui.cases import DIG, seen
from tests.sabtui.script import Script
from tests.sabtui.sittings import now_at, playing
from tests.sabtui.tables import ANA, BOT, BRUNO, DEDE, EVA, lobby, sits

MY_TURN = playing(DIG).now
NOT_MINE = playing(seen("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?")).now
UNREADY = now_at(lobby(sits(ANA), sits(BRUNO, ready=False), BOT), member=BRUNO)


class Seat:
    """A seat that keeps what is wanted of it."""

    def __init__(self, now: Now) -> None:
        self.now = now
        self.wanted: list[Want] = []
        self.moves: list[Move] = []
        self.moved = Event()

    def want(self, want: Want) -> None:
        self.wanted.append(want)

    def play(self, move: Move) -> None:
        self.moves.append(move)
        self.moved.set()

    def go_on(self) -> None: ...

    def leave(self) -> None: ...


def flown(now: Now, *then: Now) -> Seat:
    """What an autopilot does that is told these."""
    seat = Seat(now)
    pilot = Autopilot(seat, "random", Playouts(0))
    for told in (now, *then):
        seat.now = told
        pilot.heed(told)
        if may_move(told):
            seat.moved.wait(5)
    return seat


def test_it_makes_a_legal_move_in_its_turn_and_one_in_a_turn() -> None:
    seat = flown(MY_TURN, MY_TURN)
    assert len(seat.moves) == 1
    assert seat.moves[0] in DIG.legal_moves()


def test_it_says_that_it_is_ready_and_once() -> None:
    assert flown(UNREADY, UNREADY).wanted == [SetReady(ready=True)]
    refused = replace(UNREADY, unanswered=0)
    assert flown(UNREADY, replace(UNREADY, unanswered=1), refused).wanted == [SetReady(ready=True)]


def test_it_is_ready_between_rounds_too() -> None:
    view = DIG._replace(seat=1, table=DIG.table._replace(turn=None))
    table = lobby(sits(ANA), sits(BRUNO, ready=False), sits(DEDE), stage=Stage.PLAYING)
    assert is_asked_whether_ready(now_at(table, view, BRUNO))
    over = view._replace(score=replace(view.score, gold=((), (), ())))
    assert not is_asked_whether_ready(now_at(table, over, BRUNO))


@pytest.mark.parametrize(
    "now",
    [
        NOT_MINE,
        replace(MY_TURN, standing=Standing.SHAKY),
        replace(MY_TURN, unanswered=1),
        replace(MY_TURN, disk=DiskIs.FULL),
        playing(DIG._replace(seat=None), EVA).now,
        now_at(lobby(), member=EVA),
        Now(),
    ],
    ids=range(7),
)
def test_it_does_nothing_where_nothing_is_due(now: Now) -> None:
    seat = Seat(now)
    Autopilot(seat, "random", Playouts(0)).heed(now)
    assert (seat.wanted, seat.moves) == ([], [])
    assert not seat.moved.wait(0.05)


def test_what_it_thinks_is_forgotten_once_the_seat_is_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_answer, asked = Event(), Event()

    def slow(view: View, _rng: Random, _budget: Budget) -> Move:
        asked.set()
        may_answer.wait(5)
        return next(iter(view.legal_moves()))

    monkeypatch.setattr("sabtui.autopilot.BOTS", {"slow": slow})
    seat = Seat(MY_TURN)
    pilot = Autopilot(seat, "slow")
    pilot.heed(MY_TURN)
    assert asked.wait(5)
    pilot.rest()
    may_answer.set()
    assert not seat.moved.wait(0.05)


def test_where_its_bot_breaks_it_moves_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_view: View, _rng: Random, _budget: Budget) -> Move:
        raise KeyError

    monkeypatch.setattr("sabtui.autopilot.BOTS", {"broken": broken})
    seat = Seat(MY_TURN)
    Autopilot(seat, "broken").heed(MY_TURN)
    assert seat.moved.wait(5)


def test_it_plays_a_whole_game_and_outlasts_the_end_of_input() -> None:
    typed = iter(["auto", None])
    script = Script(lambda _prompt, _lines: next(typed))
    assert practise(Setup("Ana", 2, rounds=2, seed=bytes(32)), script) == 0
    told = [*script.told, *script.since]
    assert sum(line.startswith("You ") for line in told) > 5
    assert sum(line.startswith("You are ready") for line in told) == 1
    assert script.prompts[1:] == ["The autopilot plays"]
    assert "The game is over. Nuggets, and the gold cards they are on:" in told
