"""The environment for programs that learn keeps PettingZoo's rules, where that is installed."""

from __future__ import annotations

from random import Random

import pytest

from engine.encoding import OBSERVATION_BYTES

pytest.importorskip("pettingzoo", reason="PettingZoo is not here: pip install sabtui[pettingzoo]")

from pettingzoo.test import api_test, seed_test

from sabtui.pettingzoo_env import ILLEGAL_REWARD, NUGGETS, SaboteurEnv, env

pytestmark = pytest.mark.filterwarnings("ignore")  # PettingZoo warns of what it may not like


def raw(players: int = 3, reward: str = "team") -> SaboteurEnv:
    return SaboteurEnv(
        players, rounds=3, edition="international", reward=reward, render_mode="ansi"
    )


def play(game: SaboteurEnv, seed: int) -> dict[str, int]:
    """Play a game of random legal actions to its end; return all that each agent was rewarded."""
    game.reset(seed=seed)
    rng, total = Random(seed), dict.fromkeys(game.possible_agents, 0)
    for agent in game.agent_iter():
        seen, reward, terminated, truncated, _ = game.last()
        total[agent] += reward
        legal = [action for action, may in enumerate(seen["action_mask"]) if may]
        assert len(seen["observation"]) == OBSERVATION_BYTES
        game.step(None if terminated or truncated else rng.choice(legal))
    return total


@pytest.mark.parametrize("players", [3, 10])
def test_it_keeps_the_rules_of_the_interface(players: int) -> None:
    api_test(env(players), num_cycles=400)
    api_test(raw(players), num_cycles=400)


def test_the_same_seed_gives_the_same_game() -> None:
    seed_test(lambda: env(4), num_cycles=300)


def test_the_reward_is_what_a_seat_won() -> None:
    for seed in range(3):
        by_team, by_gold = raw(), raw(reward=NUGGETS)
        sides = play(by_team, seed)
        assert all(won in (-3, -1, 1, 3) for won in sides.values())
        assert tuple(play(by_gold, seed).values()) == by_gold.game.score.nuggets


def test_an_illegal_action_ends_the_game_with_a_penalty() -> None:
    game = env(3)
    game.reset(seed=1)
    seen, *_ = game.last()
    game.step(next(action for action, may in enumerate(seen["action_mask"]) if not may))
    assert all(game.terminations.values())
    assert ILLEGAL_REWARD in game.rewards.values()


def test_it_draws_the_table_as_text() -> None:
    game = raw()
    game.reset(seed=1)
    assert str(game.render()).startswith("round 1 of 3, gold cards 0 0 0: seat ")
    plain = env(3)
    plain.reset(seed=1)
    assert plain.render() is None


def test_what_no_game_has_is_refused() -> None:
    for wrong in ({"players": 2}, {"rounds": 4}, {"reward": "glory"}):
        with pytest.raises(ValueError, match=r"2|4|glory"):
            env(**wrong)
    with pytest.raises(KeyError):
        env(edition="atlantis")
    with pytest.raises(ValueError, match="reset"):
        _ = raw().game
