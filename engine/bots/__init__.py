"""Players that are programs. All that a bot is ever given is a `View`, chance and a budget.

A bot is called as `bot(view, rng, budget)` when its seat is to act, and returns a legal move.
With the same view, the same state of `rng` and a budget of play-outs it returns the same move.

    base                        what a bot is
    uniform, greedy             by chance; what looks best at once
    sites, deeds, suspicion     where a card leads; who did what, and what that tells of them
    wary                        greedy with doubts
    holdings, worlds            what others may hold; rounds imagined by it
    playout, haste              and played out in haste
    search                      what wins most of them
    hints, claims               advice to a person, and what a bot says
    oracle, arena               how good they are: docs/bots.md

`oracle` and `arena` hold whole games, and nothing that plays may import them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.bots.bayesian import wary
from engine.bots.bot import Bot, Budget, Playouts, Seconds, random_bot
from engine.bots.evaluation import greedy
from engine.bots.search import search

LEVELS: Final[Mapping[str, Bot]] = MappingProxyType({"easy": greedy, "fair": wary, "hard": search})
"""The levels that people choose from, the weakest first."""

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"random": random_bot, "greedy": greedy, "wary": wary, "search": search, **LEVELS}
)
"""The bots by the names they are asked for."""

__all__ = [
    "BOTS",
    "LEVELS",
    "Bot",
    "Budget",
    "Playouts",
    "Seconds",
    "greedy",
    "random_bot",
    "search",
    "wary",
]
