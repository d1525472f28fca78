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
those of `engine.encoding`; the agents are `seat_0` and so on, without those that bots play. Claims
are not actions here (T6).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias, cast

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engine import encoding
from engine.board import EMPTY, Board
from engine.bots.bot import Bot, SpokenMove, call_bot
from engine.bots.fast_board import SITE_DISTANCES, targets_of
from engine.bots.installed import check_bot, load_bot
from engine.cards import Role
from engine.dealing import deal
from engine.edition import INTERNATIONAL, Edition
from engine.game import Game
from engine.moves import IllegalMove, Move
from engine.playing import DEFAULT_BUDGET
from engine.state import ROUNDS, Phase, Table, check_players, check_rounds

TEAM: Final = "team"
NUGGETS: Final = "nuggets"
SHAPED: Final = "shaped"
"""What is rewarded: the rounds that a seat's side wins or loses (1 or -1); the nuggets that the
seat has at the end of the game; or the same as `TEAM` in each round, but part of it sooner: miners
are rewarded as the tunnel comes nearer to the goals, and saboteurs as it is set back."""

SHAPED_SHARE: Final = 0.5
"""With shaped rewards, the reward for bringing the tunnel from the start to a goal."""

Opponent: TypeAlias = "str | Bot | Sequence[str | Bot]"
"""A bot, by its name or as a function, or several, from which each game draws one."""

NO_OPPONENTS: Final[Mapping[str, Opponent]] = MappingProxyType({})
"""No bots: every seat is an agent."""

ANSI: Final = "ansi"  # the one way to render: as text

ILLEGAL_REWARD: Final = -1
"""The reward of a seat that makes an illegal action, which ends the game."""


def env(  # noqa: PLR0913 - independent choices, passed by name
    players: int = 5,
    *,
    opponents: Mapping[str, Opponent] = NO_OPPONENTS,
    rounds: int = ROUNDS,
    edition: str = INTERNATIONAL.text,
    reward: str = TEAM,
    render_mode: str | None = None,
) -> AECEnv:
    """Return the environment with PettingZoo's check of the order of calls around it.

    Bots play the seats of `opponents`, such as `{"seat_1": "greedy"}`: each is the name of a bot, a
    function that is one, or a list of such, of which each game draws one by its seed. `edition` is
    spelt as `Edition.text`, `reward` is `team`, `nuggets` or `shaped`, and with the `render_mode`
    `ansi`, `render` returns the table with all its secrets as text. Raises `ValueError` for what no
    game has, and `TypeError` for opponents that are not a mapping.
    """
    game = SaboteurEnv(
        players,
        opponents=opponents,
        rounds=rounds,
        edition=edition,
        reward=reward,
        render_mode=render_mode,
    )
    return _InOrder(game)


class _InOrder(wrappers.OrderEnforcingWrapper):  # type: ignore[misc] # pettingzoo - as below
    """PettingZoo's check, without its detours in each step: it takes one tenth of the time."""

    @property
    def agents(self) -> list[str]:
        """The agents that are in the game. Raises `AttributeError` before the first `reset`."""
        agents: list[str] = self.env.agents if self._has_reset else self.__getattr__("agents")
        return agents

    @property
    def agent_selection(self) -> str:
        """The agent that is to act. Raises `AttributeError` before the first `reset`."""
        agent: str = (
            self.env.agent_selection if self._has_reset else self.__getattr__("agent_selection")
        )
        return agent

    def last(self, observe: bool = True) -> object:  # noqa: FBT001, FBT002 - as PettingZoo has it
        return self.env.last(observe) if self._has_reset else super().last(observe)


class SaboteurEnv(AECEnv):  # type: ignore[misc] # pettingzoo - mypy skips the types of extras
    """A whole game without PettingZoo's check: see `env`."""

    metadata: Final = {
        "name": f"sabtui_v{encoding.ENCODING_VERSION}",
        "render_modes": [ANSI],
        "is_parallelizable": False,
    }

    def __init__(  # noqa: PLR0913 - as in `env`
        self,
        players: int,
        *,
        opponents: Mapping[str, Opponent],
        rounds: int,
        edition: str,
        reward: str,
        render_mode: str | None,
    ) -> None:
        super().__init__()
        check_players(players)
        check_rounds(rounds)
        if reward not in (TEAM, NUGGETS, SHAPED):
            raise ValueError(f"the reward is {TEAM}, {NUGGETS} or {SHAPED}, not {reward}")
        seats = {f"seat_{seat}": seat for seat in range(players)}
        if not isinstance(opponents, Mapping):
            raise TypeError(
                f"opponents are bots by seat, as {{'seat_1': 'greedy'}}, not {opponents!r}"
            )
        if not opponents.keys() < seats.keys():
            named = ", ".join(map(repr, opponents))
            raise ValueError(f"bots play some of {', '.join(seats)}, but not all, and not {named}")
        if render_mode not in (None, ANSI):
            raise ValueError(f"the render mode is ansi or None, not {render_mode}")
        self.render_mode = render_mode
        self._seats = {agent: seat for agent, seat in seats.items() if agent not in opponents}
        self._agents = {seat: agent for agent, seat in self._seats.items()}
        self._pools = {seats[agent]: _load_pool(agent, bots) for agent, bots in opponents.items()}
        self._bots: dict[int, Bot] = {}
        self._players = players
        self.possible_agents = [*self._seats]
        self.agents: list[str] = []
        self._rounds = rounds
        self._edition = Edition.read(edition)
        self._reward = reward
        self._chance = Random()
        self._bots_chance = Random()
        self._seed = b""
        self._game: Game | None = None
        seen = spaces.Box(0, 255, (encoding.OBSERVATION_BYTES,), np.uint8)
        mask = spaces.Box(0, 1, (encoding.ACTIONS,), np.int8)
        self.state_space = spaces.Box(0, 255, (players * encoding.OBSERVATION_BYTES,), np.uint8)
        self._spaces = {
            agent: (
                spaces.Dict({"observation": seen, "action_mask": mask}),
                spaces.Discrete(encoding.ACTIONS),
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
        self._bots_chance = Random(self._seed)
        drawn = Random(self._seed + b"opponents")
        self._bots = {seat: drawn.choice(pool) for seat, pool in self._pools.items()}
        first = deal(self._seed, 1, self._players)
        self._game, _ = Game.begin(first, self._edition, self._rounds)
        self._counts = encoding.ActionCounts(self._players)
        self.agents = [*self.possible_agents]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self._go_on()
        self.rewards = dict.fromkeys(self.agents, 0)  # What bots did before earns nobody anything.

    def observe(self, agent: str) -> dict[str, object]:
        """Return what an agent sees, and a mask that is all 0 if it is not to act."""
        view = self._view
        if view.seat != self._seats[agent]:
            view = self.game.view(self._seats[agent], history=False)
        return {
            "observation": np.frombuffer(encoding.encode_view(view, self._counts), np.uint8),
            "action_mask": np.frombuffer(encoding.legal_mask(view), np.int8),
        }

    def state(self) -> object:
        """Return the whole game for a critic that may see it: the observations of all seats.

        They are in the order of the seats, those of bots included. None shows the draw pile, goals
        that nobody has seen, or dwarves to come.
        """
        return np.concatenate(
            [
                np.frombuffer(
                    encoding.encode_view(self.game.view(seat, history=False), self._counts),
                    np.uint8,
                )
                for seat in range(self._players)
            ]
        )

    def step(self, action: int | None) -> None:
        """Take the selected agent's action. An illegal one ends the game for everybody.

        Raises `ValueError` for a number that is not an action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        move = encoding.decode_action(self._view, int(action))
        try:
            self._play(move)
        except IllegalMove:
            self.rewards[agent] = ILLEGAL_REWARD
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._go_on()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the table with all its secrets as text, if `render_mode` is `ansi`."""
        return str(self.game) if self.render_mode == ANSI else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    @property
    def game(self) -> Game:
        """The present game, with its secrets. Raises `ValueError` before the first `reset`."""
        if self._game is None:
            raise ValueError("no game was dealt: call reset first")
        return self._game

    def _play(self, move: Move) -> None:
        """Make a move of the seat that is to act, and add what it is worth to the rewards."""
        before = self.game
        now, events = before.apply(move)
        self._game = now
        self._counts.count(events)
        table, score = now.round.table, now.score
        ended = len(score.wins) > len(before.score.wins)
        if self._reward == NUGGETS:
            if now.phase is Phase.OVER:
                self._add({seat: encoding.own_return(score, seat) for seat in self._agents})
            return
        if ended:
            self._add({seat: encoding.team_return(table, seat) for seat in self._agents})
        # The end of a round takes back the rewards given during the round.
        if self._reward == SHAPED and (ended or table.board is not before.round.table.board):
            nearer = (0 if ended else _nearness(table)) - _nearness(before.round.table)
            is_miner = [role is Role.MINER for role in before.round.roles]
            self._add({seat: nearer if is_miner[seat] else -nearer for seat in self._agents})

    def _add(self, rewards: Mapping[int, float]) -> None:
        for seat, reward in rewards.items():
            self.rewards[self._agents[seat]] += reward

    def _go_on(self) -> None:
        """Deal and let bots play until an agent is to act, and select it; at the end, the first."""
        while (seat := self.game.to_act) not in self._agents:
            if seat is not None:
                bot, view = self._bots[seat], self.game.view(seat)
                reply = call_bot(bot, view, self._bots_chance, DEFAULT_BUDGET)
                self._play(reply.move if isinstance(reply, SpokenMove) else reply)
            elif self.game.phase is Phase.DEAL:
                self._game, _ = self.game.deal(self._seed)
                self._counts = encoding.ActionCounts(self._players)
            else:
                self.terminations = dict.fromkeys(self.agents, True)
                seat = self._seats[self.possible_agents[0]]
                break
        self.agent_selection = self._agents[seat]
        self._view = self.game.view(seat, history=False)


def _load_pool(agent: str, bots: Opponent) -> tuple[Bot, ...]:
    """Return the bots that may play a seat. Raises `ValueError`: there are none, or no such bot."""
    named = bots if isinstance(bots, list | tuple) else [cast("str | Bot", bots)]
    if not named:
        raise ValueError(f"no bot to draw for {agent}: its list is empty")
    for bot in named:
        if not isinstance(bot, str):
            check_bot(f"{bot!r} for {agent}", bot)
    return tuple(load_bot(bot) if isinstance(bot, str) else bot for bot in named)


def _cards_ahead(board: Board) -> int:
    """Return how many cards the tunnel needs to the nearest face-down goal, as the crow flies."""
    return SITE_DISTANCES[targets_of(board.hidden)].count_needed(board)


_WHOLE_WAY: Final = _cards_ahead(EMPTY)


def _nearness(table: Table) -> float:
    """Return the reward for how near the tunnel is to the goals, at most `SHAPED_SHARE`."""
    return SHAPED_SHARE * max(0, _WHOLE_WAY - _cards_ahead(table.board)) / _WHOLE_WAY
