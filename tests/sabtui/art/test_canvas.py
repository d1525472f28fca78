"""Pictures made of others, of rectangles and of letters in dots."""

import struct
import zlib

import pytest

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Tint, list_shades
from sabtui.art.pixels import Canvas
from sabtui.art.store import CLEAR, read_sprite
from tests.sabtui.art.test_png import read_chunks

BLACK, RED = Colour(0, 0, 0), Colour(255, 0, 0)


def read_pixels(canvas: Canvas) -> list[list[Colour]]:
    """The rows of pixels of the file."""
    chunks = read_chunks(canvas.encode())
    width, height, *kind = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (kind, (width, height)) == ([8, 2, 0, 0, 0], canvas.size)
    raw, step = zlib.decompress(chunks[b"IDAT"]), 3 * width + 1
    lines = [raw[at + 1 : at + step] for at in range(0, len(raw), step)]
    return [[Colour(*line[at : at + 3]) for at in range(0, len(line), 3)] for line in lines]


def test_letters_and_rectangles_are_squares_and_what_lies_outside_is_cut_off() -> None:
    canvas = Canvas((6, 4), BLACK)
    canvas.write(["#.", ".#"], (1, 0), 2, RED)
    canvas.fill(5, 3, (9, 9), RED)
    canvas.fill(-3, 3, (4, 1), RED)
    rows = ["".join("#" if pixel == RED else "." for pixel in row) for row in read_pixels(canvas)]
    assert rows == [".##...", ".##...", "...##.", "#..###"]


@pytest.mark.parametrize("tint", [Tint.PLAIN, Tint.NEW])
def test_a_picture_is_pasted_in_its_colours_and_leaves_what_is_clear(tint: Tint) -> None:
    canvas = Canvas((66, 66), RED)
    canvas.paste(Drawing("dwarf-2"), 2, 2, (64, 64), tint)
    rows, shades = read_pixels(canvas), list_shades(tint)
    sprite = read_sprite(Drawing("dwarf-2"), (64, 64))
    assert any(CLEAR in row for row in sprite.rows)
    for row, line in zip(sprite.rows, rows[2:], strict=True):
        for number, pixel in zip(row, line[2:], strict=True):
            assert pixel == (RED if number == CLEAR else shades[number].colour)
    assert {pixel for row in rows[:2] for pixel in row} == {RED}
