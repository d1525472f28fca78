"""What the numbers of colours stand for."""

import re

import pytest

from sabtui.art.colours import Colour, Depth, Tint, list_shades, name_colour
from sabtui.art.store import CLEAR, read_index


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
