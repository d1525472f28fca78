"""Whom a table waits for: people knock or let a bot move, and games begin by themselves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import Phase
from engine.notation import Record, parse_record
from net.client.audit import Audit
from net.protocol.lobby import Settings, Stage
from net.protocol.lobby_events import Nudged, StandInReason, StoodIn
from net.protocol.messages import Refusal, StepFrame
from net.protocol.requests import LetBotMove, Nudge, SetReady
from net.room import inputs
from net.room.requests import why_not
from net.room.sessions import GONE_AFTER_S
from net.room.standing import LONG_TURN_S, who_decides
from tests.net.room.room_fixture import Table, play_on, playing

ANN, BEN, CLEO = 1, 2, 3


def at_turn_of(name: str) -> Table:
    """A table at which somebody is to play, and nothing has happened since."""
    table = playing()
    while table.name_to_act() != name:
        assert table.plays(table.name_to_act(), table.move()) is None
    return table


def list_news(table: Table, name: str) -> list[object]:
    """What somebody was told of people, in order."""
    told = table.people[name].numbered
    return [
        event
        for message in told
        if isinstance(message, StepFrame)
        for event in message.lobby_events
    ]


def test_all_hear_who_waits_and_each_may_say_so_once_in_twenty_seconds() -> None:
    table = at_turn_of("Ben")
    assert table.wants("Ann", Nudge()) is None
    assert all(list_news(table, name)[-1] == Nudged(ANN) for name in ("Ann", "Ben", "Cleo", "Wim"))
    assert table.wants("Ann", Nudge()) is Refusal.TOO_FAST
    assert table.wants("Cleo", Nudge()) is None
    table.wait(20)
    assert table.wants("Ann", Nudge()) is None


@pytest.mark.parametrize(
    ("name", "why"), [("Ben", Refusal.NOT_NOW), ("Wim", Refusal.NO_SEAT), ("Cleo", None)]
)
def test_only_who_sits_and_waits_may_say_so(name: str, why: Refusal | None) -> None:
    assert at_turn_of("Ben").wants(name, Nudge()) is why


def test_a_bot_makes_one_move_for_a_person_who_is_long_about_it() -> None:
    table = at_turn_of("Ben")
    table.wait(LONG_TURN_S - 1)
    assert table.wants("Ann", LetBotMove()) is Refusal.NOT_NOW
    assert table.room.due is None
    table.wait(1)
    assert table.wants("Ann", LetBotMove()) is None
    turn = table.turn
    table.happen(inputs.make_bot_move(table.room, table.now, turn, table.move()))
    assert StoodIn(turn.seat, StandInReason.ASLEEP) in list_news(table, "Cleo")
    while table.name_to_act() != "Ben":
        assert table.room.due is None
        assert table.plays(table.name_to_act(), table.move()) is None
    assert table.room.due is None, "one move only"


def test_the_host_decides_or_whoever_sits_first_while_the_host_is_to_play() -> None:
    table = at_turn_of("Ben")
    table.wait(LONG_TURN_S)
    assert table.wants("Cleo", LetBotMove()) is Refusal.HOST_ONLY
    assert table.wants("Ben", LetBotMove()) is Refusal.HOST_ONLY
    assert who_decides(table.lobby, but=ANN) == BEN
    of_host = at_turn_of("Ann")
    view = of_host.people["Ben"].client.status.view
    assert why_not(of_host.lobby, view, BEN, LetBotMove()) is None
    assert why_not(of_host.lobby, view, CLEO, LetBotMove()) is Refusal.HOST_ONLY
    assert why_not(of_host.lobby, view, ANN, LetBotMove()) is Refusal.HOST_ONLY


def test_where_nobody_hosts_in_person_the_first_who_sits_decides() -> None:
    lobby = at_turn_of("Ben").lobby
    assert who_decides(replace(lobby, host=0), but=BEN) == ANN


NAMES = ("Ben", "Cleo", "Dan")


def open_hostless(people: int, *names: str) -> Table:
    """A table without its host, where a game starts with this many people, and these have come."""
    table = Table(Settings(seats=5, rounds=1))
    table.room.starts_with = people
    for name in names:
        table.come(name)
    return table


def stage(table: Table) -> Stage:
    """The stage of a table."""
    return table.lobby.stage


def take_back(table: Table, *names: str) -> None:
    """Have people say that they are not ready, and wait a moment."""
    for name in names:
        assert table.wants(name, SetReady(ready=False)) is None
    table.wait(1)


def test_a_game_begins_once_enough_people_sit_and_is_played_without_a_host() -> None:
    table = open_hostless(3, "Ben", "Cleo")
    table.wait(1)
    assert stage(table) is Stage.LOBBY
    table.come("Dan")
    table.wait(1)
    assert stage(table) is Stage.PLAYING
    assert [table.lobby.name_at(seat) for seat in range(3)] == list(NAMES)
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    for name in NAMES:
        (audit,) = table.people[name].audits
        assert audit == Audit(dealers=("", *NAMES))
        held = table.people[name].held
        record = parse_record(held.record)
        assert isinstance(record, Record)
        (draw,) = record.draws
        assert draw is not None
        assert draw.host.name == ""


@pytest.mark.parametrize("people", [0, 4])
def test_it_waits_for_more_people_or_for_its_host(people: int) -> None:
    table = open_hostless(people, *NAMES)
    table.wait(1)
    assert stage(table) is Stage.LOBBY


def test_it_waits_for_all_who_sit_but_not_for_those_who_are_gone() -> None:
    table = open_hostless(3, *NAMES, "Eve")
    take_back(table, "Eve")
    assert stage(table) is Stage.LOBBY, "Eve sits and is not ready"
    table.wait(GONE_AFTER_S + 1, "Eve")
    assert stage(table) is Stage.PLAYING
    assert table.lobby.name_at(3) == "Eve", "her seat is kept"
