"""Speed of the environment for programs that learn, relative to three of PettingZoo's own.

All take turns in short slices, as in `benchmarks.engine`. A step is one uniform legal action, with
`last` before it; masks are searched as booleans, with which numpy is ten times as fast. It needs
more than `make test` installs:
`.venv/bin/pip install '.[pettingzoo]' pygame-ce rlcard 'shimmy[openspiel]'`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Final, Protocol

from benchmarks.engine import SEED, SLICES, Figure

STEPS: Final = 400
"""Steps of a slice; games that they end are followed by others."""


class ActionMask(Protocol):
    """An array of numpy's that is 1 for each legal action."""

    def view(self, dtype: type[bool]) -> ActionMask:
        """Return the same bytes as values of another type."""

    def nonzero(self) -> tuple[Sequence[int]]:
        """Return the legal actions."""


class SteppedGame(Protocol):
    """What the loop below asks of an environment of PettingZoo."""

    def reset(self, seed: int) -> None:
        """Begin a new game."""

    def agent_iter(self) -> Iterable[str]:
        """Return each agent that is to act, until the game is over."""

    def last(self) -> tuple[Mapping[str, ActionMask], float, bool, bool, object]:
        """Return what the agent sees, its reward, and whether it is at the end."""

    def step(self, action: int | None) -> None:
        """Make the agent's action, none at the end."""


def main() -> None:
    """Measure, and print the figures."""
    needed = ("pettingzoo", "pygame", "rlcard", "shimmy")
    if missing := [name for name in needed if find_spec(name) is None]:
        print(f"environment: not measured, as there is no {', '.join(missing)} here")
        return
    classics = {
        "connect four": import_module("pettingzoo.classic.connect_four_v3").env(),
        "leduc": import_module("pettingzoo.classic.leduc_holdem_v4").env(),
        "hanabi": import_module("pettingzoo.classic.hanabi_v5").env(),
    }
    make = import_module("sabtui.pettingzoo_env").env
    own = {f"sabtui, {players} players": make(players=players) for players in (3, 5, 10)}
    figures = {name: Figure(f"steps of {name}") for name in {**own, **classics}}
    for number in range(SLICES):
        for name, env in {**own, **classics}.items():
            figures[name].time(partial(step, env, number, Random(SEED + number)))
    print(f"environment: PettingZoo, random play, seed {SEED}")
    for name in own:
        for classic in classics:
            figures[name].report(figures[classic])
    for classic in classics:
        figures[classic].report()


def step(env: SteppedGame, seed: int, rng: Random) -> int:
    """Make steps of random play, and return their number."""
    done = 0
    while done < STEPS:
        env.reset(seed=seed * STEPS + done)
        for _ in env.agent_iter():
            seen, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.step(None)
            else:
                env.step(rng.choice(seen["action_mask"].view(bool).nonzero()[0]))
                done += 1
    return done
