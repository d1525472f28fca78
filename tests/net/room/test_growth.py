"""An evening of games: a table and its players' programs hold no more after one more game.

What has to grow is bytes: the log, of which every program has a copy, and a hash for each step.
"""

from __future__ import annotations

import gc
from types import FunctionType, MethodType, ModuleType

import pytest

from engine.state import Phase
from net.protocol.lobby import Settings
from net.protocol.requests import PlayAgain, SetReady, Start
from tests.net.room.room_fixture import Table, play_on

PEOPLE = "Ann", "Ben", "Cleo"
SETTINGS = Settings(seats=3, rounds=1)


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
