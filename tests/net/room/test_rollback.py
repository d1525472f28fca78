"""A table that was taken up from an older journal: no client that saw more goes on silently."""

from itertools import pairwise

import pytest

from engine.events import visible_to
from net.client.state import ClientState
from net.protocol.lobby import Presence, Settings
from net.protocol.lobby_events import MovesMissing, RecordPublished
from net.protocol.messages import NOTHING_SEEN, Mark, Refusal, Snapshot, StepFrame
from net.protocol.requests import Chat, Leave, ReportMissing
from net.protocol.state_hash import running_hash
from net.room import inputs
from net.room.state import RoomState, apply_step, read_founding, read_step
from tests.net.room.room_fixture import Table, play_on, playing

PEOPLE = ("Ann", "Ben", "Cleo")


def roll_back(moves: int, settings: Settings | None = None) -> Table:
    """A table whose host put an older copy of the journal back, before so many moves."""
    table = playing(settings)
    play_on(table, 5)
    kept = list(table.disk)
    play_on(table, moves)
    table.disk = kept
    table.crash()
    return table


def missing_told(table: Table, name: str) -> list[MovesMissing]:
    """What somebody was told to be missing, by others or by themselves."""
    lines = [one for one in table.people[name].got if isinstance(one, StepFrame)]
    return [event for one in lines for event in one.lobby_events if isinstance(event, MovesMissing)]


def test_all_who_saw_moves_that_a_resumed_table_does_not_know_are_told_which_and_by_whom() -> None:
    table = roll_back(4)
    for name in (*PEOPLE, "Wim"):
        client = table.come(name).client
        undone = client.status.undone
        assert undone is not None
        assert len(undone.moves) == 4
        assert undone.is_whole
        assert undone.since == undone.seen - 4
        assert {move.name for move in undone.moves} == set(PEOPLE)


def test_who_is_back_at_a_table_that_was_opened_anew_is_sent_all_of_it_once() -> None:
    table = roll_back(4)
    got = [type(message) for message in table.come("Wim").got]
    assert got.count(Snapshot) == 1


def test_who_is_back_before_the_table_is_opened_again_is_there() -> None:
    table = playing()
    table.resume()
    table.come("Ann")
    table.happen(inputs.reopen(table.room, table.now))
    there = {one.name for one in table.lobby.people if one.presence is Presence.THERE}
    assert there == {"Ann"}
    assert table.people["Ann"].client.status.lobby == table.lobby


def test_who_is_back_at_a_table_that_lost_nothing_is_told_of_nothing() -> None:
    table = playing()
    play_on(table, 4)
    for _ in range(3):
        table.crash()
        for name in (*PEOPLE, "Wim"):
            assert table.come(name).client.status.undone is None
        play_on(table, 2)
    assert missing_told(table, "Wim") == []


def test_a_table_that_has_played_on_since_is_noticed_and_moves_are_named_from_where_it_parted() -> (
    None
):
    table = roll_back(4)
    for name in ("Ann", "Cleo"):
        table.come(name).client.go_on()
    for number in range(25):
        table.wait(1, "Ben", "Wim")
        table.wants("Cleo", Chat(f"digging {number}"))
    table.crash()
    table.come("Ann")
    ben = table.people["Ben"].client
    assert ben.status.game_state is not None
    seen = ben.status.game_state.step
    assert seen < table.room.state.number
    undone = table.come("Ben").client.status.undone
    assert undone is not None
    assert undone.seen == seen
    assert len(undone.moves) == 4
    assert undone.is_whole


def test_the_same_incarnation_with_another_past_is_noticed() -> None:
    table = playing()
    play_on(table, 3)
    copy = list(table.disk)
    table.crash()
    for name in PEOPLE:
        table.come(name)
    play_on(table, 4)
    table.disk = copy
    table.crash(incarnation=2)
    client = table.come("Ben").client
    assert client.status.undone is not None
    assert len(client.status.undone.moves) == 4
    assert client.status.game_state is not None
    assert client.status.game_state.step == table.room.state.number
    assert client.status.view == table.room.state.view(client.status.seat)


def test_nothing_is_wanted_of_such_a_table_until_the_player_goes_on() -> None:
    table = roll_back(3)
    for name in PEOPLE:
        table.come(name)
    name = table.name_to_act()
    client = table.people[name].client
    assert client.request(client.status.move_request(table.move())) == ()
    assert client.request(Chat("hello")) == ()
    client.go_on()
    assert table.plays(name, table.move()) is None


def test_who_does_not_go_on_may_leave_for_good() -> None:
    table = roll_back(3)
    table.come("Ben")
    assert table.wants("Ben", Leave()) is None
    assert table.lobby.seat_of(table.people["Ben"].client.status.member) is None


def test_who_did_not_see_the_moves_hears_of_them_from_a_program_that_did() -> None:
    table = roll_back(4)
    late = table.come("Dora", watch=True)
    assert late.client.status.undone is None
    ben = table.come("Ben").client
    reported = missing_told(table, "Dora")
    assert {news.member for news in reported} == {ben.status.member}
    assert {news.name for news in reported} == set(PEOPLE)
    assert sum(len(news.moves) + news.more for news in reported) == 4


def test_the_same_report_is_told_once_whoever_makes_it() -> None:
    table = roll_back(4)
    late = table.come("Dora", watch=True)
    for name in (*PEOPLE, "Wim"):
        table.come(name)
        assert not table.people[name].client.commands.pending, "they were all answered"
    told = missing_told(table, "Dora")
    assert len(told) == len({news.name for news in told}) == 3
    assert late.client.status.undone is None


def test_a_report_of_many_moves_fits_the_smallest_frame_and_counts_the_rest() -> None:
    table = roll_back(45)  # Table.say asserts how long each message is
    table.come("Dora", watch=True)
    table.come("Ben")
    told = missing_told(table, "Dora")
    assert sum(len(news.moves) + news.more for news in told) == 45
    assert any(news.more for news in told)


def test_a_report_that_makes_no_sense_is_refused() -> None:
    table = roll_back(4)
    ben = table.come("Ben").client
    (good, *_) = missing_told(table, "Ben")
    other = (good.seat + 1) % 3
    hash_ = bytes(16)
    for bad, why in (
        (ReportMissing(hash_, other, good.name, good.moves, 0), Refusal.NO_SUCH_SEAT),
        (ReportMissing(hash_, good.seat, "\x1b[2J", good.moves, 0), Refusal.NO_NAME),
    ):
        assert table.wants("Ben", bad) is why
    fresh = playing()
    assert fresh.wants("Ben", ReportMissing(hash_, 0, "Ann", good.moves, 0)) is Refusal.NOT_NOW
    assert ben.status.undone is not None


def test_a_program_that_was_ended_since_knows_by_the_mark_it_kept() -> None:
    table = playing()
    play_on(table, 5)
    kept = list(table.disk)
    play_on(table, 4)
    held = table.people["Ben"].client.status.game_state
    assert held is not None
    table.disk = kept
    table.crash()
    table.people["Ben"].client = ClientState("Ben", mark=held.mark)
    client = table.come("Ben").client
    assert client.status.undone is not None
    assert client.status.undone.seen == held.step
    assert client.status.undone.moves == ()
    assert not client.status.undone.is_whole
    assert client.status.game_state is not None
    table.crash()
    table.people["Ben"].client = ClientState("Ben", mark=client.status.game_state.mark)
    assert table.come("Ben").client.status.undone is None


def test_a_client_that_saw_only_some_of_the_missing_steps_says_that_there_are_more() -> None:
    table = playing()
    play_on(table, 2)
    kept = list(table.disk)
    play_on(table, 3)
    ben = table.people["Ben"].client
    table.people["Ben"].client = ClientState("Ben")
    table.come("Ben")
    play_on(table, 2)
    table.disk = kept
    table.crash()
    client = table.come("Ben").client
    assert client is not ben
    assert client.status.undone is not None
    assert len(client.status.undone.moves) == 2
    assert not client.status.undone.is_whole


def test_the_running_hash_is_the_same_for_all_seats_and_for_a_table_played_again() -> None:
    table = playing(Settings(seats=3, rounds=1))
    play_on(table)
    marks = {
        name: connected.client.status.game_state.mark
        for name, connected in table.people.items()
        if connected.client.status.game_state is not None
    }
    assert set(marks.values()) == {Mark(table.room.state.number, table.room.state.running)}
    table.crash()
    assert table.room.state.number == marks["Ann"].step + 1
    assert table.come("Ben").client.status.undone is None


def test_no_secret_goes_into_the_running_hash() -> None:
    table = playing()
    play_on(table, 10)
    running, state = NOTHING_SEEN.hash, RoomState.create(read_founding(table.kept))
    for step in map(read_step, table.disk):
        state, events = apply_step(state, step)
        public = visible_to(events, None)
        running = running_hash(running, state.number, step.news, public)
    assert running == table.room.state.running


def test_the_record_at_the_end_is_no_part_of_it() -> None:
    one = running_hash(NOTHING_SEEN.hash, 1, (), ())
    assert running_hash(NOTHING_SEEN.hash, 1, (RecordPublished("x"),), ()) == one
    assert running_hash(NOTHING_SEEN.hash, 2, (), ()) != one


@pytest.mark.parametrize("name", PEOPLE)
def test_every_snapshot_tells_the_hash_that_a_client_would_have_come_to(name: str) -> None:
    table = playing()
    play_on(table, 3)
    held = table.people[name].client.status.game_state
    assert held is not None
    table.people[name].client = ClientState(name)
    got = table.come(name).got
    (snapshot,) = [one for one in got if isinstance(one, Snapshot)]
    assert snapshot.step == held.step
    now = table.people[name].client.status.game_state
    assert now is not None
    assert now.mark == held.mark
    steps = [one.step for one in table.people["Wim"].numbered]
    assert all(after == before + 1 for before, after in pairwise(steps))
