"""Kitty's graphics protocol: a picture is sent once, and then shown by cells of text.

Such a cell is U+10EEEE with two marks, which say the row and the column of the picture, in a colour
whose value is the picture's number. A screen composes, crops and erases these cells like others.
https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
"""

from __future__ import annotations

from base64 import standard_b64encode
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from sabtui.art.blocks import BlockCell, BlockRow
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Tint, list_shades
from sabtui.art.pixels import find_sprite_size
from sabtui.art.png import encode_png
from sabtui.art.store import Size, read_sprite

PLACEHOLDER: Final = "\U0010eeee"

_MARKS: Final = (
    "\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352"
    "\u0357\u035b\u0363\u0364\u0365\u0366\u0367\u0368\u0369\u036a\u036b\u036c\u036d\u036e\u036f"
)
"""Marks of the numbers from 0 to 29, more than any picture's columns; the protocol's page has
the others."""

_CHUNK: Final = 4096
"""Most bytes of base64 in one escape sequence."""


class Sent:
    """The pictures that a terminal has been sent, each with its number.

    `base` sets apart the pictures of programs that share a terminal, as after a crash.
    """

    def __init__(self, base: int = 0x5AB000) -> None:
        self._base = base
        self._numbers: dict[tuple[Drawing, Size, Size, Tint, bool], int] = {}

    def send(
        self,
        picture: Drawing,
        cells: Size,
        pixels: Size,
        tint: Tint = Tint.PLAIN,
        *,
        is_dark: bool = True,
    ) -> tuple[int, str]:
        """Return a picture's number, and what to write first: nothing if it was sent before.

        `cells` are the columns and rows that it fills, `pixels` what these measure on the screen.
        Raises `KeyError` for a picture that was never baked in pixels.
        """
        source = find_sprite_size(picture.name, pixels)
        key = (picture, cells, source, tint, is_dark)
        if key in self._numbers:
            return self._numbers[key], ""
        number = self._numbers[key] = self._base + len(self._numbers) + 1
        return number, "".join(transmit(number, _png(picture, source, tint, is_dark), cells))

    def delete_all(self) -> str:
        """Return what makes the terminal forget every picture sent, and forget them here."""
        gone = "".join(f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\" for number in self._numbers.values())
        self._numbers.clear()
        return gone


def transmit(number: int, png: bytes, cells: Size) -> Iterator[str]:
    """Yield the escape sequences that send a picture, for cells of text to show it."""
    text = standard_b64encode(png).decode()
    head = f"a=T,U=1,f=100,q=2,i={number},c={cells[0]},r={cells[1]},"
    for start in range(0, len(text), _CHUNK):
        more = int(start + _CHUNK < len(text))
        yield f"\x1b_G{head}m={more};{text[start : start + _CHUNK]}\x1b\\"
        head = "q=2,"


@lru_cache(maxsize=1 << 9)
def draw_placeholders(number: int, size: Size) -> tuple[BlockRow, ...]:
    """Return the cells that show a picture by its number, in so many columns and rows."""
    front = Colour(*number.to_bytes(3)).hex
    columns, rows = size
    return tuple(
        tuple(
            BlockCell(PLACEHOLDER + _MARKS[row] + _MARKS[column], front, "default")
            for column in range(columns)
        )
        for row in range(rows)
    )


@lru_cache(maxsize=1 << 7)
def _png(picture: Drawing, size: Size, tint: Tint, is_dark: bool) -> bytes:  # noqa: FBT001 - a key
    return encode_png(read_sprite(picture, size).rows, list_shades(tint, is_dark=is_dark))
