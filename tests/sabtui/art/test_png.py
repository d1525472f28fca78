"""PNG files made without an image library."""

import struct
import zlib

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, list_shades
from sabtui.art.pixels import encode_png
from sabtui.art.store import CLEAR, read_sprite


def read_chunks(png: bytes) -> dict[bytes, bytes]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        data = png[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length)[0] == zlib.crc32(kind + data)
        chunks[kind] = data
        at += length + 12
    return chunks


def test_a_file_holds_the_pixels_in_their_colours() -> None:
    sprite, shades = read_sprite(Drawing("dwarf-2"), (64, 64)), list_shades()
    chunks = read_chunks(encode_png(sprite.rows, shades))
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (64, 64, 8, 3, 0, 0, 0)
    palette = [Colour(*chunks[b"PLTE"][at : at + 3]) for at in range(0, len(chunks[b"PLTE"]), 3)]
    raw = zlib.decompress(chunks[b"IDAT"])
    for y, row in enumerate(sprite.rows):
        line = raw[65 * y : 65 * (y + 1)]
        assert line[0] == 0
        for number, at in zip(row, line[1:], strict=True):
            assert chunks[b"tRNS"][at] == (0 if number == CLEAR else 255)
            assert number == CLEAR or palette[at] == shades[number].colour
    assert list(chunks)[-1] == b"IEND"


def test_a_card_without_clear_pixels_has_no_alpha() -> None:
    sprite = read_sprite(Drawing("goal"), (72, 64))
    assert b"tRNS" not in read_chunks(encode_png(sprite.rows, list_shades()))
