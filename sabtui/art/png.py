"""PNG files of pictures in pixels, without an image library."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Final

from sabtui.art.colours import Shade
from sabtui.art.store import CLEAR

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_TRUE, _INDEXED = 2, 3
"""Colour types: of pixels that are colours, and of those that are numbers of colours."""


_EFFORT: Final = 7
"""Effort of packing pixels: 9 takes twice as long, for a thousandth of the bytes."""


def encode_png(rows: Sequence[bytes], shades: Sequence[Shade], opacity: int = 255) -> bytes:
    """Return rows of numbers of colours as a PNG file; `CLEAR` is transparent.

    The opacity of the others is at most 255.
    """
    used = sorted({number for row in rows for number in set(row)})
    numbers = bytearray(256)
    for at, number in enumerate(used):
        numbers[number] = at
    raw = b"".join(b"\0" + row.translate(bytes(numbers)) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, _INDEXED, 0, 0, 0)
    colours = b"".join(bytes(shades[number].colour) for number in used)
    alpha = bytes(0 if number == CLEAR else opacity for number in used)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", colours),
            _chunk(b"tRNS", alpha) if min(alpha) < 255 else b"",
            _chunk(b"IDAT", zlib.compress(raw, _EFFORT)),
            _chunk(b"IEND", b""),
        )
    )


def encode_true_png(rows: Sequence[bytes | bytearray]) -> bytes:
    """Return rows of pixels, three bytes for each, as a PNG file."""
    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, _TRUE, 0, 0, 0)
    raw = b"".join(b"\0" + row for row in rows)
    chunks = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(raw)), _chunk(b"IEND", b""))
    return b"".join((_SIGNATURE, *chunks))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
