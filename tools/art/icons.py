"""Icons of three by two cells, and faces of four by two, drawn point by point.

The icons are in `icons.txt`. A face is put together from a hat, eyes and a beard.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from sabtui.art.catalogue import find_dwarf
from tools.art.cards import DRESSED, DWARVES, Dwarf
from tools.art.shapes import Picture

SOURCE: Final = Path(__file__).parent / "icons.txt"
_CLEAR: Final = "x"

_HATS: Final = {
    "helmet": ("xxhttthx", "xhhhhhhx", "hhhhhhhh"),
    "pointed": ("xxxhhxxx", "xxhhhhxx", "xhhhhhhx"),
    "horns": ("txxhhxxt", "tthtthtt", "xhhtthhx"),
    "hood": ("xxhhhhxx", "xhhhhhhx", "hhhhhhhh"),
    "scarf": ("xxhhhhxx", "xhthhthx", "xhhhhhhh"),
}
_EYES: Final = "xseSSesx", "xssSSssx"
_BEARDS: Final = {
    "long": ("xbbbbbbx", "xbbbbbbx", "ccbbbbcc"),
    "round": ("bbbbbbbb", "bbbbbbbb", "cbbbbbbc"),
    "braid": ("xbbbbbbx", "ccbtbbcc", "cccbbccc"),
    "fork": ("xbbbbbbx", "bbbbbbbb", "bbbccbbb"),
    "stubble": ("xbbssbbx", "xxbbbbxx", "cccccccc"),
}
"""Rows of eight points: `h` hat, `t` trim, `s` and `S` skin, `e` eye, `b` beard, `c` coat."""


def read_icons() -> dict[str, dict[str, Picture]]:
    """Return each icon's points by the name of its glyphs, with alpha."""
    colours = {_CLEAR: (0.0, 0.0, 0.0, 0.0)}
    icons: dict[str, dict[str, list[str]]] = {}
    lines: list[str] = []
    for line in SOURCE.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words or line.startswith("#") or words == ["colours"]:
            continue
        if len(words) > 1 and words[1].startswith("#"):
            colours[words[0]] = rgba(words[1])
        elif len(words) > 1:
            lines = icons.setdefault(words[0], {}).setdefault(words[1], [])
        else:
            lines.append(words[0])
    return {
        name: {
            glyphs: np.array([[colours[point] for point in row] for row in rows])
            for glyphs, rows in drawn.items()
        }
        for name, drawn in icons.items()
    }


def read_faces() -> dict[str, dict[str, Picture]]:
    """Return each dwarf's face in points by the name of its glyphs, with alpha."""
    return {
        find_dwarf(face, colour).name: _draw_face(DWARVES[face], DWARVES[colour].colour)
        for face, colour in DRESSED
    }


def _draw_face(dwarf: Dwarf, colour: str) -> dict[str, Picture]:
    hat, beard = _HATS[dwarf.hat], _BEARDS[dwarf.beard]
    rows = {
        "octants": (*hat, *_EYES, *beard),
        "sextants": (*hat[1:], _EYES[0], *beard),
        "quadrants": (hat[1], _EYES[0], beard[0], beard[2]),
    }
    colours = {
        "x": (0.0, 0.0, 0.0, 0.0), "h": rgba(colour), "t": rgba(dwarf.trim),
        "s": rgba(dwarf.skin), "S": rgba(dwarf.skin, 0.86), "e": rgba("#20120a"),
        "b": rgba(dwarf.hair), "c": rgba(colour, 0.72),
    }  # fmt: skip
    return {
        glyphs: np.array([[colours[point] for point in row] for row in drawn])
        for glyphs, drawn in rows.items()
    }


def rgba(text: str, part: float = 1) -> tuple[float, float, float, float]:
    red, green, blue = (part * int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue, 1.0
