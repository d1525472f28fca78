"""Block characters by the points that they fill, and pictures of them."""

import unicodedata
from collections.abc import Iterable
from itertools import groupby

import pytest

from engine.cards import PATHS
from sabtui.art.blocks import BlockRow, Palette, draw_blocks, fit_size
from sabtui.art.catalogue import Drawing, find_ground
from sabtui.art.colours import Depth, Tint
from sabtui.art.glyphs import RARE_OCTANTS, BlockSet, glyphs_of, mirror_table, replace_rare
from sabtui.art.store import list_sizes, read_cells, read_index


@pytest.mark.parametrize("blocks", BlockSet)
def test_every_pattern_has_a_character_of_its_own(blocks: BlockSet) -> None:
    glyphs = glyphs_of(blocks)
    assert len(glyphs) == len(set(glyphs)) == 1 << blocks.across * blocks.down
    assert glyphs[0] == " "
    assert glyphs[-1] == "█"


def test_a_sextant_fills_the_points_that_its_name_counts() -> None:
    for pattern, glyph in enumerate(glyphs_of(BlockSet.SEXTANTS)):
        name = unicodedata.name(glyph)
        if "SEXTANT" in name:
            points = {int(digit) for digit in name.rpartition("-")[2]}
            assert pattern == sum(1 << point - 1 for point in points)


def test_rare_octants_have_a_neighbour_in_the_block_of_octants_or_among_quadrants() -> None:
    glyphs = glyphs_of(BlockSet.OCTANTS)
    rare = {pattern for pattern, glyph in enumerate(glyphs) if glyph in "𜺨𜺫𜺣𜺠🯦🯧"}
    assert rare == RARE_OCTANTS
    for pattern in RARE_OCTANTS:
        other = replace_rare(pattern)
        assert other & pattern == pattern
        assert (other ^ pattern).bit_count() == 1
        assert {other, 0xFF ^ pattern} & RARE_OCTANTS == set()


@pytest.mark.parametrize("blocks", BlockSet)
@pytest.mark.parametrize(("is_across", "is_down"), [(True, False), (False, True), (True, True)])
def test_a_mirror_image_of_a_mirror_image_is_the_pattern_itself(
    blocks: BlockSet, *, is_across: bool, is_down: bool
) -> None:
    table = mirror_table(blocks, is_across=is_across, is_down=is_down)
    patterns = bytes(range(len(glyphs_of(blocks))))
    assert patterns.translate(table).translate(table) == patterns
    assert patterns.translate(table) != patterns or (blocks is BlockSet.HALVES and not is_down)


MINE = list_sizes("goal")
CELLS = [(x, y) for x in range(9) for y in range(-2, 3)]

COLOUR_BYTES = 2 * len("38;2;200;200;200") + len("\x1b[;m\x1b[0m")
"""Bytes that a change of both colours costs."""


def count_bytes(rows: Iterable[BlockRow]) -> int:
    """Count what a terminal is sent for rows: colours once for neighbours that share them."""
    return sum(
        COLOUR_BYTES + sum(len(cell.glyph.encode()) for cell in run)
        for row in rows
        for _colours, run in groupby(row, key=lambda cell: cell[1:])
    )


@pytest.mark.parametrize("blocks", BlockSet)
@pytest.mark.parametrize("size", MINE)
def test_a_picture_fills_exactly_its_cells(size: tuple[int, int], blocks: BlockSet) -> None:
    rows = draw_blocks(Drawing("lit-path-11-1"), size, blocks)
    assert [len(row) for row in rows] == [size[0]] * size[1]
    assert {cell.glyph for row in rows for cell in row} <= set(glyphs_of(blocks))


def test_no_octant_is_used_that_kitty_cannot_draw() -> None:
    rare = {glyphs_of(BlockSet.OCTANTS)[pattern] for pattern in RARE_OCTANTS}
    used, swapped = set(), 0
    for key, names in read_index().cells.items():
        columns, rows = map(int, key.split("x"))
        for name in names:
            drawing = Drawing(name)
            drawn = draw_blocks(drawing, (columns, rows), BlockSet.OCTANTS)
            used |= {cell.glyph for row in drawn for cell in row}
            patterns = read_cells(drawing, (columns, rows), BlockSet.OCTANTS).patterns
            swapped += sum(pattern in RARE_OCTANTS for row in patterns for pattern in row)
    assert swapped > 100
    assert not used & rare


def test_the_largest_size_that_fits_is_taken() -> None:
    assert fit_size("goal", 9, 4) == (9, 4)
    assert fit_size("goal", 12, 9) == (11, 5)
    assert fit_size("goal", 200, 60) == MINE[-1]
    assert fit_size("goal", 4, 9) is None


def test_whole_and_broken_tools_differ_in_shape() -> None:
    for tool in ("pick", "lantern", "cart"):
        for size in ((3, 2), (6, 3), (8, 4)):
            for blocks in BlockSet:
                whole, broken = (
                    [
                        [cell.glyph for cell in row]
                        for row in draw_blocks(Drawing(name), size, blocks)
                    ]
                    for name in (tool, f"{tool}-broken")
                )
                assert whole != broken or blocks is BlockSet.HALVES, (tool, size, blocks)


@pytest.mark.parametrize("depth", Depth)
def test_colours_are_those_that_the_terminal_has(depth: Depth) -> None:
    rows = draw_blocks(
        Drawing("lit-path-3-0"),
        (9, 4),
        BlockSet.QUADRANTS,
        Tint.FITS,
        Palette(depth, is_dark=False),
    )
    start = "#" if depth is Depth.TRUE else "color("
    assert all(cell.front.startswith(start) for row in rows for cell in row)


@pytest.mark.parametrize("blocks", BlockSet)
def test_a_laid_card_and_a_full_mine_cost_few_bytes(blocks: BlockSet) -> None:
    cards = [
        count_bytes(draw_blocks(find_ground(path, is_lit=True, cell=cell), (9, 4), blocks))
        for path in PATHS
        for cell in CELLS
    ]
    assert max(cards) < 2_000
    # At 80x24 some thirty cards of this size are in sight.
    assert 30 * sum(cards) / len(cards) < 40_000
