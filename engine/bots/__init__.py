"""Players that are programs. All that a bot is ever given is a `View`, chance and a budget.

A bot is called as `bot(view, rng, budget)` when its seat is to act, and returns a legal move.
With the same view, the same state of `rng` and a budget of play-outs it returns the same move.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.bots.base import Bot, Budget, Playouts, Seconds
from engine.bots.greedy import greedy
from engine.bots.uniform import uniform

BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"random": uniform, "greedy": greedy})
"""The bots by the names they are asked for."""

__all__ = ["BOTS", "Bot", "Budget", "Playouts", "Seconds", "greedy", "uniform"]
