"""The mine: the face-up path cards, which of them are reached, and where another card may lie.

A `Board` is an immutable value. It knows edges and cells, and nothing of seats, hands or turns;
`engine.legality` decides which cards a player may lay.

`Board.draw` draws it in ASCII, with coordinates as in the notation. A card is a tile of five
columns and three rows or, if the terminal is too small, of three columns and one row. Both sizes
say the same:

    tunnel     dead end   cut off       tunnel  -+-   dead end  -X-
      |          |          :           N only  -'-             -^-
    --+--      - x -      ..+..         S only  -.-             -v-
      |          |          :           neither ---             -x-

A small tile marks a cut-off card by `~` for its arms or, if it is open only to north and south, by
`:`.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import CROSSROADS, SIDES, E, Goal, N, Path, S, W, opposite
from engine.readonly import ReadOnly

BIG, SMALL = (5, 3), (3, 1)  # columns and rows of a large tile and of a small one


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card as it is drawn: its path, `None` if it lies face down, and the sign in its middle."""

    path: Path | None
    sign: str = ""
    cut_off: bool = False


def draw_grid(
    cells: Mapping[tuple[int, int], Drawn | str], columns: int, rows: int, *, large: bool | None
) -> list[str]:
    """Return cards, and texts in empty cells, as lines for a terminal of this size.

    `large` sets the size of tiles; `None` takes the large ones if the whole grid fits. A grid too
    wide for the terminal is drawn in strips, from west to east.
    """
    xs, ys = _find_range(x for x, _y in cells), _find_range(y for _x, y in cells)
    margin = 1 + max(len(row_name(y)) for y in ys)
    if large is None:
        large = margin + BIG[0] * len(xs) <= columns and 2 + BIG[1] * len(ys) <= rows
    across, down = BIG if large else SMALL
    at_once = max(1, (columns - margin) // across)
    lines: list[str] = []
    for first in range(0, len(xs), at_once):
        strip = xs[first : first + at_once]
        lines.append((" " * margin + "".join(f"{x:^{across}}" for x in strip)).rstrip())
        for y in ys:
            tiles = [tile_rows(cells.get((x, y), ""), large=large) for x in strip]
            for part in range(down):
                name = row_name(y) if part == down // 2 else ""
                tiled = "".join(tile[part] for tile in tiles)
                lines.append(f"{name:<{margin}}{tiled}".rstrip())
    return lines


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table of texts as lines, its columns aligned, empty ones left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    padded = [[f"{text:<{max(map(len, column))}}" for text in column] for column in columns]
    return ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]


def row_name(y: int) -> str:
    """Return the name of a row as in the notation."""
    return f"n{-y}" if y < 0 else f"s{y}" if y else "0"


def _find_range(numbers: Iterable[int]) -> range:
    """Return all numbers from the smallest to the largest of these."""
    kept = set(numbers)
    return range(min(kept), max(kept) + 1)


def tile_rows(drawn: Drawn | str, *, large: bool) -> tuple[str, ...]:
    """Return the rows of a cell's tile: a card, or a text in an empty cell."""
    if isinstance(drawn, str):
        across, down = BIG if large else SMALL
        rows = [""] * down
        rows[down // 2] = drawn[:across]
        return tuple(f"{row:^{across}}" for row in rows)
    if drawn.path is None:
        return (".---.", f"| {drawn.sign} |", "'---'") if large else (f"[{drawn.sign}]",)
    if large:
        return _draw_large(drawn.path, drawn.sign, cut_off=drawn.cut_off)
    return (_draw_small(drawn.path, drawn.sign, cut_off=drawn.cut_off),)


def _draw_large(path: Path, middle: str, *, cut_off: bool) -> tuple[str, str, str]:
    """Return a card as a large tile of 3 rows. A dead end's arms stop short of the middle."""
    across, along = (".", ":") if cut_off else ("-", "|")
    gap = across if path.through else " "
    west = across + gap if path.edges & W else "  "
    east = gap + across if path.edges & E else "  "
    centre = middle or (_draw_joint(path, along, across) if path.through else "x")
    north = f"  {along}  " if path.edges & N else "     "
    south = f"  {along}  " if path.edges & S else "     "
    return north, west + centre + east, south


def _draw_small(path: Path, middle: str, *, cut_off: bool) -> str:
    """Return a card as a small tile: its middle shows the open sides to north and south."""
    across, along = ("~", ":") if cut_off else ("-", "|")
    west = across if path.edges & W else " "
    east = across if path.edges & E else " "
    if not path.through:
        joint = {N | S: "X", N: "^", S: "v", 0: "x"}[path.edges & (N | S)]
    elif path.edges == N | S:
        joint = along
    else:
        joint = {N | S: "+", N: "'", S: ".", 0: across}[path.edges & (N | S)]
    return west + (middle or joint) + east


def _draw_joint(path: Path, along: str, across: str) -> str:
    """Return the sign where the arms of a large tunnel meet: a line if it is straight, else `+`."""
    if path.edges == N | S:
        return along
    return across if path.edges == E | W else "+"


Cell = tuple[int, int]
"""Column (x grows east) and row (y grows south), with the start at (0, 0); no limit (S6)."""

START: Final[Cell] = (0, 0)
GOAL_CELLS: Final[tuple[Cell, ...]] = ((8, -2), (8, 0), (8, 2))
"""The cells of the goals, from north to south (S6)."""

Peeks = tuple[Goal | None, Goal | None, Goal | None]
"""The goals that a seat saw with its maps, from north to south; `None` for each not seen."""

NO_PEEKS: Final[Peeks] = (None, None, None)

MAX_DRAWN: Final = 99  # maximum columns or rows from the start at which a card is drawn

_STEPS: Final = dict(zip(SIDES, ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True))

OPEN_SHIFT: Final = 4
LINKED: Final = 1 << 8
SITE_STATES: Final = 1 << 9
"""The requirements of an empty cell are an int, from 0 to below `SITE_STATES`: bits 0 to 3 are the
sides that have a face-up neighbour; bits 4 to 7 (shifted by `OPEN_SHIFT`) are the sides that must
be open; and `LINKED` is set if a neighbour joined to the start opens onto the cell."""

Site = tuple[Cell, int]  # an empty cell and its requirements


@lru_cache(maxsize=1 << 14)
def neighbours(cell: Cell) -> tuple[tuple[int, int, Cell], ...]:
    """Return a cell's four neighbours as (side, the neighbour's side facing the cell, its cell)."""
    x, y = cell
    return tuple(
        (side, opposite(side), (x + east, y + south)) for side, (east, south) in _STEPS.items()
    )


_NO_TUNNELS: Final = frozenset((START, *GOAL_CELLS))
"""The cells whose face-up cards are not tunnels: those of the start and the goals."""

BESIDE_GOALS: Final = frozenset(beside for goal in GOAL_CELLS for *_, beside in neighbours(goal))
"""The cells beside a goal."""


GOAL_SIGNS: Final = {Goal.TREASURE: "$", Goal.STONE_NE: "o", Goal.STONE_NW: "o", None: "?"}
"""Sign of a goal in a drawing, by its face as far as it is known."""

_NO_MARKS: Final[Mapping[Cell, str]] = ReadOnly({})


class CardState(Enum):
    """State of a card in the mine (P5)."""

    REACHED = "reached"
    DEAD = "dead"
    """A dead end that a tunnel from the start leads into."""
    CUT_OFF = "cut off"
    """No unbroken tunnel from the start leads to it."""


class Board(NamedTuple):
    """All that lies in the mine of a round."""

    cards: Mapping[Cell, Path]
    """The face-up path cards: the start, tunnels and revealed goals."""
    hidden: tuple[Cell, ...]
    """The cells of the goals still face down."""
    reached: frozenset[Cell]
    """The cells of the through cards that an unbroken tunnel joins to the start (P5)."""
    sites: Mapping[Cell, int]
    """The requirements of each empty cell beside a face-up card, in no order (P2, P3)."""
    openings: tuple[Site, ...]
    """The sites with `LINKED` set, from west to east, then from north to south."""

    def __str__(self) -> str:
        return "\n".join(self.draw(large=False))

    def __repr__(self) -> str:
        return f"<Board with {len(self.tunnels())} tunnels, {len(self.hidden)} goals face down>"

    @staticmethod
    def of(tunnels: Mapping[Cell, Path], hidden: tuple[Cell, ...]) -> Board:
        """Return the board with the start and these tunnels, computed from scratch."""
        cards = {START: CROSSROADS, **tunnels}
        reached = frozenset(_flood(START, cards, frozenset()))
        sites: ReadOnly[Cell, int] = ReadOnly()
        _update_sites(sites, _list_beside(cards), cards, hidden, reached)
        return Board(ReadOnly(cards), hidden, reached, sites, _list_openings(sites))

    def with_card(self, cell: Cell, path: Path) -> Board:
        """Return this board with one more card, laid on an empty cell or revealed on a goal.

        The card is not checked against the requirements of its cell. Raises `ValueError` if a card
        lies there.
        """
        cards, hidden, reached, sites, openings = self
        edges = path.edges
        still_open = [*openings]
        if cell in cards:
            raise ValueError(f"a card lies on {cell} already")
        if cell in hidden:
            hidden = tuple(goal for goal in hidden if goal != cell)
            # A face-down goal is not a site, so nothing is kept for it. A stone may turn a closed
            # side to a tunnel (G3), and is joined only where both sides are open.
            required = _find_requirements(cell, cards, reached)
            linked = LINKED if edges & sum(self.tunnels_onto(cell)) else 0
        else:
            required = sites.get(cell, 0)
            linked = required & LINKED
            if linked:
                still_open.remove((cell, required))
        # A dead end can be entered, but leads nowhere (P5).
        if not path.through:
            linked = 0
        # Until they are returned, nobody else has these two mappings.
        cards, sites = ReadOnly(cards), ReadOnly(sites)
        _put(cards, cell, path)
        _drop(sites, cell, None)
        goals = hidden if cell in BESIDE_GOALS else ()
        for side, back, beside in neighbours(cell):
            # A face-up card or a face-down goal lies there: neither is a site.
            if required & side or beside in goals:
                continue
            before = sites.get(beside, 0)
            now = before | (back | back << OPEN_SHIFT | linked if edges & side else back)
            _put(sites, beside, now)
            if now & LINKED:
                if before & LINKED:
                    still_open.remove((beside, before))
                insort(still_open, (beside, now))
        if linked:
            open_to = required >> OPEN_SHIFT & edges
            # With a single open neighbour the card joins no cut-off tunnels to the start.
            newly = _flood(cell, cards, reached) if open_to.bit_count() > 1 else {cell}
            reached |= newly
            if len(newly) > 1:
                _update_sites(sites, _list_beside(newly), cards, hidden, reached)
                return Board(cards, hidden, reached, sites, _list_openings(sites))
        # Not `Board(...)`, as that takes three times as long.
        fields = cards, hidden, reached, sites, tuple(still_open)
        return tuple.__new__(Board, fields)

    def without_card(self, cell: Cell) -> Board:
        """Return this board after a rockfall on `cell`.

        Cards that only that card joined to the start are no longer reached (P5). Raises
        `ValueError` if no tunnel lies there.
        """
        if not self.has_tunnel(cell):
            raise ValueError(f"no tunnel lies on {cell}")
        # Until they are returned, nobody else has these two mappings.
        cards, sites = ReadOnly(self.cards), ReadOnly(self.sites)
        _drop(cards, cell, None)
        reached = self.reached
        if cell in reached:
            joined = [beside for _, _, beside in neighbours(cell) if beside in reached]
            # A card with one reached neighbour is the end of a tunnel: nothing else is cut off.
            if len(joined) == 1:
                reached = reached - {cell}
            else:
                reached = frozenset(_flood(START, cards, frozenset()))
        lost = self.reached - reached | {cell}
        # The cell itself can be filled again (A4).
        _update_sites(sites, {cell, *_list_beside(lost)}, cards, self.hidden, reached)
        return Board(cards, self.hidden, reached, sites, _list_openings(sites))

    def tunnels(self) -> tuple[Cell, ...]:
        """Return the cells of the face-up tunnel cards: all but the start and revealed goals.

        They go from west to east, then from north to south.
        """
        found = sorted(self.cards)
        found.remove(START)
        # For most of a round no goal lies face up, and there is nothing to leave out.
        if len(self.hidden) < len(GOAL_CELLS):
            found = [cell for cell in found if cell not in _NO_TUNNELS]
        return tuple(found)

    def has_tunnel(self, cell: Cell) -> bool:
        """Return True if a face-up tunnel card lies on a cell."""
        return cell in self.cards and cell not in _NO_TUNNELS

    def may_open_goals(self, cell: Cell, path: Path) -> bool:
        """Return False if a card laid on a site surely opens no goal (G1).

        A card opens a goal only if it lies beside the goal or joins tunnels to each other.
        """
        joined = self.sites[cell] >> OPEN_SHIFT & path.edges
        return cell in BESIDE_GOALS or joined.bit_count() > 1

    def opened_goals(self) -> tuple[Cell, ...]:
        """Return the face-down goals that a reached through card opens onto (G1)."""
        if self.reached.isdisjoint(BESIDE_GOALS):
            return ()
        return tuple(goal for goal in self.hidden if any(self.tunnels_onto(goal)))

    def tunnels_onto(self, goal: Cell) -> Iterable[int]:
        """Return the sides of a goal that reached through cards open onto."""
        return (
            side
            for side, back, beside in neighbours(goal)
            if beside in self.reached and self.cards[beside].edges & back
        )

    def find_opened_side(self, goal: Cell, cell: Cell) -> int:
        """Return the side of `goal` that the card on `cell` opens onto, or 0 if there is none."""
        for side, back, beside in neighbours(goal):
            if beside == cell and self.cards[cell].edges & back:
                return side
        return 0

    def count_agreeing(self, cell: Cell, path: Path) -> int:
        """Return the number of face-up neighbours that a card on `cell` agrees with (P2, G3)."""
        return sum(
            bool(path.edges & side) == bool(self.cards[beside].edges & back)
            for side, back, beside in neighbours(cell)
            if beside in self.cards
        )

    def state_of(self, cell: Cell) -> CardState:
        """Return the state of the face-up card on a cell."""
        if cell in self.reached:
            return CardState.REACHED
        path = self.cards[cell]
        led_to = not path.through and any(
            path.edges & side and beside in self.reached and self.cards[beside].edges & back
            for side, back, beside in neighbours(cell)
        )
        return CardState.DEAD if led_to else CardState.CUT_OFF

    def draw(
        self,
        goals: Sequence[Goal | None] = NO_PEEKS,
        marks: Mapping[Cell, str] = _NO_MARKS,
        *,
        columns: int = 80,
        rows: int = 24,
        large: bool | None = None,
    ) -> list[str]:
        """Return the mine as lines of ASCII for a terminal of this size: see `engine.board`.

        `goals` are their faces as far as they are known, from north to south; `marks` are texts on
        empty cells. `large` sets the size of tiles, `None` takes the largest that fit. What lies
        more than `MAX_DRAWN` columns or rows from the start is left out: no game gets so far.
        """
        cells: dict[Cell, Drawn | str] = dict(marks)
        for cell, path in self.cards.items():
            sign = "S" if cell == START else ""
            if cell in GOAL_CELLS:
                sign = GOAL_SIGNS[Goal.lying(path)]
            cells[cell] = Drawn(path, sign, self.state_of(cell) is CardState.CUT_OFF)
        for cell, goal in zip(GOAL_CELLS, goals, strict=True):
            if cell in self.hidden:
                cells[cell] = Drawn(None, GOAL_SIGNS[goal])
        near = {cell: drawn for cell, drawn in cells.items() if max(map(abs, cell)) <= MAX_DRAWN}
        return draw_grid(near, columns, rows, large=large)


_put: Final = dict.__setitem__
_drop: Final = dict.pop
"""Changes a read-only mapping while it is still being made, which saves a copy of it."""


def _list_beside(cells: Iterable[Cell]) -> set[Cell]:
    """Return all neighbours of these cells, some of which may be among them."""
    return {beside for cell in cells for _, _, beside in neighbours(cell)}


def _update_sites(
    sites: ReadOnly[Cell, int],
    cells: Iterable[Cell],
    cards: Mapping[Cell, Path],
    hidden: tuple[Cell, ...],
    reached: AbstractSet[Cell],
) -> None:
    """Recompute `sites`, in place, at these cells, except where a card lies (P2, P3)."""
    for cell in cells:
        if cell in cards or cell in hidden:
            continue
        if required := _find_requirements(cell, cards, reached):
            _put(sites, cell, required)
        else:
            _drop(sites, cell, None)


def _find_requirements(cell: Cell, cards: Mapping[Cell, Path], reached: AbstractSet[Cell]) -> int:
    """Return the requirements of a cell without a card (P2, P3)."""
    required = 0
    for side, back, beside in neighbours(cell):
        path = cards.get(beside)
        if path is not None:
            required |= side
            if path.edges & back:
                required |= side << OPEN_SHIFT | (LINKED if beside in reached else 0)
    return required


def _list_openings(sites: Mapping[Cell, int]) -> tuple[Site, ...]:
    """Return the sites joined to the start, from west to east, then from north to south."""
    return tuple(sorted([site for site in sites.items() if site[1] & LINKED]))


def _flood(start: Cell, cards: Mapping[Cell, Path], reached: frozenset[Cell]) -> set[Cell]:
    """Return the cells of `start` and of the through cards joined to it that are not `reached`."""
    newly = {start}
    ahead = [start]
    while ahead:
        cell = ahead.pop()
        edges = cards[cell].edges
        for side, back, beside in neighbours(cell):
            if edges & side and beside not in reached and beside not in newly:
                neighbour = cards.get(beside)
                if neighbour is not None and neighbour.through and neighbour.edges & back:
                    newly.add(beside)
                    ahead.append(beside)
    return newly


EMPTY: Final = Board.of({}, GOAL_CELLS)  # the board at the start of a round (S6)
