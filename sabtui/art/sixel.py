"""Sixel: pictures as bands of six rows of pixels, one colour after the other.

A card is one picture, drawn where the cursor stands. What a terminal then writes there erases it,
so what was overwritten is drawn again, cell by cell: an `Area` of the picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
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
"""Bytes of a picture from which on it is drawn from its next smaller size, if there is one."""


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
    sprites = (stretch_sprite(read_sprite(picture, size), pixels) for size in reversed(sizes))
    shades = list_shades()
    for sprite in sprites:
        if len(encode_sixel(sprite.rows, shades)) <= MOST_BYTES:
            break
    return sprite


def encode_sixel(rows: Sequence[bytes], shades: Sequence[Shade]) -> str:
    """Return rows of numbers of colours as sixel; `CLEAR` is left out."""
    used = sorted({number for row in rows for number in set(row)} - {CLEAR})
    registers = {number: at for at, number in enumerate(used)}
    parts = [START, f'"1;1;{len(rows[0])};{len(rows)}']
    for number, register in registers.items():
        red, green, blue = (round(part * 100 / 255) for part in shades[number].colour)
        parts.append(f"#{register};2;{red};{green};{blue}")
    for top in range(0, len(rows), _BAND):
        parts.append("$".join(_draw_band(rows[top : top + _BAND], registers)))
        parts.append("-")
    return "".join(parts[:-1]) + END


def _draw_band(rows: Sequence[bytes], registers: dict[int, int]) -> Iterator[str]:
    """Yield a band's pixels, colour by colour."""
    for number in sorted({number for row in rows for number in set(row)} - {CLEAR}):
        seen = bytearray(256)
        line = bytes(len(rows[0]))
        for bit, row in enumerate(rows):
            seen[number] = 1 << bit
            # Numbers as long as a row add up all its pixels at once.
            part = int.from_bytes(row.translate(bytes(seen)))
            line = (int.from_bytes(line) | part).to_bytes(len(row))
        yield f"#{registers[number]}{_run_lengths(line.rstrip(bytes(1)))}"


def _run_lengths(line: bytes) -> str:
    """Return columns of six pixels as characters, of which many equal ones are counted."""
    signs = line.translate(_SIGNS).decode()
    return _REPEATED.sub(lambda equal: f"!{len(equal[0])}{equal[1]}", signs)
