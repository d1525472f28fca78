"""A client's state: steps that are kept back, the record of what was seen, words to compare."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import scrypt

import pytest
from msgspec import structs

from engine import Phase
from engine.notation import ObservedRecord, Record, parse_record
from net.client.session import Opening, RoundWords, Status
from net.client.state import PATIENCE, ClientState
from net.client.trail import seen_record, with_own_record
from net.protocol.lobby import Relocation, Settings
from net.protocol.lobby_events import Said
from net.protocol.messages import (
    Disk,
    DiskStatus,
    Gathering,
    HostMessage,
    Pong,
    Refusal,
    Resync,
    StepFrame,
)
from net.protocol.requests import Chat, NextRound, Sit
from net.secure.code import words, words_to_compare
from tests.net.client.unfair_table import UnfairTable, comes_back
from tests.net.room.room_fixture import Guest, Table, play_on, three_in_game, three_in_lobby


def withheld(table: UnfairTable, name: str) -> StepFrame:
    kept: list[StepFrame] = []
    receive = table.receive

    def receive_others(connected: Guest, message: HostMessage) -> None:
        if connected is table.people[name] and isinstance(message, StepFrame):
            kept.append(message)
        else:
            receive(connected, message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "receive", receive_others)
        assert table.wants("Ann", Chat("hello")) is None
    (step,) = kept
    return step


def beat(table: UnfairTable, guest: Guest) -> None:
    table.say(guest, guest.client.ping())


def test_a_step_that_the_host_keeps_back_is_asked_for_after_some_heartbeats() -> None:
    table = UnfairTable()
    ben = table.people["Ben"]
    step = withheld(table, "Ben")
    for _ in range(PATIENCE - 1):
        beat(table, ben)
        assert Resync() not in ben.sent, "it may be on its way"
    beat(table, ben)
    assert ben.sent.count(Resync()) == 1
    assert ben.client.last_seen.step == step.step == table.room.state.number


def test_a_step_that_comes_between_heartbeats_or_waits_for_the_disk_is_not_asked_for() -> None:
    table = UnfairTable()
    ben = table.people["Ben"]
    for _ in range(2):
        step = withheld(table, "Ben")
        for _ in range(PATIENCE - 1):
            beat(table, ben)
        table.receive(ben, step)
    full = withheld(table, "Ben")
    table.receive(ben, Disk(DiskStatus.FULL))
    for _ in range(PATIENCE + 1):
        beat(table, ben)
    assert Resync() not in ben.sent
    table.receive(ben, Disk(DiskStatus.OK))
    table.receive(ben, full)
    assert ben.client.last_seen.step == table.room.state.number


def test_while_the_answer_to_one_question_is_awaited_no_other_is_asked() -> None:
    table = UnfairTable()
    ben = table.people["Ben"]
    step = withheld(table, "Ben")
    (asked,) = ben.client._resync().send
    for _ in range(PATIENCE + 1):
        assert ben.client.receive(Pong(step.step)).send == ()
    table.say(ben, asked)
    assert ben.client.last_seen.step == step.step


# What somebody saw of a game, as a record that can be read again.


ROUNDS = Settings(seats=3, rounds=2)


@cache
def play_round(moves: int) -> Table:
    table = three_in_game(ROUNDS)
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
    table = three_in_game(ROUNDS)
    play_on(table, level="greedy")
    before = read(table, name).events
    table.wants("Ann", NextRound())
    play_on(table, 5)
    now = read(table, name).events
    assert now[: len(before)] == before
    assert len(now) > len(before) + 5


@pytest.mark.parametrize("moves", [3, 1000])
def test_somebody_who_came_late_has_a_record_of_the_round_they_saw(moves: int) -> None:
    table = three_in_game(Settings(seats=3, rounds=3))
    play_on(table)
    table.wants("Ann", NextRound())
    table.people["Ben"].client = ClientState("Ben")
    table.come("Ben")
    play_on(table, moves, level="greedy")
    record = read(table, "Ben")
    assert record.extra == (("Round", "2"),)
    assert len(record.events) > moves / 100


def test_without_a_game_there_is_none_and_of_a_game_that_is_over_the_whole() -> None:
    table = three_in_lobby(Settings(seats=3, rounds=1))
    assert seen_record(None) == ""
    assert seen_record(table.people["Ben"].client.status.game_state) == ""
    table = three_in_game(Settings(seats=3, rounds=1))
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    assert isinstance(
        parse_record(seen_record(table.people["Ben"].client.status.game_state)), Record
    )


def test_of_a_game_that_moved_each_seat_has_its_own_record_once_it_is_over() -> None:
    table = three_in_game(Settings(seats=3, rounds=1))
    for is_over in (False, True):
        held = table.people["Ben"].held
        moved = structs.replace(held.lobby, relocations=(Relocation(1, 1),))
        own = with_own_record(replace(held, lobby=moved, record=""))
        assert bool(own.record) is is_over
        play_on(table)


# What a player may ask for that no host is asked: to go on at their own computer.


def test_somebody_who_sits_at_a_silent_table_may_move_it_unless_that_is_under_way() -> None:
    status = three_in_lobby().people["Ben"].client.status
    silent = replace(status, can_host=True, silent=True)
    assert silent.may_go_on
    assert not replace(silent, silent=False).may_go_on
    assert not replace(silent, opening=Opening.UNDER_WAY).may_go_on
    assert not replace(silent, gathering=Gathering((), 1)).may_go_on


def test_somebody_who_is_offered_a_table_may_move_it_though_its_host_is_there() -> None:
    assert not Status().is_asked
    status = three_in_lobby().people["Ben"].client.status
    held = status.game_state
    assert held is not None
    for offered in (status.member, 1):
        lobby = structs.replace(held.lobby, offered=offered)
        asked = replace(status, game_state=replace(held, lobby=lobby), can_host=True)
        assert asked.may_go_on is asked.is_asked is (offered == status.member)


def test_what_no_host_could_read_is_refused_before_it_is_sent() -> None:
    status = three_in_lobby().people["Ben"].client.status
    assert status.why_not(Sit(99)) is Refusal.UNREADABLE
    assert status.why_not(Chat("hello")) is None


# Words that people compare aloud at the end of a round: alike for all who saw the same.


def test_the_words_are_made_as_the_page_says() -> None:
    made = scrypt(bytes(16), salt=b"sabtui words 2", n=32768, r=8, p=1, maxmem=1 << 26, dklen=24)
    places = [int.from_bytes(made[4 * at : 4 * at + 4], "big") % 1026 for at in range(6)]
    assert words_to_compare(bytes(16)) == tuple(words()[place] for place in places)
    assert len(words()) == 1026


def words_shown(table: Table, name: str) -> RoundWords | None:
    return table.people[name].client.status.words


def make_plain_words(table: Table) -> None:
    for guest in table.people.values():
        guest.client.make_words = lambda told: (told.hex(),)


def with_words(rounds: int = 1) -> Table:
    table = three_in_game(Settings(seats=3, rounds=rounds))
    make_plain_words(table)
    return table


def test_all_have_the_same_words_but_who_was_told_another_story_in_that_round() -> None:
    table = UnfairTable(Settings(seats=3, rounds=2))
    table.come("Wim", watch=True)
    make_plain_words(table)
    table.falsify(Said, lambda event: Said(event.member, "I saw gold"), "Cleo")
    table.begin()
    assert table.wants("Ann", Chat("I saw stone")) is None
    before = table.people["Ben"].held.round_hash
    play_on(table, 1)
    assert table.people["Ben"].held.round_hash != before, "moves count, too"
    play_on(table)
    ann, ben, cleo, wim = (words_shown(table, name) for name in ("Ann", "Ben", "Cleo", "Wim"))
    assert ann is not None
    assert ann == ben == wim != cleo
    assert table.wants("Ann", NextRound()) is None
    play_on(table)
    later = {words_shown(table, name) for name in ("Ann", "Ben", "Cleo", "Wim")}
    assert len(later) == 1
    assert ann not in later


def test_somebody_who_took_a_snapshot_has_no_words_and_says_that_they_were_away() -> None:
    table = with_words(rounds=2)
    play_on(table, 2)
    away = table.name_to_act()
    play_on(table, 1)
    here = table.name_to_act()
    table.drop(away)
    play_on(table, 2)
    comes_back(table, away)
    play_on(table)
    found = words_shown(table, here)
    assert found is not None
    assert found.words
    assert words_shown(table, away) == RoundWords(first_round(table), away=True)
    assert table.wants("Ann", NextRound()) is None
    play_on(table)
    assert words_shown(table, away) == words_shown(table, here), "they saw the next one whole"


def test_a_table_that_has_gone_back_makes_no_words_of_that_round() -> None:
    table = with_words()
    play_on(table, 3)
    del table.disk[-1:]
    table.crash()
    table.come_all("Ann", "Ben", "Cleo")
    play_on(table)
    assert words_shown(table, "Ben") == RoundWords(first_round(table), lost_steps=1)


def first_round(table: Table) -> tuple[bytes, int]:
    return table.room.state.game_id, 1
