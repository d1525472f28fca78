"""Distance from a site to the gold for each path card, computed once per site and cached.

Distances are in cards, as the crow flies. A side of the site that has a face-up neighbour already
is no way on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

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
"""Sites, and cells, cached per set of targets. A full cache is cleared."""


class SiteDistances(dict[Site, tuple[int, ...]]):
    """Cache from a site to the rank of each path card there, by card index.

    The last item of each tuple is the distance of the site's cell itself.
    """

    def __init__(self, targets: TargetSet) -> None:
        self.targets = tuple(cell for bit, cell in enumerate(GOAL_CELLS) if targets >> bit & 1)
        self._cells: dict[Cell, int] = {}

    def __missing__(self, site: Site) -> tuple[int, ...]:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        self[site] = found = self.ranks(site)
        return found

    def ranks(self, site: Site) -> tuple[int, ...]:
        """Return the cached value of a site: each card has the rank of its better way to lie."""
        ranks = [NO_FIT_RANK] * len(PATH_CARDS)
        for lay in rules.lays(PATH_CARDS, (site,)):
            at = lay.card.index
            ranks[at] = min(ranks[at], self._rank_of(lay.path, site))
        return (*ranks, self.distance(site[0]))

    def distance(self, cell: Cell) -> int:
        """Return the steps to the nearest target: 0 on a target, at most `UNREACHABLE_CARDS`."""
        found = self._cells.get(cell)
        if found is None:
            if len(self._cells) >= _MAX_REMEMBERED:
                self._cells.clear()
            x, y = cell
            away = [abs(x - east) + abs(y - south) for east, south in self.targets]
            found = self._cells[cell] = min([UNREACHABLE_CARDS, *away])
        return found

    def distance_after(self, path: Path, site: Site) -> int:
        """Return the number of cards that the tunnel needs after this path is laid on the site."""
        cell, required = site
        leads = path.edges & ~required if path.through else 0
        ends = [self.distance(beside) for side, _, beside in neighbours(cell) if leads & side]
        return min(ends, default=UNREACHABLE_CARDS)

    def ahead(self, board: Board) -> int:
        """Return the number of cards that the tunnel needs from its nearest opening."""
        return min([self[site][-1] for site in board.openings], default=UNREACHABLE_CARDS)

    def _rank_of(self, path: Path, site: Site) -> int:
        leads = (path.edges & ~site[1]).bit_count() if path.through else 0
        return self.distance_after(path, site) * RANK_SCALE + (3 - leads) * _RANK_WAYS + path.index


class PackedRanks(dict[int, tuple[int, ...]]):
    """`SiteDistances` for play-outs: by packed site, each rank above the bits of the packed cell.

    So the least of these ints tells the best card and where it goes: of equal ranks the western
    one, then the northern one. The last item is the distance of the site's cell, in the same way.
    """

    def __init__(self, sites: SiteDistances) -> None:
        self._sites = sites
        self.distances = PackedDistances(sites)

    def __missing__(self, site: int) -> tuple[int, ...]:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        packed, required = divmod(site, SITE_STATES)
        ranks = self._sites.ranks((unpack_cell(packed), required))
        self[site] = found = tuple([rank << CELL_BITS | packed for rank in ranks])
        return found


class PackedDistances(dict[int, int]):
    """Cache from a packed cell to its distance, above the bits of the cell."""

    def __init__(self, sites: SiteDistances) -> None:
        self._sites = sites

    def __missing__(self, packed: int) -> int:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        distance = self._sites.distance(unpack_cell(packed))
        self[packed] = found = distance << CELL_BITS | packed
        return found


def targets_of(cells: Iterable[Cell]) -> TargetSet:
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
