"""A game as an environment of PettingZoo (its AEC interface), for programs that learn.

    from sabtui.pettingzoo_env import env

    game = env(players=5)
    game.reset(seed=7341)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        action = None
        if not (terminated or truncated):
            action = game.action_space(agent).sample(observation["action_mask"])
        game.step(action)

It needs the extra `pettingzoo`, and nothing else of Sabtui imports it. Actions and observations are
those of `engine.encoding`; the agents are `seat_0` and so on. Claims are no actions here (T6).
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engine.deal import deal
from engine.edition import INTERNATIONAL, Edition
from engine.encoding import (
    ACTIONS,
    ENCODING_VERSION,
    OBSERVATION_BYTES,
    decode_action,
    encode_view,
    legal_mask,
    own_return,
    team_return,
)
from engine.game import Game
from engine.state import ROUNDS, Phase, check_players, check_rounds

TEAM: Final = "team"
NUGGETS: Final = "nuggets"
"""What is rewarded: the rounds that a seat's side wins or loses (1 or -1), or the nuggets that the
seat has at the end of the game."""

ILLEGAL_REWARD: Final = -1
"""The reward of a seat that makes an illegal action, which ends the game."""


def env(
    players: int = 5,
    *,
    rounds: int = ROUNDS,
    edition: str = INTERNATIONAL.text,
    reward: str = TEAM,
    render_mode: str | None = None,
) -> AECEnv:
    """Return the environment with PettingZoo's checks around it.

    `edition` is spelt as `Edition.text`, `reward` is `team` or `nuggets`, and with the
    `render_mode` `ansi`, `render` returns the table with all its secrets as text. Raises
    `ValueError` for what no game has, and `KeyError` for an unknown edition.
    """
    game = SaboteurEnv(
        players, rounds=rounds, edition=edition, reward=reward, render_mode=render_mode
    )
    checked = wrappers.TerminateIllegalWrapper(game, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class SaboteurEnv(AECEnv):  # type: ignore[misc] # pettingzoo - no types are read of what is optional
    """A whole game without PettingZoo's checks: see `env`."""

    metadata: Final = {
        "name": f"sabtui_v{ENCODING_VERSION}",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, players: int, *, rounds: int, edition: str, reward: str, render_mode: str | None
    ) -> None:
        super().__init__()
        check_players(players)
        check_rounds(rounds)
        if reward not in (TEAM, NUGGETS):
            raise ValueError(f"the reward is {TEAM} or {NUGGETS}, not {reward}")
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._rounds = rounds
        self._edition = Edition.read(edition)
        self._reward = reward
        self._chance = Random()
        self._seed = b""
        self._game: Game | None = None
        seen = spaces.Box(0, 255, (OBSERVATION_BYTES,), np.uint8)
        mask = spaces.Box(0, 1, (ACTIONS,), np.int8)
        self._spaces = {
            agent: (
                spaces.Dict({"observation": seen, "action_mask": mask}),
                spaces.Discrete(ACTIONS),
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> object:
        """Return the space of an agent's observations: bytes, and a mask of the legal actions."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> object:
        """Return the space of an agent's actions."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: object = None) -> None:
        """Deal a new game; the same seed deals the same cards."""
        del options  # There are none.
        if seed is not None:
            self._chance = Random(seed)
        self._seed = self._chance.randbytes(32)
        first = deal(self._seed, 1, len(self.possible_agents))
        self._game, _ = Game.begin(first, self._edition, self._rounds)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, object]:
        """Return what an agent sees, and a mask that is all 0 if it is not to act."""
        view = self.game.view(self._seats[agent])
        return {
            "observation": np.frombuffer(encode_view(view), np.uint8),
            "action_mask": np.frombuffer(legal_mask(view), np.int8),
        }

    def step(self, action: int | None) -> None:
        """Make the selected agent's action. Raises `IllegalMove` for one that is illegal now."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0
        before = self.game.score
        move = decode_action(self.game.view(self._seats[agent], history=False), int(action))
        self._game, _ = self.game.apply(move)
        ended = len(self.game.score.wins) > len(before.wins)
        is_over = self.game.phase is Phase.OVER
        for one, seat in self._seats.items():
            if self._reward == TEAM:
                self.rewards[one] = team_return(self.game.round.table, seat) if ended else 0
            else:
                self.rewards[one] = own_return(self.game.score, seat) if is_over else 0
            self.terminations[one] = is_over
        if self.game.phase is Phase.DEAL:
            self._game, _ = self.game.deal(self._seed)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the table with all its secrets as text, if `render_mode` is `ansi`."""
        return str(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    @property
    def game(self) -> Game:
        """The game as it is, with its secrets. Raises `ValueError` before the first `reset`."""
        if self._game is None:
            raise ValueError("no game was dealt: call reset first")
        return self._game

    def _select(self) -> None:
        """Select the agent that is to act; after the end it is the first, as all are to leave."""
        self.agent_selection = self.possible_agents[self.game.to_act or 0]
