"""Sixel: pictures as bands of six rows of pixels, one colour after the other.

A card is one picture, drawn where the cursor stands. What a terminal then writes there erases it,
so what was overwritten is drawn again, cell by cell: an `Area` of the picture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import dist
from typing import Final, NamedTuple

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Shade, Tint, list_shades
from sabtui.art.kitty import Placed, find_picture, find_tint
from sabtui.art.pixels import find_sprite_size, stretch_sprite
from sabtui.art.store import CLEAR, Size, Sprite, list_sprite_sizes, read_sprite

_BAND: Final = 6
_BLANK: Final = b"?"
"""Character for a column of six pixels of which none is set; 63 others follow it."""

_REPEATED: Final = re.compile(rb"(.)\1{3,}")  # what is shorter as a count and one character

START: Final = "\x1bP0;1;0q"  # begins a picture whose pixels without a colour stay as they are
END: Final = "\x1b\\"

MOST_BYTES: Final = 12_000
"""Bytes of a picture from which on it is drawn from its smallest size, and then in fewer
colours."""

_FINER_COSTS: Final = 1.2
"""How many times the bytes of its smallest size a picture from a larger one costs at least, where
both are drawn larger than they are. So most need not be drawn from both to see which is cheap."""

_FEWER_COLOURS: Final = (16, 10)
"""Colours of a picture that costs too much in its smallest size, and of one that still does."""


class Area(NamedTuple):
    """Part of a picture, in its cells: the first column and row, and how many of each."""

    left: int
    top: int
    size: Size


def draw_patch(number: int, at: tuple[int, int], size: Size, cell: Size, ground: str) -> str:
    """Return what draws part of the picture with a number on its ground, "" without a picture."""
    picture = find_picture(number)
    if picture is None:
        return ""
    return draw_area(picture, Area(*at, size), cell, find_tint(picture, ground))


@lru_cache(maxsize=1 << 10)
def draw_area(picture: Placed, area: Area, cell: Size, tint: Tint = Tint.PLAIN) -> str:
    """Return what draws an area of a picture at the cursor; a cell has this many pixels."""
    (columns, rows), (width, height) = area.size, cell
    pixels = picture.cells[0] * width, picture.cells[1] * height
    sprite = find_cheap_sprite(picture.drawing, pixels)
    left, top = area.left * width, area.top * height
    part = [row[left : left + columns * width] for row in sprite.rows[top : top + rows * height]]
    return encode_sixel(part, list_shades(tint, is_dark=picture.is_dark))


@lru_cache(maxsize=1 << 8)
def find_cheap_sprite(picture: Drawing, pixels: Size) -> Sprite:
    """Return a picture in this many pixels, as fine as `MOST_BYTES` allow."""
    width, height = find_sprite_size(picture.name, pixels)
    coarsest, *finer = (
        (wide, high)
        for wide, high in list_sprite_sizes(picture.name)
        if wide <= width and wide * height == high * width
    )
    coarse = stretch_sprite(read_sprite(picture, coarsest), pixels)
    cost = len(encode_sixel(coarse.rows, list_shades()))
    if cost > MOST_BYTES:
        few, fewest = _FEWER_COLOURS
        return _find_cheap([_merge_colours(coarse, few)]) or _merge_colours(coarse, fewest)
    if width <= pixels[0] and height <= pixels[1] and _FINER_COSTS * cost > MOST_BYTES:
        return coarse
    fine = (stretch_sprite(read_sprite(picture, size), pixels) for size in reversed(finer))
    return _find_cheap(fine) or coarse


def _find_cheap(sprites: Iterable[Sprite]) -> Sprite | None:
    """Return the first picture that costs at most `MOST_BYTES`, if there is one."""
    shades = list_shades()
    return next(
        (sprite for sprite in sprites if len(encode_sixel(sprite.rows, shades)) <= MOST_BYTES), None
    )


def _merge_colours(sprite: Sprite, count: int) -> Sprite:
    """Return a picture in its commonest colours, this many; any other becomes the most alike."""
    shades, pixels = list_shades(), Counter(b"".join(sprite.rows))
    del pixels[CLEAR]
    common = [number for number, _count in pixels.most_common()]
    table = bytearray(range(CLEAR + 1))
    for number in common[count:]:
        colour = shades[number].colour
        table[number] = min(common[:count], key=lambda at: dist(shades[at].colour, colour))
    return Sprite(sprite.width, tuple(row.translate(table) for row in sprite.rows))


def encode_sixel(rows: Sequence[bytes], shades: Sequence[Shade]) -> str:
    """Return rows of numbers of colours as sixel; `CLEAR` is left out."""
    numbers, bands = _draw_bands(tuple(rows))
    begin = f'{START}"1;1;{len(rows[0])};{len(rows)}'
    for register, number in enumerate(numbers):
        red, green, blue = (round(part * 100 / 255) for part in shades[number].colour)
        begin += f"#{register};2;{red};{green};{blue}"
    return begin + bands + END


@lru_cache(maxsize=1 << 8)
def _draw_bands(rows: tuple[bytes, ...]) -> tuple[list[int], str]:
    """Return the numbers of a picture's colours, and its bands, which are the same in each tint."""
    numbers = sorted(set().union(*rows) - {CLEAR})
    blank, bands = int.from_bytes(_BLANK * len(rows[0])), list[bytes]()
    for top in range(0, len(rows), _BAND):
        band, parts = rows[top : top + _BAND], list[bytes]()
        for number in sorted(set().union(*band) - {CLEAR}):
            is_set = bytes(number) + b"\1" + bytes(CLEAR - number)
            columns = blank  # a byte for each
            for line, row in enumerate(band):
                columns += int.from_bytes(row.translate(is_set)) << line
            signs = columns.to_bytes(len(rows[0])).rstrip(_BLANK)
            parts.append(b"#%d" % numbers.index(number) + _REPEATED.sub(_count, signs))
        bands.append(b"$".join(parts))
    return numbers, b"-".join(bands).decode()


def _count(same: re.Match[bytes]) -> bytes:
    """Return equal characters as a count and one of them."""
    return b"!%d%b" % (len(same[0]), same[1])
