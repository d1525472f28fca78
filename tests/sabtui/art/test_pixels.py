"""Pictures in the pixels of a terminal's cells."""

import pytest

from sabtui.art.catalogue import Drawing
from sabtui.art.pixels import find_sprite_size, scale_sprite
from sabtui.art.store import read_sprite


def test_a_picture_is_drawn_from_the_least_one_that_is_large_enough() -> None:
    assert find_sprite_size("goal", (70, 64)) == (72, 64)
    assert find_sprite_size("goal", (90, 80)) == (144, 128)
    assert find_sprite_size("goal", (400, 400)) == (144, 128)
    with pytest.raises(KeyError):
        find_sprite_size("dragon", (9, 9))


def test_a_path_card_keeps_its_proportions_in_the_mine_and_in_the_hand() -> None:
    assert find_sprite_size("lit-path-5-0", (63, 54)) == (72, 64)
    assert find_sprite_size("lit-path-5-0", (81, 72)) == (144, 128)
    assert find_sprite_size("lit-path-5-0", (90, 100)) == (90, 100)
    assert find_sprite_size("lit-path-5-0", (120, 160)) == (144, 192)


def test_a_picture_of_its_own_size_stays_as_it_is() -> None:
    drawing = Drawing("lit-path-7-1", across=True)
    assert scale_sprite(drawing, (72, 64)) == read_sprite(drawing, (72, 64))


@pytest.mark.parametrize("size", [(63, 51), (99, 90), (300, 200)])
def test_a_scaled_picture_has_exactly_the_pixels_that_are_wanted(size: tuple[int, int]) -> None:
    sprite = scale_sprite(Drawing("map"), size)
    assert (sprite.width, sprite.height) == size
    assert {len(row) for row in sprite.rows} == {size[0]}
    large = read_sprite(Drawing("map"), find_sprite_size("map", size))
    assert sprite.rows[0][0] == large.rows[0][0]
    assert {*b"".join(sprite.rows)} <= {*b"".join(large.rows)}
