"""A stage at a table and in a hall: it sees what watchers see, and is nobody there."""

from __future__ import annotations

import pytest

from engine.state import Phase
from net.protocol.framing import BadFrame
from net.protocol.lobby import A_STAGE
from net.protocol.messages import (
    BeginNow,
    CloseReason,
    CommandRefused,
    Pong,
    Refusal,
    StepAway,
    Welcome,
)
from net.protocol.requests import Chat, Close, Lock, NewCode
from net.room import inputs
from net.room.sessions import GONE_AFTER_S, MAX_STAGES
from tests.net.room.room_fixture import Guest, Table, key_of, play_on, playing


def refusal(guest: Guest) -> Refusal | None:
    """Why somebody was not let in."""
    return next(
        (message.reason for message in guest.got if isinstance(message, CommandRefused)), None
    )


def drop(table: Table, guest: Guest) -> None:
    """Cut somebody's connection."""
    guest.ended = True
    table.happen(inputs.drop_connection(table.room, table.now, guest.connection))


def test_a_stage_follows_a_game_as_a_watcher_does_and_the_others_learn_nothing_of_it() -> None:
    table = playing()
    told = {name: len(guest.got) for name, guest in table.people.items()}
    lobby, written = table.lobby, len(table.disk)
    stage = table.come("Stage", is_stage=True)
    assert stage.member == A_STAGE
    assert (table.lobby, len(table.disk)) == (lobby, written)
    drop(table, stage)
    stage = table.come("Stage", is_stage=True)
    assert {name: len(table.people[name].got) for name in told} == told
    play_on(table)
    view = stage.client.status.view
    assert view == table.people["Wim"].client.status.view
    assert view is not None
    assert (view.phase, view.seat, view.hand, view.role) == (Phase.OVER, None, (), None)
    assert not stage.client.lost
    table.ask(stage)
    assert stage.client.status.lobby == table.lobby


def test_it_keeps_no_table_playing_and_its_own_silence_ends_it_alone() -> None:
    table = playing()
    stage = table.come("Stage", is_stage=True)
    table.wait(GONE_AFTER_S + 1, "Stage")
    assert stage.farewell is CloseReason.TOO_SLOW
    assert all(not person.presence.is_gone for person in table.lobby.people)
    stage = table.come("Stage", is_stage=True)
    table.wait(GONE_AFTER_S + 1, "Ann", "Ben", "Cleo", "Wim")
    assert all(person.presence.is_gone for person in table.lobby.people)
    assert not table.room.may_play
    assert isinstance(stage.got[-1], Pong)


def test_what_it_asks_ends_its_connection_and_nobody_can_enter_as_one_too() -> None:
    table = playing()
    for message in (BeginNow(), *table.people["Ben"].client.request(Chat("hello"))):
        stage = table.come("Stage", is_stage=True)
        assert stage.client.status.why_not(Chat("hello")) is Refusal.NOT_NOW
        assert not stage.client.status.is_asked
        table.say(stage, message)
        assert stage.farewell is CloseReason.OUT_OF_ORDER
    stage = table.come("Stage", is_stage=True)
    table.say(stage, StepAway())
    assert stage.farewell is CloseReason.LEFT
    ben = table.people["Ben"]
    table.say(ben, table.come("Stage", is_stage=True).client.begin_connection())
    assert ben.farewell is CloseReason.OUT_OF_ORDER
    assert len(table.room.sessions.stages) == 1


def test_too_many_snapshots_end_it() -> None:
    table = playing()
    stage = table.come("Stage", is_stage=True)
    while not stage.ended:
        table.ask(stage)
    assert stage.farewell is CloseReason.OUT_OF_ORDER
    assert refusal(table.come("Other", is_stage=True)) is Refusal.BUSY


def test_a_locked_table_lets_in_none_that_was_not_there_and_one_that_is_closed_nobody() -> None:
    table = playing()
    drop(table, table.come("Stage", is_stage=True))
    assert table.wants("Ann", Lock(locked=True)) is None
    assert refusal(table.come("Other", is_stage=True)) is Refusal.LOCKED
    assert refusal(table.come("Stage", is_stage=True)) is None
    assert table.wants("Ann", Close()) is None
    assert refusal(table.come("Stage", is_stage=True)) is Refusal.NOT_NOW


def test_it_stays_and_comes_back_without_the_new_code_which_it_is_not_told() -> None:
    table = playing()
    stage = table.come("Stage", is_stage=True)
    assert table.wants("Ann", NewCode()) is None
    assert not stage.ended
    assert not stage.client.status.code
    assert table.room.is_known(key_of("Stage"))
    assert not table.room.is_known(key_of("Other"))
    again = table.come("Stage", is_stage=True)
    assert stage.farewell is CloseReason.REPLACED
    assert not again.ended


def test_so_many_are_there_at_once_and_no_more() -> None:
    table = playing()
    for number in range(MAX_STAGES):
        table.wait(2)
        table.come(f"Stage {number}", is_stage=True)
    table.wait(2)
    assert refusal(table.come("Other", is_stage=True)) is Refusal.BUSY


@pytest.mark.parametrize("is_stage", [True, False])
def test_a_host_cannot_take_a_player_for_a_stage_nor_a_stage_for_a_player(is_stage: bool) -> None:  # noqa: FBT001 - a test's case
    table = playing()
    guest = table.come("Dora", is_stage=is_stage, watch=True)
    with pytest.raises(BadFrame):
        guest.client.receive(Welcome(1 if is_stage else A_STAGE, 1, 0, 0))
    other = table.come("Else", is_stage=not is_stage, watch=True)
    guest.client.begin_connection()
    guest.client.status = type(guest.client.status)()
    with pytest.raises(BadFrame):
        guest.client.receive(next(message for message in other.numbered))
