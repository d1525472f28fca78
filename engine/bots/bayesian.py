"""`wary`: the one-ply bot that weighs greedy's ideas by beliefs, and hides as a saboteur.

As a saboteur it plays like a miner while the gold is far, and avoids moves that expose it. Its
moves as ranked by `rank_moves` are also the ones that `search` begins from.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from random import Random
from typing import Final, NamedTuple, assert_never

from engine.board import GOAL_CELLS
from engine.bots.beliefs import Beliefs, infer_beliefs, public_beliefs
from engine.bots.bot import Budget
from engine.bots.distance import SITE_DISTANCES, SiteDistances, TargetSet
from engine.bots.evaluation import greedy
from engine.cards import CARDS, Card, Role
from engine.events import Broke, Collapsed, Laid, Looked, Passed, Public, Repaired
from engine.moves import Break, Discard, Lay, Map, Move, Play, Repair, Rockfall
from engine.state import Table
from engine.view import View

OBVIOUS_PROBABILITY: Final = 0.6
"""Public saboteur probability above which concealment is pointless."""

ATTACK_DISTANCE_CARDS: Final = 6
"""Tunnel distance, in cards, at which a concealed saboteur starts to sabotage. Lower values lose
more rounds."""


def should_conceal(view: View, distance: int) -> bool:
    """Return True if a saboteur should still play like a miner, `distance` cards from the gold.

    It should not once the gold is near, or once it is plainly a saboteur to everybody.
    """
    assert view.seat is not None
    return (
        distance > ATTACK_DISTANCE_CARDS
        and public_beliefs(view).of[view.seat] < OBVIOUS_PROBABILITY
    )


def exposure(view: View, move: Play) -> float:
    """Return the public probability, after this move, that the seat to play is a saboteur."""
    assert view.seat is not None
    return public_beliefs(view, _public_events(view, view.seat, move)).of[view.seat]


def least_revealing_move(view: View, moves: Iterable[Play]) -> Play:
    """Return the first of these legal moves that exposes the seat to play no more than a pass."""
    passing = exposure(view, Discard(view.hand[0]))
    return next(move for move in moves if exposure(view, move) <= passing)


def _public_events(view: View, seat: int, move: Play) -> Public:
    """Return the event that everybody sees of a move (rules, section K)."""
    match move:
        case Lay():
            return Laid(seat, move.path, move.cell)
        case Break():
            return Broke(seat, move.tool, move.target)
        case Repair():
            return Repaired(seat, move.card, move.target, move.tool)
        case Rockfall():
            return Collapsed(seat, move.cell, view.table.board.cards[move.cell])
        case Map():
            return Looked(seat, move.cell)
        case Discard():
            return Passed(seat)
        case _:
            assert_never(move)


DIG_RELATIVE_PROBABILITY: Final = 0.4
"""Dig towards goals more likely than this, relative to the likeliest one."""

CERTAIN_PROBABILITY: Final = 0.97
"""Probability of treasure, or of stone, from which a map on that goal finds out nothing."""


def wary(view: View, rng: Random, budget: Budget) -> Move:
    """Return the best-ranked move. Raises `ValueError` if the seat is not to act.

    A saboteur that conceals itself makes the best-ranked of the moves that do not expose it.
    """
    if view.seat is None or view.seat != view.table.turn:
        return greedy(view, rng, budget)
    beliefs = infer_beliefs(view)
    moves = [move for _, move in rank_moves(view, beliefs, rng)]
    if view.role is Role.SABOTEUR:
        distance = SITE_DISTANCES[likely_gold(beliefs)].ahead(view.table.board)
        if should_conceal(view, distance):
            return least_revealing_move(view, moves)
    return moves[0]


def rank_moves(view: View, beliefs: Beliefs, rng: Random) -> list[tuple[float, Play]]:
    """Return the legal moves of the seat to play with their values, best first.

    Equal moves are in random order.
    """
    assert view.seat is not None
    targets = likely_gold(beliefs)
    sites = SITE_DISTANCES[targets]
    sight = _Sight(view.seat, view.table, beliefs, sites, sites.ahead(view.table.board), targets)
    worth = _value_to_saboteur if view.role is Role.SABOTEUR else _value_to_miner
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


class _Sight(NamedTuple):
    """The facts that a move is valued by. `distance` is how many more cards the tunnel needs."""

    seat: int
    table: Table
    beliefs: Beliefs
    sites: SiteDistances
    distance: int
    targets: TargetSet

    def nearer(self, move: Lay) -> int:
        """Return how many cards nearer to the gold the tunnel is after this move."""
        site = move.cell, self.table.board.sites[move.cell]
        return self.distance - self.sites.distance_after(move.path, site)

    def leads(self, move: Lay) -> int:
        """Return how many open sides of the laid card face no face-up card."""
        return (move.path.edges & ~self.table.board.sites[move.cell]).bit_count()

    @property
    def unsure(self) -> bool:
        """True if more than one goal is dug for."""
        return self.targets.bit_count() > 1


def _value_to_miner(sight: _Sight, move: Play) -> float:
    """Return a move's value to a miner: dig, repair, look, break a suspect's tools, discard."""
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
            return 1 if through else 60 - sight.sites.distance(move.cell)
        case Repair():
            trust = 1 - sight.beliefs.of[move.target]
            return (95 if move.target == sight.seat else 62 * trust) - len(move.card.repairs)
        case Map():
            gold = sight.beliefs.gold[GOAL_CELLS.index(move.cell)]
            return (
                80 + (move.cell[1] == 0)
                if 1 - CERTAIN_PROBABILITY < gold < CERTAIN_PROBABILITY
                else 30
            )
        case Break():
            doubt = sight.beliefs.of[move.target]
            if move.target == sight.seat:
                return 0
            return 60 * doubt - 30 if sight.table.broken[move.target] else 150 * doubt - 60
        case _:
            assert_never(move)


def _value_to_saboteur(sight: _Sight, move: Play) -> float:
    """Return a move's value to a saboteur: break miners' tools, block or cut, lead astray."""
    match move:
        case Break():
            trust = 1 - sight.beliefs.of[move.target]
            broken = sight.table.broken[move.target].bit_count()
            return 0 if move.target == sight.seat else (82 - 3 * broken) * sqrt(trust)
        case Lay():
            if not move.path.through:
                return 75 - 2 * max(sight.sites.distance(move.cell) - sight.distance, 0)
            nearer = sight.nearer(move)
            return 44 + 2 * nearer if nearer > 0 else 45 - 0.5 * nearer
        case Discard():
            return 40 - _USE_TO_SABOTEURS[move.card]
        case Rockfall():
            board = sight.table.board
            harm = board.cards[move.cell].through and move.cell in board.reached
            return 75 - 2 * sight.sites.distance(move.cell) if harm else 1
        case Repair():
            own = move.target == sight.seat
            return 46 if own else 30 * sight.beliefs.of[move.target]
        case Map():
            return 41 if sight.unsure else 20
        case _:
            assert_never(move)


def _use(dead_end: int, breaks: int, repairs: int, rockfall: int, path: int) -> dict[Card, int]:
    """Return each card's value in the hand of one side. The least valuable is discarded first."""

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
