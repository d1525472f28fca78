"""Deeds that speak against a player, or for one: the reasons that bots give."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions import TurnEvent
from engine.bots.actions import AGAINST, IN_FAVOUR, find_deed, observe
from engine.dealing import deal
from engine.game import Game
from engine.view import View


def play_randomly(seed: int, moves: int) -> View:
    """Return what everybody knows of a round of five after so many moves by chance."""
    chance = Random(seed)
    game, _events = Game.begin(deal(bytes([seed]) * 32, 1, 5))
    for _move in range(moves):
        legal = game.legal_moves()
        if not legal:
            break
        game, _events = game.apply(chance.choice(sorted(legal, key=str)))
    return game.view(None)


@pytest.mark.parametrize("seed", range(6))
def test_the_last_deed_of_the_worst_kind_is_found(seed: int) -> None:
    view = play_randomly(seed, 45)
    events = [event for event in view.history if isinstance(event, TurnEvent)]
    actions = list(zip(events, observe(view).actions, strict=False))
    for seat in range(5):
        for kinds in (AGAINST, IN_FAVOUR):
            plain = [
                (event, one)
                for event, one in actions
                if one.seat == seat and len(set(one.kinds)) == 1
            ]
            there = {one.kinds[0]: event for event, one in plain}
            worst = next((kind for kind in kinds if kind in there), None)
            found = find_deed(view, seat, kinds)
            assert (found is None) is (worst is None)
            if found is not None:
                assert (found.kind, found.event) == (worst, there[found.kind])
                assert found.event.seat == seat


def test_what_was_done_after_a_claim_is_no_reason_for_it() -> None:
    view = play_randomly(1, 45)
    for seat in range(5):
        found = find_deed(view, seat, AGAINST)
        assert found is not None, "who plays by chance does harm"
        assert found.ways == len({cell for cell, _ in found.board.openings})
        earlier = find_deed(view, seat, AGAINST, view.table.unplayed + 40)
        events = [event for event in view.history if isinstance(event, TurnEvent)]
        assert earlier is None or earlier.event in events[: len(events) - 40]
        assert find_deed(view, seat, AGAINST, view.table.unplayed) == found
