"""An evening in words: how many games it had, and who has won what."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.events import GameEnded
from net.client.session import ConnectionState, Status
from net.client.trail import GameState
from net.protocol.lobby import Evening, Lobby
from net.protocol.lobby_events import Rematch
from net.protocol.messages import CloseReason
from sabtui.text.evening import (
    counted_lines,
    earned_words,
    evening_lines,
    farewell_lines,
    standing_lines,
)
from sabtui.text.lobby import lobby_sentence
from tests.sabtui.tables import ANA, lobby

NAMES = ("Ana", "Bruno", "Dede", "Borin")
ONE = Evening().after(NAMES, (7, 3, 1, 3))
TWO = ONE.after(NAMES, (5, 5, 0, 0))
LEVEL = Evening().after(NAMES, (7, 3, 1, 3)).after(NAMES, (3, 7, 1, 3))


def table(evening: Evening = TWO) -> Lobby:
    """A table of Ana's with an evening."""
    return replace(lobby(), evening=evening)


def test_beside_a_name_stands_what_they_have_won() -> None:
    assert earned_words("Ana", table(ONE)) == "1 of 1 won, 7 nuggets"
    assert earned_words("bruno", table()) == "1 of 2 won, 8 nuggets"
    assert earned_words("Eva", table()) == ""


def test_after_a_game_all_read_what_everybody_has_won_so_far() -> None:
    told = [
        "2 finished games.",
        "Games won: Ana 2 and Bruno 1.",
        "Gold: Ana 12, Bruno 8, Borin 3 and Dede 1.",
    ]
    assert standing_lines(table()) == told
    assert counted_lines([GameEnded(())], table()) == told
    assert counted_lines([], table()) == counted_lines([GameEnded(())], None) == []


def test_the_first_game_says_by_itself_who_has_won() -> None:
    assert counted_lines([GameEnded(())], table(ONE)) == []
    assert standing_lines(table(ONE))[0] == "1 finished game."
    assert standing_lines(table(Evening())) == []


def test_the_table_of_the_evening_has_a_line_for_each_who_played() -> None:
    assert evening_lines(table()) == [
        "2 finished games.",
        "name   gold  won  games",
        "Ana    12    2    2",
        "Bruno  8     1    2",
        "Borin  3     0    2",
        "Dede   1     0    2",
    ]
    assert evening_lines(table(Evening())) == []


def test_before_the_next_game_all_read_how_the_evening_stands() -> None:
    told = lobby_sentence(Rematch(), table(ONE), ANA)
    assert told is not None
    assert told.startswith("New game: everybody is ready. 1 finished game. Games won: Ana 1. Gold")


@pytest.mark.parametrize(
    ("evening", "told"),
    [
        (Evening(), ""),
        (ONE, ""),
        (TWO, "Ana has won the evening."),
        (LEVEL, "Ana and Bruno have won the evening."),
    ],
)
def test_a_table_that_closes_says_who_has_won_the_evening(evening: Evening, told: str) -> None:
    status = Status(
        ConnectionState.ENDED,
        ANA,
        GameState(1, 9, table(evening), None, ()),
        ending=CloseReason.CLOSED,
    )
    assert "".join(farewell_lines(status)[:1]) == told
    assert len(farewell_lines(status)) == (7 if told else 0)


def test_who_only_leaves_is_told_nothing_of_its_end() -> None:
    status = Status(ConnectionState.ENDED, ANA, GameState(1, 9, table(), None, ()))
    assert farewell_lines(status) == farewell_lines(Status()) == []
