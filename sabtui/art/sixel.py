"""Sixel: pictures as bands of six rows of pixels, one colour after the other.

A card is one picture, drawn where the cursor stands. What a terminal then writes there erases it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Shade, Tint, list_shades
from sabtui.art.pixels import scale_sprite
from sabtui.art.store import CLEAR, Size

_BAND: Final = 6
_FIRST: Final = 63
"""Code of the character that sets no pixel of its six."""
_REPEATED: Final = 4
"""Equal characters from which on a count is shorter."""

START: Final = "\x1bP0;1;0q"
"""Begins a picture whose pixels without a colour stay as they are."""
END: Final = "\x1b\\"


@lru_cache(maxsize=1 << 7)
def draw_sixel(
    picture: Drawing, size: Size, tint: Tint = Tint.PLAIN, *, is_dark: bool = True
) -> str:
    """Return what draws a picture in so many pixels at the cursor. Raises `KeyError`."""
    sprite = scale_sprite(picture, size)
    return encode_sixel(sprite.rows, list_shades(tint, is_dark=is_dark))


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
    parts = []
    for six, same in groupby(line):
        count = len(list(same))
        sign = chr(_FIRST + six)
        parts.append(f"!{count}{sign}" if count >= _REPEATED else sign * count)
    return "".join(parts)
