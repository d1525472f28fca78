"""An evening at a table: all count its games, seats are drawn, and late comers sit down."""

from __future__ import annotations

from msgspec.structs import replace

from engine.state import Phase
from net.protocol.evening import Evening, EveningPlan, TargetUnit, draw_seats
from net.protocol.lobby import Settings, Stage, Taken
from net.protocol.messages import Refusal
from net.protocol.requests import (
    ChangeSettings,
    Leave,
    NewEvening,
    PlayAgain,
    StandUp,
    Start,
)
from net.room.permissions import people_awaited
from tests.net.room.room_fixture import Table, play_on, playing, three_at_a_table

PLAN = EveningPlan(TargetUnit.GAMES, 3)
SETTINGS = Settings(seats=3, rounds=1, evening=PLAN)


def play_first_game(settings: Settings = SETTINGS) -> Table:
    """A table whose first game is over."""
    table = playing(settings)
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    return table


def gold_by_name(table: Table) -> dict[str, int]:
    """The gold of the game that is over."""
    game = table.room.state.game
    assert game is not None
    return {table.lobby.name_at(seat): gold for seat, gold in enumerate(game.score.nuggets or ())}


def test_a_game_is_counted_at_its_end_by_every_program_alike() -> None:
    table = play_first_game()
    evening = table.lobby.evening
    assert evening.games == 1
    assert {row.name: row.gold for row in evening.rows} == gold_by_name(table)
    for guest in table.people.values():
        assert guest.client.status.lobby == table.lobby
        assert not any(one.disagreed for one in guest.received)


def test_without_an_evening_nothing_is_counted_and_everybody_keeps_their_seat() -> None:
    table = play_first_game(Settings(seats=3, rounds=1))
    chairs = table.lobby.chairs
    assert table.wants("Ann", PlayAgain()) is None
    assert table.lobby.evening == Evening()
    assert [type(chair) for chair in table.lobby.chairs] == [type(chair) for chair in chairs]
    assert table.lobby.seats == {
        chair.member: seat for seat, chair in enumerate(chairs) if isinstance(chair, Taken)
    }


def test_for_the_next_game_the_seats_are_drawn_from_the_last_rounds_seed() -> None:
    table = play_first_game()
    record, before = table.room.state.record, [table.lobby.name_at(seat) for seat in range(3)]
    assert record is not None
    assert table.wants("Ann", PlayAgain()) is None
    order = draw_seats(record.seeds[-1], 1, 3)
    assert [table.lobby.name_at(seat) for seat in range(3)] == [before[seat] for seat in order]
    assert table.lobby.stage is Stage.LOBBY
    assert not people_awaited(table.lobby)


def test_the_mark_of_the_youngest_moves_with_its_chair() -> None:
    table = three_at_a_table(SETTINGS)
    assert table.wants("Ann", ChangeSettings(replace(SETTINGS, youngest=1))) is None
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.wants("Ann", PlayAgain()) is None
    assert table.lobby.name_at(table.lobby.settings.youngest) == "Ben"


def test_who_came_during_a_game_plays_the_next_and_who_watches_goes_on_watching() -> None:
    table = playing(SETTINGS)
    table.come("Dede")
    play_on(table)
    assert table.wants("Ann", PlayAgain()) is None
    lobby = table.lobby
    assert {lobby.name_at(seat) for seat in range(4)} == {"Ann", "Ben", "Cleo", "Dede"}
    assert [person.name for person in lobby.watchers] == ["Wim"]
    assert lobby.free_seats == (4,), "whoever comes now finds a seat"
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert {row.name: row.games for row in table.lobby.evening.rows} == {
        "Ann": 2,
        "Ben": 2,
        "Cleo": 2,
        "Dede": 1,
    }


def test_late_comers_who_are_gone_or_too_many_or_stood_up_get_no_seat() -> None:
    table = playing(SETTINGS)
    for number in range(9):
        table.come(f"Late {number}")
    table.wait(11, "Late 0")
    play_on(table)
    assert table.wants("Ann", PlayAgain()) is None
    assert len(table.lobby.chairs) == 10
    watching = [person.name for person in table.lobby.watchers]
    assert watching == ["Wim", "Late 0", "Late 8"]
    assert table.wants("Late 1", StandUp()) is None
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.wants("Ann", PlayAgain()) is None
    assert "Late 1" in [person.name for person in table.lobby.watchers]


def test_who_leaves_keeps_what_they_earned_and_goes_on_with_it() -> None:
    table = play_first_game()
    row = next(row for row in table.lobby.evening.rows if row.name == "Ben")
    assert table.wants("Ben", Leave()) is None
    assert table.wants("Ann", PlayAgain()) is None
    assert row in table.lobby.evening.rows
    del table.people["Ben"]
    table.come("Ben", key=b"another".ljust(32, b"\0"))
    table.come("Dede")
    assert table.wants("Ann", ChangeSettings(SETTINGS)) is Refusal.SEAT_TAKEN
    for name in ("Ben", "Dede"):
        seat = table.lobby.seat_of(table.people[name].client.status.member)
        assert (seat is not None) is (name == "Ben")


def test_an_evening_survives_a_crash_of_the_host() -> None:
    table = play_first_game()
    table.come("Dede")
    assert table.wants("Ann", PlayAgain()) is None
    lobby = table.lobby
    table.crash()
    assert (table.lobby.evening, table.lobby.chairs) == (lobby.evening, lobby.chairs)


def test_the_host_begins_an_evening_anew_on_purpose_alone() -> None:
    table = play_first_game()
    assert table.wants("Ben", NewEvening()) is Refusal.HOST_ONLY
    assert table.wants("Ann", ChangeSettings(Settings(seats=3, rounds=1))) is None
    assert table.lobby.evening.games == 1, "it is only left out"
    assert table.wants("Ann", NewEvening()) is None
    assert table.lobby.evening == Evening()
    assert table.wants("Ann", NewEvening()) is Refusal.NOT_NOW


def test_a_table_of_ten_gets_no_more_seats() -> None:
    table = playing(SETTINGS)
    for number in range(7):
        table.come(f"Late {number}")
    play_on(table)
    assert table.wants("Ann", PlayAgain()) is None
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.wants("Ann", PlayAgain()) is None
    assert len(table.lobby.chairs) == 10
