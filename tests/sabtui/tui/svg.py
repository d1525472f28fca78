"""Pictures of screens: lines of styled text as SVG, in whatever fixed font the reader has.

A picture names no font but the system's own, holds no script, and is the same each time. Cards that
a terminal is sent as pictures are in it, too, each once, and below each is what blocks make of it,
for pages that admit no picture within a picture.
"""

from __future__ import annotations

import re
from base64 import standard_b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, pairwise
from typing import Final
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from sabtui.art.blocks import Palette, draw_blocks
from sabtui.art.glyphs import BlockSet
from sabtui.art.kitty import Placed, encode_picture, find_picture, find_sprite
from sabtui.art.placeholders import FIRST_SIGN, place_of_sign
from sabtui.art.store import CLEAR, list_sizes

CELL_WIDTH, CELL_HEIGHT = 9, 18
"""Width and height of a terminal cell, in the picture's units."""

BASELINE: Final = 5
"""Units from the foot of a cell up to the line that letters stand on."""

HEAD: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<rect width="{width}" height="{height}" rx="6" fill="{ground}"/>
<g font-family="monospace" font-size="15" shape-rendering="crispEdges">
"""

QUARTERS: Final = "▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""Blocks by the quarters of a cell that they fill: 1 top left, 2 top right, 4 and 8 below them."""

SHADES: Final = {"░": 0.25, "▒": 0.5, "▓": 0.75}
"""Opacity of blocks that fill a cell with dots."""

SIGNS: Final = f"{FIRST_SIGN}-\U000f0fff"
"""Range of the characters that stand for the cells of pictures."""

NO_WORDS: Final = rf"\s{QUARTERS}░▒▓{SIGNS}"
WORDS: Final = re.compile(rf"[^{NO_WORDS}]+(?: [^{NO_WORDS}]+)*")
"""Text that can be drawn in one piece: not every program keeps several blanks in a row."""

RUNS: Final = re.compile(rf"([{QUARTERS}░▒▓])\1*")
"""Equal blocks side by side. Fonts leave gaps between them, so rectangles are drawn instead."""


def svg(lines: Iterable[Iterable[Segment]], columns: int, rows: int) -> str:
    """Return lines of a screen as a picture, on the ground that most of its cells have."""
    simple = [list(Segment.simplify(line)) for line in lines]
    grounds = Counter[str]()
    for segment in chain.from_iterable(simple):
        grounds[_colours(segment.style)[1]] += segment.cell_length
    [(ground, _cells)] = grounds.most_common(1)
    drawn = draw_rows(simple, ground)
    cards = define_pictures(drawn)
    return "".join([begin(columns, rows, ground), cards, *drawn, "</g>\n</svg>\n"])


def begin(columns: int, rows: int, ground: str) -> str:
    """Return how a picture of this size begins, whose `ground` is a colour such as `#171512`."""
    return HEAD.format(width=CELL_WIDTH * columns, height=CELL_HEIGHT * rows, ground=ground)


def draw_rows(lines: Iterable[Iterable[Segment]], ground: str) -> list[str]:
    """Return each row of a screen drawn on a `ground`, a colour such as `#171512`."""
    rows = map(Segment.simplify, lines)
    return ["".join(_draw_row(line, row, ground)) for row, line in enumerate(rows)]


def define_pictures(drawn: Iterable[str]) -> str:
    """Return the pictures whose cells are among what was drawn, each defined by its number."""
    numbers = {int(found) for text in drawn for found in re.findall(r'href="#p(\d+)"', text)}
    defined = "".join(map(_define_picture, sorted(numbers)))
    return f"<defs>\n{defined}</defs>\n" if defined else ""


@cache
def _define_picture(number: int) -> str:
    """Return a picture by its number: a PNG file, over blocks unless they would shine through."""
    picture = find_picture(number)
    assert picture is not None
    columns, rows = picture.cells
    sprite = find_sprite(picture, (CELL_WIDTH, CELL_HEIGHT))
    is_clear = picture.is_glass or any(CLEAR in line for line in sprite.rows)
    has_blocks = picture.cells in list_sizes(picture.drawing.name) and not is_clear
    blocks = _draw_in_blocks(picture) if has_blocks else ""
    file = encode_picture(picture, sprite)
    return (
        f'<g id="p{number}">\n{blocks}'
        f'<image width="{columns * CELL_WIDTH}" height="{rows * CELL_HEIGHT}" '
        f'href="data:image/png;base64,{standard_b64encode(file).decode()}"/>\n</g>\n'
    )


def _draw_in_blocks(picture: Placed) -> str:
    palette = Palette(is_dark=picture.is_dark)
    cells = draw_blocks(picture.drawing, picture.cells, BlockSet.QUADRANTS, palette=palette)
    lines = (
        [Segment(cell.glyph, Style(color=cell.front, bgcolor=cell.ground)) for cell in row]
        for row in cells
    )
    return "".join(draw_rows(lines, ""))


def _draw_cells(segment: Segment, x: int, y: int) -> Iterator[str]:
    """Yield the parts of pictures whose cells are in a piece of a line.

    Each reaches a little into the next row, which otherwise shows a gap where the SVG is scaled.
    """
    high = CELL_HEIGHT + 0.5
    number = int(_colours(segment.style)[0][1:], 16)
    for run in re.finditer(f"[{SIGNS}]+", segment.text):
        left = x + _cells_before(segment, run) * CELL_WIDTH
        places = [place_of_sign(sign) for sign in run[0]]
        starts = [at for at, (_, column) in enumerate(places) if not at or not column]
        for at, end in pairwise([*starts, len(places)]):
            row, column = places[at]
            wide = (end - at) * CELL_WIDTH
            yield (
                f'<svg x="{left + at * CELL_WIDTH}" y="{y}" width="{wide}" height="{high}" '
                f'viewBox="{column * CELL_WIDTH} {row * CELL_HEIGHT} {wide} {high}">'
                f'<use href="#p{number}"/></svg>\n'
            )


def _draw_row(line: Iterable[Segment], row: int, ground: str) -> Iterator[str]:
    column = 0
    for segment in line:
        yield from _draw_piece(segment, column * CELL_WIDTH, row * CELL_HEIGHT, ground)
        column += segment.cell_length


def _draw_piece(segment: Segment, x: int, y: int, ground: str) -> Iterator[str]:
    """Yield a piece of a line: what is behind it, and its words, each held to its place."""
    colour, behind = _colours(segment.style)
    if behind != ground:
        wide = segment.cell_length * CELL_WIDTH
        yield f'<rect x="{x}" y="{y}" width="{wide}" height="{CELL_HEIGHT}" fill="{behind}"/>\n'
    bold = ' font-weight="bold"' if segment.style and segment.style.bold else ""
    for run in RUNS.finditer(segment.text):
        solid = f' fill-opacity="{SHADES[run[1]]}"' if run[1] in SHADES else ""
        at = x + _cells_before(segment, run) * CELL_WIDTH
        for left, top, wide, high in _fill_quarters(run[1], len(run[0])):
            yield (
                f'<rect x="{at + left * CELL_WIDTH / 2:g}" y="{y + top * CELL_HEIGHT // 2}" '
                f'width="{wide * CELL_WIDTH / 2:g}" height="{high * CELL_HEIGHT // 2}" '
                f'fill="{colour}"{solid}/>\n'
            )
    yield from _draw_cells(segment, x, y)
    for words in WORDS.finditer(segment.text):
        at, wide = x + _cells_before(segment, words) * CELL_WIDTH, cell_len(words[0]) * CELL_WIDTH
        yield (
            f'<text x="{at}" y="{y + CELL_HEIGHT - BASELINE}" textLength="{wide}"{bold} '
            f'fill="{colour}">{escape(words[0])}</text>\n'
        )


def _fill_quarters(block: str, count: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield rectangles that fill equal blocks: column, row, width and height in half cells."""
    filled = QUARTERS.index(block) + 1 if block in QUARTERS else len(QUARTERS)
    if filled == len(QUARTERS):
        yield 0, 0, 2 * count, 2
        return
    for half in range(2):
        sides = filled >> 2 * half & 3
        if sides == 3:
            yield 0, half, 2 * count, 1
        elif sides:
            yield from ((2 * cell + sides - 1, half, 1, 1) for cell in range(count))


def _cells_before(segment: Segment, found: re.Match[str]) -> int:
    """Return the terminal cells of a segment's text before a part of it."""
    return cell_len(segment.text[: found.start()])


def _colours(style: Style | None) -> tuple[str, str]:
    """Return the colours that a piece is drawn in and on, black on white for a terminal's own."""
    style = style or Style.null()
    behind = (style.bgcolor or Color.default()).get_truecolor(foreground=False).hex
    colour = (style.color or Color.default()).get_truecolor().hex
    return (behind, colour) if style.reverse else (colour, behind)
