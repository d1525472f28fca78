"""Sixel: pictures as bands of six rows of pixels, one colour after the other.

A card is one picture, drawn where the cursor stands. What a terminal then writes there erases it,
so what was overwritten is drawn again, cell by cell: an `Area` of the picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from math import dist
from operator import or_
from typing import Final, NamedTuple

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Shade, Tint, list_shades
from sabtui.art.kitty import Placed
from sabtui.art.pixels import find_sprite_size, stretch_sprite
from sabtui.art.store import CLEAR, Size, Sprite, list_sprite_sizes, read_sprite

_BAND: Final = 6
_BLANK: Final = b"?"
"""Character for a column of six pixels of which none is set; 63 others follow it."""

_MARK: Final = 128  # highest bit of a column's byte, set where the next column is equal
_REPEATED: Final = re.compile(rb"([\x80-\xff]{3,})")
"""Characters that are shorter as a count before the one after them, which is equal."""
_UNMARKED: Final = bytes(range(_MARK)) * 2
_BLANKS: Final = _BLANK + bytes([_BLANK[0] | _MARK])

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


@lru_cache(maxsize=1 << 10)
def draw_area(picture: Placed, area: Area, cell: Size, tint: Tint = Tint.PLAIN) -> str:
    """Return what draws an area of a picture at the cursor; a cell has so many pixels."""
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
    return next((one for one in sprites if len(encode_sixel(one.rows, shades)) <= MOST_BYTES), None)


def _merge_colours(sprite: Sprite, count: int) -> Sprite:
    """Return a picture in its so many commonest colours; each other is the one most alike."""
    shades, pixels, columns = list_shades(), b"".join(sprite.rows), _find_columns(sprite.rows)
    common = sorted(
        columns, key=lambda number: (-columns[number].bit_count(), pixels.index(number))
    )
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
    colours, width = _find_columns(rows), len(rows[0])
    blanks = _repeat(b"-" + _BLANK * width, rows)
    later = _repeat(bytes(2) + bytes([_MARK]) * (width - 1), rows)
    most = _repeat(bytes(1) + bytes([_MARK - 1]) * width, rows)
    bands: list[list[bytes]] = [[] for _ in rows[::_BAND]]
    for register, columns in enumerate(colours.values()):
        number = b"#%d" % register
        differs = (columns ^ columns >> 8) + most  # from the column before it, in the highest bit
        marked = blanks + columns | (later & differs ^ later) << 8
        _nothing, *lines = marked.to_bytes((1 + width) * len(bands)).split(b"-")
        for band, line in zip(bands, lines, strict=True):
            if signs := line.rstrip(_BLANKS):
                band.append(number + signs)
    parts = _REPEATED.split(b"-".join(map(b"$".join, bands)))
    parts[1::2] = map(_count, parts[1::2])
    return [*colours], b"".join(parts).translate(_UNMARKED).decode()


@lru_cache(maxsize=1 << 12)
def _count(marked: bytes) -> bytes:
    """Return the count of equal characters, the last of which is not marked and follows it."""
    return b"!%d" % (len(marked) + 1)


@lru_cache(maxsize=2)
def _find_columns(rows: tuple[bytes, ...]) -> dict[int, int]:
    """Return which pixels have which colour: a large number for each colour of a picture.

    Its bytes are the columns of six pixels, one band after the other, with a blank one before each
    band. So one step works on all of them.
    """
    ones = _repeat(bytes(1) + bytes([1]) * len(rows[0]), rows)
    size = (1 + len(rows[0])) * len(rows[::_BAND])
    clear = bytes([CLEAR])
    layers = [
        int.from_bytes(b"".join([clear + row for row in rows[line::_BAND]]).ljust(size, clear))
        << line
        for line in range(_BAND)
    ]
    found = {0: ones * (2**_BAND - 1)}
    masks = [ones << at for at in range(CLEAR.bit_length() + _BAND)]
    for bit in reversed(range(CLEAR.bit_length())):
        bits = (layer & mask for layer, mask in zip(layers, masks[bit:], strict=False))
        having = reduce(or_, bits) >> bit
        found = {
            number: columns
            for start, seen in found.items()
            for number, columns in (
                (start, seen & having ^ seen),
                (start | 1 << bit, seen & having),
            )
            if columns
        }
    found.pop(CLEAR, None)
    return found


def _repeat(band: bytes, rows: Sequence[bytes]) -> int:
    """Return the columns of a band, the same in all bands of a picture, as one number."""
    return int.from_bytes(band * len(rows[::_BAND]))
