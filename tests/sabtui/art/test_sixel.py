"""Sixel, read back as a terminal would."""

import re
from collections.abc import Sequence
from random import Random

import pytest

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Shade, Tint, list_shades
from sabtui.art.kitty import Placed
from sabtui.art.pixels import find_sprite_size, stretch_sprite
from sabtui.art.sixel import END, START, Area, draw_area, encode_sixel, find_cheap_sprite
from sabtui.art.store import CLEAR, Size, list_sizes, list_sprite_sizes, number_names, read_sprite

Rgb = tuple[int, ...]

MOST_BYTES = 12_000
"""Bytes that a laid card may cost."""


def read_sixel(text: str) -> tuple[tuple[int, int], dict[tuple[int, int], Rgb]]:
    """Return a picture's size and its pixels, in hundredths of each colour."""
    assert text.startswith(START)
    assert text.endswith(END)
    size, colours, pixels = (0, 0), {}, {}
    x = top = colour = 0
    token = re.compile(
        r'"1;1;(?P<wide>\d+);(?P<high>\d+)|#(?P<new>\d+);2;(?P<rgb>\d+;\d+;\d+)|#(?P<use>\d+)'
        r"|(?:!(?P<count>\d+))?(?P<six>[?-~])|(?P<back>\$)|(?P<down>-)"
    )
    body = text[len(START) : -len(END)]
    found = [*token.finditer(body)]
    assert sum(len(match[0]) for match in found) == len(body)
    for match in found:
        if match["wide"]:
            size = int(match["wide"]), int(match["high"])
        elif match["new"]:
            colours[int(match["new"])] = tuple(map(int, match["rgb"].split(";")))
        elif match["use"]:
            colour = int(match["use"])
        elif match["six"]:
            for _ in range(int(match["count"] or 1)):
                for bit in range(6):
                    if ord(match["six"]) - 63 >> bit & 1:
                        pixels[x, top + bit] = colours[colour]
                x += 1
        else:
            x = 0
            top += 6 if match["down"] else 0
    return size, pixels


def paint_by_chance(chance: Random) -> tuple[bytes, ...]:
    """Rows of pixels, whose runs are as long as counts of one, two and three digits tell."""
    width, numbers = chance.choice((1, 3, 11, 101, 230)), chance.sample(range(128), 12)
    numbers = numbers[: chance.choice((1, 3, 12))] + [CLEAR] * chance.choice((0, 1, 12))
    rows: list[bytes] = []
    for _ in range(chance.randrange(1, 20)):
        row = b""
        while len(row) < width:
            run = chance.choice((1, 1, 2, 3, 4, 8, 9, 10, 11, 98, 99, 100, 101))
            row += bytes([chance.choice(numbers)]) * run
        rows.append(chance.choice([*rows, row[:width], row[:width]]))
    return tuple(rows)


def list_pixels(rows: Sequence[bytes], shades: Sequence[Shade]) -> dict[tuple[int, int], Rgb]:
    """Return the pixels that are not clear, in hundredths of each colour."""
    return {
        (x, y): tuple(round(part * 100 / 255) for part in shades[number].colour)
        for y, row in enumerate(rows)
        for x, number in enumerate(row)
        if number != CLEAR
    }


@pytest.mark.parametrize("seed", range(60))
def test_pixels_by_chance_are_read_back(seed: int) -> None:
    rows, shades = paint_by_chance(Random(seed)), list_shades()
    text = encode_sixel(rows, shades)
    assert not re.search(r"([?-~])\1{3}|\?[$\x1b-]", text), "no count is missing, no blank left"
    assert read_sixel(text) == ((len(rows[0]), len(rows)), list_pixels(rows, shades))


def test_every_picture_is_drawn_as_it_is_pixel_by_pixel() -> None:
    shades, pixels = list_shades(), (58, 50)
    for at, name in enumerate(number_names()):
        drawing = Drawing(name, across=at % 2 > 0, down=at % 3 > 0)
        sprite = read_sprite(drawing, find_sprite_size(name, pixels))
        rows = stretch_sprite(sprite, pixels).rows
        assert read_sixel(encode_sixel(rows, shades)) == (pixels, list_pixels(rows, shades)), name


@pytest.mark.parametrize("name", ["lit-path-15-0", "cold-dead-3-0", "lit-treasure-15-0", "dwarf-4"])
@pytest.mark.parametrize("cell", [(7, 13), (10, 20)])
def test_what_is_drawn_is_the_picture(name: str, cell: Size) -> None:
    drawing, shades = Drawing(name, across=True), list_shades(Tint.NEW)
    columns, rows = list_sizes(name)[-2]
    size = columns * cell[0], rows * cell[1]
    whole = Area(0, 0, (columns, rows))
    text = draw_area(Placed(drawing, whole.size), whole, cell, Tint.NEW)
    assert read_sixel(text) == (size, list_pixels(find_cheap_sprite(drawing, size).rows, shades))


@pytest.mark.parametrize("is_dark", [True, False])
def test_areas_of_a_picture_are_parts_of_the_whole(*, is_dark: bool) -> None:
    picture, (width, height) = Placed(Drawing("map"), (9, 5), is_dark), (8, 17)
    _size, whole = read_sixel(draw_area(picture, Area(0, 0, (9, 5)), (width, height)))
    for area in (Area(0, 0, (1, 1)), Area(3, 1, (5, 2)), Area(8, 4, (1, 1)), Area(0, 2, (9, 3))):
        size, pixels = read_sixel(draw_area(picture, area, (width, height)))
        assert size == (area.size[0] * width, area.size[1] * height)
        left, top = area.left * width, area.top * height
        for y in range(size[1]):
            for x in range(size[0]):
                assert pixels.get((x, y)) == whole.get((x + left, y + top))


@pytest.mark.parametrize(
    ("cells", "cell"), [((5, 3), (8, 16)), ((9, 4), (10, 20)), ((18, 8), (12, 24))]
)
def test_a_card_costs_at_most_twelve_thousand_bytes(cells: Size, cell: Size) -> None:
    whole = Area(0, 0, cells)
    for name in (
        "lit-path-15-0",
        "lit-dead-11-1",
        "lit-dead-7-1",
        "lit-treasure-15-0",
        "goal",
        "cold-path-7-1",
    ):
        assert len(draw_area(Placed(Drawing(name), cells), whole, cell)) <= MOST_BYTES, name


def test_a_large_card_is_drawn_from_its_smaller_size_only_where_it_would_cost_too_much() -> None:
    drawing, size = Drawing("lit-dead-11-1"), (144, 128)
    assert find_cheap_sprite(drawing, size) != read_sprite(drawing, size)
    assert find_cheap_sprite(Drawing("goal"), size) == read_sprite(Drawing("goal"), size)


def test_a_larger_size_that_is_cheap_enough_is_never_passed_over() -> None:
    shades = list_shades()
    for name in number_names():
        width, height = list_sprite_sizes(name)[-1]
        pixels = (width * 5 // 4, height * 5 // 4)
        fine = stretch_sprite(read_sprite(Drawing(name), (width, height)), pixels)
        if len(encode_sixel(fine.rows, shades)) <= MOST_BYTES:
            assert find_cheap_sprite(Drawing(name), pixels) == fine, name
