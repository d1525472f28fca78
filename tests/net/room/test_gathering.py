"""A table that goes on at another computer, out of what its seats know."""

from __future__ import annotations

import pytest

from engine.view import View
from net.protocol.lobby import Presence, Settings, Stage
from net.protocol.lobby_events import BroughtBack, DrawnAnew
from net.protocol.messages import (
    KNOWLEDGE_BYTES,
    BeginNow,
    ClientMessage,
    CloseReason,
    CommitShare,
    Gathering,
    Knowledge,
    KnowledgeWanted,
    Refusal,
    ShowShare,
    read_told,
    write_told,
)
from net.protocol.requests import GiveHost, GoOnWithout, NextRound, Pause, PutBot, Start, TakeHost
from net.room import inputs
from net.room.room import Room
from tests.net.room.moved_table import gathers, lose_host, move_to, seat_of, tick
from tests.net.room.room_fixture import (
    Guest,
    Table,
    key_of,
    midway,
    play_on,
    playing,
    three_at_a_table,
)

ALL = ("Ann", "Ben", "Cleo")
LONG = Settings(seats=3, rounds=3)


def views(table: Table, *names: str) -> dict[str, View]:
    """What the programs of people hold of the game."""
    found = {}
    for name in names:
        view = table.people[name].view
        found[name] = view
    return found


def move_away(table: Table, *came: str) -> tuple[dict[str, View], Table]:
    """What all hold of a table whose host is lost then, and it at Ben's; some came."""
    before = views(table, *ALL)
    lose_host(table)
    there = move_to(table, "Ben")
    there.come_all(*came)
    return before, there


def lines(guest: Guest) -> list[tuple[str, ...]]:
    """For whom somebody was told that the table waits, again and again."""
    return [message.waiting for message in guest.got if isinstance(message, Gathering)]


@pytest.mark.level("broad")
@pytest.mark.parametrize("moves", [0, 1, 7, 23])
def test_all_keep_what_they_know_and_the_game_is_played_to_its_end(moves: int) -> None:
    table = playing(LONG)
    play_on(table, moves, "random") if moves else None
    before, there = move_away(table, "Ben", "Cleo")
    assert there.lobby.host == 2
    assert views(there, "Ben", "Cleo") == {name: before[name] for name in ("Ben", "Cleo")}
    there.come("Ann")
    assert views(there, *ALL) == before, "who comes before the first move brings it, too"
    play_on(there)
    there.ready(*ALL)
    assert there.lobby.stage is Stage.PLAYING
    assert there.game.score.number == 2


def test_a_table_moves_again_and_again() -> None:
    table = midway(5, LONG)
    before = views(table, *ALL)
    for host in ("Ben", "Cleo", "Ann"):
        lose_host(table)
        table = move_to(table, host)
        table.come_all(host, *(name for name in ALL if name != host))
        assert views(table, *ALL) == before
        terms = [relocation.term for relocation in table.lobby.relocations]
        assert terms == sorted(set(terms)), "each host has a later term"


def test_all_see_for_whom_the_table_waits_and_a_stranger_is_sent_away_meanwhile() -> None:
    table = playing()
    lose_host(table)
    there = move_to(table, "Ben")
    there.come("Ben")
    assert lines(there.people["Ben"]) == [("Cleo",)], "not for the lost host"
    stranger = there.come("Dan")
    assert stranger.refusals == [Refusal.BUSY]
    assert there.come("Stage", is_stage=True).refusals == [Refusal.BUSY]
    there.come("Cleo")
    assert not gathers(there)


@pytest.mark.parametrize("key", [True, False])
def test_who_does_not_come_is_waited_for_until_time_is_up_or_the_host_waits_no_longer(
    key: bool,  # noqa: FBT001 - a parameter
) -> None:
    before, there = move_away(midway(4), "Ben")
    tick(there, 16)
    assert gathers(there)
    if key:
        there.say(there.people["Ben"], BeginNow())
    else:
        tick(there, 1.5)
    assert not gathers(there)
    assert views(there, "Ben") == {"Ben": before["Ben"]}
    assert not there.room.may_play, "and it does not play before more are back"
    there.come("Cleo")
    assert views(there, "Cleo") == {"Cleo": before["Cleo"]}
    assert there.room.may_play


def test_who_comes_after_the_first_move_has_cards_that_were_drawn_anew_and_all_are_told() -> None:
    _before, there = move_away(midway(4), "Ben", "Cleo")
    while there.name_to_act() == "Ann":  # a bot plays for her
        there.bot_moves()
    play_on(there, 1, "random")
    assert DrawnAnew((0,)) in there.people["Cleo"].news
    ann = there.come("Ann")
    assert ann.client.status.view is not None
    assert ann.received[-1].disagreed is False, "which is no contradiction"
    assert there.lobby.relocations[-1].anew == (0,)


def test_a_bots_move_is_dropped_if_its_cards_are_drawn_again_meanwhile() -> None:
    table = three_at_a_table(Settings(seats=4, rounds=1))
    assert table.wants("Ann", PutBot(3, "Dan", "random")) is None
    assert table.wants("Ann", Start()) is None
    while table.name_to_act() != "Dan":
        play_on(table, 1, "random")
    _before, there = move_away(table, "Ben", "Cleo")
    turn = there.turn
    there.come("Ann")
    assert BroughtBack(0) in there.people["Cleo"].news
    before = there.room.state
    for move in turn.view.legal_moves():
        there.happen(inputs.make_bot_move(there.room, there.now, turn, move))
    assert there.room.state == before
    there.bot_moves()
    assert there.name_to_act() != "Dan"


@pytest.mark.parametrize("behind", ["Ben", "Cleo"])
def test_the_table_goes_on_from_the_newest_step_that_all_have(behind: str) -> None:
    table = midway(5)
    lose_host(table, behind)
    before = views(table, behind)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    assert views(there, behind) == before
    ahead = "Cleo" if behind == "Ben" else "Ben"
    assert [heard.gone for heard in there.people[ahead].received if heard.gone] == [1]
    assert [heard.gone for heard in there.people[behind].received if heard.gone] == []
    assert views(there, "Ben")["Ben"].table == views(there, "Cleo")["Cleo"].table


def test_a_finished_game_stays_behind_and_its_lobby_goes_on() -> None:
    table = playing()
    play_on(table)
    lose_host(table)
    there = move_to(table, "Cleo")
    there.come("Cleo")
    assert there.lobby.stage is Stage.LOBBY
    there.come("Ben")
    assert there.people["Ben"].client.status.view is None


def test_between_rounds_the_gold_of_all_goes_with_them() -> None:
    table = playing(LONG)
    play_on(table)
    before, there = move_away(table, "Ben", "Cleo")
    there.come("Ann")
    assert views(there, *ALL) == before
    assert there.wants("Ben", NextRound()) is None


def test_programs_that_disagree_are_named_once_the_round_is_dealt_anew() -> None:
    table = midway(4)
    lose_host(table)
    there = move_to(table, "Ben")
    there.changes["Cleo"] = tell_less
    there.come_all("Ben", "Cleo")
    (moved,) = there.lobby.relocations
    assert moved.at_odds == (seat_of(there.lobby, "Cleo"),)
    assert moved.anew == ()
    game = there.game
    assert not game.round.table.discards, "the round begins again"
    assert not game.round.table.board.tunnels()
    assert set(views(there, "Ben", "Cleo")) == {"Ben", "Cleo"}
    play_on(there, 1, "random")


def tell_less(message: ClientMessage) -> ClientMessage:
    """Leave out the last secret."""
    if not isinstance(message, Knowledge):
        return message
    secrets = read_told(message.told)
    assert secrets is not None
    return Knowledge(write_told(secrets[:-1]))


def test_what_a_program_tells_has_one_length_and_it_is_asked_once() -> None:
    _before, there = move_away(midway(9), "Ben", "Cleo")
    asked = [
        message for message in there.people["Cleo"].got if isinstance(message, KnowledgeWanted)
    ]
    assert len(asked) == 1
    assert len(write_told(None)) == len(write_told(())) == KNOWLEDGE_BYTES


@pytest.mark.parametrize("kind", [ShowShare, CommitShare, Knowledge])
def test_a_program_that_is_silent_keeps_its_cards_later(kind: type[ClientMessage]) -> None:
    table = midway(3)
    before = views(table, *ALL)
    lose_host(table)
    there = move_to(table, "Ben")
    there.holds["Cleo"] = (kind,)
    there.come_all("Ben", "Cleo")
    assert gathers(there)
    tick(there, 4)
    assert there.people["Cleo"].ended
    there.holds.clear()
    tick(there, 4)
    assert not gathers(there)
    there.come("Cleo")
    assert views(there, "Cleo") == {"Cleo": before["Cleo"]}


def test_a_table_that_moved_is_resumed_from_its_journal() -> None:
    before, there = move_away(midway(6), "Ben", "Cleo", "Ann")
    play_on(there, 2, "random")
    after = views(there, *ALL)
    assert after != before
    there.crash()
    there.come_all(*ALL)
    assert views(there, *ALL) == after
    play_on(there)


def can_play(table: Table) -> bool:
    """Whether a table may play now, asked anew each time."""
    return table.room.may_play


def test_no_table_plays_without_its_people_until_somebody_chooses_to() -> None:
    table = playing(LONG)
    table.wait(12, "Ben", "Cleo")
    presence = {person.name: person.presence for person in table.lobby.people}
    assert presence["Ben"] is Presence.GONE
    assert not can_play(table)
    assert table.room.bot_turn() is None
    if table.name_to_act() == "Ann":
        assert table.plays("Ann", table.move()) is Refusal.FEW_HERE
    assert table.wants("Ann", GoOnWithout()) is None
    assert can_play(table)
    assert not table.room.standing.plays, "which counts for nobody who looks for the table"
    while table.room.state.round == 1:
        if table.name_to_act() == "Ann":
            assert table.plays("Ann", table.move()) is None
        else:
            table.bot_moves()
    assert not can_play(table), "it holds until the round ends"
    assert table.wants("Ann", NextRound()) is Refusal.FEW_HERE
    table.come("Ben")
    assert can_play(table)
    assert table.wants("Ben", Pause(paused=True)) is Refusal.HOST_ONLY


def test_a_host_hands_the_table_over_and_closes_once_all_have_gone() -> None:
    table = midway(4)
    assert table.wants("Ann", GiveHost(4)) is Refusal.NO_SEAT, "who watches has none"
    assert table.wants("Cleo", TakeHost()) is Refusal.NOT_NOW
    assert table.wants("Ann", GiveHost(2)) is None
    assert table.wants("Ben", TakeHost()) is None
    before = views(table, *ALL)
    assert not table.room.may_play, "it stands still meanwhile"
    there = move_to(table, "Ben", is_handed_over=True)
    there.come("Ben")
    assert lines(there.people["Ben"]) == [("Ann", "Cleo")], "the former host is waited for"
    there.come_all("Cleo", "Ann")
    assert views(there, *ALL) == before
    assert there.room.may_play
    assert not there.lobby.handing
    for name in ALL:
        table.happen(inputs.drop_connection(table.room, table.now, table.people[name].connection))
    tick(table, 1)
    assert table.room.is_gone_over
    assert table.people["Wim"].farewell is CloseReason.MOVED


def test_a_table_that_too_few_follow_stays_with_its_host() -> None:
    table = playing()
    assert table.wants("Ann", GiveHost(2)) is None
    assert table.wants("Ben", TakeHost()) is None
    table.happen(inputs.drop_connection(table.room, table.now, table.people["Ben"].connection))
    table.people["Ben"].ended = True
    tick(table, 21)
    assert table.lobby.stage is Stage.PLAYING
    assert not table.lobby.handing
    assert table.room.may_play


def test_rooms_know_what_they_look_like_from_outside() -> None:
    table = playing()
    lose_host(table)
    there = move_to(table, "Ben")
    assert isinstance(there.room, Room)
    assert there.room.standing == (False, 0, 18)
    there.come("Ben")
    assert there.room.standing == (False, 1, 18)
    there.come("Cleo")
    assert there.room.standing == (True, 2, 18)
    assert there.room.state.host_key == key_of("Ben")
