"""Kitty's graphics by cells of text."""

import re
import struct
from base64 import standard_b64decode

import pytest

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Tint, list_shades
from sabtui.art.kitty import Placed, Sent, draw_placeholders, encode_picture, number_picture
from sabtui.art.placeholders import FIRST_SIGN
from sabtui.art.png import encode_png
from sabtui.art.store import list_sizes, read_index, read_sprite
from tests.sabtui.art.test_png import read_chunks

GRAPHICS = re.compile(r"\x1b_G([^;\x1b]*)(?:;([^\x1b]*))?\x1b\\")

MOST_BYTES = 400_000
"""Bytes that all pictures of a mine may cost together."""

CELL = (8, 16)
GOAL = Placed(Drawing("goal"), (9, 4))


def read_keys(text: str) -> dict[str, str]:
    return dict(key.split("=") for key in text.split(","))


def test_a_picture_is_sent_whole_in_small_chunks_and_quietly() -> None:
    number = number_picture(Placed(Drawing("lit-dead-15-0"), (9, 4)))
    text = Sent().send(number, (16, 32))
    chunks = GRAPHICS.findall(text)
    assert "".join(f"\x1b_G{keys};{data}\x1b\\" for keys, data in chunks) == text
    assert len(chunks) > 1
    assert all(len(data) <= 4096 for _keys, data in chunks)
    keys = [read_keys(keys) for keys, _data in chunks]
    assert keys[0] | {"m": ""} == {
        "a": "T", "U": "1", "f": "100", "q": "2", "i": str(number), "c": "9", "r": "4", "m": "",
    }  # fmt: skip
    assert [key["m"] for key in keys] == ["1"] * (len(keys) - 1) + ["0"]
    assert all(key["q"] == "2" for key in keys)
    png = standard_b64decode("".join(data for _keys, data in chunks))
    assert png == encode_png(read_sprite(Drawing("lit-dead-15-0"), (144, 128)).rows, list_shades())


def test_a_picture_is_sent_once_and_after_all_are_deleted_again() -> None:
    sent, number = Sent(), number_picture(GOAL)
    assert sent.send(number, CELL)
    assert sent.send(number, CELL) == ""
    other = number_picture(GOAL._replace(tint=Tint.NEW))
    assert sent.send(other, CELL)
    assert number_picture(GOAL) == number != other
    gone = [read_keys(keys) for keys, _data in GRAPHICS.findall(sent.delete_all())]
    assert sorted((key["a"], key["d"], key["i"]) for key in gone) == sorted(
        ("d", "I", str(each)) for each in (number, other)
    )
    assert sent.delete_all() == ""
    assert sent.send(number, CELL)


def test_each_cell_is_a_character_of_its_own_in_the_colour_of_its_picture() -> None:
    for name, size in (("goal", list_sizes("goal")[-1]), ("map", list_sizes("map")[-1])):
        picture = Placed(Drawing(name), size)
        rows = draw_placeholders(picture)
        assert [len(row) for row in rows] == [size[0]] * size[1]
        signs = [cell.glyph for row in rows for cell in row]
        assert len(set(signs)) == len(signs)
        assert {cell.front for row in rows for cell in row} == {f"#{number_picture(picture):06x}"}
        assert all(sign >= FIRST_SIGN and len(sign) == 1 for sign in signs)


@pytest.mark.parametrize("cell", [(8, 16), (9, 20), (10, 19), (6, 13), (20, 40), None])
def test_a_picture_has_the_proportions_of_its_cells_so_that_cards_touch(
    cell: tuple[int, int] | None,
) -> None:
    for cells in ((9, 4), (13, 5), (7, 3)):
        width, height = struct.unpack_from(
            ">II", read_chunks(encode_picture(GOAL._replace(cells=cells), cell))[b"IHDR"]
        )
        across, down = cell or (1, 2)
        assert abs(width * cells[1] * down - height * cells[0] * across) <= max(
            cells[1] * down, cells[0] * across
        )


def test_all_pictures_of_a_mine_cost_at_most_four_hundred_thousand_bytes() -> None:
    sent = Sent()
    pictures = [Placed(Drawing(name), (9, 4)) for name in read_index().sprites["72x64"]]
    assert sum(len(sent.send(number_picture(one), CELL)) for one in pictures) < MOST_BYTES
