"""Bots: programs that play.

A bot is called as `bot(view, rng, budget)` when its seat is to act, and returns a legal move. With
the same view, the same state of `rng` and a budget of play-outs it returns the same move. A bot
with a parameter `talk` is also given what was said at the table, one with a parameter `temper` what
tells it from others, and one that returns a `SpokenMove` says something with its move.

    evaluation                  values of cards and moves
    bot                         the `Bot` protocol, budgets, the random bot and `greedy`
    talk                        claims, and how honest each seat was before
    temper                      what tells bots of one level apart
    evidence                    what each seat did in a round, as evidence of its role
    beliefs                     who may be a saboteur, where the gold may be; moves ranked by that
    hand_model                  what others may hold; rounds sampled from that and from beliefs
    fast_board                  the board of play-outs, and cards still needed to a goal
    rollout                     the round of play-outs, and the policies in them
    searching                   `search`, which compares moves by play-outs, and `wary`
    hints                       advice for a person
    claims                      what a bot says
    occasions                   when it may say something
    executables                 why other authors' programs cannot start
    installed                   bots in other packages, by their entry points, and programs
    programs                    bots that are programs, asked by lines of JSON
    estimates                   shares counted in play-outs, with their intervals
    review                      what could be known and done in a game that is over

Bots do no I/O, except those that are programs, and never see hidden cards. `review` holds whole
games with their secrets, so nothing that plays may import it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.bots.bot import Bot, Budget, Playouts, Seconds, SpokenMove, greedy, random_bot
from engine.bots.searching import search, wary

LEVELS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"easy": greedy, "medium": wary, "hard": search}
)
"""The levels that people choose from, weakest first."""

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"random": random_bot, "greedy": greedy, "wary": wary, "search": search, **LEVELS}
)
"""All bots by name, the names of the levels included."""

__all__ = [
    "BOTS",
    "LEVELS",
    "Bot",
    "Budget",
    "Playouts",
    "Seconds",
    "SpokenMove",
    "greedy",
    "random_bot",
    "search",
    "wary",
]
