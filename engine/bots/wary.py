"""The bot that doubts: greedy's ideas, weighed by who may be a saboteur and where the gold may be.

It looks one move ahead, and as a saboteur it hides while the gold is far. Its `ranked` moves are
also what `search` begins from.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import Final, NamedTuple, assert_never

from engine.board import GOAL_CELLS
from engine.bots.base import Budget
from engine.bots.greedy import greedy
from engine.bots.hiding import hides, innocent
from engine.bots.sites import SITES, Sites, Targets
from engine.bots.suspicion import Suspicion, suspicion
from engine.cards import CARDS, Card, Role
from engine.moves import Break, Discard, Lay, Map, Move, Play, Repair, Rockfall
from engine.table import Table
from engine.view import View

LIKELY: Final = 0.4
"""A goal is dug for that is so likely the treasure, beside the likeliest."""

SURE: Final = 0.97
"""A goal that is treasure or stone with this likelihood is not looked at."""


def wary(view: View, rng: Random, budget: Budget) -> Move:
    """The move that looks best at once. Raises `ValueError` where the seat is not to act."""
    if view.seat is None or view.seat != view.table.turn:
        return greedy(view, rng, budget)
    doubt = suspicion(view)
    moves = [move for _, move in ranked(view, doubt, rng)]
    if view.role is Role.SABOTEUR:
        ahead = SITES[likely_gold(doubt)].ahead(view.table.board)
        if hides(view, ahead):
            return innocent(view, moves)
    return moves[0]


def ranked(view: View, doubt: Suspicion, rng: Random) -> list[tuple[float, Play]]:
    """The moves of the seat to play, the best first, each with its worth.

    Equally good ones come in an order of chance.
    """
    assert view.seat is not None
    targets = likely_gold(doubt)
    sites = SITES[targets]
    sight = _Sight(view.seat, view.table, doubt, sites, sites.ahead(view.table.board), targets)
    worth = _saboteurs_worth if view.role is Role.SABOTEUR else _miners_worth
    moves = [move for move in view.legal_moves() if isinstance(move, Play)]
    rng.shuffle(moves)
    return sorted([(worth(sight, move), move) for move in moves], key=_by_worth)


def likely_gold(doubt: Suspicion) -> Targets:
    """The goals that are worth digging for."""
    most = max(doubt.gold)
    return sum(1 << goal for goal, gold in enumerate(doubt.gold) if gold > LIKELY * most)


def _by_worth(found: tuple[float, Play]) -> float:
    return -found[0]


class _Sight(NamedTuple):
    """What the worth of a move is judged by; `ahead` is how many more cards are needed."""

    seat: int
    table: Table
    doubt: Suspicion
    sites: Sites
    ahead: int
    targets: Targets

    def nearer(self, move: Lay) -> int:
        """How much nearer to the gold a card leads than the tunnel does."""
        site = move.cell, self.table.board.sites[move.cell]
        return self.ahead - self.sites.then(move.path, site)

    def leads(self, move: Lay) -> int:
        """How many new ways a card opens."""
        return (move.path.edges & ~self.table.board.sites[move.cell]).bit_count()

    @property
    def unsure(self) -> bool:
        """Whether more than one goal is dug for."""
        return self.targets.bit_count() > 1


def _miners_worth(sight: _Sight, move: Play) -> float:
    """How good a move looks to a miner: dig, be able to dig, find out where, help, hinder, wait."""
    match move:
        case Lay():
            nearer = sight.nearer(move)
            if nearer > 0:
                return 100 + nearer + 0.2 * sight.leads(move)
            return max(37 + 4 * nearer, 0)
        case Discard():
            return 40 - _USE_TO_MINERS[move.card]
        case Rockfall():
            through = sight.table.board.cards[move.cell].through
            return 1 if through else 60 - sight.sites.away(move.cell)
        case Repair():
            trust = 1 - sight.doubt.of[move.target]
            return (95 if move.target == sight.seat else 62 * trust) - len(move.card.repairs)
        case Map():
            gold = sight.doubt.gold[GOAL_CELLS.index(move.cell)]
            return 80 + (move.cell[1] == 0) if 1 - SURE < gold < SURE else 30
        case Break():
            doubt = sight.doubt.of[move.target]
            if move.target == sight.seat:
                return 0
            return 60 * doubt - 30 if sight.table.broken[move.target] else 150 * doubt - 60
        case _:
            assert_never(move)


def _saboteurs_worth(sight: _Sight, move: Play) -> float:
    """How good a move looks to a saboteur: break miners' tools, block the road, lead astray."""
    match move:
        case Break():
            trust = 1 - sight.doubt.of[move.target]
            broken = sight.table.broken[move.target].bit_count()
            return 0 if move.target == sight.seat else (82 - 3 * broken) * sqrt(trust)
        case Lay():
            if not move.path.through:
                return 75 - 2 * max(sight.sites.away(move.cell) - sight.ahead, 0)
            nearer = sight.nearer(move)
            return 44 + 2 * nearer if nearer > 0 else 45 - 0.5 * nearer
        case Discard():
            return 40 - _USE_TO_SABOTEURS[move.card]
        case Rockfall():
            board = sight.table.board
            harm = board.cards[move.cell].through and move.cell in board.reached
            return 75 - 2 * sight.sites.away(move.cell) if harm else 1
        case Repair():
            own = move.target == sight.seat
            return 46 if own else 30 * sight.doubt.of[move.target]
        case Map():
            return 41 if sight.unsure else 20
        case _:
            assert_never(move)


def _use(dead_end: int, breaks: int, repairs: int, rockfall: int, path: int) -> dict[Card, int]:
    """What a card in the hand is worth to a side; what is worth least is thrown away first."""

    def of(card: Card) -> int:
        if card.breaks:
            return breaks
        if card.repairs:
            return repairs
        if card.ways:
            way = card.ways[0]
            return path * (5 + way.edges.bit_count()) if way.through else dead_end
        return rockfall if card is Card.ROCKFALL else 9

    return {card: of(card) for card in CARDS}


_USE_TO_MINERS: Final = _use(dead_end=0, breaks=6, repairs=12, rockfall=7, path=2)
_USE_TO_SABOTEURS: Final = _use(dead_end=30, breaks=40, repairs=5, rockfall=30, path=-1)
