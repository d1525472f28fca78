"""Sixel: pictures as bands of six rows of pixels, one colour after the other.

A card is one picture, drawn where the cursor stands. What a terminal then writes there erases it,
so what was overwritten is drawn again, cell by cell: an `Area` of the picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import dist
from typing import Final, NamedTuple

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Shade, Tint, list_shades
from sabtui.art.kitty import Placed
from sabtui.art.pixels import find_sprite_size, stretch_sprite
from sabtui.art.store import CLEAR, Size, Sprite, list_sprite_sizes, read_sprite

_BAND: Final = 6
_BLANK: Final = "?"
"""Character for a column of six pixels of which none is set; 63 others follow it."""
_REPEATED: Final = re.compile(r"\?{4,}|([@-~])\1{3,}")
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
    for sprite in _list_versions(picture, pixels):
        if count_bytes(sprite.rows, list_shades()) <= MOST_BYTES:
            break
    return sprite


def _list_versions(picture: Drawing, pixels: Size) -> Iterator[Sprite]:
    """Yield a picture in so many pixels, finest first, of which there is one at least."""
    width, height = find_sprite_size(picture.name, pixels)
    coarsest, *finer = (
        (wide, high)
        for wide, high in list_sprite_sizes(picture.name)
        if wide <= width and wide * height == high * width
    )
    for size in reversed(finer):
        yield stretch_sprite(read_sprite(picture, size), pixels)
    coarse = stretch_sprite(read_sprite(picture, coarsest), pixels)
    yield coarse
    yield from (_merge_colours(coarse, count) for count in _FEWER_COLOURS)


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
    return "".join((*_begin(rows, numbers, shades), bands, END))


def _begin(rows: Sequence[bytes], numbers: Iterable[int], shades: Sequence[Shade]) -> Iterator[str]:
    """Yield what comes before the bands of a picture: its size and its colours."""
    yield f'{START}"1;1;{len(rows[0])};{len(rows)}'
    for register, number in enumerate(numbers):
        red, green, blue = (round(part * 100 / 255) for part in shades[number].colour)
        yield f"#{register};2;{red};{green};{blue}"


@lru_cache(maxsize=1 << 8)
def _draw_bands(rows: tuple[bytes, ...]) -> tuple[list[int], str]:
    """Return the numbers of a picture's colours, and its bands, which are the same in each tint."""
    colours, width = _find_columns(rows), len(rows[0])
    blanks = _repeat(b"-" + _BLANK.encode() * width, rows)
    bands: list[list[str]] = [[] for _ in rows[::_BAND]]
    for register, columns in enumerate(colours.values()):
        _nothing, *lines = (blanks + columns).to_bytes((1 + width) * len(bands)).decode().split("-")
        for band, line in zip(bands, lines, strict=True):
            if signs := line.rstrip(_BLANK):
                band.append(f"#{register}{signs}")
    text = "-".join(map("$".join, bands))
    return [*colours], _REPEATED.sub(lambda equal: _count(equal[0]), text)


@lru_cache(maxsize=1 << 12)
def _count(equal: str) -> str:
    """Return equal characters as one with a count."""
    return f"!{len(equal)}{equal[0]}"


@lru_cache(maxsize=1)
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
        for line in range(_BAND)
    ]
    found = {0: ones * (2**_BAND - 1)}
    for bit in reversed(range(CLEAR.bit_length())):
        having = sum((layer >> bit & ones) << line for line, layer in enumerate(layers))
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


def count_bytes(rows: tuple[bytes, ...], shades: Sequence[Shade]) -> int:
    """Return the bytes of a picture as sixel, in a quarter of the time that drawing it takes."""
    colours, width = _find_columns(rows), len(rows[0])
    before = _repeat(bytes([1]) + bytes(width), rows)
    first = _repeat(bytes([0, 128]) + bytes(width - 1), rows)
    later = _repeat(bytes(2) + bytes([128]) * (width - 1), rows)
    most = first + later - (first + later >> 7)
    drawn = found = repeated = 0
    for register, columns in enumerate(colours.values()):
        # The highest bit of each byte says: no later column than the last that is not blank,
        until_last = before - columns | columns
        # and: unlike the column before it.
        differs = (columns ^ columns >> 8) + most
        starts = until_last & first
        equal = until_last & later
        repeated = repeated >> 1 | equal & differs ^ equal
        found += (starts | equal).bit_count() + starts.bit_count() * len(f"#{register}$")
        drawn |= starts
        if register % 7 == 6:  # the bits of seven colours have room in a byte
            found -= _count_saved(repeated)
            repeated = 0
    found -= _count_saved(repeated)
    found += len(rows[::_BAND]) - 1 - drawn.bit_count()
    return found + sum(map(len, _begin(rows, colours, shades))) + len(END)


def _count_saved(repeated: int) -> int:
    """Return the bytes that counts save; bits are set where a column is like the one before it."""
    many = repeated & repeated >> 8 & repeated >> 16
    length, saved = 3, many.bit_count()
    for longest in (9, 99):  # of a count with a digit less
        while length < longest:
            step = min(length, longest - length)
            many &= many >> 8 * step
            length += step
        saved -= many.bit_count() - (many & repeated >> 8 * length).bit_count()
    return saved


def _repeat(band: bytes, rows: Sequence[bytes]) -> int:
    """Return the columns of a band, the same in all bands of a picture, as one number."""
    return int.from_bytes(band * len(rows[::_BAND]))
