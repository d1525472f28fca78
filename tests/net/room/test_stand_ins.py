"""Bots at a table: in seats of their own, and for who is gone or asleep."""

from dataclasses import replace as with_fields
from random import Random

import pytest
from msgspec.structs import replace

from net.protocol.lobby import Absence, BotChair, Free, Presence, Settings, Taken
from net.protocol.lobby_events import StandInReason
from net.protocol.messages import Refusal
from net.protocol.requests import ChangeSettings, FreeSeat, PutBot, Start
from net.room import inputs
from net.room.bots import BotMoveRequest, bot_due
from net.room.state import TableCreated, write
from tests.net.room.room_fixture import Table, bots, chair, key_of, play_on, playing


def test_bots_sit_on_free_chairs_under_names_of_their_own() -> None:
    table = Table(Settings(seats=4))
    table.come("Ann")
    for wanted, why in (
        (PutBot(0, "Bot", "random"), Refusal.SEAT_TAKEN),
        (PutBot(9, "Bot", "random"), Refusal.NO_SUCH_SEAT),
        (PutBot(1, "Bot", "deep blue"), Refusal.NO_SUCH_BOT),
        (PutBot(1, "\n", "random"), Refusal.NO_NAME),
        (PutBot(1, "ann", "random"), Refusal.NAME_TAKEN),
        (PutBot(1, "Bot", "random"), None),
        (PutBot(2, "bOT", "random"), Refusal.NAME_TAKEN),
        (PutBot(1, "bOT", "greedy"), None),
    ):
        assert table.wants("Ann", wanted) is why
    assert chair(table, 1) == BotChair("bOT", "greedy")
    assert table.wants("Ann", FreeSeat(1)) is None
    assert chair(table, 1) == Free()
    assert table.wants("Ann", FreeSeat(9)) is Refusal.NO_SUCH_SEAT


def test_a_stand_in_that_the_present_host_lacks_stays_until_another_is_chosen() -> None:
    table = Table(Settings(seats=4, stand_in="of-another"))
    table.come("Ann")
    settings = replace(table.lobby.settings, turn_seconds=60)
    assert table.wants("Ann", ChangeSettings(settings)) is None
    assert table.wants("Ann", ChangeSettings(replace(settings, stand_in="hard"))) is None
    assert table.wants("Ann", ChangeSettings(settings)) is Refusal.NO_SUCH_BOT


def test_a_bot_plays_for_who_is_gone_where_the_table_says_so() -> None:
    table = playing(Settings(seats=3, rounds=1, absent=Absence.WAIT))
    name = table.name_to_act()
    silent = table.people[name]
    table.wait(6, name)
    person = table.lobby.person(silent.member)
    assert person is not None
    assert person.presence is Presence.SHAKY
    table.wait(5, name)
    assert silent.ended
    assert table.room.bot_turn() is None, "the table waits"
    if name == "Ann":
        table.come("Ann")
    settings = replace(table.lobby.settings, absent=Absence.BOT)
    assert table.wants("Ann", ChangeSettings(settings)) is None
    if name == "Ann":
        table.wait(11, name)
    turn = table.turn
    stale = with_fields(turn, turn=turn.turn - 1)
    assert not inputs.make_bot_move(table.room, table.now, stale, table.move()).steps
    play_on_by_bot = inputs.make_bot_move(table.room, table.now, turn, table.move())
    assert play_on_by_bot.steps
    table.happen(play_on_by_bot)
    assert not inputs.make_bot_move(table.room, table.now, turn, table.move()).steps
    table.come(name)
    assert table.people[name].client.status.view == table.room.state.view(
        table.people[name].client.status.seat
    )


def test_no_game_goes_on_in_an_empty_room() -> None:
    table = playing()
    table.wait(11, "Ann", "Ben", "Cleo", "Wim")
    assert table.lobby.settings.absent is Absence.BOT
    assert table.room.bot_turn() is None
    for name in {"Ann", "Ben", "Cleo"} - {table.name_to_act()}:
        table.come(name)
    due, turn = table.room.due, table.room.bot_turn()
    assert due is not None
    assert turn is not None
    assert (due.level, due.reason) == ("medium", StandInReason.ABSENT)
    assert turn == BotMoveRequest(due.seat, due.level, due.turn, due.reason, turn.view)
    assert turn.view == table.room.state.view(due.seat)
    table.wait(11, *table.people)
    assert not inputs.make_bot_move(table.room, table.now, due, table.move()).steps


def test_a_bot_makes_one_move_for_who_is_asleep() -> None:
    table = playing(Settings(seats=3, turn_seconds=5))
    table.wait(4)
    assert table.room.bot_turn() is None
    table.wait(2)
    turn = table.turn
    table.happen(inputs.make_bot_move(table.room, table.now, turn, table.move()))
    assert table.room.bot_turn() is None
    seats = [type(chair) for chair in table.lobby.chairs]
    assert seats == [Taken] * 3


def test_bots_play_their_own_seats_with_their_own_level() -> None:
    table = Table(Settings(seats=3, rounds=1))
    table.come("Ann")
    bots(table, [1, 2])
    assert table.wants("Ann", Start()) is None
    levels = set()
    rng = Random(1)
    for _ in range(6):
        turn = table.room.bot_turn()
        if turn is not None:
            levels.add(turn.level)
            assert turn.view == table.room.state.view(turn.seat)
        play_on(table, 1, seed=rng.randrange(99))
    assert levels == {"random"}


def test_bots_of_the_founding_have_the_last_chairs_and_people_the_first() -> None:
    borin, dagna = BotChair("Borin", "random"), BotChair("Dagna", "greedy")
    created = TableCreated("Gold Rush", key_of("Ann"), Settings(seats=4), (borin, dagna))
    room = inputs.resume(write(created), (), 1, lambda: bytes(32), 0.0)
    assert room.lobby.chairs == (Free(), Free(), borin, dagna)
    assert room.lobby.players == 2


def test_after_a_crash_all_are_given_time_to_come_back_before_bots_play_for_them() -> None:
    table = playing()
    assert table.lobby.settings.absent is Absence.BOT
    gone = table.name_to_act()
    table.crash()
    for name in {"Ann", "Ben", "Cleo"} - {gone}:
        table.come(name)
    table.wait(9, gone)
    early = table.room.due
    table.wait(1, gone)
    due = table.room.due
    assert early is None
    assert due is not None
    assert table.lobby.name_at(due.seat) == gone


@pytest.mark.parametrize(("stand_in", "level"), [("hard", "hard"), ("digger", "medium")])
def test_a_bot_that_is_given_up_is_replaced_by_one_of_ours_wherever_it_plays(
    stand_in: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.room.requests.is_bot", lambda _: True)
    table = Table(Settings(seats=4, stand_in=stand_in))
    table.come("Ann")
    for seat, bot in ((1, "digger"), (2, "easy"), (3, "digger")):
        assert table.wants("Ann", PutBot(seat, f"Bot {seat}", bot)) is None
    assert not inputs.retire_bot(table.room, table.now, "digger").steps, "no game is played"
    assert table.wants("Ann", Start()) is None
    for nowhere in ("easy", "elsewhere"):
        assert not inputs.retire_bot(table.room, table.now, nowhere).steps
    retired = inputs.retire_bot(table.room, table.now, "digger")
    assert retired.steps
    table.happen(retired)
    told = table.people["Ann"].client.status.lobby
    assert told == table.lobby
    assert table.lobby.settings.stand_in == level
    levels = [chair.level for chair in table.lobby.chairs if isinstance(chair, BotChair)]
    assert levels == [level, "easy", level]
    assert not inputs.retire_bot(table.room, table.now, "digger").steps, "it is told once"


def test_a_bot_plays_on_a_seat_that_nobody_has() -> None:
    state = playing(Settings(seats=3, rounds=1)).room.state
    assert state.game is not None
    assert state.game.to_act is not None
    chairs = list(state.lobby.chairs)
    chairs[state.game.to_act] = Free()
    due = bot_due(replace(state, lobby=replace(state.lobby, chairs=tuple(chairs))), 0.0)
    assert due is not None
    assert (due.seat, due.reason) == (state.game.to_act, StandInReason.ABSENT)
