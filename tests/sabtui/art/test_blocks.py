"""Pictures as coloured glyphs."""

from collections.abc import Iterable
from itertools import groupby

import pytest

from engine.cards import PATHS
from sabtui.art.blocks import BlockCell, BlockRow, Palette, draw_blocks, fit_size
from sabtui.art.catalogue import Drawing, find_ground
from sabtui.art.colours import Depth, Tint
from sabtui.art.glyphs import RARE_OCTANTS, BlockSet, glyphs_of
from sabtui.art.store import list_sizes, read_cells, read_index

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


def lightness(name: str) -> int:
    return sum(bytes.fromhex(name[1:]))


def warmth(cell: BlockCell, blocks: BlockSet) -> float:
    """Return how much more red than blue a cell is, as sand is."""
    part = glyphs_of(blocks).index(cell.glyph).bit_count() / (blocks.across * blocks.down)
    front, ground = (bytes.fromhex(name[1:]) for name in (cell.front, cell.ground))
    return part * (front[0] - front[2]) + (1 - part) * (ground[0] - ground[2])


def bright_points(rows: Iterable[BlockRow], blocks: BlockSet, least: int) -> int:
    """Count the points that are at least so bright."""
    count = blocks.across * blocks.down
    found = 0
    for row in rows:
        for cell in row:
            points = glyphs_of(blocks).index(cell.glyph).bit_count()
            found += points * (lightness(cell.front) >= least)
            found += (count - points) * (lightness(cell.ground) >= least)
    return found


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


@pytest.mark.parametrize("blocks", BlockSet)
@pytest.mark.parametrize("size", MINE)
def test_a_tunnel_cut_off_is_narrower_than_one_that_is_lit(
    size: tuple[int, int], blocks: BlockSet
) -> None:
    for path in PATHS:
        if path.through:
            lit = draw_blocks(find_ground(path, is_lit=True), size, blocks)
            cold = draw_blocks(find_ground(path, is_lit=False), size, blocks)
            # Each against its own floor: what counts is the shape, not how bright it is.
            assert bright_points(lit, blocks, 380) > bright_points(cold, blocks, 290), path


@pytest.mark.parametrize("size", MINE)
def test_in_the_middle_of_a_dead_end_lies_rubble_and_no_sand(size: tuple[int, int]) -> None:
    middle = size[0] // 2, size[1] // 2
    for blocks in BlockSet:
        through = draw_blocks(Drawing("lit-path-15-0"), size, blocks)[middle[1]][middle[0]]
        dead = draw_blocks(Drawing("lit-dead-15-0"), size, blocks)[middle[1]][middle[0]]
        assert warmth(dead, blocks) < 0.65 * warmth(through, blocks)


@pytest.mark.parametrize("blocks", BlockSet)
@pytest.mark.parametrize("size", list_sizes("lit-treasure-15-0"))
def test_gold_that_was_reached_is_a_pile_in_every_size(
    size: tuple[int, int], blocks: BlockSet
) -> None:
    points, glyphs = blocks.across * blocks.down, glyphs_of(blocks)
    golden = 0
    for row in draw_blocks(Drawing("lit-treasure-15-0"), size, blocks):
        for cell in row:
            set_points = glyphs.index(cell.glyph).bit_count()
            golden += is_golden(cell.front) * set_points
            golden += is_golden(cell.ground) * (points - set_points)
    assert golden >= 0.04 * size[0] * size[1] * points, "a golden point is overlooked"


def is_golden(colour: str) -> bool:
    red, _green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red > 190 and red - blue > 120


def test_a_small_goal_asks_with_a_sign_of_the_font() -> None:
    rows = draw_blocks(Drawing("goal"), (7, 3), BlockSet.QUADRANTS)
    assert "".join(cell.glyph for cell in rows[1]).strip("▌▐█ ") == "?"
    assert rows[1][3].glyph == "?"
    assert "?" not in {
        cell.glyph
        for row in draw_blocks(Drawing("goal"), (18, 8), BlockSet.OCTANTS)
        for cell in row
    }


def test_an_icon_leaves_the_ground_of_the_screen() -> None:
    rows = draw_blocks(Drawing("pick"), (3, 2), BlockSet.QUADRANTS)
    assert rows[1][0] == BlockCell(" ", "default", "default")
    assert {cell.ground for row in rows for cell in row} >= {"default"}


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
