"""Kitty's graphics by cells of text."""

import re
from base64 import standard_b64decode
from itertools import product

import pytest

from engine.cards import PATHS, E, Goal, N, Path, S, W
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Tint, list_shades
from sabtui.art.kitty import (
    Placed,
    Sent,
    draw_placeholders,
    encode_picture,
    find_picture,
    find_sprite,
    find_tint,
    number_picture,
)
from sabtui.art.pixels import encode_png
from sabtui.art.placeholders import FIRST_SIGN
from sabtui.art.store import list_sizes, number_names, read_sprite
from tests.sabtui.art.test_pixels import read_chunks
from tests.samples import first, pairs

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
    other = number_picture(GOAL._replace(is_glass=True))
    assert sent.send(other, CELL)
    assert number_picture(GOAL) == number != other
    gone = [read_keys(keys) for keys, _data in GRAPHICS.findall(sent.delete_all())]
    assert sorted((key["a"], key["d"], key["i"]) for key in gone) == sorted(
        ("d", "I", str(each)) for each in (number, other)
    )
    assert sent.delete_all() == ""
    assert sent.send(number, CELL)


def test_nothing_is_sent_for_letters_that_only_look_like_the_cells_of_a_picture() -> None:
    number_picture(GOAL)
    sent = Sent()
    for other in (0, 0xFFFFFF, number_picture(GOAL) ^ 0x808080):
        assert sent.send(other, CELL) == ""
    assert sent.delete_all() == ""


def test_pictures_have_numbers_of_their_own_which_are_written_with_as_many_digits() -> None:
    pictures = {
        Placed(Drawing(name, across, down), size, is_dark, is_glass)
        for name in number_names()
        for size in list_sizes(name)
        for across, down, is_dark, is_glass in product((False, True), repeat=4)
    }
    numbers = {number_picture(picture) for picture in pictures}
    assert len(numbers) == len(pictures)
    assert all(min(number.to_bytes(3)) >= 100 for number in numbers)
    assert {find_picture(number) for number in numbers} == pictures


@pytest.mark.parametrize("tint", Tint)
def test_the_tint_of_a_picture_is_known_by_the_ground_of_its_cells(tint: Tint) -> None:
    ((cell, *_others), *_rows) = draw_placeholders(GOAL.drawing, GOAL.cells, tint)
    picture = find_picture(int(cell.front[1:], 16))
    assert picture is not None
    panel_s_own = "#171512"
    ground = panel_s_own if cell.ground == "default" else cell.ground
    assert find_tint(picture, ground) is tint


def test_each_cell_is_a_character_of_its_own_in_the_colour_of_its_picture() -> None:
    for name, size in (("goal", list_sizes("goal")[-1]), ("map", list_sizes("map")[-1])):
        rows = draw_placeholders(Drawing(name), size)
        assert [len(row) for row in rows] == [size[0]] * size[1]
        signs = [cell.glyph for row in rows for cell in row]
        assert len(set(signs)) == len(signs)
        assert {cell.front for row in rows for cell in row} == {
            f"#{number_picture(Placed(Drawing(name), size)):06x}"
        }
        assert all(sign >= FIRST_SIGN and len(sign) == 1 for sign in signs)


@pytest.mark.parametrize("cell", [(8, 16), (9, 20), (10, 19), (6, 13), (20, 40), None])
def test_a_picture_has_the_proportions_of_its_cells_so_that_cards_touch(
    cell: tuple[int, int] | None,
) -> None:
    for cells in ((9, 4), (13, 5), (7, 3)):
        sprite = find_sprite(GOAL._replace(cells=cells), cell)
        width, height = sprite.width, sprite.height
        across, down = cell or (1, 2)
        assert abs(width * cells[1] * down - height * cells[0] * across) <= max(
            cells[1] * down, cells[0] * across
        )


def every_picture(cells: tuple[int, int]) -> set[Placed]:
    """All pictures of a mine in one size, in each of its colours."""
    treasure, *stones = Goal
    things = [(Path.of(N | E | S | W, through=True), Thing.START)]
    things += [(path, Thing.of(goal)) for goal in Goal for path in goal.ways]
    plain = {find_goal_back(goal) for goal in (None, treasure, stones[0])} | {
        find_ground(path, is_lit=is_lit, thing=thing, is_frugal=True)
        for path, thing in things
        for is_lit in (True, thing is Thing.START)
    }
    lit, cold = (
        {
            find_ground(way, is_lit=is_lit, cell=cell, is_frugal=True)
            for way in PATHS
            for cell in product(range(-2, 12), range(-5, 6))
        }
        for is_lit in (True, False)
    )
    return {Placed(number, cells) for number in plain | lit | cold} | {
        Placed(find_ground(path, is_lit=True, is_frugal=True), cells, is_glass=True)
        for path in PATHS
    }


@pytest.mark.parametrize(
    ("cells", "cell"),
    first(2, pairs([(7, 3), (18, 8), (9, 4), (13, 5)], [(16, 32), (8, 16), (10, 20)]), thorough=4),
)
def test_all_pictures_of_a_mine_cost_at_most_four_hundred_thousand_bytes(
    cells: tuple[int, int], cell: tuple[int, int]
) -> None:
    sent = Sent()
    numbers = [number_picture(picture) for picture in sorted(every_picture(cells))]
    assert sum(len(sent.send(number, cell)) for number in numbers) < MOST_BYTES


def test_the_ground_is_seen_through_a_picture_that_is_tinted() -> None:
    alphas = [
        read_chunks(encode_picture(picture, find_sprite(picture, CELL))).get(b"tRNS", b"\xff")
        for picture in (GOAL, GOAL._replace(is_glass=True))
    ]
    assert set(alphas[0]) == {255}
    assert 100 < min(alphas[1]) == max(alphas[1]) < 200
    grounds = {
        tint: {cell.ground for row in draw_placeholders(*GOAL[:2], tint) for cell in row}
        for tint in Tint
    }
    # A card that can do nothing fades into what is behind it.
    assert grounds.pop(Tint.PLAIN) == grounds.pop(Tint.IDLE) == {"default"}
    assert len({colour for ground in grounds.values() for colour in ground}) == len(grounds)
