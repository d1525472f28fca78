"""Kitty's graphics protocol: a picture is sent once, and then shown by cells of text.

Such a cell is U+10EEEE with two marks, which say the row and the column of the picture, in a colour
whose value is the picture's number. A screen composes, crops and erases these cells like others.
https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
"""

from __future__ import annotations

from base64 import standard_b64encode
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from sabtui.art.blocks import BlockCell, BlockRow
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Tint, list_shades
from sabtui.art.pixels import find_sprite_size, fit_proportions
from sabtui.art.placeholders import sign_of
from sabtui.art.png import encode_png
from sabtui.art.store import Size, read_sprite

_CHUNK: Final = 4096
"""Most bytes of base64 in one escape sequence."""

_BASE: Final = 0x5AB000
"""Number before that of the first picture: apart from those of other programs."""

_USUAL_CELL: Final = (1, 2)
"""Proportions of a cell where the terminal tells no size."""


class Placed(NamedTuple):
    """A picture in so many columns and rows of cells, and in the colours of a tint and a theme."""

    drawing: Drawing
    cells: Size
    tint: Tint = Tint.PLAIN
    is_dark: bool = True


_numbered: Final[list[Placed]] = []
"""The pictures that have a number, in that order."""


@cache
def number_picture(picture: Placed) -> int:
    """Return the number of a picture, the same as long as this program runs."""
    _numbered.append(picture)
    return _BASE + len(_numbered)


@cache
def draw_placeholders(picture: Placed) -> tuple[BlockRow, ...]:
    """Return the cells that show a picture; their characters are written by `spell_signs`."""
    front = Colour(*number_picture(picture).to_bytes(3)).hex
    columns, rows = picture.cells
    return tuple(
        tuple(BlockCell(sign_of(row, column), front, "default") for column in range(columns))
        for row in range(rows)
    )


class Sent:
    """The pictures that a terminal has been sent."""

    def __init__(self) -> None:
        self._numbers: set[int] = set()

    def send(self, number: int, cell: Size | None) -> str:
        """Return what to write before a picture is first shown: nothing if it was sent before.

        `cell` are the pixels of a cell of the screen, `None` where they are not known. Raises
        `KeyError` for a picture that was never baked in pixels.
        """
        if number in self._numbers:
            return ""
        self._numbers.add(number)
        picture = _numbered[number - _BASE - 1]
        return "".join(transmit(number, encode_picture(picture, cell), picture.cells))

    def delete_all(self) -> str:
        """Return what makes the terminal forget every picture sent, and forget them here."""
        gone = "".join(f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\" for number in sorted(self._numbers))
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


def encode_picture(picture: Placed, cell: Size | None) -> bytes:
    """Return a picture as a PNG file in exactly the proportions of its cells: kitty keeps them."""
    columns, rows = picture.cells
    width, height = cell or _USUAL_CELL
    wanted = columns * width, rows * height
    sprite = read_sprite(picture.drawing, find_sprite_size(picture.drawing.name, wanted))
    return encode_png(
        fit_proportions(sprite, wanted).rows, list_shades(picture.tint, is_dark=picture.is_dark)
    )
