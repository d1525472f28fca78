"""Whom a table waits for: bots move for who is gone or asleep, and games begin by themselves."""

from __future__ import annotations

from dataclasses import replace as with_fields

import pytest
from msgspec.structs import replace

from engine import Phase
from engine.notation import Record, parse_record
from net.client.audit import Audit
from net.protocol.lobby import (
    Absence,
    BotChair,
    ChatRule,
    Free,
    Presence,
    Settings,
    TablePhase,
    Taken,
)
from net.protocol.lobby_events import Nudged, StandInReason, StoodIn
from net.protocol.messages import Reacted, Refusal
from net.protocol.requests import (
    ChangeSettings,
    Chat,
    FreeSeat,
    LetBotMove,
    NextRound,
    Nudge,
    Pause,
    PutBot,
    React,
    Reaction,
    SetReady,
    Start,
)
from net.room import inputs
from net.room.bots import BotMoveRequest, bot_due
from net.room.decisions import why_not
from net.room.permissions import LONG_TURN_S, who_decides
from net.room.sessions import GONE_AFTER_S
from net.room.steps import TableCreated, write
from tests.net.room.room_fixture import Table, chair, key_of, play_on, three_in_game

ANN, BEN, CLEO = 1, 2, 3
PLAYERS = {"Ann", "Ben", "Cleo"}


# Bots in seats of their own.


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


def test_bots_of_the_founding_have_the_last_chairs_and_people_the_first() -> None:
    borin, dagna = BotChair("Borin", "random"), BotChair("Dagna", "greedy")
    created = TableCreated("Gold Rush", key_of("Ann"), Settings(seats=4), (borin, dagna))
    room = inputs.resume(write(created), (), 1, lambda: bytes(32), 0.0)
    assert room.lobby.chairs == (Free(), Free(), borin, dagna)
    assert room.lobby.players == 2


@pytest.mark.parametrize(("stand_in", "level"), [("hard", "hard"), ("digger", "medium")])
def test_a_bot_that_is_given_up_is_replaced_by_one_of_ours_wherever_it_plays(
    stand_in: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.room.decisions.is_bot", lambda _: True)
    table = Table(Settings(seats=4, stand_in=stand_in))
    table.come("Ann")
    for seat, bot in ((1, "digger"), (2, "easy"), (3, "digger")):
        assert table.wants("Ann", PutBot(seat, f"Bot {seat}", bot)) is None
    assert not inputs.retire_bot(table.room, table.now, "digger").steps, "no game is played"
    assert table.wants("Ann", Start()) is None
    for nowhere in ("easy", "elsewhere"):
        assert not inputs.retire_bot(table.room, table.now, nowhere).steps
    assert table.apply(inputs.retire_bot(table.room, table.now, "digger")).steps
    assert table.people["Ann"].client.status.lobby == table.lobby
    assert table.lobby.settings.stand_in == level
    levels = [chair.level for chair in table.lobby.chairs if isinstance(chair, BotChair)]
    assert levels == [level, "easy", level]
    assert not inputs.retire_bot(table.room, table.now, "digger").steps, "it is told once"


def test_a_stand_in_that_the_present_host_lacks_stays_until_another_is_chosen() -> None:
    table = Table(Settings(seats=4, stand_in="of-another"))
    table.come("Ann")
    settings = replace(table.lobby.settings, turn_seconds=60)
    assert table.wants("Ann", ChangeSettings(settings)) is None
    assert table.wants("Ann", ChangeSettings(replace(settings, stand_in="hard"))) is None
    assert table.wants("Ann", ChangeSettings(settings)) is Refusal.NO_SUCH_BOT


# Bots for who is gone or asleep.


def test_a_bot_plays_for_who_is_gone_where_the_table_says_so() -> None:
    table = three_in_game(Settings(seats=3, rounds=1, absent=Absence.WAIT))
    name = table.name_to_act()
    table.wait(6, name)
    assert table.presence(name) is Presence.SHAKY
    table.wait(5, name)
    assert table.people[name].ended
    assert table.room.bot_turn() is None, "the table waits"
    if name == "Ann":
        table.come("Ann")
    settings = replace(table.lobby.settings, absent=Absence.BOT)
    assert table.wants("Ann", ChangeSettings(settings)) is None
    if name == "Ann":
        table.wait(11, name)
    turn, move = table.turn, table.move()
    stale = with_fields(turn, turn=turn.turn - 1)
    assert not inputs.make_bot_move(table.room, table.now, stale, move).steps
    assert table.apply(inputs.make_bot_move(table.room, table.now, turn, move)).steps
    assert not inputs.make_bot_move(table.room, table.now, turn, table.move()).steps
    back = table.come(name)
    assert back.view == table.room.state.view(back.client.status.seat)


def test_no_game_goes_on_in_an_empty_room() -> None:
    table = three_in_game()
    table.wait(11, "Ann", "Ben", "Cleo", "Wim")
    assert table.lobby.settings.absent is Absence.BOT
    assert table.room.bot_turn() is None
    table.come_all(*sorted(PLAYERS - {table.name_to_act()}))
    due, turn = table.room.move_due, table.room.bot_turn()
    assert due is not None
    assert turn is not None
    assert (due.level, due.reason) == ("medium", StandInReason.ABSENT)
    told = turn.view, turn.talk, turn.temper
    assert turn == BotMoveRequest(due.seat, due.level, due.turn, due.reason, *told)
    assert turn.view == table.room.state.view(due.seat)
    table.wait(11, *table.people)
    assert not inputs.make_bot_move(table.room, table.now, due, table.move()).steps


def test_a_bot_makes_one_move_for_who_is_asleep() -> None:
    table = three_in_game(Settings(seats=3, turn_seconds=5))
    table.wait(4)
    assert table.room.bot_turn() is None
    table.wait(2)
    table.bot_moves()
    assert table.room.bot_turn() is None
    assert [type(chair) for chair in table.lobby.chairs] == [Taken] * 3


def test_after_a_crash_all_are_given_time_to_come_back_before_bots_play_for_them() -> None:
    table = three_in_game()
    gone = table.name_to_act()
    table.crash()
    table.come_all(*sorted(PLAYERS - {gone}))
    table.wait(9, gone)
    early = table.room.move_due
    table.wait(1, gone)
    assert early is None
    assert table.lobby.name_at(table.turn.seat) == gone


def test_a_bot_plays_on_a_seat_that_nobody_has() -> None:
    state = three_in_game(Settings(seats=3, rounds=1)).room.state
    assert state.game is not None
    assert state.game.to_act is not None
    chairs = list(state.lobby.chairs)
    chairs[state.game.to_act] = Free()
    due = bot_due(replace(state, lobby=replace(state.lobby, chairs=tuple(chairs))), 0.0)
    assert due is not None
    assert (due.seat, due.reason) == (state.game.to_act, StandInReason.ABSENT)


# People who knock, or let a bot move.


def at_turn_of(name: str) -> Table:
    """A table at which somebody is to play, and nothing has happened since."""
    table = three_in_game()
    while table.name_to_act() != name:
        assert table.plays(table.name_to_act(), table.move()) is None
    return table


def test_all_hear_who_waits_and_each_may_say_so_once_in_twenty_seconds() -> None:
    table = at_turn_of("Ben")
    assert table.wants("Ben", Nudge()) is Refusal.NOT_NOW
    assert table.wants("Wim", Nudge()) is Refusal.NO_SEAT
    assert table.wants("Ann", Nudge()) is None
    assert {guest.news[-1] for guest in table.people.values()} == {Nudged(ANN)}
    assert table.wants("Ann", Nudge()) is Refusal.TOO_FAST
    assert table.wants("Cleo", Nudge()) is None
    table.wait(20)
    assert table.wants("Ann", Nudge()) is None


def test_a_bot_makes_one_move_for_a_person_who_is_long_about_it() -> None:
    table = at_turn_of("Ben")
    table.wait(LONG_TURN_S - 1)
    assert table.wants("Ann", LetBotMove()) is Refusal.NOT_NOW
    assert table.room.move_due is None
    table.wait(1)
    for name in ("Ben", "Cleo"):
        assert table.wants(name, LetBotMove()) is Refusal.HOST_ONLY
    assert table.wants("Ann", LetBotMove()) is None
    seat = table.turn.seat
    table.bot_moves()
    assert StoodIn(seat, StandInReason.ASLEEP) in table.people["Cleo"].news
    while table.name_to_act() != "Ben":
        assert table.room.move_due is None
        assert table.plays(table.name_to_act(), table.move()) is None
    assert table.room.move_due is None, "one move only"


def test_somebody_who_sits_first_decides_while_the_host_is_to_play_and_where_nobody_hosts() -> None:
    table = at_turn_of("Ann")
    ann, ben = (table.lobby.find_person(member) for member in (ANN, BEN))
    assert who_decides(table.lobby, [ann]) == BEN
    assert who_decides(replace(table.lobby, host=0), [ben]) == ANN
    for member, why in ((ANN, Refusal.HOST_ONLY), (BEN, None), (CLEO, Refusal.HOST_ONLY)):
        assert why_not(table.lobby, table.people["Ben"].view, member, LetBotMove()) is why


def between_rounds(*ready: str) -> Table:
    """A table whose next round waits for all but these."""
    table = three_in_game(Settings(seats=3, rounds=3))
    play_on(table)
    for name in ready:
        table.ready(name)
    return table


def test_whoever_keeps_a_round_waiting_is_nudged_by_those_who_wait() -> None:
    table = between_rounds("Ann", "Cleo")
    assert table.wants("Ben", Nudge()) is Refusal.NOT_NOW, "nobody else is late"
    assert table.wants("Cleo", Nudge()) is None
    assert table.people["Ben"].news[-1] == Nudged(CLEO)
    assert table.wants("Ann", Pause(paused=True)) is None
    assert table.wants("Ann", Nudge()) is Refusal.NOT_NOW


def test_whoever_keeps_gold_waiting_is_nudged_too() -> None:
    table = three_in_game()
    while table.game.phase is Phase.PLAY:
        table.plays(table.name_to_act(), table.move("greedy"))
    if table.game.phase is Phase.GOLD:
        late = table.name_to_act()
        other = next(name for name in sorted(PLAYERS) if name != late)
        assert table.wants(other, Nudge()) is None
        assert table.wants(late, Nudge()) is Refusal.NOT_NOW


def test_after_a_minute_who_sits_first_deals_for_a_host_who_is_late() -> None:
    table = between_rounds("Ben", "Cleo")
    table.wait(LONG_TURN_S - 1)
    assert table.wants("Ben", NextRound()) is Refusal.NOT_NOW
    table.wait(1)
    assert table.wants("Cleo", NextRound()) is Refusal.HOST_ONLY
    assert table.wants("Ben", NextRound()) is None
    assert table.game.phase is Phase.PLAY


def test_a_host_who_is_there_and_ready_decides_on_a_deal_at_any_time() -> None:
    table = between_rounds("Ann", "Ben")
    assert table.wants("Ben", NextRound()) is Refusal.HOST_ONLY
    assert table.wants("Ann", NextRound()) is None


# Games that begin by themselves.

NAMES = ("Ben", "Cleo", "Dan")


def open_hostless(people: int, *names: str) -> Table:
    """A table without its host, where a game starts with this many people, and these have come."""
    table = Table(Settings(seats=5, rounds=1))
    table.room.starts_with = people
    table.come_all(*names)
    return table


def stage_after(table: Table, seconds: float = 1, silent: str = "") -> TablePhase:
    """The stage of a table a moment later."""
    table.wait(seconds, silent)
    return table.lobby.stage


def test_a_game_begins_once_enough_people_sit_and_is_played_without_a_host() -> None:
    table = open_hostless(3, "Ben", "Cleo")
    assert stage_after(table) is TablePhase.LOBBY
    table.come("Dan")
    assert stage_after(table) is TablePhase.PLAYING
    assert [table.lobby.name_at(seat) for seat in range(3)] == list(NAMES)
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    for name in NAMES:
        assert table.people[name].audits == [Audit(dealers=("", *NAMES))]
        record = parse_record(table.people[name].held.record)
        assert isinstance(record, Record)
        (draw,) = record.draws
        assert draw is not None
        assert draw.host.name == ""


def test_it_waits_for_more_people_or_its_host_and_for_all_who_sit_but_not_the_gone() -> None:
    for people in (0, 4):
        assert stage_after(open_hostless(people, *NAMES)) is TablePhase.LOBBY
    table = open_hostless(3, *NAMES, "Eve")
    assert table.wants("Eve", SetReady(ready=False)) is None
    assert stage_after(table) is TablePhase.LOBBY, "Eve sits and is not ready"
    assert stage_after(table, GONE_AFTER_S + 1, "Eve") is TablePhase.PLAYING
    assert table.lobby.name_at(3) == "Eve", "her seat is kept"


# Reactions.


def test_a_reaction_is_no_step_and_reaches_those_who_are_there_once_a_second() -> None:
    table = at_turn_of("Ben")
    state, disk = table.room.state, tuple(table.disk)
    assert table.wants("Ann", React(Reaction.GASP)) is None
    told = {name: guest.find(Reacted) for name, guest in table.people.items()}
    assert told == {name: [Reacted(ANN, Reaction.GASP)] for name in PLAYERS | {"Wim"}}
    assert [heard.reaction for heard in table.people["Ben"].received if heard.reaction] == [
        Reacted(ANN, Reaction.GASP)
    ]
    assert (table.room.state, tuple(table.disk)) == (state, disk)
    assert table.wants("Ann", React(Reaction.LAUGH)) is Refusal.TOO_FAST
    assert table.wants("Cleo", React(Reaction.LAUGH)) is None
    table.wait(1)
    assert table.wants("Ann", React(Reaction.LAUGH)) is None


def test_nobody_gets_a_reaction_later() -> None:
    table = at_turn_of("Ben")
    table.drop("Cleo")
    assert table.wants("Ann", React(Reaction.APPLAUD)) is None
    table.come("Cleo")
    assert not table.people["Cleo"].find(Reacted)


def test_a_watcher_reacts_when_they_may_talk_and_others_where_claims_are_all_talk() -> None:
    table = at_turn_of("Ben")
    assert table.wants("Wim", React(Reaction.LAUGH)) is Refusal.WATCHERS_WAIT
    table = three_in_game(Settings(seats=3, rounds=1, chat=ChatRule.CLAIMS))
    assert table.wants("Ben", React(Reaction.LAUGH)) is None


def test_a_reaction_that_was_not_answered_is_not_sent_again() -> None:
    client = at_turn_of("Ben").people["Ann"].client
    client.request(React(Reaction.LAUGH))
    client.request(Chat("ha"))
    client.end_connection()
    assert [command.request for command in client.commands] == [Chat("ha")]
