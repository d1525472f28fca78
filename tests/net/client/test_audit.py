"""What every program finds out after a game by itself, at a table whose host is honest."""

import pytest

from net.client.audit import Audit, audit
from net.client.draws import NOTHING_DEALT
from net.client.state import ClientState
from net.protocol.lobby import Settings
from net.protocol.requests import NextRound, PlayAgain, SetReady, Sit, Start
from net.room import inputs
from tests.net.room.room_fixture import Table, bots, play_on, playing
from tests.samples import first

PEOPLE = ("Ann", "Ben", "Cleo", "Wim")
ALL = Audit(("Ann", "Ben", "Cleo"))
THREE = Settings(seats=3, rounds=3)


def next_round(table: Table) -> None:
    assert table.wants("Ann", NextRound()) is None
    play_on(table)


def play_game(rounds: int = 1) -> Table:
    table = playing(Settings(seats=3, rounds=rounds))
    play_on(table)
    for _ in range(rounds - 1):
        next_round(table)
    return table


@pytest.mark.parametrize("rounds", first(1, [1, 3], thorough=2))
def test_every_program_finds_the_game_right_by_itself_and_once(rounds: int) -> None:
    table = play_game(rounds)
    for _ in range(2):
        assert [table.people[name].audits for name in PEOPLE] == [[ALL]] * 4
        for name in PEOPLE:
            table.ask(table.people[name])


def test_a_game_after_the_game_is_audited_too() -> None:
    table = play_game()
    assert table.wants("Ann", PlayAgain()) is None
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.people["Ben"].audits == [ALL, ALL]


@pytest.mark.parametrize("is_alone", [False, True])
def test_a_host_with_bots_dealt_alone_and_a_game_in_one_process_is_not_checked(
    *, is_alone: bool
) -> None:
    table = Table(Settings(seats=3, rounds=1))
    ann = table.come("Ann")
    ann.client.is_alone = is_alone
    bots(table, (1, 2))
    wim = table.come("Wim", watch=True)
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert wim.audits == [Audit(("Ann",))]
    assert ann.audits == ([] if is_alone else wim.audits)


def test_dealers_at_doors_are_not_named_and_their_own_check_says_where_it_was_made() -> None:
    table = Table(Settings(seats=3, rounds=1))
    table.at_doors = {"Cleo"}
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
        assert table.wants(name, SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.people["Ben"].audits == [Audit(("Ann", "Ben"))]
    assert table.people["Cleo"].audits == [Audit(("Ann", "Ben"), at_door=True)]


def test_who_was_away_for_a_round_is_named_and_finds_the_rest_right() -> None:
    table = playing(THREE)
    play_on(table)
    inputs.drop_connection(table.room, table.now, table.people["Cleo"].connection)
    table.people["Cleo"].client.end_connection()
    table.wait(10, "Cleo")
    assert table.wants("Ann", NextRound()) is None
    table.come("Cleo")
    play_on(table)
    next_round(table)
    left_out = Audit(ALL.dealers, ((2, ("Cleo",)),))
    assert table.people["Ben"].audits == [left_out]
    assert table.people["Cleo"].audits == [left_out]


def test_who_comes_by_a_snapshot_checks_what_they_saw_and_says_what_they_did_not() -> None:
    table = playing(THREE)
    play_on(table)
    assert table.wants("Ann", NextRound()) is None
    late = table.come("Zoe", watch=True)
    table.people["Ben"].client = ClientState("Ben", mark=late.client.mark)  # started anew
    table.come("Ben")
    play_on(table)
    next_round(table)
    assert late.audits == [Audit(ALL.dealers, unseen=(1, 2))]
    assert table.people["Ben"].audits == [Audit(ALL.dealers, unseen=(1, 2))]


def test_who_takes_over_a_seat_between_rounds_deals_from_then_on() -> None:
    table = Table(Settings(seats=3, rounds=2))
    for name in ("Ann", "Ben"):
        table.come(name)
        assert table.wants(name, SetReady(ready=True)) is None
    bots(table, (2,))
    table.come("Wim", watch=True)
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.wants("Wim", Sit(2)) is None
    next_round(table)
    found = [table.people[name].audits for name in ("Ann", "Ben", "Wim")]
    assert found == [[Audit(("Ann", "Ben", "Wim"))]] * 3


def test_a_host_that_was_killed_and_resumed_is_still_found_honest() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, 12)
    table.crash()
    for name in PEOPLE:
        table.come(name)
    play_on(table)
    next_round(table)
    assert [table.people[name].audits[-1] for name in PEOPLE] == [ALL] * 4


def test_what_is_not_over_is_not_audited() -> None:
    table = playing(Settings(seats=3, rounds=1))
    held = table.people["Ben"].held
    assert audit(held) is None
    assert held.deals != NOTHING_DEALT
