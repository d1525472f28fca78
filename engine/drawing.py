"""The mine drawn in ASCII, with coordinates as in the notation.

A card is a tile of five columns and three rows or, if the terminal is too small, of three columns
and one row. Both sizes say the same:

    tunnel     dead end   cut off       tunnel  -+-   dead end  -X-
      |          |          :           N only  -'-             -^-
    --+--      - x -      ..+..         S only  -.-             -v-
      |          |          :           neither ---             -x-

A small tile marks a cut-off card by `~` for its arms or, if it is open only to north and south, by
`:`.

Only tiles on a grid are known here; which card lies where is for `Board.draw`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.cards import E, N, Path, S, W

BIG, SMALL = (5, 3), (3, 1)  # columns and rows of a large tile and of a small one


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card as it is drawn: its path, `None` if it lies face down, and the sign in its middle."""

    path: Path | None
    sign: str = ""
    cut_off: bool = False


def draw_grid(
    cells: Mapping[tuple[int, int], Drawn | str], columns: int, rows: int, *, large: bool | None
) -> list[str]:
    """Return cards, and texts in empty cells, as lines for a terminal of this size.

    `large` sets the size of tiles; `None` takes the large ones if the whole grid fits. A grid too
    wide for the terminal is drawn in strips, from west to east.
    """
    xs, ys = _span(x for x, _y in cells), _span(y for _x, y in cells)
    margin = 1 + max(len(row_name(y)) for y in ys)
    if large is None:
        large = margin + BIG[0] * len(xs) <= columns and 2 + BIG[1] * len(ys) <= rows
    across, down = BIG if large else SMALL
    at_once = max(1, (columns - margin) // across)
    lines: list[str] = []
    for first in range(0, len(xs), at_once):
        strip = xs[first : first + at_once]
        lines.append((" " * margin + "".join(f"{x:^{across}}" for x in strip)).rstrip())
        for y in ys:
            tiles = [tile_rows(cells.get((x, y), ""), large=large) for x in strip]
            for part in range(down):
                name = row_name(y) if part == down // 2 else ""
                tiled = "".join(tile[part] for tile in tiles)
                lines.append(f"{name:<{margin}}{tiled}".rstrip())
    return lines


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table of texts as lines, its columns aligned, empty ones left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    padded = [[f"{text:<{max(map(len, column))}}" for text in column] for column in columns]
    return ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]


def row_name(y: int) -> str:
    """Return the name of a row as in the notation."""
    return f"n{-y}" if y < 0 else f"s{y}" if y else "0"


def _span(numbers: Iterable[int]) -> range:
    """Return the range from the smallest to the largest number."""
    kept = set(numbers)
    return range(min(kept), max(kept) + 1)


def tile_rows(drawn: Drawn | str, *, large: bool) -> tuple[str, ...]:
    """Return the rows of a cell's tile: a card, or a text in an empty cell."""
    if isinstance(drawn, str):
        across, down = BIG if large else SMALL
        rows = [""] * down
        rows[down // 2] = drawn[:across]
        return tuple(f"{row:^{across}}" for row in rows)
    if drawn.path is None:
        return _big_hidden(drawn.sign) if large else (_small_hidden(drawn.sign),)
    if large:
        return _big(drawn.path, drawn.sign, cut_off=drawn.cut_off)
    return (_small(drawn.path, drawn.sign, cut_off=drawn.cut_off),)


def _big(path: Path, middle: str, *, cut_off: bool) -> tuple[str, str, str]:
    """Return a card as a large tile of 3 rows. A dead end's arms stop short of the middle."""
    across, along = (".", ":") if cut_off else ("-", "|")
    gap = across if path.through else " "
    west = across + gap if path.edges & W else "  "
    east = gap + across if path.edges & E else "  "
    centre = middle or (_joint(path, along, across) if path.through else "x")
    north = f"  {along}  " if path.edges & N else "     "
    south = f"  {along}  " if path.edges & S else "     "
    return north, west + centre + east, south


def _small(path: Path, middle: str, *, cut_off: bool) -> str:
    """Return a card as a small tile: its middle shows the open sides to north and south."""
    across = "~" if cut_off else "-"
    upright = path.edges & (N | S)
    marks = {N | S: "+", N: "'", S: ".", 0: across} if path.through else _DEAD
    west = across if path.edges & W else " "
    east = across if path.edges & E else " "
    return west + (middle or _upright(path, marks[upright], cut_off=cut_off)) + east


_DEAD = {N | S: "X", N: "^", S: "v", 0: "x"}
"""Middle of a dead end's small tile, by its open sides to north and south."""


def _upright(path: Path, mark: str, *, cut_off: bool) -> str:
    """Return the middle of a small tile; a straight north-south tunnel has no arms to mark."""
    if path.through and path.edges == N | S:
        return ":" if cut_off else "|"
    return mark


def _big_hidden(middle: str) -> tuple[str, str, str]:
    """Return a face-down goal as a large tile, with the sign of what is known of it."""
    return ".---.", f"| {middle} |", "'---'"


def _small_hidden(middle: str) -> str:
    """Return a face-down goal as a small tile, with the sign of what is known of it."""
    return f"[{middle}]"


def _joint(path: Path, along: str, across: str) -> str:
    """Return the sign where a tunnel's arms meet: a line if it goes straight on, else `+`."""
    if path.edges == N | S:
        return along
    return across if path.edges == E | W else "+"
