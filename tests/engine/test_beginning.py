"""What a game may begin with, and that the examples in the engine's docstrings are true."""

import doctest

import pytest

import engine
import engine.notation
from engine import Game, deal

DEALT = deal(bytes(32), 1, 3)


@pytest.mark.rule("S1")
@pytest.mark.parametrize("rounds", [0, 4])
def test_a_game_has_one_to_three_rounds(rounds: int) -> None:
    with pytest.raises(ValueError, match="one to three rounds"):
        Game.begin(DEALT, rounds=rounds)


@pytest.mark.rule("S8")
@pytest.mark.parametrize("seat", [-1, 3])
def test_the_youngest_sits_at_the_table(seat: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        Game.begin(DEALT, youngest=seat)


def test_the_examples_in_the_docstrings_are_true() -> None:
    for module in (engine, engine.notation):
        tried = doctest.testmod(module)
        assert tried.attempted > 0
        assert tried.failed == 0
