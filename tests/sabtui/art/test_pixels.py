"""Pictures in pixels: PNG files, pictures of others, and the sizes that they are drawn from."""

import struct
import zlib

import pytest

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Tint, list_shades
from sabtui.art.pixels import Canvas, encode_png, find_sprite_size
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


def test_a_picture_is_drawn_from_the_least_one_that_is_large_enough() -> None:
    assert find_sprite_size("goal", (70, 64)) == (72, 64)
    assert find_sprite_size("goal", (90, 80)) == (144, 128)
    assert find_sprite_size("goal", (400, 400)) == (144, 128)
    with pytest.raises(KeyError):
        find_sprite_size("dragon", (9, 9))


def test_a_path_card_keeps_its_proportions_in_the_mine_and_in_the_hand() -> None:
    assert find_sprite_size("lit-path-5-0", (63, 54)) == (72, 64)
    assert find_sprite_size("lit-path-5-0", (81, 72)) == (144, 128)
    assert find_sprite_size("lit-path-5-0", (90, 100)) == (90, 100)
    assert find_sprite_size("lit-path-5-0", (120, 160)) == (144, 192)
