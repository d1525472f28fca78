"""Names of the pictures, and which one shows what lies in a cell of the mine.

Of path cards that mirror each other only one is drawn, in several variants. The cell alone decides
which variant it shows, and how that is mirrored.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from engine.board import GOAL_CELLS, START, Board, CardState, Cell
from engine.cards import Card, E, Goal, N, Path, Role, S, Tool, W

DRAWN_EDGES: Final = (N, E, N | S, E | W, N | E, N | E | S, N | E | W, N | E | S | W)
"""Edges of the path cards that are drawn. All others are mirror images of them."""

_MIRRORS: Final = ((False, False), (True, False), (False, True), (True, True))
"""Mirrored from left to right, and from top to bottom."""


class Thing(StrEnum):
    """A thing that lies on a card of the mine, besides its tunnel."""

    NONE = ""
    START = "start"
    TREASURE = "treasure"
    STONE = "stone"

    @staticmethod
    def of(goal: Goal | None) -> Thing:
        """Return the thing on a goal's face, `NONE` for an unknown one."""
        if goal is None:
            return Thing.NONE
        return Thing.TREASURE if goal is Goal.TREASURE else Thing.STONE


class Drawing(NamedTuple):
    """A picture by name, and how it is mirrored."""

    name: str
    across: bool = False
    """Mirrored from left to right."""
    down: bool = False
    """Mirrored from top to bottom."""


def count_variants(*, is_through: bool, is_lit: bool, thing: Thing = Thing.NONE) -> int:
    """Return the number of variants in which a card is drawn."""
    if thing:
        return 1
    if is_lit:
        return 3 if is_through else 2
    return 2 if is_through else 1


def name_ground(
    edges: int, variant: int, *, is_through: bool, is_lit: bool, thing: Thing = Thing.NONE
) -> str:
    """Return the name of the picture of a card in the mine; `edges` are in `DRAWN_EDGES`."""
    light = "lit" if is_lit else "cold"
    kind = thing.value or ("path" if is_through else "dead")
    return f"{light}-{kind}-{edges}-{variant}"


def find_ground(
    path: Path,
    *,
    is_lit: bool,
    cell: Cell = START,
    thing: Thing = Thing.NONE,
    is_frugal: bool = False,
) -> Drawing:
    """Return the picture of a card face up; a frugal one is mirrored only if it must be."""
    ways = [
        (edges, across, down)
        for edges in DRAWN_EDGES
        for across, down in _MIRRORS
        if mirror_edges(edges, across=across, down=down) == path.edges
    ]
    variants = count_variants(is_through=path.through, is_lit=is_lit, thing=thing)
    chance = scatter(cell)
    # What has an upper side is mirrored from top to bottom only if it must be.
    edges, across, down = ways[0] if thing or is_frugal else ways[chance // variants % len(ways)]
    name = name_ground(
        edges, chance % variants, is_through=path.through, is_lit=is_lit, thing=thing
    )
    return Drawing(name, across, down)


def find_goal_back(known: Goal | None) -> Drawing:
    """Return the picture of a goal that lies face down, with what a map has shown of it."""
    thing = Thing.of(known)
    return Drawing(f"goal-{thing.value}" if thing else "goal")


def find_mine(board: Board, goals: Sequence[Goal | None]) -> dict[Cell, Drawing]:
    """Return the pictures of all cards in a mine; `goals` are faces as far as they are known."""
    known = dict(zip(GOAL_CELLS, goals, strict=True))
    found = {cell: find_goal_back(known[cell]) for cell in board.hidden}
    for cell, path in board.cards.items():
        goal = Goal.lying(path) if cell in known else None
        found[cell] = find_ground(
            path,
            is_lit=board.state_of(cell) is not CardState.CUT_OFF,
            cell=cell,
            thing=Thing.START if cell == START else Thing.of(goal),
        )
    return found


def find_card(card: Card) -> Drawing:
    """Return the picture of a card in the hand; a path card is drawn the way that it is named."""
    if card.ways:
        return find_ground(card.ways[0], is_lit=True)
    tools = "".join(tool.value for tool in card.tools)
    return Drawing("-".join(filter(None, (card.kind.name.lower(), tools))))


def find_icon(card: Card) -> Drawing:
    """Return the icon of a card without a tool, where the whole picture has no room."""
    return Drawing(f"{find_card(card).name}-icon")


def find_role(role: Role) -> Drawing:
    return Drawing("miner" if role is Role.MINER else "saboteur")


def find_gold_card(nuggets: int) -> Drawing:
    return Drawing(f"gold-{nuggets}")


def find_tool(tool: Tool, *, is_broken: bool) -> Drawing:
    return Drawing(f"{tool.name.lower()}-broken" if is_broken else tool.name.lower())


def find_pile(nuggets: int) -> Drawing | None:
    """Return the icon of a player's gold: one to three nuggets, or a heap; `None` without any."""
    return Drawing(f"pile-{min(nuggets, 4)}") if nuggets else None


def find_dwarf(face: int, colour: int) -> Drawing:
    """Return the portrait of a dwarf with this face and this colour, each from 0 to 9."""
    return Drawing(f"dwarf-{face}-{colour}")


def mirror_edges(edges: int, *, across: bool, down: bool) -> int:
    if across:
        edges = edges & (N | S) | E * bool(edges & W) | W * bool(edges & E)
    if down:
        edges = edges & (E | W) | N * bool(edges & S) | S * bool(edges & N)
    return edges


def scatter(cell: Cell) -> int:
    """Return a number that looks random, the same for a cell on every computer."""
    x, y = cell
    value = (x * 0x9E3779B1 ^ y * 0x85EBCA77) & 0xFFFFFFFF
    value = (value ^ value >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return value ^ value >> 12
