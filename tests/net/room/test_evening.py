"""An evening at a table: all count its games, late comers sit down, and nothing grows but bytes.

What has to grow is the log, of which every program has a copy, and a hash for each step.
"""

from __future__ import annotations

import gc
from types import FunctionType, MethodType, ModuleType

import pytest

from engine.state import Phase
from net.protocol.lobby import Settings
from net.protocol.requests import Leave, PlayAgain, SetReady, Start
from tests.net.room.room_fixture import Table, play_on, playing

SETTINGS = Settings(seats=3, rounds=1)


def play_first_game() -> Table:
    """A table whose first game is over."""
    table = playing(SETTINGS)
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    return table


def gold_by_name(table: Table) -> dict[str, int]:
    """The gold of the game that is over."""
    game = table.game
    return {table.lobby.name_at(seat): gold for seat, gold in enumerate(game.score.nuggets or ())}


def test_a_game_is_counted_at_its_end_by_every_program_alike() -> None:
    table = play_first_game()
    evening = table.lobby.evening
    assert evening.games == 1
    assert {row.name: row.gold for row in evening.rows} == gold_by_name(table)
    for guest in table.people.values():
        assert guest.client.status.lobby == table.lobby
        assert not any(heard.disagreed for heard in guest.received)


def test_who_came_during_a_game_plays_the_next_and_who_watches_goes_on_watching() -> None:
    table = playing(SETTINGS)
    table.come("Dede")
    play_on(table)
    assert table.wants("Ann", PlayAgain()) is None
    lobby = table.lobby
    assert [lobby.name_at(seat) for seat in range(4)] == ["Ann", "Ben", "Cleo", "Dede"]
    assert [person.name for person in lobby.watchers] == ["Wim"]
    assert lobby.free_seats == ()
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert {row.name: row.games for row in table.lobby.evening.rows} == {
        "Ann": 2,
        "Ben": 2,
        "Cleo": 2,
        "Dede": 1,
    }


def test_who_leaves_keeps_what_they_earned() -> None:
    table = play_first_game()
    row = next(row for row in table.lobby.evening.rows if row.name == "Ben")
    assert table.wants("Ben", Leave()) is None
    assert table.wants("Ann", PlayAgain()) is None
    assert row in table.lobby.evening.rows


def test_an_evening_survives_a_crash_of_the_host() -> None:
    table = play_first_game()
    table.come("Dede")
    assert table.wants("Ann", PlayAgain()) is None
    lobby = table.lobby
    table.crash()
    assert (table.lobby.evening, table.lobby.chairs) == (lobby.evening, lobby.chairs)


PEOPLE = "Ann", "Ben", "Cleo"


def values_held(root: object) -> int:
    """Count the values of our own types that an object keeps alive."""
    seen: set[int] = set()
    found, waiting = 0, [root]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType | MethodType):
            continue
        seen.add(id(one))
        found += type(one).__module__.startswith(("engine.", "net."))
        waiting += gc.get_referents(one)
    return found


def play_a_game(table: Table, seed: int) -> None:
    """Play one game from lobby to lobby, and let the test's own notes of it go."""
    for name in PEOPLE:
        assert table.wants(name, SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    play_on(table, level="random", seed=seed)
    assert table.room.state.phase is Phase.OVER
    assert table.wants("Ann", PlayAgain()) is None
    for guest in table.people.values():
        guest.got.clear()
        guest.received.clear()


@pytest.mark.level("thorough")
def test_a_table_and_a_client_hold_no_more_after_each_further_game() -> None:
    table = Table(SETTINGS)
    for name in PEOPLE:
        table.come(name)
    held: list[tuple[int, int]] = []
    steps: list[int] = []
    for game in range(4):
        play_a_game(table, game)
        held.append((values_held(table.room), values_held(table.people["Ben"].client)))
        steps.append(table.room.state.number)
    # The first games fill what is bounded. Later ones differ by what their last steps were.
    of_table, of_client = (values[-1] - values[1] for values in zip(*held, strict=True))
    made = steps[-1] - steps[1]
    assert made > 100
    assert abs(of_table) < made / 4
    assert abs(of_client) < made / 4
