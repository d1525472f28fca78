"""Pictures as rows of block characters, with two colours in each cell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Depth, Tint, list_shades, name_colour
from sabtui.art.glyphs import RARE_OCTANTS, BlockSet, glyphs_of, replace_rare
from sabtui.art.store import CLEAR, Size, list_sizes, read_cells


class BlockCell(NamedTuple):
    """A cell of the screen: a character, its colour, and the colour of its ground."""

    glyph: str
    front: str
    ground: str


BlockRow = tuple[BlockCell, ...]


class Palette(NamedTuple):
    """A terminal's colours: how many, and for a dark or a light screen."""

    depth: Depth = Depth.TRUE
    is_dark: bool = True


DARK: Final = Palette()  # all colours on a dark screen

WORD_POINTS: Final = 14
"""With fewer points from top to bottom, the question mark on a goal is one of the terminal's font.
"""
_WORD: Final = "?"
WORD_COLOUR: Final = Colour(255, 215, 102)


def fit_size(name: str, columns: int, rows: int) -> Size | None:
    """Return the largest baked size of a picture that fits; `None` if none does."""
    fitting = [size for size in list_sizes(name) if size[0] <= columns and size[1] <= rows]
    return max(fitting, key=lambda size: size[0] * size[1], default=None)


@lru_cache(maxsize=1 << 11)
def draw_blocks(
    picture: Drawing, size: Size, blocks: BlockSet, tint: Tint = Tint.PLAIN, palette: Palette = DARK
) -> tuple[BlockRow, ...]:
    """Return a picture as rows of cells. Raises `KeyError` if it was not baked in this size."""
    cells = read_cells(picture, size, blocks)
    glyphs = glyphs_of(blocks)
    names = [shade.name for shade in list_shades(tint, palette.depth, is_dark=palette.is_dark)]
    rows = [
        tuple(
            BlockCell(glyphs[pattern], names[front], names[ground])
            for pattern, front, ground in (
                map(_avoid_rare, *parts) if blocks is BlockSet.OCTANTS else zip(*parts, strict=True)
            )
        )
        for parts in zip(*cells, strict=True)
    ]
    if picture.name == "goal" and size[1] * blocks.down < WORD_POINTS:
        middle = rows[size[1] // 2]
        at = size[0] // 2
        word = BlockCell(_WORD, name_colour(WORD_COLOUR, palette.depth), middle[at].ground)
        rows[size[1] // 2] = (*middle[:at], word, *middle[at + 1 :])
    return tuple(rows)


def frame_blocks(rows: Sequence[BlockRow], blocks: BlockSet, colour: str) -> tuple[BlockRow, ...]:
    """Return cells with a frame along their edges, one point wide, in a colour by its name."""
    last_row, last_column = len(rows) - 1, len(rows[0]) - 1
    points = [divmod(point, blocks.across) for point in range(blocks.across * blocks.down)]

    def find_edge(row: int, column: int) -> int:
        """Return the pattern of the frame's points in a cell."""
        return sum(
            1 << point
            for point, (y, x) in enumerate(points)
            if (row == 0 and y == 0)
            or (row == last_row and y == blocks.down - 1)
            or (column == 0 and x == 0)
            or (column == last_column and x == blocks.across - 1)
        )

    return tuple(
        tuple(_cover(cell, find_edge(y, x), blocks, colour) for x, cell in enumerate(row))
        for y, row in enumerate(rows)
    )


def _cover(cell: BlockCell, pattern: int, blocks: BlockSet, colour: str) -> BlockCell:
    """Return a cell with a pattern in this colour, and the others in the colour of most of them."""
    if not pattern:
        return cell
    glyphs = glyphs_of(blocks)
    inside = (1 << blocks.across * blocks.down) - 1 & ~pattern
    fronts = (inside & max(glyphs.find(cell.glyph), 0)).bit_count()
    ground = cell.front if 2 * fronts > inside.bit_count() else cell.ground
    return BlockCell(glyphs[pattern], colour, ground)


def _avoid_rare(pattern: int, front: int, ground: int) -> tuple[int, int, int]:
    """Return the same cell with a character that terminals draw: inverted, with colours swapped."""
    if pattern not in RARE_OCTANTS:
        return pattern, front, ground
    if ground == CLEAR:  # which cannot be swapped: use the nearest pattern
        return replace_rare(pattern), front, ground
    return 0xFF ^ pattern, ground, front
