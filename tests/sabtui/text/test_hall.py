"""A night in words: what those read in the hall who sit at no table of its round."""

from __future__ import annotations

import pytest
from msgspec import structs

from net.protocol.board import HallBoard
from net.protocol.lobby import Lobby, Person, Presence
from net.protocol.night import Night, NightRound, NightTable
from sabtui.text.hall import night_lines
from tests.sabtui.tui.stage.stage_pictures import in_hall

TABLE = NightTable("1" * 16, (0, 1, 2))
ROUND = NightRound(bytes(32), (TABLE,))
NIGHT = Night(2, "Table", "international", 3, ("Ana", "Ben", "Cleo"), (ROUND,))
OVER = structs.replace(ROUND, tables=(structs.replace(TABLE, is_over=True, gold=(1, 2, 3)),))


@pytest.mark.parametrize(
    ("rounds", "lines"),
    [
        ((), ["A night of 2 rounds: an organiser draws the tables."]),
        ((ROUND,), ["Round 1 is being played: you are drawn to the next one."]),
        ((OVER,), ["Round 1 of 2 is over."]),
        ((OVER, ROUND), []),
        ((OVER, OVER), ["Round 2 of 2 is over."]),
    ],
)
def test_who_came_late_is_told_of_the_next_round_if_there_is_one(
    rounds: tuple[NightRound, ...], lines: list[str]
) -> None:
    night = structs.replace(NIGHT, rounds=rounds)
    hall = structs.replace(
        Lobby.without_chairs("The Nugget"),
        people=(Person(1, "Dora", Presence.THERE),),
        hall=HallBoard(night=night),
    )
    assert night_lines(in_hall(hall, member=1)) == lines
