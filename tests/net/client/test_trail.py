"""What somebody saw of a game, as a record that can be read again."""

from functools import cache

import pytest

from engine import Phase
from engine.notation import ObservedRecord, Record, parse_record
from net.client.state import ClientState
from net.client.trail import seen_record
from net.protocol.lobby import Settings
from net.protocol.requests import NextRound
from tests.net.room.room_fixture import Table, play_on, playing, three_at_a_table

ROUNDS = Settings(seats=3, rounds=2)


@cache
def play_round(moves: int) -> Table:
    table = playing(ROUNDS)
    play_on(table, moves, level="greedy")
    return table


def read(table: Table, name: str) -> ObservedRecord:
    record = parse_record(seen_record(table.people[name].client.status.game_state))
    assert isinstance(record, ObservedRecord)
    return record


@pytest.mark.level("broad")
@pytest.mark.parametrize("name", ["Ann", "Ben", "Wim"])
@pytest.mark.parametrize("moves", [0, 1, 7, 40, 1000])
def test_what_was_seen_of_a_round_is_a_record_of_it(name: str, moves: int) -> None:
    table = play_round(moves)
    record, client = read(table, name), table.people[name].client
    assert record.seat == client.status.seat
    assert record.names == ("Ann", "Ben", "Cleo")
    assert client.status.view is not None
    assert record.events == client.status.view.history


@pytest.mark.level("broad")
@pytest.mark.parametrize("name", ["Ben", "Wim"])
def test_the_rounds_before_are_in_it(name: str) -> None:
    table = playing(ROUNDS)
    play_on(table, level="greedy")
    before = read(table, name).events
    table.wants("Ann", NextRound())
    play_on(table, 5)
    now = read(table, name).events
    assert now[: len(before)] == before
    assert len(now) > len(before) + 5


@pytest.mark.parametrize("moves", [3, 1000])
def test_who_came_late_has_a_record_of_the_round_they_saw(moves: int) -> None:
    table = playing(Settings(seats=3, rounds=3))
    play_on(table)
    table.wants("Ann", NextRound())
    table.people["Ben"].client = ClientState("Ben")
    table.come("Ben")
    play_on(table, moves, level="greedy")
    record = read(table, "Ben")
    assert record.extra == (("Round", "2"),)
    assert len(record.events) > moves / 100


def test_without_a_game_there_is_none_and_of_a_game_that_is_over_the_whole() -> None:
    table = three_at_a_table(Settings(seats=3, rounds=1))
    assert seen_record(None) == ""
    assert seen_record(table.people["Ben"].client.status.game_state) == ""
    table = playing(Settings(seats=3, rounds=1))
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    assert isinstance(
        parse_record(seen_record(table.people["Ben"].client.status.game_state)), Record
    )
