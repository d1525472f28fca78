"""QR codes in half blocks, as every terminal with Unicode shows them."""

from __future__ import annotations

from typing import Final

QUIET_MODULES: Final = 2
"""Light modules around a QR code; phones need no more on a screen."""

HALVES: Final = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""Two modules, one above the other, as one character."""


def qr_rows(text: str) -> list[str]:
    """Return the QR code of a text in half blocks, [] where the library for it is missing.

    It is to be shown dark on light: many phones read nothing else.
    """
    try:
        import segno  # noqa: PLC0415 - an extra
    except ImportError:
        return []
    code = segno.make(text, error="l", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=QUIET_MODULES)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [
        "".join(HALVES[bool(above), bool(below)] for above, below in zip(*pair, strict=True))
        for pair in pairs
    ]
