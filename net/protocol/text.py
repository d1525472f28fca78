"""Text from anybody, made harmless on any terminal and short enough for its place."""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_NAME_CELLS: Final = 24
"""The most terminal cells that a name takes."""

MAX_NAME_BYTES: Final = 56
"""The most UTF-8 bytes: what a DNS label of 63 leaves beside the tail of advert.label."""

_UNWANTED_CATEGORIES: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
_UNASSIGNED_CATEGORY: Final = "Cn"
_COMBINING_CATEGORIES: Final = frozenset(("Mn", "Me"))

_BLANK: Final = frozenset("\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")
"""What is no space to Unicode, and looks like one: an empty Braille cell, fillers, empty notes."""

_UNSEEN: Final = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),  # the grapheme joiner
        (0x115F, 0x1160),  # fillers of Hangul
        (0x17B4, 0x17B5),  # vowels of Khmer that are not written
        (0x180B, 0x180F),  # variants in Mongolian
        (0x2065, 0x2065),
        (0xFE00, 0xFE0F),  # variants; one of them makes signs wider than they are
        (0xFFF0, 0xFFF8),
        (0x16FE4, 0x16FE4),  # a filler of Khitan
        (0xE0000, 0xE0FFF),  # tags, and more variants
    )
    for code in range(first, last + 1)
)
"""What is drawn as nothing at all and is no control character (Default_Ignorable_Code_Point):
with it a name could be empty to the eye, or look like somebody else's."""


def display_width(character: str) -> int:
    """How many terminal cells a character takes: 0, 1 or 2."""
    if unicodedata.category(character) in _COMBINING_CATEGORIES:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clean_name(text: str) -> str:
    """Make a name of any text; what is left may be empty."""
    return clean(text, MAX_NAME_CELLS, MAX_NAME_BYTES)


def clean(text: str, most_cells: int, most_bytes: int) -> str:
    """Make any text harmless: NFC, nothing that steers or is not seen, cut to what fits.

    Blanks of any kind become single spaces. A letter keeps two marks at most, so that none climbs
    out of its line. What is left may be empty. Cleaning twice changes nothing.
    """
    return _clean("".join(filter(_is_known, text[: 16 * most_bytes])), most_cells, most_bytes)


def is_clean(text: str, most_cells: int, most_bytes: int) -> bool:
    """Whether a text is as `clean` leaves it, here or on a Python that knows more letters.

    A letter that is too new for this one may be a mark there, and take no cell: a table must not
    lose all whose Python is older than its host's for a name with such a letter.
    """
    return len(text) <= most_bytes and _clean(text, most_cells, most_bytes) == text


def is_clean_page(text: str) -> bool:
    """Tell whether a text of many lines holds nothing that a terminal would obey."""
    return _UNWANTED_CATEGORIES.isdisjoint(
        unicodedata.category(letter) for letter in text if letter != "\n"
    )


def _clean(text: str, most_cells: int, most_bytes: int) -> str:
    """Clean a text but for letters that are not known here, which count as nothing."""
    plain = " ".join("".join(map(_plain, text)).split())
    kept: list[str] = []
    width = size = marks = 0
    for character in unicodedata.normalize("NFC", plain):
        is_known = _is_known(character)
        wide = display_width(character) if is_known else 0
        marks = 0 if wide or not is_known else marks + 1
        if marks > 2 or (not kept and (marks or character == " ")):
            continue
        width += wide
        size += len(character.encode())
        if width > most_cells or size > most_bytes:
            break
        kept.append(character)
    return "".join(kept).rstrip()


def sanitise(text: str) -> str:
    """Any text without what a terminal would obey, however it came here; not cut, and not told."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "" for c in text)


def _is_known(character: str) -> bool:
    return unicodedata.category(character) != _UNASSIGNED_CATEGORY


def _plain(character: str) -> str:
    if character.isspace() or character in _BLANK:
        return " "
    unwanted = unicodedata.category(character) in _UNWANTED_CATEGORIES or character in _UNSEEN
    return "" if unwanted else character
