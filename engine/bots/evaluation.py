"""`greedy`: the one-ply bot that values a move by how many cards the tunnel still needs.

Distances run to the nearest goal that may hide the treasure, as the crow flies. The bot uses its
own role, hand and maps, and no past actions. Play-outs with it separate good deals from bad ones;
uniformly random play-outs do not.
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
"""Distance where no tunnel can lead any further, in cards."""

NEARER_VALUE: Final = 100
BREAK_VALUE: Final = 80
"""Values of a path card that brings a miner nearer to the gold, and of a tool that a saboteur
breaks. They exceed all other values, so that a bot that can do it need not rate other moves."""

TargetCells = tuple[Cell, ...]
"""The cells of the goals that may be the treasure."""


def greedy(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move with the highest value. Raises `ValueError` if the seat is not to act.

    Equal values are decided by chance. When gold is shared, the card of most nuggets is kept.
    """
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
    """Yield a miner's moves in groups, digging near the gold first, as it exceeds all else."""
    table, seat = sight.table, sight.seat
    cards = tuple(dict.fromkeys(view.hand))
    if not table.broken[seat]:
        for away in (sight.distance, sight.distance + 1):
            yield rules.lays(cards, [site for far, site in openings if far == away])
    yield rules.plays(table, seat, tuple(card for card in cards if not card.ways))
    yield rules.discards(cards)


def _saboteurs_moves(view: View, sight: _Sight) -> Iterator[Sequence[Play]]:
    """Yield a saboteur's moves in groups, breaking tools first, without tunnels that lead on."""
    table, seat = sight.table, sight.seat
    cards = tuple(dict.fromkeys(view.hand))
    yield rules.plays(table, seat, tuple(card for card in cards if card.breaks))
    yield rules.plays(table, seat, tuple(card for card in cards if card not in _NOT_FOR_SABOTEURS))
    yield rules.discards(cards)


def _nuggets(move: Move) -> int:
    """Return the nuggets of the gold card that a move keeps."""
    assert isinstance(move, KeepGold)
    return move.nuggets


def where_gold_may_be(view: View) -> TargetCells:
    """Return the face-down goals that may be the treasure, as far as this seat knows (A5)."""
    hidden = view.table.board.hidden
    if view.peeks == NO_PEEKS:
        return hidden
    known = dict(zip(GOAL_CELLS, view.peeks, strict=True))
    found = tuple(cell for cell in hidden if known[cell] is Goal.TREASURE)
    return found or tuple(cell for cell in hidden if known[cell] is None)


@lru_cache(maxsize=1 << 14)
def _distance(cell: Cell, targets: TargetCells) -> int:
    """Return the steps from a cell to the nearest target, 0 on a target."""
    x, y = cell
    return min(
        (abs(x - east) + abs(y - south) for east, south in targets), default=UNREACHABLE_STEPS
    )


@lru_cache(maxsize=1 << 14)
def _distance_after(path: Path, cell: Cell, targets: TargetCells) -> int:
    """Return how many more cards the tunnel needs after this path is laid on the cell."""
    if not path.through:
        return UNREACHABLE_STEPS
    return min(
        _distance(beside, targets) for side, _, beside in neighbours(cell) if path.edges & side
    )


class _Sight(NamedTuple):
    """The facts that a move is valued by. `distance` is how many more cards the tunnel needs."""

    seat: int
    table: Table
    targets: TargetCells
    distance: int


def _value_to_miner(sight: _Sight, move: Play) -> int:
    """Return a move's value to a miner: dig, repair oneself, look, clear, help, discard."""
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
    """Return a move's value to a saboteur: break tools, block or cut the tunnel, shed diggers."""
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
    """Return each card's value in the hand of one side. The least valuable is discarded first."""

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
