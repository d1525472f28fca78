"""Distance from a cell or site to the gold, and from where each path card leads to, cached.

Distances are in cards, as the crow flies. A side of the site that has a face-up neighbour already
is no way on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, TypeVar

from engine import rules
from engine.board import GOAL_CELLS, NO_PEEKS, SITE_STATES, Board, Cell, Site, neighbours
from engine.bots.fast_board import CELL_BITS, unpack_cell
from engine.cards import PATH_CARDS, PATHS, Goal, Path
from engine.view import View

UNREACHABLE_CARDS: Final = 31
"""Distance where no tunnel leads on, in cards. Greater distances are cut to this value."""

RANK_SCALE: Final = 1 << 7
"""Factor of the distance in a rank. A rank is the cards still needed times this, plus a penalty for
fewer new openings, plus the index of the card's `Path`. The lowest rank is the best."""

NO_FIT_RANK: Final = (UNREACHABLE_CARDS + 1) * RANK_SCALE
"""The rank of a card that does not fit the site: worse than any other."""

TargetSet = int
"""Goals that may be the treasure, as a bit set: bit 0 is the northernmost goal."""

_RANK_WAYS: Final = 1 << 5
"""Factor of the opening penalty in a rank: above the index of any `Path` (there are 26)."""
_MAX_REMEMBERED: Final = 1 << 14
"""Keys in a cache, of which each set of targets has five. A full cache is cleared."""


K = TypeVar("K")
V = TypeVar("V")


class Remembered(dict[K, V]):
    """Values that a function has for keys, each worked out when it is asked for first."""

    def __init__(self, work_out: Callable[[K], V]) -> None:
        self._work_out = work_out

    def __missing__(self, key: K) -> V:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        self[key] = found = self._work_out(key)
        return found


class SiteDistances:
    """Distances to the nearest of some goals, in cards.

    `distance` has them by cell: 0 on a target, at most `UNREACHABLE_CARDS`. `ranks` has for each
    site the rank of each path card there, by card index, and last the distance of its cell.
    """

    def __init__(self, targets: TargetSet) -> None:
        self.targets = tuple(cell for bit, cell in enumerate(GOAL_CELLS) if targets >> bit & 1)
        self.distance: Remembered[Cell, int] = Remembered(self._measure)
        self.ranks: Remembered[Site, tuple[int, ...]] = Remembered(self.rank_site)
        self._ways_on: Remembered[tuple[Cell, int], int] = Remembered(self._measure_ways_on)

    def distance_after(self, path: Path, site: Site) -> int:
        """Return the number of cards that the tunnel needs after this path is laid on the site."""
        cell, required = site
        return self._ways_on[cell, path.edges & ~required if path.through else 0]

    def ahead(self, board: Board) -> int:
        """Return the number of cards that the tunnel needs from its nearest opening."""
        return min([self.distance[cell] for cell, _ in board.openings], default=UNREACHABLE_CARDS)

    def _measure(self, cell: Cell) -> int:
        """Return the steps from a cell to the nearest target."""
        x, y = cell
        away = [abs(x - east) + abs(y - south) for east, south in self.targets]
        return min([UNREACHABLE_CARDS, *away])

    def _measure_ways_on(self, ways_on: tuple[Cell, int]) -> int:
        """Return the least distance of the cells beside one on these sides."""
        cell, sides = ways_on
        ends = [self.distance[beside] for side, _, beside in neighbours(cell) if sides & side]
        return min(ends, default=UNREACHABLE_CARDS)

    def rank_site(self, site: Site) -> tuple[int, ...]:
        """Return the rank of each card, in the better of its ways to lie, and the distance."""
        ranks = [NO_FIT_RANK] * len(PATH_CARDS)
        for lay in rules.lays(PATH_CARDS, (site,)):
            at = lay.card.index
            ranks[at] = min(ranks[at], self._rank(lay.path, site))
        return (*ranks, self.distance[site[0]])

    def _rank(self, path: Path, site: Site) -> int:
        leads = (path.edges & ~site[1]).bit_count() if path.through else 0
        return self.distance_after(path, site) * RANK_SCALE + (3 - leads) * _RANK_WAYS + path.index


class PackedRanks:
    """`SiteDistances` for play-outs: each distance or rank is above the bits of the packed cell.

    So the least of these ints tells the best card and where it goes: of equal ranks the western
    one, then the northern one. `distance` has them by packed cell, `ranks` by packed site.
    """

    def __init__(self, sites: SiteDistances) -> None:
        def pack_distance(packed: int) -> int:
            return sites.distance[unpack_cell(packed)] << CELL_BITS | packed

        def pack_ranks(site: int) -> tuple[int, ...]:
            packed, required = divmod(site, SITE_STATES)
            ranks = sites.rank_site((unpack_cell(packed), required))
            return tuple([rank << CELL_BITS | packed for rank in ranks])

        self.distance: Remembered[int, int] = Remembered(pack_distance)
        self.ranks: Remembered[int, tuple[int, ...]] = Remembered(pack_ranks)


@cache
def targets_of(cells: tuple[Cell, ...] | frozenset[Cell]) -> TargetSet:
    """Return the set of the goals on these cells."""
    return sum(1 << GOAL_CELLS.index(cell) for cell in cells)


def where_gold_may_be(view: View) -> tuple[Cell, ...]:
    """Return the face-down goals that may be the treasure, as far as this seat knows (A5)."""
    hidden = view.table.board.hidden
    if view.peeks == NO_PEEKS:
        return hidden
    known = dict(zip(GOAL_CELLS, view.peeks, strict=True))
    found = tuple(cell for cell in hidden if known[cell] is Goal.TREASURE)
    return found or tuple(cell for cell in hidden if known[cell] is None)


def path_of_rank(rank: int) -> Path:
    """Return the path, the card and its rotation, that a rank stands for."""
    return PATHS[rank % _RANK_WAYS]


SITE_DISTANCES: Final = tuple(SiteDistances(targets) for targets in range(1 << len(GOAL_CELLS)))
"""One `SiteDistances` for each set of goals that may be the treasure, indexed by `TargetSet`."""

PACKED_RANKS: Final = tuple(map(PackedRanks, SITE_DISTANCES))
"""The same for play-outs."""
