"""Sixel: pictures as bands of six rows of pixels, one colour after the other.

A card is one picture, drawn at the cursor. What a terminal then writes there erases it, so what was
overwritten is drawn again, cell by cell: an `Area` of the picture.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Shade, Tint, list_shades
from sabtui.art.kitty import Placed, find_picture, find_tint
from sabtui.art.pixels import find_sprite_size, stretch_sprite
from sabtui.art.store import CLEAR, Size, Sprite, list_sprite_sizes, read_sprite

_BAND: Final = 6  # rows of pixels that a character holds
_BLANK: Final = b"?"
"""Character for a column of six unset pixels; 63 others follow it."""

_REPEATED: Final = re.compile(rb"(.)\1{3,}")  # runs that a count and one character shorten

START: Final = "\x1bP0;1;0q"  # begins a picture whose pixels without a colour stay as they are
END: Final = "\x1b\\"

MAX_BYTES: Final = 12_000
"""Most bytes of a picture, unless even its smallest baked size costs more."""


class Area(NamedTuple):
    """Part of a picture, in its cells: the first column and row, and how many of each."""

    left: int
    top: int
    size: Size


def draw_patch(number: int, area: Area, cell: Size, ground: str) -> str:
    """Return the sixel sequence for an area of the picture with a number, "" if there is none.

    The `ground` of its cells, such as `#171512`, may tint it.
    """
    picture = find_picture(number)
    return "" if picture is None else draw_area(picture, area, cell, find_tint(picture, ground))


@lru_cache(maxsize=1 << 10)
def draw_area(picture: Placed, area: Area, cell: Size, tint: Tint = Tint.PLAIN) -> str:
    """Return the sixel sequence for an area of a picture, in cells of this many pixels."""
    (columns, rows), (width, height) = area.size, cell
    pixels = picture.cells[0] * width, picture.cells[1] * height
    sprite = find_cheap_sprite(picture.drawing, pixels)
    left, top = area.left * width, area.top * height
    part = [row[left : left + columns * width] for row in sprite.rows[top : top + rows * height]]
    return encode_sixel(part, list_shades(tint, is_dark=picture.is_dark))


@lru_cache(maxsize=1 << 8)
def find_cheap_sprite(picture: Drawing, pixels: Size) -> Sprite:
    """Return a picture in this many pixels, from the finest baked size within `MAX_BYTES`.

    If all are larger, it is made from the coarsest.
    """
    width, height = find_sprite_size(picture.name, pixels)
    sizes = [
        (wide, high)
        for wide, high in list_sprite_sizes(picture.name)
        if wide <= width and wide * height == high * width
    ]
    coarsest, *finer = (stretch_sprite(read_sprite(picture, size), pixels) for size in sizes)
    for sprite in reversed(finer):
        if len(encode_sixel(sprite.rows, list_shades())) <= MAX_BYTES:
            return sprite
    return coarsest


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
            parts.append(b"#%d" % numbers.index(number) + _REPEATED.sub(_shorten_run, signs))
        bands.append(b"$".join(parts))
    return numbers, b"-".join(bands).decode()


def _shorten_run(same: re.Match[bytes]) -> bytes:
    """Return a run of equal characters as a count and one of them."""
    return b"!%d%b" % (len(same[0]), same[1])
