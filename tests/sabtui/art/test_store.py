"""The baked pictures, read back, and which of them shows what lies where."""

from importlib.resources import files

import pytest

from engine.cards import CARDS, GOALS, PATHS, Card, Goal, Role, Tool
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
from sabtui.art.glyphs import BlockSet, glyphs_of
from sabtui.art.store import (
    CLEAR,
    list_sizes,
    list_sprite_sizes,
    read_cells,
    read_index,
    read_sprite,
)

MOST_BYTES = 1_500_000


def test_all_pictures_weigh_less_than_one_and_a_half_megabytes() -> None:
    assert sum(
        len(item.read_bytes()) for item in files("sabtui.art").joinpath("data").iterdir()
    ) < (MOST_BYTES)


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
    name, size = "lit-path-3-0", (9, 4)
    plain = read_cells(Drawing(name), size, BlockSet.QUADRANTS)
    across = read_cells(Drawing(name, across=True), size, BlockSet.QUADRANTS)
    down = read_cells(Drawing(name, down=True), size, BlockSet.QUADRANTS)
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


@pytest.mark.parametrize("path", PATHS, ids=str)
@pytest.mark.parametrize("is_lit", [True, False])
def test_every_way_of_a_path_card_has_a_picture_with_its_edges(
    path: object, *, is_lit: bool
) -> None:
    [way] = [known for known in PATHS if known is path]
    for cell in CELLS:
        drawing = find_ground(way, is_lit=is_lit, cell=cell)
        light, kind, edges, _variant = drawing.name.split("-")
        assert mirror_edges(int(edges), across=drawing.across, down=drawing.down) == way.edges
        assert (light, kind) == ("lit" if is_lit else "cold", "path" if way.through else "dead")
        assert list_sizes(drawing.name)[: len(MINE)]
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
        *(find_dwarf(colour) for colour in range(10)),
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
    assert (4, 2) in list_sizes("dwarf-9")


def test_actions_have_pictures_of_their_own_but_equal_paths_share_theirs() -> None:
    names = [find_card(card).name for card in CARDS if not card.ways]
    assert len(names) == len(set(names)) == 11
    assert find_card(Card.NE).name == find_card(Card.NW).name
