"""The baked pictures, read from the data beside this module when they are first needed.

`index.json` has the palette, and the names of the pictures by size. A `.z` file holds all pictures
of one size, one after the other, packed by zlib: as pixels, a colour's number for each; or for one
set of block characters, as patterns, colours of text and colours of ground, a byte for each cell.
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

import msgspec

from sabtui.art.catalogue import Drawing
from sabtui.art.glyphs import BlockSet, mirror_table

CLEAR: Final = 255  # number of the colour that is the screen's own ground
Size = tuple[int, int]  # columns and rows, or pixels from left to right and from top to bottom


class CellData(NamedTuple):
    """A picture in block characters: rows of patterns, text colours and ground colours."""

    patterns: tuple[bytes, ...]
    fronts: tuple[bytes, ...]
    grounds: tuple[bytes, ...]


class Sprite(NamedTuple):
    """A picture in pixels: its width, and rows of numbers of colours."""

    width: int
    rows: tuple[bytes, ...]

    @property
    def height(self) -> int:
        return len(self.rows)


class Index(msgspec.Struct, frozen=True):
    """Contents of the data."""

    sources: str  # hash of everything that it was baked from
    palette: tuple[str, ...]  # colours such as `#d2aa68`, by number
    cells: dict[str, tuple[str, ...]]  # names of pictures by a size in cells, such as `9x4`
    sprites: dict[str, tuple[str, ...]]  # names of pictures by a size in pixels


@cache
def read_index() -> Index:
    return msgspec.json.decode(_DATA.joinpath("index.json").read_bytes(), type=Index)


@cache
def list_sizes(name: str) -> tuple[Size, ...]:
    """Return the sizes in cells that a picture was baked for, smallest first."""
    return _list_sizes_in(name, read_index().cells)


@cache
def list_sprite_sizes(name: str) -> tuple[Size, ...]:
    """Return the sizes in pixels that a picture was baked for, smallest first."""
    return _list_sizes_in(name, read_index().sprites)


@cache
def number_names() -> dict[str, int]:
    """Return numbers for the pictures that were baked in pixels, in the order of their names."""
    names = {name for names in read_index().sprites.values() for name in names}
    return _find_places(tuple(sorted(names)))


@lru_cache(maxsize=1 << 10)
def read_cells(picture: Drawing, size: Size, blocks: BlockSet) -> CellData:
    """Return a picture in block characters. Raises `KeyError` if it was not baked in this size."""
    columns, rows = size
    key = _name_size(size)
    at = _find_places(read_index().cells[key])[picture.name]
    count = columns * rows
    data = _unpack(f"{key}-{blocks}")[3 * count * at : 3 * count * (at + 1)]
    patterns, fronts, grounds = (data[count * part : count * (part + 1)] for part in range(3))
    if picture.across or picture.down:
        table = mirror_table(blocks, is_across=picture.across, is_down=picture.down)
        patterns = patterns.translate(table)
    return CellData(*(_split_rows(part, columns, picture) for part in (patterns, fronts, grounds)))


@lru_cache(maxsize=1 << 8)
def read_sprite(picture: Drawing, size: Size) -> Sprite:
    """Return a picture in pixels. Raises `KeyError` if it was not baked in this size."""
    width, height = size
    key = _name_size(size)
    at = _find_places(read_index().sprites[key])[picture.name]
    data = _unpack(key)[width * height * at : width * height * (at + 1)]
    return Sprite(width, _split_rows(data, width, picture))


def _name_size(size: Size) -> str:
    return f"{size[0]}x{size[1]}"


@cache
def _find_places(names: tuple[str, ...]) -> dict[str, int]:
    return {name: at for at, name in enumerate(names)}


def _split_rows(data: bytes, width: int, picture: Drawing) -> tuple[bytes, ...]:
    rows = [data[start : start + width] for start in range(0, len(data), width)]
    if picture.across:
        rows = [row[::-1] for row in rows]
    return tuple(rows[::-1] if picture.down else rows)


def _list_sizes_in(name: str, names: dict[str, tuple[str, ...]]) -> tuple[Size, ...]:
    found = (key.split("x") for key, baked in names.items() if name in baked)
    return tuple(sorted((int(width), int(height)) for width, height in found))


_DATA: Final = files("sabtui.art") / "data"


@lru_cache(maxsize=8)
def _unpack(name: str) -> bytes:
    return zlib.decompress(read_packed(name))


def read_packed(name: str) -> bytes:
    """Return all pictures of a size such as `72x64`, packed by zlib."""
    return _DATA.joinpath(f"{name}.z").read_bytes()
