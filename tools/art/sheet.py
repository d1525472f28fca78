"""Contact sheets: every picture as a terminal would show it, and a whole mine, as PNG.

python -m tools.art.sheet FOLDER
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from engine.board import Cell
from sabtui.art.blocks import DARK, WORD_COLOUR, BlockCell, Palette, draw_blocks
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Depth, Shade, Tint, list_shades, name_colour
from sabtui.art.glyphs import BlockSet, glyphs_of
from sabtui.art.store import CLEAR, Size, read_index, read_sprite
from tools.art.example import MINE

CELL: Final = (12, 24)
"""Pixels of a cell: a multiple of the points of all glyphs."""
DARK_GROUND: Final = "#171512"
LIGHT_GROUND: Final = "#f6f1e4"


def paint_cells(
    rows: Sequence[Sequence[BlockCell]], blocks: BlockSet, ground: str, shades: Iterable[Shade] = ()
) -> Image.Image:
    """Return rows of cells as a terminal would draw them."""
    colours = {shade.name: shade.colour.hex for shade in shades} | {"default": ground}
    colours |= {name_colour(WORD_COLOUR, depth): WORD_COLOUR.hex for depth in Depth}
    wide, high = CELL
    image = Image.new("RGB", (wide * len(rows[0]), high * len(rows)), ground)
    glyphs = glyphs_of(blocks)
    across, down = wide // blocks.across, high // blocks.down
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            image.paste(
                colours.get(tile.ground, tile.ground),
                (x * wide, y * high, (x + 1) * wide, (y + 1) * high),
            )
            pattern = glyphs.find(tile.glyph)
            if pattern < 0:
                place = x * wide + wide // 2, y * high + high // 2
                colour = colours.get(tile.front, tile.front)
                font = ImageFont.load_default(0.8 * high)
                ImageDraw.Draw(image).text(place, tile.glyph, colour, font, anchor="mm")
                continue
            for point in range(blocks.across * blocks.down):
                if pattern >> point & 1:
                    left = x * wide + point % blocks.across * across
                    top = y * high + point // blocks.across * down
                    box = (left, top, left + across, top + down)
                    image.paste(colours.get(tile.front, tile.front), box)
    return image


def paint_sprite(picture: Drawing, size: Size, ground: str) -> Image.Image:
    """Return a picture in pixels."""
    sprite = read_sprite(picture, size)
    image = Image.frombytes("P", size, b"".join(sprite.rows))
    colours = [shade.colour.hex for shade in list_shades()]
    colours[CLEAR] = ground
    image.putpalette(bytes.fromhex("".join(colours).replace("#", "")))
    return image.convert("RGB")


def tile_up(images: Sequence[Image.Image], per_row: int, ground: str) -> Image.Image:
    """Return images of one size side by side."""
    wide, high = (side + 6 for side in images[0].size)
    rows = -(-len(images) // per_row)
    sheet = Image.new("RGB", (wide * min(per_row, len(images)), high * rows), ground)
    for at, image in enumerate(images):
        sheet.paste(image, (at % per_row * wide + 3, at // per_row * high + 3))
    return sheet


def paint_mine(
    mine: Mapping[Cell, tuple[Drawing, Tint]],
    size: Size,
    blocks: BlockSet | None,
    palette: Palette = DARK,
) -> Image.Image:
    """Return a mine, in block characters or, without any, in pixels."""
    ground = DARK_GROUND if palette.is_dark else LIGHT_GROUND
    wide, high = (CELL[0] * size[0], CELL[1] * size[1]) if blocks else size
    top = min(y for _x, y in mine)
    columns = max(x for x, _y in mine) + 1
    rows = max(y for _x, y in mine) - top + 1
    image = Image.new("RGB", (columns * wide, rows * high), ground)
    for (x, y), (picture, tint) in mine.items():
        if blocks:
            shades = list_shades(tint, palette.depth, is_dark=palette.is_dark)
            tiles = draw_blocks(picture, size, blocks, tint, palette)
            card = paint_cells(tiles, blocks, ground, shades)
        else:
            card = paint_sprite(picture, size, ground)
        image.paste(card, (x * wide, (y - top) * high))
    return image


def main() -> None:
    """Write the sheets into the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    index = read_index()
    for key, names in index.cells.items():
        columns, rows = map(int, key.split("x"))
        for blocks in BlockSet:
            images = [
                paint_cells(
                    draw_blocks(Drawing(name), (columns, rows), blocks), blocks, DARK_GROUND
                )
                for name in names
            ]
            per_row = max(4, 1500 // (columns * CELL[0] + 6))
            tile_up(images, per_row, DARK_GROUND).save(folder / f"cells-{key}-{blocks}.png")
    for key, names in index.sprites.items():
        width, height = map(int, key.split("x"))
        images = [paint_sprite(Drawing(name), (width, height), DARK_GROUND) for name in names]
        tile_up(images, 1500 // (width + 6), DARK_GROUND).save(folder / f"sprites-{key}.png")
    for size in ((5, 3), (7, 3), (9, 4), (13, 5), (18, 8)):
        for blocks in BlockSet:
            name = f"mine-{size[0]}x{size[1]}-{blocks}.png"
            paint_mine(MINE, size, blocks).save(folder / name)
    for depth, is_dark in ((Depth.TRUE, False), (Depth.MANY, True)):
        name = f"mine-9x4-quadrants-{depth}-{'dark' if is_dark else 'light'}.png"
        mine = paint_mine(MINE, (9, 4), BlockSet.QUADRANTS, Palette(depth, is_dark))
        mine.save(folder / name)
    for size in ((72, 64), (144, 128)):
        paint_mine(MINE, size, None).save(folder / f"mine-{size[0]}x{size[1]}.png")


if __name__ == "__main__":
    main()
