"""A table that goes on here, and guests whose programs would choose their cards or stop others."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Skipped
from engine.facts import secrets_of
from net.protocol.lobby import Settings, Stage
from net.protocol.messages import (
    NOTHING_SEEN,
    CommitShare,
    EnterTable,
    Knowledge,
    ShowShare,
    write_told,
)
from net.protocol.requests import HandOver
from net.room import inputs
from tests.net.room.moved_table import fall_behind, lose_host, move_to, seat_of, tick
from tests.net.room.room_fixture import Table, key_of, play_on, playing

LONG = Settings(seats=3, rounds=3)
ANSWERS = (Knowledge, CommitShare, ShowShare)


def at_bens(*behind: str, moves: int = 4, is_handed_over: bool = True) -> Table:
    """A table that goes on at Ben's computer; some say that they have not seen the last step."""
    table = playing(LONG)
    play_on(table, moves, "random")
    lose_host(table, *behind)
    return move_to(table, "Ben", is_handed_over=is_handed_over)


def test_who_goes_as_soon_as_all_are_asked_pushes_nobody_out_who_has_not_answered_yet() -> None:
    there = at_bens()
    cleos = there.people["Cleo"].view
    there.holds = dict.fromkeys(("Ann", "Cleo"), ANSWERS)
    there.come_all("Ben", "Cleo", "Ann")
    there.drop("Ann")
    there.holds = {}
    tick(there, 0.5)
    assert not there.people["Cleo"].ended
    assert there.room.gathering is None
    assert there.lobby.relocations[-1].anew == (seat_of(there.lobby, "Ann"),)
    assert there.people["Cleo"].view == cleos


def test_who_has_seen_less_and_goes_leaves_nobody_at_odds() -> None:
    there = at_bens("Ann", moves=8)
    there.holds = {"Ann": ANSWERS}
    there.come_all("Ben", "Cleo", "Ann")
    there.drop("Ann")
    tick(there, 0.5)
    assert there.room.gathering is None
    (relocation,) = there.lobby.relocations
    assert (relocation.at_odds, relocation.anew) == ((), (seat_of(there.lobby, "Ann"),))


def test_two_who_answer_by_turns_do_not_have_a_table_gather_for_ever() -> None:
    there = at_bens()
    there.holds = {"Cleo": ANSWERS}
    there.come_all("Ben", "Cleo", "Ann")
    for silent in ("Ann", "Cleo", "Ann"):
        there.holds = {silent: ANSWERS}
        tick(there, 3.5)
        for name in ("Ann", "Cleo"):
            if there.people[name].ended and there.room.gathering is not None:
                there.come(name)
    assert there.room.gathering is None


def begin(table: Table, connection: int, name: str) -> None:
    """Somebody comes in one more connection, without giving up another."""
    table.happen(inputs.add_connection(table.room, table.now, connection, key_of(name)))
    enter = EnterTable(name, watch=False, incarnation=0, seen=NOTHING_SEEN)
    inputs.receive(table.room, table.now, connection, enter)


def test_a_seat_brings_its_cards_once_in_however_many_connections_it_is_asked() -> None:
    there = at_bens(is_handed_over=False)
    anns = there.people["Ann"].view
    there.come_all("Ben", "Cleo")
    for connection in (101, 102):
        begin(there, connection, "Ann")
    inputs.receive(there.room, there.now, 101, Knowledge(write_told(None)))
    drawn = there.room.state.view(0)
    other = Knowledge(write_told(secrets_of(anns)))
    inputs.receive(there.room, there.now, 102, other)
    assert there.room.state.view(0) == drawn, "it has seen these, and cannot choose between two"


def test_who_is_given_a_seat_and_has_seen_its_gold_keeps_it() -> None:
    table = playing(LONG)
    play_on(table)
    anns = secrets_of(table.people["Ann"].view)
    lose_host(table)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    there.come("Wim", watch=True)
    wim = there.people["Wim"].member
    assert there.wants("Ben", HandOver(0, wim)) is None
    drawn = there.room.state.view(0)
    begin(there, 101, "Wim")
    inputs.receive(there.room, there.now, 101, Knowledge(write_told(anns)))
    assert there.room.state.view(0) == drawn


def test_a_program_that_says_it_has_seen_less_takes_steps_back_in_sight_of_all() -> None:
    table = playing(LONG)
    play_on(table, 12, "random")
    number = table.room.state.number
    lose_host(table)
    for _ in range(5):
        fall_behind(table.people["Cleo"])
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    gone = [one.gone for one in there.people["Ben"].received if one.gone]
    assert gone == [5]
    assert there.room.state.number < number


def test_a_table_whose_lost_host_told_of_what_no_game_has_goes_on_in_its_lobby() -> None:
    table = playing(LONG)
    play_on(table, 4, "random")
    lose_host(table)
    for guest in table.people.values():
        held = guest.client.kept.pop()
        assert held.view is not None
        held = replace(held, view=held.view.after(Skipped(1)))
        guest.client.kept.append(held)
        guest.client.status = replace(guest.client.status, game_state=held)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    assert there.room.gathering is None
    assert there.lobby.stage is Stage.LOBBY
    for name in ("Ben", "Cleo"):
        assert there.people[name].client.entered
        assert there.people[name].client.status.view is None
