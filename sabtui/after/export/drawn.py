"""The drawn cards of a page: each picture is there once, as PNG within a symbol, and used by name.

Pictures are those of `sabtui.art`; mirror images of one share its data.
"""

from __future__ import annotations

from base64 import standard_b64encode
from collections.abc import Iterable
from html import escape
from typing import Final, NamedTuple

from engine.board import GOAL_CELLS, START, Cell, row_name
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import list_shades
from sabtui.art.png import encode_png
from sabtui.art.store import Size, read_sprite

CARD: Final = (144, 128)
"""Width and height of a card of the mine, in units and as it was baked."""

FACE: Final = (90, 100)
ICON: Final = (64, 64)
"""The same of a card of a hand, and of a dwarf, a tool or a pile of gold."""

_MARGIN: Final = 56
"""Units around the mine, in which the columns and rows are named."""


class Symbol(NamedTuple):
    """A picture in the size that it was baked in."""

    drawing: Drawing
    size: Size

    @property
    def name(self) -> str:
        """Its id on the page."""
        name, across, down = self.drawing
        return f"{name}-{self.size[0]}{'-across' * across}{'-down' * down}"

    @property
    def box(self) -> str:
        """Its width and height as attributes."""
        return f'width="{self.size[0]}" height="{self.size[1]}"'

    def draw(self, title: str, kind: str) -> str:
        """Return the picture between words, with a title; its class says how large it is."""
        told = f"<title>{escape(title)}</title>"
        return f'<svg class="{kind}" role="img">{told}<use href="#{self.name}"/></svg>'


def define_symbols(symbols: Iterable[Symbol]) -> str:
    """Return the definitions of these pictures, each once; of mirror images the original, too."""
    wanted = set(symbols)
    originals = {one._replace(drawing=Drawing(one.drawing.name)) for one in wanted}
    return f"<defs>{''.join(map(_define, sorted(originals | wanted)))}</defs>"


def _define(symbol: Symbol) -> str:
    (name, across, down), (width, height) = symbol
    if across or down:
        turned = f"{1 - 2 * across} 0 0 {1 - 2 * down} {width * across} {height * down}"
        original = Symbol(Drawing(name), symbol.size).name
        content = f'<use href="#{original}" {symbol.box} transform="matrix({turned})"/>'
    else:
        png = encode_png(read_sprite(symbol.drawing, symbol.size).rows, list_shades())
        data = standard_b64encode(png).decode()
        content = f'<image {symbol.box} href="data:image/png;base64,{data}"/>'
    return f'<symbol id="{symbol.name}" viewBox="0 0 {width} {height}">{content}</symbol>'


def draw_at(cell: Cell, drawing: Drawing, more: str, title: str) -> str:
    """Return a card of the mine at its place; `more` are further attributes."""
    symbol = Symbol(drawing, CARD)
    told = f"<title>{escape(title)}</title>" if title else ""
    return f'<use href="#{symbol.name}" {symbol.box} {_at(cell)}{more}>{told}</use>'


def draw_frame(cell: Cell, more: str) -> str:
    """Return the frame around the cell that changed last."""
    return f'<rect class="newest" width="{CARD[0]}" height="{CARD[1]}" {_at(cell)}{more}/>'


def find_box(cells: Iterable[Cell]) -> tuple[int, int, int, int]:
    """Return the box around these cells, the start and the goals: x, y, width, height."""
    xs, ys = _list_axes(cells)
    return (
        xs[0] * CARD[0] - _MARGIN,
        ys[0] * CARD[1] - _MARGIN,
        len(xs) * CARD[0] + 2 * _MARGIN,
        len(ys) * CARD[1] + 2 * _MARGIN,
    )


def draw_axes(cells: Iterable[Cell]) -> str:
    """Return the names of the columns and rows around these cells, as in the notation."""
    xs, ys = _list_axes(cells)
    top, left = ys[0] * CARD[1] - 20, xs[0] * CARD[0] - _MARGIN // 2
    columns = (f'<text x="{x * CARD[0] + CARD[0] // 2}" y="{top}">{x}</text>' for x in xs)
    middle = CARD[1] // 2 + 10
    rows = (f'<text x="{left}" y="{y * CARD[1] + middle}">{row_name(y)}</text>' for y in ys)
    return f'<g class="axes">{"".join((*columns, *rows))}</g>'


def _list_axes(cells: Iterable[Cell]) -> tuple[range, range]:
    """Return the columns and the rows of these cells, the start and the goals."""
    kept = {START, *GOAL_CELLS, *cells}
    xs, ys = [x for x, _y in kept], [y for _x, y in kept]
    return range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)


def _at(cell: Cell) -> str:
    return f'x="{cell[0] * CARD[0]}" y="{cell[1] * CARD[1]}"'
