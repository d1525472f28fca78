"""A bot returns a move, or a move and what it says with it."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from engine import Game, Move, View, deal
from engine.bots import Bot, Budget, Playouts, SpokenMove, greedy
from engine.bots.bot import MAX_CLAIMS_PER_MOVE, BadReply, call_bot
from engine.bots.talk import DigsForUs, HelpMe, WhoMe
from engine.cards import Tool

VIEW = Game.begin(deal(bytes(32), 1, 5), youngest=2)[0].view(2)
MOVE = VIEW.legal_moves()[0]


def saying(found: object) -> Bot:
    """A bot that returns this, whatever it is asked."""

    def bot(view: View, rng: Random, budget: Budget) -> Move:
        del view, rng, budget
        return cast("Move", found)

    return bot


def call(found: object) -> Move | SpokenMove:
    return call_bot(saying(found), VIEW, Random(1), Playouts(0))


def test_a_bot_of_one_move_returns_it() -> None:
    assert call(MOVE) is MOVE
    assert isinstance(call_bot(greedy, VIEW, Random(1), Playouts(0)), Move)


def test_a_turn_keeps_its_words_but_no_more_claims_than_are_heard() -> None:
    claims = (WhoMe(), DigsForUs(1), HelpMe(Tool.CART))
    assert call(SpokenMove(MOVE, claims[:1], "I dig.")) == SpokenMove(MOVE, claims[:1], "I dig.")
    assert call(SpokenMove(MOVE, claims)) == SpokenMove(MOVE, claims[:MAX_CLAIMS_PER_MOVE])


def test_what_is_no_claim_is_not_heard() -> None:
    assert call(SpokenMove(MOVE, cast("tuple[WhoMe]", ("gold", WhoMe())))) == SpokenMove(
        MOVE, (WhoMe(),)
    )


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ("any card will do", "no move"),
        (None, "no move"),
        (SpokenMove(cast("Move", "R")), "no move"),
        (SpokenMove(MOVE, text=cast("str", 5)), "its claims are no tuple"),
        (SpokenMove(MOVE, cast("tuple[WhoMe]", 5)), "its claims are no tuple"),
    ],
)
def test_anything_else_is_told_without_what_it_was(found: object, why: str) -> None:
    with pytest.raises(BadReply, match=why):
        call(found)
