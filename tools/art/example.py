"""A mine in which everything lies that a mine may hold, to look at."""

from __future__ import annotations

from typing import Final

from engine.board import Cell
from engine.cards import Goal, Path
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Tint

_LIT: Final = {
    (0, 0): "NESW", (1, 0): "EW", (2, 0): "NEW", (3, 0): "NESW", (4, 0): "EW", (5, 0): "NEW",
    (6, 0): "ESW", (7, 0): "ew", (2, -1): "ES", (3, -1): "ESW", (4, -1): "w", (3, 1): "NE",
    (4, 1): "ESW", (5, 1): "nesw", (6, 1): "NE", (7, 1): "EWS", (7, 2): "NE", (4, 2): "ns",
    (5, -1): "NS", (5, -2): "ES", (6, -2): "EW", (7, -2): "nw",
}  # fmt: skip
_COLD: Final = {(1, -1): "NS", (0, 2): "NEW", (1, 2): "EW", (2, 2): "ew", (0, 1): "es"}


def _path(text: str) -> Path:
    order = {side: at for at, side in enumerate("NESWnesw")}
    return Path.read("".join(sorted(text, key=order.__getitem__)))


MINE: Final[dict[Cell, tuple[Drawing, Tint]]] = {
    **{
        cell: (find_ground(_path(text), is_lit=True, cell=cell), Tint.PLAIN)
        for cell, text in _LIT.items()
    },
    **{
        cell: (find_ground(_path(text), is_lit=False, cell=cell), Tint.PLAIN)
        for cell, text in _COLD.items()
    },
    (0, 0): (find_ground(_path("NESW"), is_lit=True, thing=Thing.START), Tint.PLAIN),
    (8, -2): (find_goal_back(None), Tint.PLAIN),
    (8, 0): (find_ground(_path("SW"), is_lit=True, thing=Thing.STONE), Tint.PLAIN),
    (8, 2): (find_ground(_path("NESW"), is_lit=True, thing=Thing.TREASURE), Tint.PLAIN),
    (6, 2): (find_ground(_path("NES"), is_lit=True), Tint.FITS),
    (2, 1): (find_ground(_path("NS"), is_lit=True), Tint.WRONG),
    (8, 1): (find_goal_back(Goal.STONE_NE), Tint.PLAIN),
    (8, -1): (find_goal_back(Goal.TREASURE), Tint.PLAIN),
}
"""What lies in each cell, and how it is tinted."""
