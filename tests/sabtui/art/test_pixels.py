"""Pictures in the pixels of a terminal's cells."""

import pytest

from sabtui.art.pixels import find_sprite_size


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
