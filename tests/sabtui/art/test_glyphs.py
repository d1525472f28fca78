"""Block characters by the points that they fill."""

import unicodedata

import pytest

from sabtui.art.glyphs import RARE_OCTANTS, BlockSet, glyphs_of, mirror_table, replace_rare


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
