"""Block characters: patterns of points in a cell, as the terminal draws them.

A pattern is a number. Its bits are the points of a cell, row by row from the upper left, the lowest
bit first; points that are set have the colour of the text, the others that of the ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

_QUARTERS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
_HALVES: Final = " ▀▄█"

_FIRST_SEXTANT: Final = 0x1FB00
_FIRST_OCTANT: Final = 0x1CD00

_LEFT_AND_RIGHT_SEXTANTS: Final = {0: " ", 21: "▌", 42: "▐", 63: "█"}
"""Patterns that Unicode had before it had sextants."""

_OLDER_OCTANTS: Final = {
    0b00000001: "\U0001cea8",
    0b00000010: "\U0001ceab",
    0b01000000: "\U0001cea3",
    0b10000000: "\U0001cea0",
    0b00000011: "\U0001fb82",
    0b00111111: "\U0001fb85",
    0b11000000: "▂",
    0b11111100: "▆",
    0b00010100: "\U0001fbe6",
    0b00101000: "\U0001fbe7",
}
"""Patterns of eight points that are neither quadrants nor in the block of octants."""


class BlockSet(StrEnum):
    """Sets of block characters, finest first."""

    OCTANTS = "octants"
    SEXTANTS = "sextants"
    QUADRANTS = "quadrants"
    HALVES = "half"

    @property
    def across(self) -> int:
        """Points of a cell from left to right."""
        return 1 if self is BlockSet.HALVES else 2

    @property
    def down(self) -> int:
        """Points of a cell from top to bottom."""
        return {BlockSet.OCTANTS: 4, BlockSet.SEXTANTS: 3}.get(self, 2)


@cache
def glyphs_of(blocks: BlockSet) -> str:
    """Return the characters of a set, by pattern."""
    match blocks:
        case BlockSet.HALVES:
            return _HALVES
        case BlockSet.QUADRANTS:
            return _QUARTERS
        case BlockSet.SEXTANTS:
            return _fill_gaps(_LEFT_AND_RIGHT_SEXTANTS, _FIRST_SEXTANT, 64)
        case BlockSet.OCTANTS:
            doubled = {  # quadrants, each of whose rows is two of eight points
                (pattern & 3) * 0b101 | (pattern >> 2) * 0b1010000: glyph
                for pattern, glyph in enumerate(_QUARTERS)
            }
            return _fill_gaps({**doubled, **_OLDER_OCTANTS}, _FIRST_OCTANT, 256)


def _fill_gaps(known: Mapping[int, str], first: int, count: int) -> str:
    """Return the characters of all patterns; unknown ones have consecutive code points."""
    codes = iter(range(first, first + count))
    return "".join(known.get(pattern) or chr(next(codes)) for pattern in range(count))


RARE_OCTANTS: Final = frozenset((0b1, 0b10, 0b1000000, 0b10000000, 0b10100, 0b101000))
"""Patterns whose characters are far from the octants. Kitty 0.41 shows boxes for the first four."""


def replace_rare(pattern: int) -> int:
    """Replace a rare pattern with one that has one more point, which every terminal draws."""
    return pattern | (pattern << 2 if pattern < 4 or pattern in {20, 40} else pattern >> 2)


@cache
def mirror_table(blocks: BlockSet, *, is_across: bool, is_down: bool) -> bytes:
    """Return a table for `bytes.translate` that mirrors the patterns of a set."""
    count = blocks.across * blocks.down
    table = bytearray(256)
    for pattern in range(1 << count):
        for point in range(count):
            if pattern >> point & 1:
                y, x = divmod(point, blocks.across)
                x = blocks.across - 1 - x if is_across else x
                y = blocks.down - 1 - y if is_down else y
                table[pattern] |= 1 << y * blocks.across + x
    return bytes(table)
