"""The baked pictures, which of them shows what, their colours, and in block characters."""

import re
import unicodedata
from importlib.resources import files

import pytest

from engine.cards import CARDS, GOALS, PATHS, Card, Goal, Path, Role, Tool
from sabtui.art.blocks import draw_blocks, fit_size
from sabtui.art.catalogue import (
    Drawing,
    Thing,
    find_card,
    find_dwarf,
    find_gold_card,
    find_ground,
    find_icon,
    find_pile,
    find_role,
    find_tool,
    mirror_edges,
)
from sabtui.art.colours import Colour, Depth, Tint, list_shades, name_colour
from sabtui.art.glyphs import RARE_OCTANTS, BlockSet, glyphs_of, mirror_table, replace_rare
from sabtui.art.store import (
    CLEAR,
    Size,
    list_sizes,
    list_sprite_sizes,
    read_cells,
    read_index,
    read_sprite,
)

MOST_BYTES = 1_500_000


def test_all_pictures_weigh_less_than_one_and_a_half_megabytes() -> None:
    data = files("sabtui.art").joinpath("data")
    assert sum(len(item.read_bytes()) for item in data.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("blocks", BlockSet)
def test_every_picture_is_there_in_every_size_that_is_listed(blocks: BlockSet) -> None:
    colours = {*range(len(read_index().palette)), CLEAR}
    patterns = len(glyphs_of(blocks))
    for key, names in read_index().cells.items():
        columns, rows = map(int, key.split("x"))
        for name in names:
            cells = read_cells(Drawing(name), (columns, rows), blocks)
            for part in cells:
                assert [len(row) for row in part] == [columns] * rows, name
            assert max(map(max, cells.patterns)) < patterns
            assert {number for row in cells.fronts + cells.grounds for number in row} <= colours


def test_every_picture_in_pixels_has_its_size_and_at_most_64_colours() -> None:
    for key, names in read_index().sprites.items():
        width, height = map(int, key.split("x"))
        for name in names:
            sprite = read_sprite(Drawing(name), (width, height))
            assert (sprite.width, sprite.height) == (width, height)
            assert {len(row) for row in sprite.rows} == {width}
            assert len({number for row in sprite.rows for number in row} - {CLEAR}) <= 64, name


def test_a_mirrored_picture_has_its_rows_and_its_glyphs_turned_round() -> None:
    plain, across, down = (
        read_cells(Drawing("lit-path-3-0", *mirrored), (9, 4), BlockSet.QUADRANTS)
        for mirrored in ((False, False), (True, False), (False, True))
    )
    assert across.fronts == tuple(row[::-1] for row in plain.fronts)
    assert down.grounds == plain.grounds[::-1]
    turned = bytes.maketrans(b"\1\2\4\10", b"\2\1\10\4")
    single = [pattern for row in plain.patterns for pattern in row if pattern in (1, 2, 4, 8)]
    mirrored = [p for row in across.patterns for p in row[::-1] if p in (1, 2, 4, 8)]
    assert mirrored == [*bytes(single).translate(turned)]


def test_what_was_never_baked_is_an_error() -> None:
    with pytest.raises(KeyError):
        read_cells(Drawing("dragon"), (9, 4), BlockSet.HALVES)
    with pytest.raises(KeyError):
        read_cells(Drawing("map"), (9, 4), BlockSet.HALVES)
    with pytest.raises(KeyError):
        read_sprite(Drawing("map"), (72, 64))
    assert list_sizes("dragon") == list_sprite_sizes("dragon") == ()


CELLS = [(x, y) for x in range(-3, 12) for y in range(-5, 6)]
MINE = list_sizes("goal")


@pytest.mark.parametrize("way", PATHS, ids=str)
@pytest.mark.parametrize("is_lit", [True, False])
def test_every_way_of_a_path_card_has_a_picture_with_its_edges(way: Path, *, is_lit: bool) -> None:
    for cell in CELLS:
        drawing = find_ground(way, is_lit=is_lit, cell=cell)
        light, kind, edges, _variant = drawing.name.split("-")
        assert mirror_edges(int(edges), across=drawing.across, down=drawing.down) == way.edges
        assert (light, kind) == ("lit" if is_lit else "cold", "path" if way.through else "dead")
        assert set(MINE) <= set(list_sizes(drawing.name))


def test_the_start_and_the_faces_of_goals_have_pictures() -> None:
    for goal in GOALS:
        for way in goal.ways:
            for is_lit in (True, False):
                drawing = find_ground(way, is_lit=is_lit, thing=Thing.of(goal))
                assert set(MINE) <= set(list_sizes(drawing.name))
    start = find_ground(Goal.TREASURE.ways[0], is_lit=True, thing=Thing.START)
    assert start == Drawing("lit-start-15-0")
    assert set(MINE) <= set(list_sizes(start.name))


def test_every_card_role_gold_and_portrait_is_baked_in_cells_and_in_pixels() -> None:
    large = [
        *(find_card(card) for card in CARDS),
        *(find_role(role) for role in Role),
        *(find_gold_card(nuggets) for nuggets in (1, 2, 3)),
        Drawing("back"),
    ]
    small = [
        *(find_tool(tool, is_broken=is_broken) for tool in Tool for is_broken in (True, False)),
        *(find_icon(card) for card in (Card.MAP, Card.ROCKFALL)),
        *(find_dwarf(face, colour) for face in range(10) for colour in range(10)),
        *(pile for nuggets in range(1, 12) if (pile := find_pile(nuggets))),
    ]
    for drawing in large:
        assert {(9, 5), (12, 8)} <= set(list_sizes(drawing.name))
        assert (144, 192) in list_sprite_sizes(drawing.name)
    for drawing in small:
        assert {(6, 3), (8, 4)} <= set(list_sizes(drawing.name))
        assert (64, 64) in list_sprite_sizes(drawing.name)
    for drawing in small[:8]:
        assert (3, 2) in list_sizes(drawing.name)
    assert (4, 2) in list_sizes("dwarf-9-0")


def test_actions_have_pictures_of_their_own_but_equal_paths_share_theirs() -> None:
    names = [find_card(card).name for card in CARDS if not card.ways]
    assert len(names) == len(set(names)) == 11
    assert find_card(Card.NE).name == find_card(Card.NW).name


def brightness(tint: Tint = Tint.PLAIN, *, is_dark: bool = True) -> int:
    shades = list_shades(tint, is_dark=is_dark)[: len(read_index().palette)]
    return sum(sum(shade.colour) for shade in shades)


@pytest.mark.parametrize("tint", Tint)
@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize("is_dark", [True, False])
def test_each_number_has_a_name_for_the_terminal(
    tint: Tint, depth: Depth, *, is_dark: bool
) -> None:
    shades = list_shades(tint, depth, is_dark=is_dark)
    forms = {Depth.TRUE: r"#[0-9a-f]{6}", Depth.MANY: r"color\(\d+\)"}
    assert len(shades) == 256
    assert shades[CLEAR].name == "default"
    numbers = []
    for shade in shades[: len(read_index().palette)]:
        assert re.fullmatch(forms[depth], shade.name)
        numbers += [int(shade.name[6:-1])] if depth is not Depth.TRUE else []
    # The first sixteen are whatever the user has made of them.
    assert all(16 <= number < 256 for number in numbers)


def test_a_light_screen_gets_lighter_pictures_and_the_newest_card_shines() -> None:
    assert brightness(is_dark=False) > 1.15 * brightness()
    assert brightness(Tint.NEW) > 1.08 * brightness()


def test_where_a_card_fits_is_green_and_where_not_red() -> None:
    fits, wrong = list_shades(Tint.FITS), list_shades(Tint.WRONG)
    count = len(read_index().palette)
    assert sum(shade.colour.green - shade.colour.red for shade in fits[:count]) > 0
    assert sum(shade.colour.red - shade.colour.green for shade in wrong[:count]) > 0


def test_of_256_colours_the_nearest_is_taken() -> None:
    assert name_colour(Colour(255, 0, 0), Depth.MANY) == "color(196)"
    # Sand and rock stay warm: grey is nearer, but not what one sees.
    assert name_colour(Colour(58, 40, 28), Depth.MANY) != "color(236)"
    assert name_colour(Colour(1, 2, 3), Depth.TRUE) == "#010203"


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


@pytest.mark.parametrize("blocks", [blocks for blocks in BlockSet if blocks is not BlockSet.HALVES])
@pytest.mark.parametrize("size", [(3, 2), (6, 3), (8, 4)])
def test_whole_and_broken_tools_differ_in_shape(size: Size, blocks: BlockSet) -> None:
    for tool in ("pick", "lantern", "cart"):
        whole, broken = (
            [[cell.glyph for cell in row] for row in draw_blocks(Drawing(name), size, blocks)]
            for name in (tool, f"{tool}-broken")
        )
        assert whole != broken, tool
