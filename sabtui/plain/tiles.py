"""One card of the mine as ASCII: five columns and three rows, or three columns and one row.

Knows a card, how it lies (`State`) and what stands in its middle. The two sizes say the same:

    tunnel     dead end   cut off       tunnel  -+-   dead end  -X-
      |          |          :           N only  -'-             -^-
    --+--      - x -      ..+..         S only  -.-             -v-
      |          |          :           neither ---             -x-

A small tile tells a cut-off card by `~` for its arms, and by `:` where it has none but NS.
"""

from __future__ import annotations

from engine.cards import E, N, Path, S, W
from sabtui.words.mine import State

BIG, SMALL = (5, 3), (3, 1)
"""Columns and rows of a tile."""


def big(path: Path, state: State, middle: str = "") -> tuple[str, str, str]:
    """A card as three rows of five. A dead end's arms do not reach its middle."""
    across, along = (".", ":") if state is State.CUT_OFF else ("-", "|")
    gap = across if path.through else " "
    west = across + gap if path.edges & W else "  "
    east = gap + across if path.edges & E else "  "
    centre = middle or (_joint(path, along, across) if path.through else "x")
    north = f"  {along}  " if path.edges & N else "     "
    south = f"  {along}  " if path.edges & S else "     "
    return north, west + centre + east, south


def small(path: Path, state: State, middle: str = "") -> str:
    """A card as one row of three: its middle tells the open sides to north and south."""
    across = "~" if state is State.CUT_OFF else "-"
    upright = path.edges & (N | S)
    marks = {N | S: "+", N: "'", S: ".", 0: across} if path.through else _DEAD
    west = across if path.edges & W else " "
    east = across if path.edges & E else " "
    return west + (middle or _upright(path, marks[upright], state)) + east


_DEAD = {N | S: "X", N: "^", S: "v", 0: "x"}


def _upright(path: Path, mark: str, state: State) -> str:
    """A tunnel straight from north to south has no arms that could tell it apart."""
    if path.through and path.edges == N | S:
        return ":" if state is State.CUT_OFF else "|"
    return mark


def big_hidden(middle: str) -> tuple[str, str, str]:
    """A goal face down, with what is known of it."""
    return ".---.", f"| {middle} |", "'---'"


def small_hidden(middle: str) -> str:
    """A goal face down, with what is known of it."""
    return f"[{middle}]"


def _joint(path: Path, along: str, across: str) -> str:
    """What stands where a tunnel's arms meet: a line goes straight on."""
    if path.edges == N | S:
        return along
    return across if path.edges == E | W else "+"
