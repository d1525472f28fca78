"""Pictures of screens: lines of styled text as SVG, in whatever fixed font the reader has.

A picture names no font but the system's own, holds no script, and is the same each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

CELL_WIDTH, CELL_HEIGHT = 9, 18
"""Width and height of a terminal cell, in the picture's units."""

BASELINE: Final = 5
"""Units from the foot of a cell up to the line that letters stand on."""

HEAD: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<rect width="{width}" height="{height}" rx="6" fill="{ground}"/>
<g font-family="monospace" font-size="15">
"""

QUARTERS: Final = "▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""Blocks by the quarters of a cell that they fill: 1 top left, 2 top right, 4 and 8 below them."""

SHADES: Final = {"░": 0.25, "▒": 0.5, "▓": 0.75}
"""Opacity of blocks that fill a cell with dots."""

WORDS: Final = re.compile(rf"[^\s{QUARTERS}░▒▓]+(?: [^\s{QUARTERS}░▒▓]+)*")
"""Text that can be drawn in one piece: not every program keeps several blanks in a row."""

RUNS: Final = re.compile(rf"([{QUARTERS}░▒▓])\1*")
"""Equal blocks side by side. Fonts leave gaps between them, so rectangles are drawn instead."""


def svg(lines: Iterable[Iterable[Segment]], columns: int, rows: int) -> str:
    """Return lines of a screen as a picture, on the ground that its first cell has."""
    simple = [list(Segment.simplify(line)) for line in lines]
    ground = _colours(simple[0][0].style)[1]
    drawn = draw_rows(simple, ground)
    return "".join([begin(columns, rows, ground), *drawn, "</g>\n</svg>\n"])


def begin(columns: int, rows: int, ground: str) -> str:
    """Return how a picture of this size begins, whose `ground` is a colour such as `#171512`."""
    return HEAD.format(width=CELL_WIDTH * columns, height=CELL_HEIGHT * rows, ground=ground)


def draw_rows(lines: Iterable[Iterable[Segment]], ground: str) -> list[str]:
    """Return each row of a screen drawn on a `ground`, a colour such as `#171512`."""
    rows = map(Segment.simplify, lines)
    return ["".join(_draw_row(line, row, ground)) for row, line in enumerate(rows)]


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
