"""`wary`: the one-ply bot that weighs greedy's ideas by beliefs, and hides as a saboteur.

As a saboteur it may play like a miner while the gold is far. Its moves as ranked by `rank_moves`
are also the ones that `search` begins from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import Final

from engine.bots.actions import Observations, observe
from engine.bots.beliefs import Beliefs, infer_beliefs, public_beliefs
from engine.bots.bot import Budget, greedy
from engine.bots.distance import SITE_DISTANCES, TargetSet
from engine.bots.evaluation import (
    WARY_MINER,
    WARY_SABOTEUR,
    Outlook,
    value_to_miner,
    value_to_saboteur,
)
from engine.bots.talk import SILENCE, Talk
from engine.cards import Role
from engine.events import public_event
from engine.moves import Discard, Move, Play
from engine.view import View

OBVIOUS_PROBABILITY: Final = 0.6
"""Public saboteur probability above which concealment is pointless."""

ATTACK_DISTANCE_CARDS: Final = 6
"""Tunnel distance, in cards, at which a concealed saboteur starts to sabotage. Lower values lose
more rounds."""

MINERS_MOVE_PROBABILITY: Final = 0.25
"""Probability that a saboteur who conceals itself makes a miner's move; else it does harm.

Passing is no way to conceal itself: miners seldom have to pass. Digging for the miners each time
would lose five rounds in a hundred.
"""

DIG_RELATIVE_PROBABILITY: Final = 0.4
"""Dig towards goals more likely than this, relative to the likeliest one."""


def should_conceal(observed: Observations, distance: int) -> bool:
    """Return True if a saboteur may still play like a miner, `distance` cards from the gold.

    It may not once the gold is near, or once everybody takes it for a saboteur.
    """
    seat = observed.view.seat
    assert seat is not None
    return (
        distance > ATTACK_DISTANCE_CARDS
        and public_beliefs(observed).saboteur[seat] < OBVIOUS_PROBABILITY
    )


def exposure(observed: Observations, move: Play) -> float:
    """Return the public probability, after this move, that the seat to play is a saboteur."""
    view = observed.view
    assert view.seat is not None
    event = public_event(view.seat, move, view.table.board)
    return public_beliefs(observed.after((event,))).saboteur[view.seat]


def least_revealing_move(observed: Observations, moves: Iterable[Play]) -> Play:
    """Return the first of these legal moves that exposes the seat to play no more than a pass."""
    passing = exposure(observed, Discard(observed.view.hand[0]))
    return next(move for move in moves if exposure(observed, move) <= passing)


def select_talk(view: View, talk: Talk) -> Talk:
    """Return the talk that a bot uses: all of it for a miner, none for a saboteur.

    Listening gained saboteurs no rounds: docs/bots.md, "How they listen".
    """
    return SILENCE if view.role is Role.SABOTEUR else talk


def wary(view: View, rng: Random, budget: Budget, talk: Talk = SILENCE) -> Move:
    """Return the best-ranked move. Raises `ValueError` if the seat is not to act.

    A saboteur that conceals itself makes the best of a miner's moves that do not expose it.
    """
    if view.seat is None or view.seat != view.table.turn:
        return greedy(view, rng, budget)
    observed = observe(view, select_talk(view, talk))
    beliefs = infer_beliefs(observed)
    if view.role is Role.SABOTEUR and rng.random() < MINERS_MOVE_PROBABILITY:
        distance = SITE_DISTANCES[likely_gold(beliefs)].ahead(view.table.board)
        if should_conceal(observed, distance):
            ranked = rank_moves(view, beliefs, rng, Role.MINER)
            return least_revealing_move(observed, [move for _, move in ranked])
    return rank_moves(view, beliefs, rng)[0][1]


def rank_moves(
    view: View, beliefs: Beliefs, rng: Random, role: Role | None = None
) -> list[tuple[float, Play]]:
    """Return the legal moves of the seat to play with their values, best first.

    They are valued by its own role unless another is given. Equal moves are in random order.
    """
    assert view.seat is not None
    board, sites = view.table.board, SITE_DISTANCES[likely_gold(beliefs)]
    distance = sites.ahead(board)
    sight = Outlook(
        view.seat, view.table, sites, distance, board.sites, beliefs.saboteur, beliefs.gold
    )
    worth: Callable[[Outlook, Play], float] = (
        partial(value_to_saboteur, WARY_SABOTEUR)
        if (role or view.role) is Role.SABOTEUR
        else partial(value_to_miner, WARY_MINER)
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
