"""A fast mutable board for play-outs: cells and sites are ints, and a change touches few of them.

A `FastBoard` obeys the rules of `engine.board` and has the same parts; a test compares the two card
by card. A packed cell is its column and its row, 8 bits each, so packed cells sort as cells do. It
reaches 127 columns and rows from the start, which is enough: the tunnels of a position lie at most
42 from it (`engine.notation.position`), and 40 tunnels and two stones get no more than 42 further.
A packed site is a packed cell and its requirements.

`SiteDistances` are the distances to the gold in cards, as the crow flies: from each cell, and from
each site after a path card was laid there. A side towards a face-up neighbour leads nowhere, except
into a tunnel that is cut off from the start: the card that fills the hole of a rockfall leads as
near as the tunnel beyond it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from engine import legality
from engine.board import (
    BESIDE_GOALS,
    GOAL_CELLS,
    LINKED,
    NO_PEEKS,
    OPEN_SHIFT,
    SITE_STATES,
    START,
    Board,
    Cell,
    Site,
    neighbours,
)
from engine.cards import PATH_CARDS, PATHS, Goal, Path
from engine.readonly import Memo
from engine.view import View

CELL_BITS: Final = 16
CELL_MASK: Final = (1 << CELL_BITS) - 1
_ROW_BITS: Final = 8
_MIDDLE: Final = 1 << _ROW_BITS - 1
"""The packed column and row of the start."""


def pack_cell(cell: Cell) -> int:
    """Return a cell, at most 127 columns and rows from the start, as an int."""
    x, y = cell
    return (x + _MIDDLE << _ROW_BITS) + y + _MIDDLE


def unpack_cell(packed: int) -> Cell:
    """Return the cell that an int stands for: the inverse of `pack_cell`."""
    return (packed >> _ROW_BITS) - _MIDDLE, (packed & (1 << _ROW_BITS) - 1) - _MIDDLE


_TREASURE: Final = Goal.TREASURE
_START: Final = pack_cell(START)
_GOALS: Final = tuple(map(pack_cell, GOAL_CELLS))
_GOAL_BITS: Final = {cell: 1 << bit for bit, cell in enumerate(_GOALS)}
_BESIDE_GOALS: Final = frozenset(map(pack_cell, BESIDE_GOALS))
_STEPS: Final = tuple(
    (side, back, pack_cell(beside) - _START) for side, back, beside in neighbours(START)
)
"""For each side, the neighbour's side that faces it, and what to add to a packed cell."""

_AROUND_GOALS: Final = {
    goal: tuple((side, back, goal + step) for side, back, step in _STEPS) for goal in _GOALS
}
"""For each goal, `_STEPS` with the packed neighbours themselves."""


def _list_requirements(path: Path, linked: int) -> tuple[tuple[int, int], ...]:
    """Return the step to each neighbour of a card, and the requirements it adds there (P2, P3)."""
    return tuple(
        (step, back | back << OPEN_SHIFT | linked if path.edges & side else back)
        for side, back, step in _STEPS
    )


_REQUIRED: Final = {
    linked: tuple(_list_requirements(path, linked) for path in PATHS) for linked in (0, LINKED)
}
"""`_list_requirements`, by whether the card is joined to the start and by the path's index."""

_OPEN: Final = tuple(
    tuple((back, step) for side, back, step in _STEPS if edges & side) for edges in range(16)
)
"""The facing side and the step of each open edge, by the edges."""


class FastBoard:
    """All that lies in the mine, as in `engine.board.Board`.

    `openings` maps the cells of the sites joined to the start to packed sites, in no order.
    `cut_off` are the cells of the through cards that are not reached.
    """

    __slots__ = ("cards", "cut_off", "hidden", "openings", "reached", "sites")

    def __init__(self, board: Board) -> None:
        self.cards = {pack_cell(cell): path for cell, path in board.cards.items()}
        self.hidden = [pack_cell(cell) for cell in board.hidden]
        self.reached = {pack_cell(cell) for cell in board.reached}
        self.cut_off = {
            cell for cell, path in self.cards.items() if path.through and cell not in self.reached
        }
        self.sites = {pack_cell(cell): required for cell, required in board.sites.items()}
        self.openings = {
            cell: cell * SITE_STATES + required
            for cell, required in self.sites.items()
            if required & LINKED
        }

    def copy(self) -> FastBoard:
        """Return an independent copy."""
        other = object.__new__(FastBoard)
        other.cards = self.cards.copy()
        other.cut_off = self.cut_off.copy()
        other.hidden = self.hidden[:]
        other.reached = self.reached.copy()
        other.sites = self.sites.copy()
        other.openings = self.openings.copy()
        return other

    def hidden_goals(self) -> int:
        """Return the goals still face down, as a bit set: bit 0 is the northernmost goal."""
        return sum([_GOAL_BITS[goal] for goal in self.hidden])

    def lay(self, cell: int, path: Path) -> bool:
        """Lay a card on an empty cell, and return True if it may have opened a goal.

        That is, if it lies beside a goal or joined other cards to the start.
        """
        before = len(self.reached)
        required = self.sites.pop(cell, 0)
        self.openings.pop(cell, None)
        self._put(cell, path, required & LINKED)
        return cell in _BESIDE_GOALS or len(self.reached) > before + 1

    def reveal(self, goals: Sequence[Goal], last: int) -> list[Goal]:
        """Turn up goals until no more is reached or the treasure is found (G1 to G3).

        `goals` are their faces from north to south, and `last` is the cell of the card just laid.
        Returns the faces that were turned up.
        """
        found: list[Goal] = []
        while _TREASURE not in found and (opened := self._list_opened_goals()):
            # Goals opened together are turned as if none of them had been turned up yet.
            faces = [goals[_GOALS.index(cell)] for cell in opened]
            ways = [self._orient(*turned, last) for turned in zip(faces, opened, strict=True)]
            for cell, way in zip(opened, ways, strict=True):
                self.hidden.remove(cell)
                self._put(
                    cell, way, LINKED if way.edges & sum(self._list_tunnels_onto(cell)) else 0
                )
            found += faces
        return found

    def _put(self, cell: int, path: Path, linked: int) -> None:
        """Add a card, and bring the requirements around it up to date."""
        if not path.through:
            linked = 0
        cards, sites, reached, openings = self.cards, self.sites, self.reached, self.openings
        goals = self.hidden if cell in _BESIDE_GOALS else ()
        cards[cell] = path
        # A through card beside it that is not reached may now be joined to the start.
        beyond = False
        for step, more in _REQUIRED[linked][path.index]:
            beside = cell + step
            if beside in cards:
                beyond = beyond or (beside not in reached and cards[beside].through)
            elif beside not in goals:
                required = sites[beside] = sites.get(beside, 0) | more
                if required & LINKED:
                    openings[beside] = beside * SITE_STATES + required
        if not linked:
            if path.through:
                self.cut_off.add(cell)
        else:
            reached.add(cell)
            if beyond:
                newly = self._flood(cell)
                reached |= newly
                self.cut_off -= newly
                self._update_sites({at + step for at in newly for _, _, step in _STEPS})

    def remove(self, cell: int) -> None:
        """Take a tunnel card away; cards that only it joined to the start are cut off (P5)."""
        del self.cards[cell]
        lost = {cell}
        if cell in self.reached:
            joined = [step for _, _, step in _STEPS if cell + step in self.reached]
            before = self.reached
            self.reached = before - lost
            # A card with one reached neighbour is the end of a tunnel: nothing else is cut off.
            if len(joined) != 1:
                self.reached = set()
                self.reached = self._flood(_START)
                lost = before - self.reached
                self.cut_off |= lost
        self.cut_off.discard(cell)
        self._update_sites({cell, *(at + step for at in lost for _, _, step in _STEPS)})

    def find_holes(self) -> dict[int, list[int]]:
        """Return the openings beside tunnels that are cut off, with the cells where these lead on.

        Tunnels lead on to empty cells and face-down goals.
        """
        found: dict[int, list[int]] = {}
        ahead = self.cut_off.copy()
        while ahead:
            tunnel = self._flood(ahead.pop())
            ahead -= tunnel
            ends = {
                cell + step
                for cell in tunnel
                for _, step in _OPEN[self.cards[cell].edges]
                if cell + step not in self.cards
            }
            for hole in ends & self.openings.keys():
                found.setdefault(hole, []).extend(ends - {hole})
        return found

    def tunnels(self) -> set[int]:
        """Return the cells of the reached tunnel cards, without the start, goals and dead ends."""
        return self.reached.difference(_GOALS, (_START,))

    def _list_opened_goals(self) -> list[int]:
        """Return the face-down goals that a reached through card opens onto (G1)."""
        if self.reached.isdisjoint(_BESIDE_GOALS):
            return []
        return [goal for goal in self.hidden if self._list_tunnels_onto(goal)]

    def _orient(self, goal: Goal, cell: int, last: int) -> Path:
        """Return the path that a goal revealed on `cell` lies as, after a card laid on `last` (G3).

        Among equally good ways `max` takes the first, which is the upright one.
        """
        facing = [
            side
            for side, back, step in _STEPS
            if cell + step == last and self.cards[last].edges & back
        ]
        joined = sum(facing or self._list_tunnels_onto(cell))
        ways = [way for way in goal.ways if way.edges & joined]
        return (
            ways[0]
            if len(ways) == 1
            else max(ways, key=lambda way: self._count_agreeing(cell, way))
        )

    def _list_tunnels_onto(self, goal: int) -> list[int]:
        """Return the sides of a goal that reached through cards open onto."""
        cards, reached = self.cards, self.reached
        return [
            side
            for side, back, beside in _AROUND_GOALS[goal]
            if beside in reached and cards[beside].edges & back
        ]

    def _count_agreeing(self, cell: int, path: Path) -> int:
        """Return the number of face-up neighbours that a card on `cell` agrees with (P2, G3)."""
        return sum(
            bool(path.edges & side) == bool(self.cards[cell + step].edges & back)
            for side, back, step in _STEPS
            if cell + step in self.cards
        )

    def _update_sites(self, cells: set[int]) -> None:
        """Recompute the requirements of these cells, except where a card lies (P2, P3)."""
        cards, reached = self.cards, self.reached
        for cell in cells:
            if cell in cards or cell in self.hidden:
                continue
            required = 0
            for side, back, step in _STEPS:
                beside = cell + step
                if beside in cards:
                    required |= side
                    if cards[beside].edges & back:
                        required |= side << OPEN_SHIFT | (LINKED if beside in reached else 0)
            if required:
                self.sites[cell] = required
            else:
                self.sites.pop(cell, None)
            if required & LINKED:
                self.openings[cell] = cell * SITE_STATES + required
            else:
                self.openings.pop(cell, None)

    def _flood(self, start: int) -> set[int]:
        """Return `start` and the through cards joined to it that are not reached yet."""
        cards, reached = self.cards, self.reached
        newly = {start}
        ahead = [start]
        while ahead:
            cell = ahead.pop()
            for back, step in _OPEN[cards[cell].edges]:
                beside = cell + step
                if beside not in reached and beside not in newly:
                    neighbour = cards.get(beside)
                    if neighbour is not None and neighbour.through and neighbour.edges & back:
                        newly.add(beside)
                        ahead.append(beside)
        return newly


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


class SiteDistances:
    """Distances to the nearest of some goals, in cards.

    `distance` has them by cell: 0 on a target, at most `UNREACHABLE_CARDS`. `ranks` has for each
    site the rank of each path card there, by card index, and last the distance of its cell.
    """

    def __init__(self, targets: TargetSet) -> None:
        self.targets = tuple(cell for bit, cell in enumerate(GOAL_CELLS) if targets >> bit & 1)
        self.distance: Memo[Cell, int] = Memo(self._measure)
        self.ranks: Memo[Site, tuple[int, ...]] = Memo(self.rank_site)
        self._ways_on: Memo[tuple[Cell, int], int] = Memo(self._measure_ways_on)

    def distance_after(self, path: Path, site: Site) -> int:
        """Return the number of cards that the tunnel needs after this path is laid on the site."""
        cell, required = site
        return self._ways_on[cell, path.edges & ~required if path.through else 0]

    def count_after(
        self, board: Board, cell: Cell, path: Path, *, sees_closed_ways: bool = True
    ) -> int:
        """Return the number of cards that the tunnel needs after this path is laid on a cell.

        Unlike `distance_after`, this follows tunnels that the card joins to the start again. Every
        open side is taken for a way on if closed ways are not seen.
        """
        required = board.sites.get(cell, 0)
        ahead = self.distance_after(path, (cell, required if sees_closed_ways else 0))
        joined = required >> OPEN_SHIFT & path.edges
        if not path.through or joined.bit_count() < 2:
            return ahead
        if all(beside in board.reached for side, _, beside in neighbours(cell) if side & joined):
            return ahead  # It joins nothing that is cut off, and `with_card` is slow.
        then = board.with_card(cell, path)
        ends = [
            self.distance[beside]
            for at in then.reached - board.reached - {cell}
            for side, _, beside in neighbours(at)
            if then.cards[at].edges & side and beside not in then.cards
        ]
        return min([ahead, *ends])

    def count_needed(self, board: Board) -> int:
        """Return the number of cards that the tunnel needs from its nearest opening."""
        return min([self.distance[cell] for cell, _ in board.openings], default=UNREACHABLE_CARDS)

    def _measure(self, cell: Cell) -> int:
        """Return the steps from a cell to the nearest target."""
        x, y = cell
        away = [abs(x - east) + abs(y - south) for east, south in self.targets]
        return min([UNREACHABLE_CARDS, *away])

    def _measure_ways_on(self, ways_on: tuple[Cell, int]) -> int:
        """Return the least distance of a cell's neighbours on these sides."""
        cell, sides = ways_on
        ends = [self.distance[beside] for side, _, beside in neighbours(cell) if sides & side]
        return min(ends, default=UNREACHABLE_CARDS)

    def rank_site(self, site: Site, beyond: int = UNREACHABLE_CARDS) -> tuple[int, ...]:
        """Return the rank of each card, in the better of its ways to lie, and the distance.

        All through cards that fit join the site to a tunnel that needs `beyond` cards.
        """
        ranks = [NO_FIT_RANK] * len(PATH_CARDS)
        for lay in legality.list_lays(PATH_CARDS, (site,)):
            at = lay.card.index
            ranks[at] = min(ranks[at], self._rank(lay.path, site, beyond))
        return (*ranks, self.distance[site[0]])

    def _rank(self, path: Path, site: Site, beyond: int) -> int:
        """Return the rank of a path: fewest cards ahead, then most open sides that lead on."""
        ahead, leads = self.distance_after(path, site), 0
        if path.through:
            _cell, requirements = site
            ahead, leads = min(ahead, beyond), (path.edges & ~requirements).bit_count()
        return ahead * RANK_SCALE + (3 - leads) * _RANK_WAYS + path.index


class PackedRanks:
    """`SiteDistances` for play-outs: a distance or rank and its packed cell, in one int.

    The rank is in the high bits, so `min` finds the best cell: among equal ranks the westernmost,
    then the northernmost. `distance` is by packed cell, `ranks` by packed site. `joined` has the
    ranks of holes, by packed site and the cards that the tunnel beyond the hole still needs.
    """

    def __init__(self, sites: SiteDistances) -> None:
        def pack_distance(packed: int) -> int:
            return sites.distance[unpack_cell(packed)] << CELL_BITS | packed

        def pack_ranks(site: int, beyond: int = UNREACHABLE_CARDS) -> tuple[int, ...]:
            packed, required = divmod(site, SITE_STATES)
            ranks = sites.rank_site((unpack_cell(packed), required), beyond)
            return tuple([rank << CELL_BITS | packed for rank in ranks])

        self.distance: Memo[int, int] = Memo(pack_distance)
        self.ranks: Memo[int, tuple[int, ...]] = Memo(pack_ranks)
        self.joined: Memo[tuple[int, int], tuple[int, ...]] = Memo(lambda hole: pack_ranks(*hole))


@cache
def targets_of(cells: tuple[Cell, ...] | frozenset[Cell]) -> TargetSet:
    """Return the set of the goals on these cells."""
    return sum(1 << GOAL_CELLS.index(cell) for cell in cells)


def find_possible_gold(view: View) -> tuple[Cell, ...]:
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
"""`SITE_DISTANCES` as play-outs use them, indexed by `TargetSet`."""
