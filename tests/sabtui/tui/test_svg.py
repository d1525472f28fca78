"""Pictures of styled text: each piece in its place and its colours, and text that stays text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from base64 import standard_b64decode

from rich.segment import Segment
from rich.style import Style

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Tint
from sabtui.art.kitty import Placed, draw_placeholders, encode_picture, find_sprite
from tests.sabtui.tui.svg import CELL_HEIGHT, CELL_WIDTH, QUARTERS, svg

PLAIN = Style.parse("#dcd6c8 on #171512")


def pieces(*lines: list[Segment]) -> list[ET.Element]:
    """The pieces of a picture of these lines, the ground first."""
    root = ET.fromstring(svg(lines, 20, len(lines)))  # noqa: S314 - a picture of ours
    return [piece for piece in root.iter() if not piece.tag.endswith(("svg", "}g"))]


def test_words_are_held_to_their_cells_even_behind_wide_letters() -> None:
    ground, first, second = pieces([Segment("a b  ", PLAIN)], [Segment("金金  bold", PLAIN)])[:3]
    assert ground.get("fill") == "#171512"
    assert (first.text, first.get("x"), first.get("textLength")) == (
        "a b",
        "0",
        f"{3 * CELL_WIDTH}",
    )
    assert (second.text, second.get("textLength")) == ("金金", f"{4 * CELL_WIDTH}")
    last = pieces([Segment("金金  bold", PLAIN)])[-1]
    assert (last.text, last.get("x")) == ("bold", f"{6 * CELL_WIDTH}")


def test_blocks_are_drawn_as_rectangles_without_gaps() -> None:
    _ground, block = pieces([Segment(" ▀▀▀ ", PLAIN)])
    assert (block.get("x"), block.get("width")) == (f"{CELL_WIDTH}", f"{3 * CELL_WIDTH}")
    assert (block.get("y"), block.get("height")) == ("0", f"{CELL_HEIGHT // 2}")


def test_each_quarter_of_a_cell_that_a_block_fills_is_covered_once() -> None:
    for count in (1, 3):
        for filled, block in enumerate(QUARTERS, 1):
            _ground, *rectangles = pieces([Segment(" " + block * count, PLAIN)])
            covered = [
                (x, y)
                for one in rectangles
                for x in range(2 * CELL_WIDTH * count)
                for y in range(CELL_HEIGHT)
                if _is_in(one, CELL_WIDTH + x / 2, y)
            ]
            wanted = {
                (x, y)
                for x in range(2 * CELL_WIDTH * count)
                for y in range(CELL_HEIGHT)
                if filled >> (x // CELL_WIDTH % 2 + 2 * (y // (CELL_HEIGHT // 2))) & 1
            }
            assert len(covered) == len(wanted), block
            assert set(covered) == wanted, block


def _is_in(rectangle: ET.Element, x: float, y: float) -> bool:
    left, top, wide, high = (float(rectangle.get(it, "0")) for it in ("x", "y", "width", "height"))
    return left <= x < left + wide and top <= y < top + high


def test_markup_in_names_stays_text() -> None:
    *_others, name = pieces([Segment("<b>&\"'", PLAIN)])
    assert name.text == "<b>&\"'"


def test_text_without_colours_is_black_on_white_and_reversed_where_it_is_marked() -> None:
    ground, word = pieces([Segment("word", Style.parse("bold"))])
    assert (ground.get("fill"), word.get("fill")) == ("#ffffff", "#000000")
    _ground, _word, behind, marked = pieces(
        [Segment("a ", Style.parse("not bold")), Segment("b", Style.parse("reverse"))]
    )
    assert (behind.get("fill"), marked.get("fill")) == ("#000000", "#ffffff")


def _row_of(drawing: Drawing, tint: Tint, row: int, count: int) -> list[Segment]:
    """A row of a picture of 9 by 4 cells, so many times side by side."""
    cells = draw_placeholders(drawing, (9, 4), tint)[row]
    front, ground = cells[0].front, cells[0].ground
    text = "".join(one.glyph for one in cells)
    return [Segment("ab", PLAIN), Segment(text * count, Style(color=front, bgcolor=ground))]


def test_a_card_is_a_picture_of_which_each_row_shows_its_part() -> None:
    goal = Drawing("goal")
    drawn = svg([_row_of(goal, Tint.PLAIN, row, 2) for row in range(4)], 20, 4)
    shown = re.findall(r'<svg x="(\d+)" y="(\d+)" width="(\d+)".*? viewBox="(\d+) (\d+) ', drawn)
    wide, high = 9 * CELL_WIDTH, CELL_HEIGHT
    at = (2 * CELL_WIDTH, 2 * CELL_WIDTH + wide)
    assert [tuple(map(int, one)) for one in shown] == [
        (x, row * high, wide, 0, row * high) for row in range(4) for x in at
    ]
    [file] = re.findall(r"base64,([^\"]+)", drawn)
    placed = Placed(goal, (9, 4))
    sprite = find_sprite(placed, (CELL_WIDTH, CELL_HEIGHT))
    assert standard_b64decode(file) == encode_picture(placed, sprite)


def test_where_pictures_are_not_admitted_there_are_blocks_but_none_below_glass() -> None:
    for tint, has_blocks in ((Tint.PLAIN, True), (Tint.NEW, False)):
        root = ET.fromstring(svg([_row_of(Drawing("goal"), tint, 0, 1)], 20, 1))  # noqa: S314 - ours
        [card] = [group for group in root.iter() if group.get("id", "").startswith("p")]
        *blocks, picture = card
        assert picture.tag.endswith("image")
        assert bool(blocks) is has_blocks
