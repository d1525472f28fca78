"""Moves weighed by beliefs: the values of greedy's ideas, and what each move gives away.

A miner of `wary` makes the best move of `rank_moves`; `search` begins from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from engine.bots.actions import ActionKind, Observations
from engine.bots.beliefs import Beliefs, infer_beliefs
from engine.bots.distance import SITE_DISTANCES, TargetSet
from engine.bots.evaluation import (
    WARY_MINER,
    WARY_SABOTEUR,
    MinerValues,
    Outlook,
    value_to_miner,
    value_to_saboteur,
)
from engine.bots.talk import SILENCE
from engine.cards import Role
from engine.events import public_event
from engine.moves import Play
from engine.view import View

OBVIOUS_PROBABILITY: Final = 0.6
"""Public saboteur probability above which a seat is taken for a plain saboteur."""

DIG_RELATIVE_PROBABILITY: Final = 0.4
"""Dig towards goals more likely than this, relative to the likeliest one."""


def exposures(observed: Observations, moves: Iterable[Play]) -> list[float]:
    """Return the public probability, after each of these moves, that its seat is a saboteur."""
    view, public = observed.view, observed.public()
    assert view.seat is not None
    known: dict[tuple[tuple[ActionKind, ...], int], float] = {}
    found = []
    for move in moves:
        after = public.after((public_event(view.seat, move, view.table.board),))
        deed = after.actions[-1]
        # Moves of one kind give the same away.
        if (deed.kinds, deed.target) not in known:
            known[deed.kinds, deed.target] = infer_beliefs(after).saboteur[view.seat]
        found.append(known[deed.kinds, deed.target])
    return found


def form_beliefs(observed: Observations) -> Beliefs:
    """Return the beliefs that a bot acts on: a saboteur's leave out what was said.

    Believing it gained saboteurs no rounds: benchmarks/bots.md, "How they listen".
    """
    if observed.view.role is Role.SABOTEUR:
        return infer_beliefs(replace(observed, talk=SILENCE))
    return infer_beliefs(observed)


def rank_moves(
    view: View, beliefs: Beliefs, rng: Random, values: MinerValues = WARY_MINER
) -> list[tuple[float, Play]]:
    """Return the legal moves of the seat to play with their values to its side, best first.

    Equal moves are in random order. `values` are those of a miner.
    """
    assert view.seat is not None
    board, sites = view.table.board, SITE_DISTANCES[likely_gold(beliefs)]
    distance = sites.ahead(board)
    sight = Outlook(
        view.seat,
        view.table,
        sites,
        distance,
        board.sites if values.counts else {},
        beliefs.saboteur,
        beliefs.gold,
    )
    worth: Callable[[Outlook, Play], float] = (
        partial(value_to_saboteur, WARY_SABOTEUR)
        if view.role is Role.SABOTEUR
        else partial(value_to_miner, values)
    )
    moves = [move for move in view.legal_moves() if isinstance(move, Play)]
    rng.shuffle(moves)
    return sorted([(worth(sight, move), move) for move in moves], key=_by_value)


def likely_gold(beliefs: Beliefs) -> TargetSet:
    """Return the goals that are likely enough to dig towards."""
    most = max(beliefs.gold)
    return sum(
        1 << goal
        for goal, gold in enumerate(beliefs.gold)
        if gold > DIG_RELATIVE_PROBABILITY * most
    )


def _by_value(found: tuple[float, Play]) -> float:
    return -found[0]
