"""What is said at a table: lines of text cleaned and bounded, and the last of them kept.

Text from others is cleaned here once, by the host, and is harmless on any terminal; it is never
markup. Knows how wide text is; must not know who may speak.
"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from net.discovery.names import cells

TEXT_CELLS: Final = 160
"""The most terminal cells of a line of talk: two lines of a small terminal."""

TEXT_BYTES: Final = 160
"""The most UTF-8 bytes, so that a client's frame stays in the smallest bucket."""

MOST_LINES: Final = 50
"""How many of the last lines a snapshot holds."""

Text: TypeAlias = Annotated[str, Meta(max_length=TEXT_BYTES)]

_UNWANTED: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def clean_text(text: str) -> str:
    """Make a line of talk: NFC, no control or format characters, cut to what fits.

    Blanks of any kind become single spaces; a letter keeps two marks at most. What is left may be
    empty. Cleaning twice changes nothing.
    """
    plain = " ".join("".join(map(_plain, text[: 16 * TEXT_BYTES])).split())
    kept: list[str] = []
    width = size = marks = 0
    for character in unicodedata.normalize("NFC", plain):
        wide = cells(character)
        marks = 0 if wide else marks + 1
        if marks > 2 or (not kept and (not wide or character == " ")):
            continue
        width += wide
        size += len(character.encode())
        if width > TEXT_CELLS or size > TEXT_BYTES:
            break
        kept.append(character)
    return "".join(kept).rstrip()


def _plain(character: str) -> str:
    if character.isspace():
        return " "
    return "" if unicodedata.category(character) in _UNWANTED else character
