"""Shows the pictures in this terminal, in the way that is asked for.

    python -m tools.art.show --mode octants --size 9x4
    python -m tools.art.show --mode kitty --size 9x4 --cell 10x20

Modes are octants, sextants, quadrants, half, kitty and sixel. For Linux and macOS.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.style import Style

from engine.board import Cell
from sabtui.art.blocks import BlockCell, BlockRow, Palette, draw_blocks
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Depth, Tint
from sabtui.art.glyphs import BlockSet
from sabtui.art.kitty import Placed, Sent, draw_placeholders, number_picture
from sabtui.art.placeholders import spell_signs
from sabtui.art.sixel import Area, draw_area
from sabtui.art.store import Size, list_sizes, read_index
from tools.art.example import MINE

_BLANK: Final = BlockCell(" ", "default", "default")

Shown = Mapping[Cell, tuple[Drawing, Tint]]


def join_runs(row: Sequence[BlockCell]) -> str:
    """Return a row of cells as text with colours, written once for all cells that share them."""
    parts, style = [], None
    for tile in row:
        if (tile.front, tile.ground) != style:
            style = (tile.front, tile.ground)
            colours = Style(color=style[0], bgcolor=style[1])
            parts.append("\x1b[0m" + colours.render("\0").split("\0")[0])
        parts.append(tile.glyph)
    return "".join((*parts, "\x1b[0m"))


def lay_out(shown: Shown, size: Size, tiles: Mapping[Cell, Sequence[BlockRow]]) -> Iterator[str]:
    """Yield the rows of the screen for cards that lie side by side."""
    xs, ys = [x for x, _y in shown], [y for _x, y in shown]
    blank = [[_BLANK] * size[0]] * size[1]
    for y in range(min(ys), max(ys) + 1):
        cards = [tiles.get((x, y), blank) for x in range(min(xs), max(xs) + 1)]
        for row in range(size[1]):
            yield join_runs([tile for card in cards for tile in card[row]])


def list_pictures(size: Size) -> Shown:
    """Return all pictures of a size, in rows of ten; of the mine's sizes, a mine."""
    names = read_index().cells[f"{size[0]}x{size[1]}"]
    if size in list_sizes("lit-start-15-0"):
        return MINE
    return {(at % 10, at // 10): (Drawing(name), Tint.PLAIN) for at, name in enumerate(names)}


def show_blocks(size: Size, blocks: BlockSet, palette: Palette) -> None:
    """Print pictures in block characters."""
    shown = list_pictures(size)
    tiles = {
        cell: draw_blocks(picture, size, blocks, tint, palette)
        for cell, (picture, tint) in shown.items()
    }
    print("\n".join(lay_out(shown, size, tiles)))


def show_kitty(size: Size, cell: Size) -> None:
    """Print pictures by kitty's placeholders."""
    shown, sent, tiles = list_pictures(size), Sent(), {}
    for at, (drawing, tint) in shown.items():
        picture = Placed(drawing, size, is_glass=tint is not Tint.PLAIN)
        sys.stdout.write(sent.send(number_picture(picture), cell))
        tiles[at] = draw_placeholders(drawing, size, tint)
    print(spell_signs("\n".join(lay_out(shown, size, tiles))))


def show_sixel(size: Size, cell: Size) -> None:
    """Print pictures by sixel, each at its place."""
    shown = list_pictures(size)
    top, left = min(y for _x, y in shown), min(x for x, _y in shown)
    sys.stdout.write("\x1b[2J")
    bottom, whole = 1, Area(0, 0, size)
    for (x, y), (drawing, tint) in shown.items():
        row, column = (y - top) * size[1] + 1, (x - left) * size[0] + 1
        bottom = max(bottom, row + size[1])
        drawn = draw_area(Placed(drawing, size), whole, cell, tint)
        sys.stdout.write(f"\x1b[{row};{column}H{drawn}")
    print(f"\x1b[{bottom};1H")


def _read_size(text: str) -> Size:
    width, _, height = text.partition("x")
    return int(width), int(height)


def main() -> None:
    """Show what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tools.art.show", description="Show cards.")
    parser.add_argument("--mode", default="quadrants", choices=[*BlockSet, "kitty", "sixel"])
    parser.add_argument("--size", default=(9, 4), type=_read_size)
    parser.add_argument("--cell", default=(10, 20), type=_read_size, help="pixels of a cell")
    parser.add_argument("--colours", default=Depth.TRUE, type=Depth, choices=list(Depth))
    parser.add_argument("--light", action="store_true")
    options = parser.parse_args()
    if options.mode == "kitty":
        show_kitty(options.size, options.cell)
    elif options.mode == "sixel":
        show_sixel(options.size, options.cell)
    else:
        palette = Palette(options.colours, not options.light)
        show_blocks(options.size, BlockSet(options.mode), palette)


if __name__ == "__main__":
    main()
