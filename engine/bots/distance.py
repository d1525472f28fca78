"""How near to the gold a card on a site brings the tunnel, worked out once for each site.

Finer than what `greedy` goes by: a side that a neighbour has shut leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine import rules
from engine.board import GOAL_CELLS, Board, Cell, Site, neighbours
from engine.cards import CARDS, PATHS, Card, Path
from engine.moves import Lay

UNREACHABLE_CARDS: Final = 31
"""Cards to go where no tunnel leads on; what is farther away than that is no worse."""

RANK_SCALE: Final = 1 << 7
"""A rank is the cards still to go, times this, and the way to lie; of ways that bring the tunnel
as near, those with more new openings come first. The least rank is the best."""

NO_FIT_RANK: Final = (UNREACHABLE_CARDS + 1) * RANK_SCALE
"""The rank of a card that does not fit."""

TargetSet = int
"""Goals that may be the treasure, as a set of bits from north to south."""

_PATH_CARDS: Final = tuple(card for card in CARDS if card.ways)
_RANK_WAYS: Final = 1 << 5
_MAX_REMEMBERED: Final = 1 << 14


class SiteDistances(dict[Site, tuple[int, ...]]):
    """For each site the rank of each path card there, by index, and last how far away it is."""

    def __init__(self, targets: TargetSet) -> None:
        self._targets = tuple(cell for bit, cell in enumerate(GOAL_CELLS) if targets >> bit & 1)

    def __missing__(self, site: Site) -> tuple[int, ...]:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        ranks = (self._rank(card, site) for card in _PATH_CARDS)
        self[site] = found = (*ranks, self.distance(site[0]))
        return found

    def distance(self, cell: Cell) -> int:
        """Steps to the nearest target, 0 where the cell is one, and at most `UNREACHABLE_CARDS`."""
        x, y = cell
        return min(
            [UNREACHABLE_CARDS, *(abs(x - east) + abs(y - south) for east, south in self._targets)]
        )

    def distance_after(self, path: Path, site: Site) -> int:
        """How many cards the tunnel still needs behind one laid there."""
        cell, asked = site
        leads = path.edges & ~asked if path.through else 0
        ends = (self.distance(beside) for side, _, beside in neighbours(cell) if leads & side)
        return min(ends, default=UNREACHABLE_CARDS)

    def ahead(self, board: Board) -> int:
        """How many cards the tunnel needs."""
        return min([self[site][-1] for site in board.openings], default=UNREACHABLE_CARDS)

    def _rank(self, card: Card, site: Site) -> int:
        lays = (lay for lay in rules.lays((card,), (site,)) if isinstance(lay, Lay))
        return min((self._rank_of(lay.path, site) for lay in lays), default=NO_FIT_RANK)

    def _rank_of(self, path: Path, site: Site) -> int:
        leads = (path.edges & ~site[1]).bit_count() if path.through else 0
        return self.distance_after(path, site) * RANK_SCALE + (3 - leads) * _RANK_WAYS + path.index


def targets_of(cells: Iterable[Cell]) -> TargetSet:
    """The set of these goals."""
    return sum(1 << GOAL_CELLS.index(cell) for cell in cells)


def path_of_rank(rank: int) -> Path:
    """How the card lies to which a rank belongs."""
    return PATHS[rank % _RANK_WAYS]


SITE_DISTANCES: Final = tuple(SiteDistances(targets) for targets in range(1 << len(GOAL_CELLS)))
"""What is known of sites, by the goals that may be the treasure."""
