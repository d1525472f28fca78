"""The values of cards and moves, and what the bots take from them without a look at the rest."""

from random import Random

import pytest

from engine.bots import Playouts, greedy
from engine.bots.bot import _sight
from engine.bots.evaluation import (
    CARD_KINDS,
    GREEDY_MINER,
    GREEDY_SABOTEUR,
    ROLLOUT_MINER,
    ROLLOUT_SABOTEUR,
    WARY_MINER,
    WARY_SABOTEUR,
    MinerValues,
    SaboteurValues,
    value_to_miner,
    value_to_saboteur,
)
from engine.cards import Card, CardKind, Role
from engine.edition import INTERNATIONAL
from engine.moves import Play
from engine.state import PLAYERS
from engine.view import View
from tests.engine.random_games import games, keen


def views(rng: Random) -> list[View]:
    """What the seat to play knows, in rounds at three tables."""
    return [
        game.view(game.round.table.turn)
        for players in rng.sample(list(PLAYERS), 3)
        for game in games(INTERNATIONAL, players, keen, rng, rounds=1)
        if game.round.table.turn is not None
    ]


def greedy_value(view: View, move: Play) -> float:
    """The value of a move to greedy, for its role."""
    assert view.seat is not None
    sight = _sight(view, view.seat)
    if view.role is Role.SABOTEUR:
        return value_to_saboteur(GREEDY_SABOTEUR, sight, move)
    return value_to_miner(GREEDY_MINER, sight, move)


def test_greedy_finds_the_best_move_though_it_rates_not_all(rng: Random) -> None:
    for view in views(rng):
        move = greedy(view, rng, Playouts(0))
        assert isinstance(move, Play)
        rated = [other for other in view.legal_moves() if isinstance(other, Play)]
        assert greedy_value(view, move) == max(greedy_value(view, other) for other in rated)


@pytest.mark.parametrize("values", [GREEDY_MINER, WARY_MINER, ROLLOUT_MINER])
def test_miners_throw_dead_ends_away_first_and_crossroads_last(values: MinerValues) -> None:
    best = max(values.discard)
    kinds = {kind for kind, value in zip(CARD_KINDS, values.discard, strict=True) if value == best}
    assert kinds == {CardKind.DEAD_END}
    assert values.discard[Card.NESW.index] == min(values.discard)


@pytest.mark.parametrize("values", [GREEDY_SABOTEUR, WARY_SABOTEUR, ROLLOUT_SABOTEUR])
def test_saboteurs_throw_what_does_harm_away_last(values: SaboteurValues) -> None:
    harm = {CardKind.DEAD_END, CardKind.BREAK, CardKind.ROCKFALL}
    by_kind = [
        (value, kind in harm) for value, kind in zip(values.discard, CARD_KINDS, strict=True)
    ]
    assert max(value for value, harms in by_kind if harms) < min(
        value for value, harms in by_kind if not harms
    )
