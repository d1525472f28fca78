"""Pictures in pixels made of others, of rectangles and of letters in dots, as PNG files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Tint, list_shades
from sabtui.art.pixels import scale_sprite
from sabtui.art.png import encode_true_png
from sabtui.art.store import CLEAR, Size

_BYTES: Final = 3
"""Bytes of a pixel: red, green and blue."""


class Canvas:
    """A picture to paint on; what lies outside of it is cut off."""

    def __init__(self, size: Size, ground: Colour) -> None:
        self.size = size
        width, height = size
        self._rows = [bytearray(bytes(ground) * width) for _ in range(height)]

    def fill(self, left: int, top: int, size: Size, colour: Colour) -> None:
        """Fill a rectangle."""
        width, height = size
        for y in range(top, top + height):
            self._put(left, y, bytes(colour) * width)

    def paste(
        self, drawing: Drawing, left: int, top: int, size: Size, tint: Tint = Tint.PLAIN
    ) -> None:
        """Paste a picture in so many pixels. Raises `KeyError` if it was never baked."""
        colours = [bytes(shade.colour) for shade in list_shades(tint)]
        for y, row in enumerate(scale_sprite(drawing, size).rows, top):
            if CLEAR not in row:
                self._put(left, y, b"".join([colours[number] for number in row]))
                continue
            for x, number in enumerate(row, left):
                if number != CLEAR:
                    self._put(x, y, colours[number])

    def write(self, dots: Sequence[str], place: Size, side: int, colour: Colour) -> None:
        """Write letters, in rows of dots of which `#` are set, each a square of so many pixels."""
        left, top = place
        for y, row in enumerate(dots):
            for x, dot in enumerate(row):
                if dot == "#":
                    self.fill(left + x * side, top + y * side, (side, side), colour)

    def encode(self) -> bytes:
        """Return the picture as a PNG file."""
        return encode_true_png(self._rows)

    def _put(self, left: int, y: int, pixels: bytes) -> None:
        width, height = self.size
        if 0 <= y < height and left < width:
            shown = pixels[max(0, -left) * _BYTES : (width - left) * _BYTES]
            at = max(0, left) * _BYTES
            self._rows[y][at : at + len(shown)] = shown
