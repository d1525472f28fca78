"""Plots in characters of a terminal: lines of blocks, areas, bars, and curves of braille dots.

Each takes shares from 0 to 1. Where only ASCII can be shown, `ascii_only` draws with that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_ASCII_LEVELS: Final = "_.-=+*%#"
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"

_BRAILLE: Final = 0x2800
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of the dots of a braille character: four rows of two."""


def sparkline(shares: Sequence[float], columns: int, *, ascii_only: bool = False) -> str:
    """Return shares as one line of blocks, the last of those that fall on one column."""
    levels = _ASCII_LEVELS if ascii_only else _BLOCKS
    return "".join(
        levels[min(int(_clamp(share) * len(levels)), len(levels) - 1)]
        for share in resample(shares, columns)
    )


def area(shares: Sequence[float], rows: int, *, ascii_only: bool = False) -> list[str]:
    """Return shares as columns of this many rows, half filled at the top where blocks are drawn."""
    steps = 1 if ascii_only else 2
    heights = [round(_clamp(share) * rows * steps) for share in shares]
    signs = " #" if ascii_only else " ▄█"
    return [
        "".join(signs[max(0, min(height - row * steps, steps))] for height in heights)
        for row in reversed(range(rows))
    ]


def bar(share: float, columns: int, *, ascii_only: bool = False) -> str:
    """Return a share as a bar of this width, with blanks for the rest."""
    if ascii_only:
        return f"{'#' * round(_clamp(share) * columns):.<{columns}}"
    eighths = round(_clamp(share) * columns * 8)
    full, part = divmod(eighths, 8)
    drawn = _EIGHTHS[8] * full + (_EIGHTHS[part] if part else "")
    return f"{drawn:<{columns}}"


def curve(
    shares: Sequence[float], columns: int, rows: int, *, ascii_only: bool = False
) -> list[str]:
    """Return shares as a curve over the whole width: dots of braille, two by four to a character.

    There must be a share.
    """
    if ascii_only:
        return _plot_stars(shares, columns, rows)
    cells = [[0] * columns for _ in range(rows)]
    for x, share in enumerate(_spread(shares, 2 * columns)):
        y = round((1 - _clamp(share)) * (4 * rows - 1))
        cells[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
    return ["".join(chr(_BRAILLE + dots) for dots in row) for row in cells]


def _plot_stars(shares: Sequence[float], columns: int, rows: int) -> list[str]:
    """Return a curve of stars."""
    ys = [round((1 - _clamp(share)) * (rows - 1)) for share in _spread(shares, columns)]
    return ["".join("*" if y == row else " " for y in ys) for row in range(rows)]


def resample(shares: Sequence[float], columns: int) -> list[float]:
    """Return at most this many of the shares, evenly spread, the last one among them."""
    if len(shares) <= columns:
        return list(shares)
    return [shares[(at + 1) * len(shares) // columns - 1] for at in range(columns)]


def _spread(shares: Sequence[float], columns: int) -> list[float]:
    """Return exactly this many shares, evenly spread, each repeated if there are fewer."""
    thinned = resample(shares, columns)
    return [thinned[at * len(thinned) // columns] for at in range(columns)]


def _clamp(share: float) -> float:
    return max(0.0, min(1.0, share))
