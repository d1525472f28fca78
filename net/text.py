"""Text from anybody, made harmless on any terminal and short enough for its place.

Knows text and how wide it is. Must not know where it came from: all is cleaned alike, one's own
before it is told and everybody else's as it arrives.
"""

from __future__ import annotations

import unicodedata
from typing import Final

NAME_CELLS: Final = 24
"""The most terminal cells that a name takes."""

NAME_BYTES: Final = 56
"""The most UTF-8 bytes: what a DNS label of 63 leaves beside the tail of advert.label."""

_UNWANTED: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_COMBINING: Final = frozenset(("Mn", "Me"))


def cells(character: str) -> int:
    """How many terminal cells a character takes: 0, 1 or 2."""
    if unicodedata.category(character) in _COMBINING:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clean_name(text: str) -> str:
    """Make a name of any text; what is left may be empty."""
    return clean(text, NAME_CELLS, NAME_BYTES)


def clean(text: str, most_cells: int, most_bytes: int) -> str:
    """Make any text harmless: NFC, no control or format characters, cut to what fits.

    Blanks of any kind become single spaces. A letter keeps two marks at most, so that none climbs
    out of its line. What is left may be empty. Cleaning twice changes nothing.
    """
    plain = " ".join("".join(map(_plain, text[: 16 * most_bytes])).split())
    kept: list[str] = []
    width = size = marks = 0
    for character in unicodedata.normalize("NFC", plain):
        wide = cells(character)
        marks = 0 if wide else marks + 1
        if marks > 2 or (not kept and (not wide or character == " ")):
            continue
        width += wide
        size += len(character.encode())
        if width > most_cells or size > most_bytes:
            break
        kept.append(character)
    return "".join(kept).rstrip()


def harmless(text: str) -> str:
    """Any text without what a terminal would obey, however it came here; not cut, and not told."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "" for c in text)


def _plain(character: str) -> str:
    if character.isspace():
        return " "
    return "" if unicodedata.category(character) in _UNWANTED else character
