"""What a game may begin with, and that the examples in the engine's docstrings are true."""

import doctest
from dataclasses import replace

import pytest

import engine
import engine.notation
from engine import Game, deal
from engine.deal import Deal

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


@pytest.mark.rule("S2", "S4", "S5", "S7", "N1")
@pytest.mark.parametrize(
    "spoilt",
    [
        replace(DEALT, roles=DEALT.roles[:2]),
        replace(DEALT, spare=DEALT.roles[0], roles=(DEALT.roles[0],) * 3),
        replace(DEALT, goals=(DEALT.goals[0],) * 3),
        replace(DEALT, hands=DEALT.hands[:2]),
        replace(DEALT, hands=tuple(hand[::-1] for hand in DEALT.hands)),
        replace(DEALT, hands=(DEALT.hands[0][1:], *DEALT.hands[1:])),
        replace(DEALT, pile=DEALT.pile[1:]),
        replace(DEALT, pile=(DEALT.pile[0], *DEALT.pile[:-1])),
        replace(DEALT, gold=DEALT.gold[1:]),
        replace(DEALT, starter=3),
    ],
    ids=range(10),
)
def test_a_deal_is_made_of_the_cards_of_the_game(spoilt: Deal) -> None:
    with pytest.raises(ValueError, match="not made of the cards"):
        Game.begin(spoilt)


def test_the_examples_in_the_docstrings_are_true() -> None:
    for module in (engine, engine.notation):
        tried = doctest.testmod(module)
        assert tried.attempted > 0
        assert tried.failed == 0
