"""The baked data, read back."""

from importlib.resources import files

import pytest

from sabtui.art.catalogue import Drawing
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
