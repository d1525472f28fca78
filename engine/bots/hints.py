"""Hints for a person: the moves that `search` considers in their place, each with a reason.

A reason is a value; the user interface words it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.actions import Break, Map, Repair, Rockfall
from engine.board import GOAL_CELLS, Cell
from engine.bots.beliefs import Beliefs, find_likely_gold, infer_beliefs
from engine.bots.bot import Budget, greedy, list_choices
from engine.bots.evaluation import is_remote
from engine.bots.evidence import Observations, observe
from engine.bots.fast_board import SITE_DISTANCES, UNREACHABLE_CARDS
from engine.bots.searching import search_moves
from engine.bots.talk import SILENCE, GoldAt, Honesty, StoneAt, Talk
from engine.cards import Card, Goal, Role
from engine.moves import KeepGold, Lay, Move, Play
from engine.view import View

SUSPECT_PROBABILITY: Final = 0.5
"""Saboteur probability above which no hint relies on what a seat says."""


@dataclass(frozen=True, slots=True)
class Reaches:
    """The tunnel opens onto the goal on this cell, which may be the treasure."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Nearer:
    """The tunnel comes nearer to the gold by `by` cards, and needs `distance` more."""

    by: int
    distance: int


@dataclass(frozen=True, slots=True)
class OpensWay:
    """The tunnel gets another way on, no nearer to the gold than before."""


@dataclass(frozen=True, slots=True)
class LeadsAway:
    """The tunnel leads to a place without gold."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The tunnel ends on this cell, at a dead end or at ways that are closed."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class HarmsNobody:
    """The tunnel ends on this cell, far from the way to any goal."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Clears:
    """A dead end that stands in the way on this cell is removed."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class CutsOff:
    """The tunnel is cut on this cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class FreesYou:
    """The player has one broken tool less."""


@dataclass(frozen=True, slots=True)
class Frees:
    """This seat has one broken tool less; `trust` is its probability of being a miner."""

    seat: int
    trust: float


@dataclass(frozen=True, slots=True)
class Stops:
    """This seat cannot dig. `doubt` is its saboteur probability, which may be the highest."""

    seat: int
    doubt: float
    is_highest: bool


@dataclass(frozen=True, slots=True)
class FindsOut:
    """The goal on this cell is looked at; `gold` is its probability of being the treasure."""

    cell: Cell
    gold: float


@dataclass(frozen=True, slots=True)
class Sheds:
    """This card is the one that the player needs least."""

    card: Card


@dataclass(frozen=True, slots=True)
class MostNuggets:
    """No gold card on offer has more nuggets."""


HintReason = (
    Reaches
    | Nearer
    | OpensWay
    | LeadsAway
    | Blocks
    | HarmsNobody
    | Clears
    | CutsOff
    | FreesYou
    | Frees
    | Stops
    | FindsOut
    | Sheds
    | MostNuggets
)
"""The reason for a hint, for the user interface to word."""


@dataclass(frozen=True, slots=True)
class Believed:
    """A seat's report of a goal that supports a move; `was_right` if an earlier one proved true."""

    seat: int
    claim: GoldAt | StoneAt
    was_right: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """A move with the reason for it.

    `wins` is the share of its play-outs that the player's side won, or None if there were none.
    `believed` is a report by somebody else that supports it, too.
    """

    move: Move
    reason: HintReason
    wins: float | None
    believed: Believed | None = None


def find_hints(view: View, rng: Random, budget: Budget, talk: Talk = SILENCE) -> list[Hint]:
    """Return the moves that `search` considers, best first, with their reasons.

    A miner is shown cards that lead astray only after those that dig nearer. When gold is shared,
    the only hint is the card with the most nuggets. Raises `ValueError` if the seat is not to act.
    """
    if isinstance(list_choices(view)[0], KeepGold):
        return [Hint(greedy(view, rng, budget), MostNuggets(), None)]
    observed = observe(view, talk)
    beliefs = infer_beliefs(observed)
    believed = find_believed_report(observed, beliefs)
    found = []
    for candidate in search_moves(observed, beliefs, rng, budget):
        reason = find_reason(view, beliefs, candidate.move)
        digs = isinstance(reason, Reaches | Nearer | OpensWay)
        found.append(Hint(candidate.move, reason, candidate.wins, believed if digs else None))
    return found if view.role is Role.SABOTEUR else _put_digging_first(found)


def _put_digging_first(found: Sequence[Hint]) -> list[Hint]:
    """Return these hints with the lays that lead astray after the last one that digs nearer."""
    digging = [at for at, hint in enumerate(found) if isinstance(hint.reason, Reaches | Nearer)]
    until = digging[-1] + 1 if digging else 0
    astray = [hint for hint in found[:until] if isinstance(hint.reason, LeadsAway | Blocks)]
    others = [hint for hint in found[:until] if hint not in astray]
    return [*others, *astray, *found[until:]]


def find_believed_report(observed: Observations, beliefs: Beliefs) -> Believed | None:
    """Return the report that a miner should trust, or None if there is none.

    Its speaker is probably a miner, and looked at that goal; the player does not know the goal, and
    the report agrees with the beliefs. A report of gold is preferred to a report of stone, and a
    later report to an earlier one.
    """
    view, found = observed.view, None
    for (seat, goal), gold in observed.talk.reports().items():
        cell, is_likely = GOAL_CELLS[goal], bool(find_likely_gold(beliefs) >> goal & 1)
        proven = _count_proven(observed, seat)
        if (
            seat != view.seat
            and view.goal_on(cell) is None
            and observed.looks[seat] >> goal & 1
            and beliefs.saboteur[seat] < SUSPECT_PROBABILITY
            and is_likely == gold
            and proven.true >= proven.false
            and (gold or found is None or isinstance(found.claim, StoneAt))
        ):
            claim = GoldAt(cell) if gold else StoneAt(cell)
            found = Believed(seat, claim, was_right=proven.true > 0 and not proven.false)
    return found


def _count_proven(observed: Observations, seat: int) -> Honesty:
    """Count the reports of a seat in this game that were proven true, and proven false."""
    record = observed.talk.record(seat)
    proven = Honesty(*map(sum, zip(*record, strict=True)))
    for (by, goal), gold in observed.talk.reports().items():
        face = observed.view.goal_on(GOAL_CELLS[goal])
        if by == seat and face is not None:
            proven = proven.after(true=gold == (face is Goal.TREASURE))
    return proven


def find_reason(view: View, beliefs: Beliefs, move: Play) -> HintReason:
    """Return the reason for a legal move of the seat to play."""
    match move:
        case Lay():
            return _find_reason_to_lay(view, beliefs, move)
        case Break():
            doubt = beliefs.saboteur[move.target]
            others = (other for seat, other in enumerate(beliefs.saboteur) if seat != view.seat)
            return Stops(move.target, doubt, doubt == max(others))
        case Repair():
            if move.target == view.seat:
                return FreesYou()
            return Frees(move.target, 1 - beliefs.saboteur[move.target])
        case Rockfall():
            if view.table.board.cards[move.cell].through:
                return CutsOff(move.cell)
            return Clears(move.cell)
        case Map():
            return FindsOut(move.cell, beliefs.gold[_find_goal(move.cell)])
        case _:
            return Sheds(move.card)


def _find_reason_to_lay(view: View, beliefs: Beliefs, move: Lay) -> HintReason:
    board = view.table.board
    opened = board.with_card(move.cell, move.path).opened_goals() if move.path.through else ()
    if opened:
        return Reaches(max(opened, key=lambda cell: beliefs.gold[_find_goal(cell)]))
    sites = SITE_DISTANCES[find_likely_gold(beliefs)]
    then = sites.count_after(board, move.cell, move.path)
    if then >= UNREACHABLE_CARDS:  # a dead end, or a card whose ways on are all closed
        return HarmsNobody(move.cell) if is_remote(board, move.cell) else Blocks(move.cell)
    by = sites.count_needed(board) - then
    if by > 0:
        return Nearer(by, then)
    return OpensWay() if by > -2 else LeadsAway()


def _find_goal(cell: Cell) -> int:
    """Return the index of the goal on this cell, from north to south."""
    return GOAL_CELLS.index(cell)
