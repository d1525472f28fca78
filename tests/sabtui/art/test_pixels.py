"""Pictures in pixels: as PNG files, by kitty's graphics in cells of text, and by sixel."""

import re
import struct
import zlib
from base64 import standard_b64decode
from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from engine.cards import PATHS, E, Goal, N, Path, S, W
from sabtui.art import kitty
from sabtui.art.catalogue import Drawing, Thing, find_goal_back, find_ground
from sabtui.art.colours import Colour, Shade, Tint, list_shades
from sabtui.art.kitty import Placed, Sent
from sabtui.art.pixels import Canvas, encode_png, find_sprite_size, stretch_sprite
from sabtui.art.placeholders import FIRST_SIGN
from sabtui.art.sixel import (
    END,
    MAX_BYTES,
    START,
    Area,
    draw_area,
    encode_sixel,
    find_cheap_sprite,
)
from sabtui.art.store import CLEAR, Size, list_sizes, list_sprite_sizes, number_names, read_sprite
from tests.samples import first, pairs


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
    sprite, shades = read_sprite(Drawing("dwarf-2-2"), (64, 64)), list_shades()
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
    canvas.paste(Drawing("dwarf-2-2"), 2, 2, (64, 64), tint)
    rows, shades = read_pixels(canvas), list_shades(tint)
    sprite = read_sprite(Drawing("dwarf-2-2"), (64, 64))
    assert any(CLEAR in row for row in sprite.rows)
    for row, line in zip(sprite.rows, rows[2:], strict=True):
        for number, pixel in zip(row, line[2:], strict=True):
            assert pixel == (RED if number == CLEAR else shades[number].colour)
    assert {pixel for row in rows[:2] for pixel in row} == {RED}


@pytest.mark.parametrize(
    ("name", "wanted", "size"),
    [
        ("goal", (70, 64), (72, 64)),
        ("goal", (90, 80), (144, 128)),
        ("goal", (400, 400), (144, 128)),
        ("lit-path-5-0", (63, 54), (72, 64)),
        ("lit-path-5-0", (81, 72), (144, 128)),
        ("lit-path-5-0", (90, 100), (90, 100)),
        ("lit-path-5-0", (120, 160), (144, 192)),
    ],
)
def test_a_picture_is_drawn_from_the_least_one_of_its_proportions_that_is_large_enough(
    name: str, wanted: Size, size: Size
) -> None:
    assert find_sprite_size(name, wanted) == size


GRAPHICS = re.compile(r"\x1b_G([^;\x1b]*)(?:;([^\x1b]*))?\x1b\\")

MOST_MINE_BYTES = 750_000
"""Bytes that all pictures of a mine may cost together."""

CELL = (8, 16)
GOAL = Placed(Drawing("goal"), (9, 4))


def read_keys(text: str) -> dict[str, str]:
    return dict(key.split("=") for key in text.split(","))


def test_a_picture_is_sent_whole_in_small_chunks_and_quietly() -> None:
    number = kitty.number_picture(Placed(Drawing("lit-dead-15-0"), (9, 4)))
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
    sent, number = Sent(), kitty.number_picture(GOAL)
    assert sent.send(number, CELL)
    assert sent.send(number, CELL) == ""
    other = kitty.number_picture(GOAL._replace(is_glass=True))
    assert sent.send(other, CELL)
    assert kitty.number_picture(GOAL) == number != other
    gone = [read_keys(keys) for keys, _data in GRAPHICS.findall(sent.delete_all())]
    assert sorted((key["a"], key["d"], key["i"]) for key in gone) == sorted(
        ("d", "I", str(each)) for each in (number, other)
    )
    assert sent.delete_all() == ""
    assert sent.send(number, CELL)


def test_nothing_is_sent_for_letters_that_only_look_like_the_cells_of_a_picture() -> None:
    kitty.number_picture(GOAL)
    sent = Sent()
    for other in (0, 0xFFFFFF, kitty.number_picture(GOAL) ^ 0x808080):
        assert sent.send(other, CELL) == ""
    assert sent.delete_all() == ""


def test_pictures_have_numbers_of_their_own_which_are_written_with_as_many_digits() -> None:
    pictures = {
        Placed(Drawing(name, across, down), size, is_dark, is_glass)
        for name in number_names()
        for size in list_sizes(name)
        for across, down, is_dark, is_glass in product((False, True), repeat=4)
    }
    numbers = {kitty.number_picture(picture) for picture in pictures}
    assert len(numbers) == len(pictures)
    assert all(min(number.to_bytes(3)) >= 100 for number in numbers)
    assert {kitty.find_picture(number) for number in numbers} == pictures


@pytest.mark.parametrize("tint", Tint)
def test_the_tint_of_a_picture_is_known_by_the_ground_of_its_cells(tint: Tint) -> None:
    ((cell, *_others), *_rows) = kitty.draw_placeholders(GOAL.drawing, GOAL.cells, tint)
    picture = kitty.find_picture(int(cell.front[1:], 16))
    assert picture is not None
    panel_s_own = "#171512"
    ground = panel_s_own if cell.ground == "default" else cell.ground
    assert kitty.find_tint(picture, ground) is tint


def test_each_cell_is_a_character_of_its_own_in_the_colour_of_its_picture() -> None:
    for name, size in (("goal", list_sizes("goal")[-1]), ("map", list_sizes("map")[-1])):
        rows = kitty.draw_placeholders(Drawing(name), size)
        assert [len(row) for row in rows] == [size[0]] * size[1]
        signs = [cell.glyph for row in rows for cell in row]
        assert len(set(signs)) == len(signs)
        assert {cell.front for row in rows for cell in row} == {
            f"#{kitty.number_picture(Placed(Drawing(name), size)):06x}"
        }
        assert all(sign >= FIRST_SIGN and len(sign) == 1 for sign in signs)


@pytest.mark.parametrize("cell", [(8, 16), (9, 20), (10, 19), (6, 13), (20, 40), None])
def test_a_picture_has_the_proportions_of_its_cells_so_that_cards_touch(
    cell: tuple[int, int] | None,
) -> None:
    for cells in ((9, 4), (13, 5), (7, 3)):
        sprite = kitty.find_sprite(GOAL._replace(cells=cells), cell)
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
def test_all_pictures_of_a_mine_cost_less_than_a_megabyte(
    cells: tuple[int, int], cell: tuple[int, int]
) -> None:
    sent = Sent()
    numbers = [kitty.number_picture(picture) for picture in sorted(every_picture(cells))]
    assert sum(len(sent.send(number, cell)) for number in numbers) < MOST_MINE_BYTES


def test_the_ground_is_seen_through_a_picture_that_is_tinted() -> None:
    alphas = [
        read_chunks(kitty.encode_picture(picture, kitty.find_sprite(picture, CELL))).get(
            b"tRNS", b"\xff"
        )
        for picture in (GOAL, GOAL._replace(is_glass=True))
    ]
    assert set(alphas[0]) == {255}
    assert 100 < min(alphas[1]) == max(alphas[1]) < 200
    grounds = {
        tint: {cell.ground for row in kitty.draw_placeholders(*GOAL[:2], tint) for cell in row}
        for tint in Tint
    }
    # A card that can do nothing fades into what is behind it.
    assert grounds.pop(Tint.PLAIN) == grounds.pop(Tint.IDLE) == {"default"}
    assert len({colour for ground in grounds.values() for colour in ground}) == len(grounds)


Rgb = tuple[int, ...]


def read_sixel(text: str) -> tuple[tuple[int, int], dict[tuple[int, int], Rgb]]:
    """Return a picture's size and its pixels, in hundredths of each colour."""
    assert text.startswith(START)
    assert text.endswith(END)
    size, colours, pixels = (0, 0), {}, {}
    x = top = colour = 0
    token = re.compile(
        r'"1;1;(?P<wide>\d+);(?P<high>\d+)|#(?P<new>\d+);2;(?P<rgb>\d+;\d+;\d+)|#(?P<use>\d+)'
        r"|(?:!(?P<count>\d+))?(?P<six>[?-~])|(?P<back>\$)|(?P<down>-)"
    )
    body = text[len(START) : -len(END)]
    found = [*token.finditer(body)]
    assert sum(len(match[0]) for match in found) == len(body)
    for match in found:
        if match["wide"]:
            size = int(match["wide"]), int(match["high"])
        elif match["new"]:
            colours[int(match["new"])] = tuple(map(int, match["rgb"].split(";")))
        elif match["use"]:
            colour = int(match["use"])
        elif match["six"]:
            for _ in range(int(match["count"] or 1)):
                for bit in range(6):
                    if ord(match["six"]) - 63 >> bit & 1:
                        pixels[x, top + bit] = colours[colour]
                x += 1
        else:
            x = 0
            top += 6 if match["down"] else 0
    return size, pixels


def paint_by_chance(chance: Random) -> tuple[bytes, ...]:
    """Rows of pixels, whose runs are as long as counts of one, two and three digits tell."""
    width, numbers = chance.choice((1, 3, 11, 101, 230)), chance.sample(range(128), 12)
    numbers = numbers[: chance.choice((1, 3, 12))] + [CLEAR] * chance.choice((0, 1, 12))
    rows: list[bytes] = []
    for _ in range(chance.randrange(1, 20)):
        row = b""
        while len(row) < width:
            run = chance.choice((1, 1, 2, 3, 4, 8, 9, 10, 11, 98, 99, 100, 101))
            row += bytes([chance.choice(numbers)]) * run
        rows.append(chance.choice([*rows, row[:width], row[:width]]))
    return tuple(rows)


def list_pixels(rows: Sequence[bytes], shades: Sequence[Shade]) -> dict[tuple[int, int], Rgb]:
    """Return the pixels that are not clear, in hundredths of each colour."""
    return {
        (x, y): tuple(round(part * 100 / 255) for part in shades[number].colour)
        for y, row in enumerate(rows)
        for x, number in enumerate(row)
        if number != CLEAR
    }


@pytest.mark.parametrize("seed", range(60))
def test_pixels_by_chance_are_read_back(seed: int) -> None:
    rows, shades = paint_by_chance(Random(seed)), list_shades()
    text = encode_sixel(rows, shades)
    assert not re.search(r"([?-~])\1{3}|\?[$\x1b-]", text), "no count is missing, no blank left"
    assert read_sixel(text) == ((len(rows[0]), len(rows)), list_pixels(rows, shades))


@pytest.mark.parametrize(
    "name", ["lit-path-15-0", "cold-dead-3-0", "lit-treasure-15-0", "dwarf-4-4"]
)
@pytest.mark.parametrize("cell", [(7, 13), (10, 20)])
def test_what_is_drawn_is_the_picture(name: str, cell: Size) -> None:
    drawing, shades = Drawing(name, across=True), list_shades(Tint.NEW)
    columns, rows = list_sizes(name)[-2]
    size = columns * cell[0], rows * cell[1]
    whole = Area(0, 0, (columns, rows))
    text = draw_area(Placed(drawing, whole.size), whole, cell, Tint.NEW)
    assert read_sixel(text) == (size, list_pixels(find_cheap_sprite(drawing, size).rows, shades))


@pytest.mark.parametrize("is_dark", [True, False])
def test_areas_of_a_picture_are_parts_of_the_whole(*, is_dark: bool) -> None:
    picture, (width, height) = Placed(Drawing("map"), (9, 5), is_dark), (8, 17)
    _size, whole = read_sixel(draw_area(picture, Area(0, 0, (9, 5)), (width, height)))
    for area in (Area(0, 0, (1, 1)), Area(3, 1, (5, 2)), Area(8, 4, (1, 1)), Area(0, 2, (9, 3))):
        size, pixels = read_sixel(draw_area(picture, area, (width, height)))
        assert size == (area.size[0] * width, area.size[1] * height)
        left, top = area.left * width, area.top * height
        for y in range(size[1]):
            for x in range(size[0]):
                assert pixels.get((x, y)) == whole.get((x + left, y + top))


def test_a_picture_is_drawn_from_its_finest_size_of_few_bytes_or_else_from_its_coarsest() -> None:
    shades, is_coarse = list_shades(), set[bool]()
    for name in number_names():
        drawing, (width, height) = Drawing(name), list_sprite_sizes(name)[-1]
        pixels = (width * 5 // 4, height * 5 // 4)
        fine = stretch_sprite(read_sprite(drawing, (width, height)), pixels)
        cheap = find_cheap_sprite(drawing, pixels)
        is_coarse.add(cheap != fine)
        bytes_of_fine, bytes_of_cheap = (
            len(encode_sixel(sprite.rows, shades)) for sprite in (fine, cheap)
        )
        if cheap != fine:
            assert bytes_of_cheap < bytes_of_fine
            assert bytes_of_fine > MAX_BYTES
    assert is_coarse == {True, False}
