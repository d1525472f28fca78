"""Sixel: pictures as bands of six rows of pixels, one colour after the other.

A card is one picture, drawn where the cursor stands. What a terminal then writes there erases it,
so what was overwritten is drawn again, cell by cell: an `Area` of the picture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from math import dist
from typing import Final, NamedTuple

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Shade, Tint, list_shades
from sabtui.art.kitty import Placed
from sabtui.art.pixels import find_sprite_size, stretch_sprite
from sabtui.art.store import CLEAR, Size, Sprite, list_sprite_sizes, read_sprite

_BAND: Final = 6
_SIGNS: Final = bytes(range(63, 127)) + bytes(192)
"""Characters for columns of six pixels, of which the first sets none."""
_REPEATED: Final = re.compile(r"(.)\1{3,}")
"""Equal characters that are shorter with a count."""

START: Final = "\x1bP0;1;0q"
"""Begins a picture whose pixels without a colour stay as they are."""
END: Final = "\x1b\\"


MOST_BYTES: Final = 12_000
"""Bytes of a picture from which on it is drawn from its next smaller size, if there is one, and
then in fewer colours."""

_FEWER_COLOURS: Final = (16, 10)
"""Colours of a picture that costs too much in its smallest size."""


class Area(NamedTuple):
    """Part of a picture, in its cells: the first column and row, and how many of each."""

    left: int
    top: int
    size: Size


@lru_cache(maxsize=1 << 10)
def draw_area(picture: Placed, area: Area, cell: Size, tint: Tint = Tint.PLAIN) -> str:
    """Return what draws an area of a picture at the cursor; a cell has so many pixels.

    Raises `KeyError` for a picture that was never baked in pixels.
    """
    (columns, rows), (width, height) = area.size, cell
    pixels = picture.cells[0] * width, picture.cells[1] * height
    sprite = find_cheap_sprite(picture.drawing, pixels)
    left, top = area.left * width, area.top * height
    part = [row[left : left + columns * width] for row in sprite.rows[top : top + rows * height]]
    return encode_sixel(part, list_shades(tint, is_dark=picture.is_dark))


@lru_cache(maxsize=1 << 8)
def find_cheap_sprite(picture: Drawing, pixels: Size) -> Sprite:
    """Return a picture in so many pixels, as fine as `MOST_BYTES` allow."""
    width, height = find_sprite_size(picture.name, pixels)
    sizes = [
        (wide, high)
        for wide, high in list_sprite_sizes(picture.name)
        if wide <= width and wide * height == high * width
    ]
    coarsest = stretch_sprite(read_sprite(picture, sizes[0]), pixels)
    fine = (stretch_sprite(read_sprite(picture, size), pixels) for size in reversed(sizes[1:]))
    fewer = (_merge_colours(coarsest, count) for count in _FEWER_COLOURS)
    shades = list_shades()
    for sprite in chain(fine, (coarsest,), fewer):
        if len(encode_sixel(sprite.rows, shades)) <= MOST_BYTES:
            break
    return sprite


def _merge_colours(sprite: Sprite, count: int) -> Sprite:
    """Return a picture in its so many commonest colours; each other is the one most alike."""
    shades, common = list_shades(), Counter(b"".join(sprite.rows)).most_common()
    kept = [number for number, _count in common if number != CLEAR][:count]
    table = bytearray(range(CLEAR + 1))
    for number, _count in common:
        if number != CLEAR:
            table[number] = min(kept, key=lambda at: dist(shades[at].colour, shades[number].colour))
    return Sprite(sprite.width, tuple(row.translate(table) for row in sprite.rows))


def encode_sixel(rows: Sequence[bytes], shades: Sequence[Shade]) -> str:
    """Return rows of numbers of colours as sixel; `CLEAR` is left out."""
    numbers, bands = _draw_bands(tuple(rows))
    parts = [START, f'"1;1;{len(rows[0])};{len(rows)}']
    for register, number in enumerate(numbers):
        red, green, blue = (round(part * 100 / 255) for part in shades[number].colour)
        parts.append(f"#{register};2;{red};{green};{blue}")
    return "".join((*parts, bands, END))


@lru_cache(maxsize=1 << 8)
def _draw_bands(rows: tuple[bytes, ...]) -> tuple[list[int], str]:
    """Return the numbers of a picture's colours, and its bands, which are the same in each tint."""
    numbers = sorted(set(b"".join(rows)) - {CLEAR})
    layers = [b"".join(rows[bit::_BAND]) for bit in range(_BAND)]
    width, length = len(rows[0]), len(layers[0])
    bands: list[list[str]] = [[] for _ in range(length // width)]
    for register, number in enumerate(numbers):
        # Numbers as long as a layer add up the pixels of all bands at once.
        columns = 0
        for bit, layer in enumerate(layers):
            seen = bytes(number) + bytes([1 << bit]) + bytes(CLEAR - number)
            columns |= int.from_bytes(layer.translate(seen).ljust(length, bytes(1)))
        line = columns.to_bytes(length)
        for at, band in enumerate(bands):
            if part := line[at * width : (at + 1) * width].rstrip(bytes(1)):
                band.append(f"#{register}{_run_lengths(part)}")
    return numbers, "-".join("$".join(band) for band in bands)


def _run_lengths(line: bytes) -> str:
    """Return columns of six pixels as characters, of which many equal ones are counted."""
    signs = line.translate(_SIGNS).decode()
    return _REPEATED.sub(lambda equal: f"!{len(equal[0])}{equal[1]}", signs)
