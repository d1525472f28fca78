"""Reasons as a developer reads them: each names the card, cell, side or seat as it is spelt."""

from typing import get_args

import pytest

from engine import actions, moves
from engine.cards import Card, E, N, Tool
from engine.moves import IllegalMove, Reason, parse_move
from tests.engine.cases import game_of, round_at

SAID: list[tuple[Reason, str]] = [
    (moves.OnlyWatching(), "a watcher has no seat to play from"),
    (moves.DealAwaited(), "the next round is still to be dealt"),
    (moves.GameOver(), "the game is over"),
    (moves.NotYourTurn(1), "it is the turn of seat 2"),
    (moves.GoldBeingShared(0), "gold is being shared, and seat 1 is to choose"),
    (moves.NotOnOffer(3), "no gold card of 3 is on offer"),
    (moves.NotInHand(Card.DEAD_NE), "ne is not in the hand"),
    (moves.ToolsBroken((Tool.PICK, Tool.CART)), "broken tools (P, C) forbid laying path cards"),
    (moves.CellTaken((3, -1)), "a card lies on 3n1 already"),
    (moves.SideClashes(N, open=True), "side N is open, and the neighbour's edge there is closed"),
    (
        moves.SideClashes(E, open=False),
        "side E is closed, and the neighbour's edge there is open",
    ),
    (moves.TouchesNothing((5, 5)), "no face-up path card lies beside 5s5"),
    (moves.NotLinked((-1, 0)), "no tunnel from the start opens onto -1"),
    (actions.NoSuchSeat(11), "there is no seat 12"),
    (actions.AlreadyBroken(1, Tool.LANTERN), "L of seat 2 is broken already"),
    (actions.NotBroken(0, Tool.CART), "C of seat 1 is not broken"),
    (actions.CannotRepair(Card.REPAIR_PICK, Tool.CART), "+P does not repair C"),
    (actions.NoTunnel((0, 0)), "no tunnel card lies on 0"),
    (actions.NoHiddenGoal((8, -2)), "no goal lies face down on 8n2"),
]


@pytest.mark.parametrize(("reason", "said"), SAID, ids=[said for _, said in SAID])
def test_a_reason_says_in_words_what_is_wrong(reason: Reason, said: str) -> None:
    assert str(reason) == said


def test_every_reason_has_its_words() -> None:
    assert {type(reason) for reason, _ in SAID} == set(get_args(Reason))


@pytest.mark.rule("P2")
def test_an_illegal_move_is_quoted_as_it_is_spelt_with_the_side_that_clashes() -> None:
    game = game_of(round_at("EW@1 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS NE mms+m"))
    with pytest.raises(IllegalMove) as illegal:
        game.apply(parse_move("NS@2"))
    assert str(illegal.value) == (
        "NS@2 is illegal: side W is closed, and the neighbour's edge there is open"
    )
