"""What lines are drawn with: box drawing, or ASCII alone.

Knows characters and what they stand for. All that BOX has beside ASCII is in code page 437, which
console fonts have, and is one cell wide in every Western terminal; whether a terminal can show it,
others decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Strokes:
    """How a stretch of tunnel is drawn.

    `joints` is what stands where the open sides of a through card meet, by edges. `caps` are the
    ends of a dead end's arms from north, east, south and west, on their way to the middle.
    """

    across: str
    along: str
    joints: str
    caps: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A box: its corners from the upper left one on, and its sides."""

    corners: str
    across: str
    along: str


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of characters to draw a whole table with.

    `reached` and `cut` are tunnels that the start reaches and those that it does not, and the
    `small_` ones the same in tiles of one row. `stubs` are the middles of small dead ends that are
    open to neither north nor south, to north, to south, and to both.
    """

    name: str
    reached: Strokes
    cut: Strokes
    small_reached: Strokes
    small_cut: Strokes
    stubs: str
    face_down: Frame
    chosen_face_down: Frame
    cursor: str
    """The corners of the tile with the cursor, from the upper left one on."""
    empty: str
    along: str
    across: str
    tee: str
    """Where a rule goes down from one that goes across."""
    foot: str
    """Where a rule from above ends on one that goes across."""


_DOUBLE: Final = Strokes("═", "║", " ║═╚║║╔╠═╝═╩╗╣╦╬", "╨╞╥╡")
_SINGLE: Final = Strokes("─", "│", " │─└││┌├─┘─┴┐┤┬┼", "┴├┬┤")

BOX: Final = Glyphs(
    name="box",
    reached=_DOUBLE,
    cut=_SINGLE,
    small_reached=_DOUBLE,
    small_cut=_SINGLE,
    stubs="x╨╥X",
    face_down=Frame("┌┐└┘", "─", "│"),
    chosen_face_down=Frame("╔╗╚╝", "═", "║"),
    cursor="┌┐└┘",
    empty="·",
    along="│",
    across="─",
    tee="┬",
    foot="┴",
)
"""Tunnels with two walls; those that are cut off have one."""

ASCII: Final = Glyphs(
    name="ascii",
    reached=Strokes("-", "|", " |-+||++-+-+++++", "| | "),
    cut=Strokes(".", ":", " :.+::++.+.+++++", ": : "),
    small_reached=Strokes("-", "|", " |-'||.+-'-'.+.+", "|-|-"),
    small_cut=Strokes("~", ":", " :~'::.+~'~'.+.+", ":~:~"),
    stubs="x^vX",
    face_down=Frame("..''", "-", "|"),
    chosen_face_down=Frame("####", "=", "#"),
    cursor="/\\\\/",
    empty=" ",
    along="|",
    across="-",
    tee="+",
    foot="+",
)
"""As the line face draws, for terminals and locales that have no more."""
