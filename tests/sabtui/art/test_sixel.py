"""Sixel, read back as a terminal would."""

import re

import pytest

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Tint, list_shades
from sabtui.art.pixels import scale_sprite
from sabtui.art.sixel import END, START, draw_sixel
from sabtui.art.store import CLEAR

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


@pytest.mark.parametrize("name", ["lit-path-15-0", "cold-dead-3-0", "lit-treasure-15-0", "dwarf-4"])
@pytest.mark.parametrize("size", [(63, 51), (90, 80)])
def test_what_is_drawn_is_the_picture(name: str, size: tuple[int, int]) -> None:
    drawing, shades = Drawing(name, across=True), list_shades(Tint.NEW)
    drawn_size, pixels = read_sixel(draw_sixel(drawing, size, Tint.NEW))
    assert drawn_size == size
    for y, row in enumerate(scale_sprite(drawing, size).rows):
        for x, number in enumerate(row):
            wanted = tuple(round(part * 100 / 255) for part in shades[number].colour)
            assert pixels.get((x, y)) == (None if number == CLEAR else wanted)


def test_a_card_costs_at_most_twelve_thousand_bytes() -> None:
    for name in ("lit-path-15-0", "lit-dead-11-1", "lit-treasure-15-0", "goal", "cold-path-7-1"):
        assert len(draw_sixel(Drawing(name), (90, 80))) <= MOST_BYTES, name
