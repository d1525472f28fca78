"""Pictures in pixels: in the size of a terminal's cells, as PNG, and put together from others."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log
from typing import Final

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Shade, Tint, list_shades
from sabtui.art.store import CLEAR, Size, Sprite, list_sprite_sizes, read_sprite


def find_sprite_size(name: str, wanted: Size) -> Size:
    """Return the baked size in pixels, of nearly these proportions, to draw a picture from."""
    sizes = list_sprite_sizes(name)
    if not sizes:
        raise KeyError(name)
    width, height = wanted

    def stretch(size: Size) -> float:
        return round(abs(log(size[0] * height / (size[1] * width))), 1)

    least = min(map(stretch, sizes))
    alike = [size for size in sizes if stretch(size) == least]
    large = [size for size in alike if size[0] >= width and size[1] >= height]
    return large[0] if large else alike[-1]


@lru_cache(maxsize=1 << 7)
def fit_proportions(sprite: Sprite, wanted: Size) -> Sprite:
    """Return a picture stretched in one direction to the proportions of another size."""
    width, height = wanted
    return stretch_sprite(
        sprite,
        (
            max(sprite.width, round(sprite.height * width / height)),
            max(sprite.height, round(sprite.width * height / width)),
        ),
    )


def stretch_sprite(sprite: Sprite, wanted: Size) -> Sprite:
    """Return a picture in exactly this many pixels, each the nearest pixel of `sprite`."""
    width, height = wanted
    columns = [(2 * x + 1) * sprite.width // (2 * width) for x in range(width)]
    lines = [(2 * y + 1) * sprite.height // (2 * height) for y in range(height)]
    pixels, scaled = b"".join(sprite.rows), bytearray(width * sprite.height)
    for x, column in enumerate(columns):
        scaled[x::width] = pixels[column :: sprite.width]
    rows = [bytes(scaled[at : at + width]) for at in range(0, len(scaled), width)]
    return Sprite(width, tuple(rows[line] for line in lines))


_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_TRUE, _INDEXED = 2, 3
"""PNG's colour types: pixels as colours, and pixels as numbers of colours."""

_EFFORT: Final = 7  # effort of packing pixels: 9 takes twice as long, and saves a thousandth


def encode_png(rows: Sequence[bytes], shades: Sequence[Shade], opacity: int = 255) -> bytes:
    """Return rows of numbers of colours as a PNG file; `CLEAR` is transparent."""
    used = sorted({number for row in rows for number in set(row)})
    numbers = bytearray(256)
    for at, number in enumerate(used):
        numbers[number] = at
    raw = b"".join(b"\0" + row.translate(bytes(numbers)) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, _INDEXED, 0, 0, 0)
    colours = b"".join(bytes(shades[number].colour) for number in used)
    alpha = bytes(0 if number == CLEAR else opacity for number in used)
    chunks = {b"IHDR": header, b"PLTE": colours}
    chunks |= {b"tRNS": alpha} if min(alpha) < 255 else {}
    return _join_chunks(chunks | {b"IDAT": zlib.compress(raw, _EFFORT)})


def _join_chunks(chunks: Mapping[bytes, bytes]) -> bytes:
    """Return a PNG file of these chunks, by kind, and the one that ends it."""
    ended = {**chunks, b"IEND": b""}
    return _SIGNATURE + b"".join(_encode_chunk(*chunk) for chunk in ended.items())


def _encode_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


_BYTES: Final = 3  # bytes of a pixel: red, green and blue


class Canvas:
    """A picture to paint on; what lies outside of it is cut off."""

    def __init__(self, size: Size, ground: Colour) -> None:
        self.size = size
        width, height = size
        self._rows = [bytearray(bytes(ground) * width) for _ in range(height)]

    def fill(self, left: int, top: int, size: Size, colour: Colour) -> None:
        width, height = size
        for y in range(top, top + height):
            self._put(left, y, bytes(colour) * width)

    def paste(
        self, drawing: Drawing, left: int, top: int, size: Size, tint: Tint = Tint.PLAIN
    ) -> None:
        """Paste a picture in this many pixels. Raises `KeyError` if it was never baked."""
        colours = [bytes(shade.colour) for shade in list_shades(tint)]
        baked = read_sprite(drawing, find_sprite_size(drawing.name, size))
        for y, row in enumerate(stretch_sprite(baked, size).rows, top):
            if CLEAR not in row:
                self._put(left, y, b"".join([colours[number] for number in row]))
                continue
            for x, number in enumerate(row, left):
                if number != CLEAR:
                    self._put(x, y, colours[number])

    def write(self, dots: Sequence[str], place: Size, side: int, colour: Colour) -> None:
        """Write letters, in rows of dots; each `#` is a square of `side` pixels."""
        left, top = place
        for y, row in enumerate(dots):
            for x, dot in enumerate(row):
                if dot == "#":
                    self.fill(left + x * side, top + y * side, (side, side), colour)

    def encode(self) -> bytes:
        header = struct.pack(">IIBBBBB", *self.size, 8, _TRUE, 0, 0, 0)
        raw = b"".join(b"\0" + row for row in self._rows)
        return _join_chunks({b"IHDR": header, b"IDAT": zlib.compress(raw)})

    def _put(self, left: int, y: int, pixels: bytes) -> None:
        width, height = self.size
        if 0 <= y < height and left < width:
            shown = pixels[max(0, -left) * _BYTES : (width - left) * _BYTES]
            at = max(0, left) * _BYTES
            self._rows[y][at : at + len(shown)] = shown
