"""The bot that looks one move ahead: it digs towards the gold, or against those who do.

Its measure is how many more cards the tunnel needs to a goal that may hide the treasure, as
the crow flies. It looks at its own role, hand and maps, and at nobody's past deeds. Played out by
such bots, good deals and bad ones come apart, as they do not when all play by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple, assert_never

from engine import rules
from engine.board import GOAL_CELLS, Cell, Site, neighbours
from engine.bots.bot import Budget, to_choose_from
from engine.cards import CARDS, Card, Goal, Path, Role
from engine.moves import Break, Discard, KeepGold, Lay, Map, Move, Play, Repair, Rockfall
from engine.round import NO_PEEKS
from engine.state import Table
from engine.view import View

UNREACHABLE_STEPS: Final = 99
"""Cards to go where no tunnel can get any further."""

NEARER_VALUE: Final = 100
BREAK_VALUE: Final = 80
"""What a miner's card is worth that brings the gold nearer, and a tool that a saboteur breaks:
more than all else, so that who can do it need not look any further."""

TargetCells = tuple[Cell, ...]


def greedy(view: View, rng: Random, budget: Budget) -> Move:
    """The move that looks best at once. Raises `ValueError` where the seat is not to act."""
    del budget  # It does not think ahead.
    if view.seat is None or view.seat != view.table.turn:
        return max(to_choose_from(view), key=_nuggets)
    targets = where_gold_may_be(view)
    openings = [(_distance(site[0], targets), site) for site in view.table.board.openings]
    distance = min([away for away, _ in openings], default=UNREACHABLE_STEPS)
    sight = _Sight(view.seat, view.table, targets, distance)
    if view.role is Role.SABOTEUR:
        worth, enough, kinds = _value_to_saboteur, BREAK_VALUE, _saboteurs_moves(view, sight)
    else:
        worth, enough, kinds = _value_to_miner, NEARER_VALUE, _miners_moves(view, sight, openings)
    best: list[Play] = []
    most = -1
    for moves in kinds:
        for move in moves:
            found = worth(sight, move)
            if found > most:
                best, most = [move], found
            elif found == most:
                best.append(move)
        if most >= enough:
            break
    return rng.choice(best)


def _miners_moves(
    view: View, sight: _Sight, openings: list[tuple[int, Site]]
) -> Iterator[Sequence[Play]]:
    """What a miner thinks of: first the digging that beats all else, and only near the gold."""
    table, seat = sight.table, sight.seat
    cards = tuple(dict.fromkeys(view.hand))
    if not table.broken[seat]:
        for away in (sight.distance, sight.distance + 1):
            yield rules.lays(cards, [site for far, site in openings if far == away])
    yield rules.plays(table, seat, tuple(card for card in cards if not card.ways))
    yield rules.discards(cards)


def _saboteurs_moves(view: View, sight: _Sight) -> Iterator[Sequence[Play]]:
    """What a saboteur thinks of: first the tools to break, never a tunnel that leads on."""
    table, seat = sight.table, sight.seat
    cards = tuple(dict.fromkeys(view.hand))
    yield rules.plays(table, seat, tuple(card for card in cards if card.breaks))
    yield rules.plays(table, seat, tuple(card for card in cards if card not in _NOT_FOR_SABOTEURS))
    yield rules.discards(cards)


def _nuggets(move: Move) -> int:
    assert isinstance(move, KeepGold)
    return move.nuggets


def where_gold_may_be(view: View) -> TargetCells:
    """The face-down goals that may be the treasure, as far as this seat knows (A5)."""
    hidden = view.table.board.hidden
    if view.peeks == NO_PEEKS:
        return hidden
    known = dict(zip(GOAL_CELLS, view.peeks, strict=True))
    found = tuple(cell for cell in hidden if known[cell] is Goal.TREASURE)
    return found or tuple(cell for cell in hidden if known[cell] is None)


@lru_cache(maxsize=1 << 14)
def _distance(cell: Cell, targets: TargetCells) -> int:
    """Steps from a cell to the nearest target, 0 where it is one."""
    x, y = cell
    return min(
        (abs(x - east) + abs(y - south) for east, south in targets), default=UNREACHABLE_STEPS
    )


@lru_cache(maxsize=1 << 14)
def _distance_after(path: Path, cell: Cell, targets: TargetCells) -> int:
    """How many cards the tunnel still needs behind one laid there."""
    if not path.through:
        return UNREACHABLE_STEPS
    return min(
        _distance(beside, targets) for side, _, beside in neighbours(cell) if path.edges & side
    )


class _Sight(NamedTuple):
    """What the worth of a move is judged by; `distance` is how many more cards are needed."""

    seat: int
    table: Table
    targets: TargetCells
    distance: int


def _value_to_miner(sight: _Sight, move: Play) -> int:
    """How good a move looks to a miner: dig, be able to dig, find out where, help, wait."""
    match move:
        case Lay():
            nearer = sight.distance - _distance_after(move.path, move.cell, sight.targets)
            return NEARER_VALUE + nearer if nearer > 0 else max(37 + 4 * nearer, 0)
        case Discard():
            return 40 - _USE_TO_MINERS[move.card]
        case Rockfall():
            through = sight.table.board.cards[move.cell].through
            return 1 if through else 60 - _distance(move.cell, sight.targets)
        case Repair():
            return (95 if move.target == sight.seat else 50) - len(move.card.repairs)
        case Map():
            return 80 if len(sight.targets) > 1 else 30
        case Break():
            return 0
        case _:
            assert_never(move)


def _value_to_saboteur(sight: _Sight, move: Play) -> int:
    """How good a move looks to a saboteur: break the tools, block the road, burn what digs."""
    match move:
        case Break():
            broken = sight.table.broken[move.target].bit_count()
            return 1 if move.target == sight.seat else BREAK_VALUE + 2 - broken
        case Lay():
            return 75 - max(_distance(move.cell, sight.targets) - sight.distance, 0)
        case Discard():
            return 40 + _USE_TO_MINERS[move.card] - _USE_TO_SABOTEURS[move.card]
        case Rockfall():
            reached = move.cell in sight.table.board.reached
            return 75 - 2 * _distance(move.cell, sight.targets) if reached else 1
        case Repair():
            return 45 if move.target == sight.seat else 1
        case Map():
            return 41 if len(sight.targets) > 1 else 30
        case _:
            assert_never(move)


def _use(dead_end: int, breaks: int, repairs: int, rockfall: int) -> Mapping[Card, int]:
    """What a card in the hand is worth to a side; what is worth least is thrown away first."""

    def of(card: Card) -> int:
        if card.breaks:
            return breaks
        if card.repairs:
            return repairs
        if card.ways:
            way = card.ways[0]
            return 10 + 2 * way.edges.bit_count() if way.through else dead_end
        return rockfall if card is Card.ROCKFALL else 9

    return {card: of(card) for card in CARDS}


_USE_TO_MINERS: Final = _use(dead_end=0, breaks=2, repairs=12, rockfall=5)
_USE_TO_SABOTEURS: Final = _use(dead_end=30, breaks=40, repairs=5, rockfall=30)

_NOT_FOR_SABOTEURS: Final = frozenset(
    card for card in CARDS if card.breaks or (card.ways and card.ways[0].through)
)
