"""The environment for programs that learn keeps PettingZoo's rules, where that is installed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from random import Random
from typing import cast

import pytest

from engine.bots import Bot, Budget, Playouts, SpokenMove, greedy
from engine.encoding import OBSERVATION_BYTES, encode_move, encode_view
from engine.moves import Move
from engine.view import View

pytest.importorskip("pettingzoo", reason="PettingZoo is not here: pip install sabtui[pettingzoo]")

import numpy as np

with warnings.catch_warnings():  # of games of its own that it loads in an older way
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, seed_test

from sabtui import pettingzoo_env

pytestmark = pytest.mark.filterwarnings("ignore")  # PettingZoo warns of what it may not like


def raw(
    players: int = 3,
    reward: str = "team",
    opponents: Mapping[str, pettingzoo_env.Opponent] = pettingzoo_env.NO_OPPONENTS,
) -> pettingzoo_env.SaboteurEnv:
    return pettingzoo_env.SaboteurEnv(
        players,
        opponents=opponents,
        rounds=3,
        edition="international",
        reward=reward,
        render_mode="ansi",
    )


def play(game: pettingzoo_env.SaboteurEnv, seed: int) -> dict[str, float]:
    """Play a game of random legal actions to its end; return all that each agent was rewarded."""
    game.reset(seed=seed)
    rng, total = Random(seed), dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, terminated, truncated, _ = game.last()
        total[agent] += reward
        legal = [action for action, may in enumerate(seen["action_mask"]) if may]
        assert len(seen["observation"]) == OBSERVATION_BYTES
        game.step(None if terminated or truncated else rng.choice(legal))
    return total


@pytest.mark.parametrize("players", [3, 10])
def test_it_keeps_the_rules_of_the_interface(players: int) -> None:
    api_test(pettingzoo_env.env(players), num_cycles=400)
    api_test(raw(players), num_cycles=400)


def test_the_same_seed_gives_the_same_game() -> None:
    seed_test(lambda: pettingzoo_env.env(4), num_cycles=300)


def test_the_reward_is_what_a_seat_won() -> None:
    for seed in range(2):
        by_team, by_gold = raw(), raw(reward=pettingzoo_env.NUGGETS)
        sides = play(by_team, seed)
        assert all(won in (-3, -1, 1, 3) for won in sides.values())
        assert tuple(play(by_gold, seed).values()) == by_gold.game.score.nuggets


def test_shaped_rewards_come_sooner_and_are_the_same_in_the_end() -> None:
    shaped = raw(reward=pettingzoo_env.SHAPED)
    for seed in range(2):
        assert play(shaped, seed) == pytest.approx(play(raw(), seed))
    shaped.reset(seed=1)
    while not any(shaped.rewards.values()):
        view = shaped.game.view(shaped.game.to_act)
        shaped.step(encode_move(view, greedy(view, Random(1), Playouts(0))))
    assert shaped.game.round.table.end is None
    assert set(map(abs, shaped.rewards.values())) == {pettingzoo_env.SHAPED_SHARE / 7}


def test_bots_play_the_seats_that_are_given_to_them() -> None:
    played = []

    def speak(view: View, rng: Random, budget: Budget) -> SpokenMove:
        played.append(view.seat)
        return SpokenMove(greedy(view, rng, budget), text="Ha!")

    bots: dict[str, str | Bot] = {"seat_0": "greedy", "seat_2": cast("Bot", speak)}
    game = raw(4, pettingzoo_env.NUGGETS, bots)
    assert game.possible_agents == ["seat_1", "seat_3"]
    total = play(game, 1)
    nuggets = game.game.score.nuggets
    assert nuggets is not None
    assert (total["seat_1"], total["seat_3"]) == nuggets[1::2]
    assert set(played) == {2}
    again = raw(4, pettingzoo_env.NUGGETS, bots)
    assert play(again, 1) == total
    assert again.game == game.game
    api_test(pettingzoo_env.env(3, opponents={"seat_2": "greedy"}), num_cycles=100)


@pytest.mark.parametrize(
    "seats", [("seat_9",), ("seat_0", "seat_1", "seat_2")], ids=["none", "all"]
)
def test_bots_play_seats_of_the_table_and_leave_one(seats: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="bots play some of seat_0, seat_1, seat_2, but"):
        pettingzoo_env.env(3, opponents=dict.fromkeys(seats, "greedy"))


def test_an_illegal_action_ends_the_game_with_a_penalty() -> None:
    game = pettingzoo_env.env(3)
    game.reset(seed=1)
    seen, *_ = game.last()
    game.step(next(action for action, may in enumerate(seen["action_mask"]) if not may))
    assert all(game.terminations.values())
    assert pettingzoo_env.ILLEGAL_REWARD in game.rewards.values()


def test_it_draws_the_table_as_text() -> None:
    game = raw()
    game.reset(seed=1)
    assert str(game.render()).startswith("round 1 of 3, gold cards 0 0 0: seat ")
    plain = pettingzoo_env.env(3)
    plain.reset(seed=1)
    assert plain.render() is None


def test_a_pool_of_opponents_is_drawn_from_by_the_seed() -> None:
    asked: list[str] = []

    def one(view: View, rng: Random, budget: Budget) -> Move:
        asked.append("one")
        return greedy(view, rng, budget)

    game = raw(3, opponents={"seat_1": [one, "easy"], "seat_2": (one,)})
    faced = []
    for seed in (*range(8), *range(8)):
        game.reset(seed=seed)
        faced.append(game._bots[1] is one)
        assert game._bots[2] is one
    assert faced[:8] == faced[8:]
    assert {*faced} == {True, False}
    play(game, 1)
    assert asked


def test_the_state_is_what_all_seats_see_one_after_the_other() -> None:
    game = raw(4, opponents={"seat_1": "greedy"})
    game.reset(seed=3)
    for _ in range(30):
        state = game.state()
        assert game.state_space.contains(state)
        by_seat = np.asarray(state).reshape(4, OBSERVATION_BYTES)
        for agent in game.agents:
            seen = game.observe(agent)["observation"]
            assert (by_seat[int(agent[-1])] == seen).all()
        assert bytes(by_seat[1]) == encode_view(game.game.view(1)), "also with its history"
        legal = game.last()[0]["action_mask"].nonzero()[0]
        game.step(int(legal[0]))


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ({"opponents": {1: "easy"}}, "bots play some of seat_0, .*not 1$"),
        ({"opponents": {"seat_9": "easy"}}, "not 'seat_9'"),
        ({"opponents": {"seat_1": "nobody"}}, "no bot nobody"),
        ({"opponents": {"seat_1": []}}, "no bot to draw for seat_1"),
        ({"opponents": {"seat_1": 3}}, "no bot 3 for seat_1: it is no function"),
        ({"opponents": {"seat_1": None}}, "no bot None for seat_1: it is no function"),
        ({"opponents": {"seat_1": ["easy", {}]}}, "no bot {} for seat_1: it is no function"),
        ({"opponents": {"seat_1": len}}, r"for seat_1: it has to take \(view, rng, budget\)"),
        ({"opponents": ["greedy"]}, r"bots by seat, as \{'seat_1': 'greedy'\}, not \['greedy'\]"),
        ({"opponents": None}, "bots by seat, .*not None"),
        ({"render_mode": "human"}, "the render mode is ansi or None, not human"),
    ],
)
def test_a_wrong_argument_is_named(named: dict[str, object], why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=why):
        pettingzoo_env.env(3, **named)  # type: ignore[arg-type] # tests - wrong on purpose


def test_what_no_game_has_is_refused() -> None:
    for wrong in ({"players": 2}, {"rounds": 4}, {"reward": "glory"}):
        with pytest.raises(ValueError, match=r"2|4|glory"):
            pettingzoo_env.env(**wrong)
    with pytest.raises(ValueError, match="no edition has this name"):
        pettingzoo_env.env(edition="atlantis")
    with pytest.raises(ValueError, match="reset"):
        _ = raw().game
