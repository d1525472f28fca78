"""Pictures in pixels for the size that a terminal's cells give them."""

from __future__ import annotations

from functools import lru_cache
from math import log

from sabtui.art.catalogue import Drawing
from sabtui.art.store import Size, Sprite, list_sprite_sizes, read_sprite


def find_sprite_size(name: str, wanted: Size) -> Size:
    """Return the baked size in pixels that a picture is best drawn from.

    Of those in nearly its proportions that is the least one at least as large, or else the largest.
    Raises `KeyError` for a picture that was never baked in pixels.
    """
    sizes = list_sprite_sizes(name)
    if not sizes:
        raise KeyError(name)
    width, height = wanted

    def stretch(size: Size) -> float:
        return round(abs(log(size[0] * height / (size[1] * width))), 1)

    least = min(map(stretch, sizes))
    alike = [size for size in sizes if stretch(size) == least]
    large = [size for size in alike if size[0] >= width and size[1] >= height]
    return large[0] if large else alike[-1]


@lru_cache(maxsize=1 << 7)
def scale_sprite(picture: Drawing, wanted: Size) -> Sprite:
    """Return a picture in exactly so many pixels, each the nearest of what was baked."""
    return stretch_sprite(read_sprite(picture, find_sprite_size(picture.name, wanted)), wanted)


def fit_proportions(sprite: Sprite, wanted: Size) -> Sprite:
    """Return a picture drawn out in one direction to the proportions of another size."""
    width, height = wanted
    return stretch_sprite(
        sprite,
        (
            max(sprite.width, round(sprite.height * width / height)),
            max(sprite.height, round(sprite.width * height / width)),
        ),
    )


def stretch_sprite(sprite: Sprite, wanted: Size) -> Sprite:
    """Return a picture in exactly so many pixels, each the nearest of its own."""
    width, height = wanted
    columns = [(2 * x + 1) * sprite.width // (2 * width) for x in range(width)]
    lines = [(2 * y + 1) * sprite.height // (2 * height) for y in range(height)]
    pixels, scaled = b"".join(sprite.rows), bytearray(width * sprite.height)
    for x, column in enumerate(columns):
        scaled[x::width] = pixels[column :: sprite.width]
    rows = [bytes(scaled[at : at + width]) for at in range(0, len(scaled), width)]
    return Sprite(width, tuple(rows[line] for line in lines))
