"""Kitty's graphics by cells of text."""

import re
from base64 import standard_b64decode

from rich.cells import cell_len

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Tint, list_shades
from sabtui.art.kitty import PLACEHOLDER, Sent, draw_placeholders
from sabtui.art.png import encode_png
from sabtui.art.store import list_sizes, read_index, read_sprite

GRAPHICS = re.compile(r"\x1b_G([^;\x1b]*)(?:;([^\x1b]*))?\x1b\\")

MOST_BYTES = 400_000
"""Bytes that all pictures of a mine may cost together."""


def read_keys(text: str) -> dict[str, str]:
    return dict(key.split("=") for key in text.split(","))


def test_a_picture_is_sent_whole_in_small_chunks_and_quietly() -> None:
    number, text = Sent().send(Drawing("lit-dead-15-0"), (9, 4), (144, 128))
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
    sent = Sent()
    number, text = sent.send(Drawing("goal"), (9, 4), (72, 64))
    assert text
    assert sent.send(Drawing("goal"), (9, 4), (72, 64)) == (number, "")
    other, text = sent.send(Drawing("goal"), (9, 4), (72, 64), Tint.NEW)
    assert text
    assert other != number
    gone = [read_keys(keys) for keys, _data in GRAPHICS.findall(sent.delete_all())]
    assert [(key["a"], key["d"], key["i"]) for key in gone] == [
        ("d", "I", str(number)), ("d", "I", str(other)),
    ]  # fmt: skip
    assert sent.delete_all() == ""
    assert sent.send(Drawing("goal"), (9, 4), (72, 64))[1]


def test_each_cell_names_its_picture_its_row_and_its_column() -> None:
    for size in (list_sizes("goal")[-1], list_sizes("map")[-1]):
        rows = draw_placeholders(0x5AB007, size)
        assert [len(row) for row in rows] == [size[0]] * size[1]
        signs = [cell.glyph for row in rows for cell in row]
        assert len(set(signs)) == len(signs)
        assert {cell.front for row in rows for cell in row} == {"#5ab007"}
        assert all(sign.startswith(PLACEHOLDER) and cell_len(sign) == 1 for sign in signs)
        assert len({row[0].glyph[1] for row in rows}) == size[1]
        assert len({cell.glyph[2] for cell in rows[0]}) == size[0]


def test_all_pictures_of_a_mine_cost_at_most_four_hundred_thousand_bytes() -> None:
    sent = Sent()
    names = read_index().sprites["72x64"]
    assert sum(len(sent.send(Drawing(name), (9, 4), (72, 64))[1]) for name in names) < MOST_BYTES
