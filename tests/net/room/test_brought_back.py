"""A table whose host was killed and brought back, now and then without its last steps."""

from __future__ import annotations

import pytest

from net.protocol.lobby import Settings
from tests.net.room.room_fixture import Table, play_on, three_in_game

LONG = Settings(seats=3, rounds=3)


def restart(table: Table, lost: int) -> None:
    """Kill the host, whose disk has lost so many steps, and let all come back and play on."""
    del table.disk[len(table.disk) - lost :]
    table.crash()
    table.come_all("Ann", "Ben", "Cleo")
    play_on(table, 3, "random")


@pytest.mark.parametrize("torn", [(1, 1, 1, 1), (0, 1, 0, 2), (3, 0, 0, 1)])
def test_all_are_told_how_many_steps_are_gone_each_time_that_a_table_is_brought_back(
    torn: tuple[int, ...],
) -> None:
    table = three_in_game(LONG)
    play_on(table, 6, "random")
    for lost in torn:
        restart(table, lost)
        told = {name: table.people[name].lost_steps for name in ("Ann", "Ben", "Cleo")}
        assert told == dict.fromkeys(told, [lost] if lost else [])


def test_a_player_away_for_two_losses_is_told_of_both_and_a_new_program_of_the_last() -> None:
    table = three_in_game(LONG)
    play_on(table, 6, "random")
    seen = table.people["Cleo"].held.step
    table.drop("Cleo")
    for lost in (2, 1):
        del table.disk[len(table.disk) - lost :]
        table.crash()
        table.come_all("Ann", "Ben")
    began = [at for at in table.room.reopenings if at <= seen]
    away = table.people["Cleo"].client
    mark = away.last_seen
    assert table.room.count_gone(mark, 1) == seen - (began[0] - 1)
    assert table.room.count_gone(mark, 0) == seen - (began[-1] - 1)
    table.come("Cleo")
    assert table.people["Cleo"].lost_steps == [seen - (began[0] - 1)]
