"""Kitty's graphics protocol: a picture is sent once, and then shown by cells of text.

Such a cell is U+10EEEE with two marks, which say the row and the column of the picture, in a colour
whose value is the picture's number. A screen composes, crops and erases these cells like others.
https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
"""

from __future__ import annotations

from base64 import standard_b64encode
from functools import cache
from typing import Final, NamedTuple

from sabtui.art.blocks import BlockCell, BlockRow
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Tint, list_shades
from sabtui.art.pixels import encode_png, find_sprite_size, fit_proportions
from sabtui.art.placeholders import sign_of
from sabtui.art.store import Size, Sprite, number_names, read_sprite

_CHUNK: Final = 4096  # most bytes of base64 in one escape sequence
_USUAL_CELL: Final = (1, 2)  # proportions of a cell if the terminal gives no size
_GLASS: Final = 150  # opacity, of 255, of pictures that are glass

_GROUNDS: Final = {
    Tint.PLAIN: "default",
    Tint.NEW: "#745614",
    Tint.FITS: "#2ea02e",
    Tint.WRONG: "#b41a1a",
    Tint.LIT: "#2878c8",
    Tint.IDLE: "default",
}
"""Grounds that tint the pictures over them: so all tints need one picture more. A card that can do
nothing fades into what is behind it."""

_ENOUGH: Final = 2 / 3
"""Share of its cells' pixels that a picture needs in order not to look coarse."""


class Placed(NamedTuple):
    """A picture as it lies on the screen."""

    drawing: Drawing
    cells: Size
    is_dark: bool = True  # False in the colours of a light theme
    is_glass: bool = False  # True if the ground of its cells shows through it, as a tint


_numbered: Final[dict[int, Placed]] = {}  # the pictures that have been numbered


@cache
def number_picture(picture: Placed) -> int:
    """Return the number of a picture: what it shows, and in how many cells.

    It is the same on every computer. Its three bytes are written with three digits each, so that
    all pictures cost the same. Raises `KeyError` for one that was never baked in pixels.
    """
    (name, across, down), (columns, rows), is_dark, is_glass = picture
    code = number_names()[name] << 2 | across << 1 | down
    code = code << 11 | is_dark << 10 | is_glass << 9 | columns << 4 | rows
    number = int.from_bytes(0x80 | code >> shift & 0x7F for shift in (14, 7, 0))
    _numbered[number] = picture
    return number


def find_picture(number: int) -> Placed | None:
    """Return the picture with this number, `None` if none of our pictures has it."""
    return _numbered.get(number)


def find_tint(picture: Placed, ground: str) -> Tint:
    """Return the tint of a picture's cells with this ground, as `draw_placeholders` gives it."""
    if not picture.is_glass:
        return Tint.PLAIN
    return next((tint for tint, colour in _GROUNDS.items() if colour == ground), Tint.IDLE)


@cache
def draw_placeholders(
    drawing: Drawing, cells: Size, tint: Tint = Tint.PLAIN, *, is_dark: bool = True
) -> tuple[BlockRow, ...]:
    """Return the cells that show a picture; their characters are written by `spell_signs`."""
    picture = Placed(drawing, cells, is_dark, is_glass=tint is not Tint.PLAIN)
    front = Colour(*number_picture(picture).to_bytes(3)).hex
    columns, rows = picture.cells
    return tuple(
        tuple(BlockCell(sign_of(row, column), front, _GROUNDS[tint]) for column in range(columns))
        for row in range(rows)
    )


class Sent:
    """Record of the pictures that a terminal has been sent."""

    def __init__(self) -> None:
        self._numbers: set[int] = set()

    def send(self, number: int, cell: Size | None) -> str:
        """Return the sequences that send a picture, "" if it was sent; a cell has these pixels."""
        picture = find_picture(number)
        if number in self._numbers or picture is None:
            return ""
        self._numbers.add(number)
        file = encode_picture(picture, find_sprite(picture, cell))
        text = standard_b64encode(file).decode()
        columns, rows = picture.cells
        sent, head = "", f"a=T,U=1,f=100,q=2,i={number},c={columns},r={rows},"
        for start in range(0, len(text), _CHUNK):
            more = int(start + _CHUNK < len(text))
            sent += f"\x1b_G{head}m={more};{text[start : start + _CHUNK]}\x1b\\"
            head = "q=2,"
        return sent

    def delete_all(self) -> str:
        """Return the sequences that delete all pictures in the terminal; forget them here, too."""
        gone = "".join(f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\" for number in sorted(self._numbers))
        self._numbers.clear()
        return gone


def find_sprite(picture: Placed, cell: Size | None) -> Sprite:
    """Return a picture's pixels in exactly the proportions of its cells, which kitty keeps."""
    (columns, rows), (width, height) = picture.cells, cell or _USUAL_CELL
    wanted = columns * width, rows * height
    enough = round(_ENOUGH * wanted[0]), round(_ENOUGH * wanted[1])
    name = picture.drawing.name
    return fit_proportions(read_sprite(picture.drawing, find_sprite_size(name, enough)), wanted)


def encode_picture(picture: Placed, sprite: Sprite) -> bytes:
    opacity = _GLASS if picture.is_glass else 255
    return encode_png(sprite.rows, list_shades(is_dark=picture.is_dark), opacity)
