"""What the terminal is, found out in one place."""

from __future__ import annotations

from typing import Final

USUAL_SIZE: Final = (80, 24)
"""Columns and rows of a terminal that tells no size, or an impossible one."""

MAX_SIDE: Final = 2000
"""Most columns or rows that a size is believed to have."""


def sane_size(columns: int, rows: int) -> tuple[int, int]:
    """Return a size in columns and rows as it is told, the usual one if it cannot be true.

    Zero on either side stands for a size that is not known (RFC 4254, 6.2).
    """
    is_sane = 0 < columns <= MAX_SIDE and 0 < rows <= MAX_SIDE
    return (columns, rows) if is_sane else USUAL_SIZE
