"""Advice for a person: the moves that `search` would think of in their place, and why.

A reason is data, for a face to make one sentence of.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import assert_never

from engine.board import GOAL_CELLS, Cell
from engine.bots.bayesian import likely_gold
from engine.bots.beliefs import Beliefs, infer_beliefs
from engine.bots.bot import Budget, to_choose_from
from engine.bots.distance import SITE_DISTANCES
from engine.bots.evaluation import greedy
from engine.bots.search import best_first
from engine.cards import Card
from engine.moves import Break, Discard, KeepGold, Lay, Map, Move, Play, Repair, Rockfall
from engine.view import View


@dataclass(frozen=True, slots=True)
class Reaches:
    """The tunnel then opens onto the goal on that cell, which may be the treasure."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Nearer:
    """The tunnel comes nearer to the gold by `by` cards, and needs `distance` more."""

    by: int
    distance: int


@dataclass(frozen=True, slots=True)
class OpensWay:
    """Another way on, no nearer than before."""


@dataclass(frozen=True, slots=True)
class LeadsAway:
    """The tunnel goes where there is no gold."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Nobody digs on there."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Clears:
    """A card that stands in the way goes."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class CutsOff:
    """The tunnel is cut there."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class FreesYou:
    """You have one broken tool less."""


@dataclass(frozen=True, slots=True)
class Frees:
    """That seat digs again; `trust` is how likely it is a miner."""

    seat: int
    trust: float


@dataclass(frozen=True, slots=True)
class Stops:
    """That seat digs no more; `doubt` is how likely it is a saboteur, `most` none more so."""

    seat: int
    doubt: float
    most: bool


@dataclass(frozen=True, slots=True)
class FindsOut:
    """It may be the treasure that lies there: so likely."""

    cell: Cell
    gold: float


@dataclass(frozen=True, slots=True)
class Sheds:
    """You can best do without that card."""

    card: Card


@dataclass(frozen=True, slots=True)
class MostNuggets:
    """There is no better card on offer."""


HintReason = (
    Reaches
    | Nearer
    | OpensWay
    | LeadsAway
    | Blocks
    | Clears
    | CutsOff
    | FreesYou
    | Frees
    | Stops
    | FindsOut
    | Sheds
    | MostNuggets
)


@dataclass(frozen=True, slots=True)
class Hint:
    """A move and the reason for it. `wins` is the share of imagined rounds its side won with it.

    `None` where it was tried in none.
    """

    move: Move
    reason: HintReason
    wins: float | None


def hints(view: View, rng: Random, budget: Budget) -> list[Hint]:
    """The moves that `search` would think of, the best first.

    Raises `ValueError` where the seat is not to act.
    """
    if isinstance(to_choose_from(view)[0], KeepGold):
        return [Hint(greedy(view, rng, budget), MostNuggets(), None)]
    beliefs = infer_beliefs(view)
    return [
        Hint(one.move, reason_for(view, beliefs, one.move), one.wins)
        for one in best_first(view, rng, budget)
    ]


def reason_for(view: View, beliefs: Beliefs, move: Play) -> HintReason:
    """What speaks for a legal move of the seat to play."""
    match move:
        case Lay():
            return _reason_to_lay(view, beliefs, move)
        case Break():
            of = beliefs.of[move.target]
            others = (other for seat, other in enumerate(beliefs.of) if seat != view.seat)
            return Stops(move.target, of, of == max(others))
        case Repair():
            if move.target == view.seat:
                return FreesYou()
            return Frees(move.target, 1 - beliefs.of[move.target])
        case Rockfall():
            if view.table.board.cards[move.cell].through:
                return CutsOff(move.cell)
            return Clears(move.cell)
        case Map():
            return FindsOut(move.cell, beliefs.gold[_goal(move.cell)])
        case Discard():
            return Sheds(move.card)
        case _:
            assert_never(move)


def _reason_to_lay(view: View, beliefs: Beliefs, move: Lay) -> HintReason:
    if not move.path.through:
        return Blocks(move.cell)
    board = view.table.board
    opened = board.with_card(move.cell, move.path).opened_goals()
    if opened:
        return Reaches(max(opened, key=lambda cell: beliefs.gold[_goal(cell)]))
    sites = SITE_DISTANCES[likely_gold(beliefs)]
    then = sites.distance_after(move.path, (move.cell, board.sites[move.cell]))
    by = sites.ahead(board) - then
    if by > 0:
        return Nearer(by, then)
    return OpensWay() if by > -2 else LeadsAway()


def _goal(cell: Cell) -> int:
    return GOAL_CELLS.index(cell)
