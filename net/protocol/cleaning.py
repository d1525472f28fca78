"""Cleaning of text from others: harmless on any terminal, and short enough for its place."""

from __future__ import annotations

import unicodedata
from itertools import chain
from typing import Final

MAX_NAME_CELLS: Final = 24  # maximum terminal cells that a name takes

MAX_NAME_BYTES: Final = 56
"""Maximum UTF-8 bytes of a name: a DNS label of 63 bytes less the tail of `Advert.label`."""

MAX_CHAT_CELLS: Final = 160  # maximum cells of a line of chat: two lines of a small terminal

MAX_CHAT_BYTES: Final = 160
"""Maximum UTF-8 bytes of a line of chat: a client's frame must stay in the smallest size."""

_UNWANTED_CATEGORIES: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))

_BLANK: Final = frozenset("\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")
"""Characters that look like a space but are not one to Unicode: an empty Braille cell, fillers,
empty notes."""

_UNSEEN: Final = frozenset(
    chain(
        [0x034F],  # combining grapheme joiner
        range(0x115F, 0x1161),  # Hangul fillers
        range(0x17B4, 0x17B6),  # Khmer vowels that are not drawn
        range(0x180B, 0x1810),  # Mongolian variation selectors
        [0x2065],
        range(0xFE00, 0xFE10),  # variation selectors; one of them makes some characters wider
        range(0xFFF0, 0xFFF9),
        [0x16FE4],  # Khitan filler
        range(0xE0000, 0xE1000),  # tags, and more variation selectors
    )
)
"""Code points drawn as nothing that are not control characters (Default_Ignorable_Code_Point): with
them a name could look empty, or like another player's."""


def display_width(character: str) -> int:
    """Return the number of terminal cells that a character takes: 0, 1 or 2."""
    if unicodedata.category(character) in ("Mn", "Me"):  # combining
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


_NAME_SIGNS: Final = frozenset("'\u2019.&@#%*/\\·")  # punctuation that names may have
_LINE_SIGNS: Final = frozenset("()\uff08\uff09\u201e\u201a\ua789\u02f8\u02d0\u02d1\ua4fd\U00010781")
"""Round brackets and low quotes, and letters that look like a colon."""


def clean_name(text: str) -> str:
    """Clean a text for use as a name; the result may be empty.

    Colons, commas, quotes, round brackets and the ends of sentences become blanks, so that a line
    with a name in it cannot pose as another line of the program, such as `Room code: tulip-amber`.
    """
    spoken = "".join(
        " " if _ends_name(letter) else letter for letter in text[: 16 * MAX_NAME_BYTES]
    )
    words = clean(spoken, MAX_NAME_CELLS, MAX_NAME_BYTES).split()
    return " ".join(word.rstrip(".") if len(word) > 2 else word for word in words)


def _ends_name(letter: str) -> bool:
    kind = unicodedata.category(letter)
    is_sign = kind in {"Po", "Pi", "Pf"} or (kind == "Sm" and not letter.isascii())
    return letter in _LINE_SIGNS or (is_sign and letter not in _NAME_SIGNS)


def suffixed_name(name: str, number: int) -> str:
    """Return a name with a number added, as in `anna 2`, shortened until it is a valid name."""
    tail = f" {number}"
    kept = clean_name(name)
    while clean_name(kept + tail) != (kept + tail).strip():
        kept = kept[:-1].rstrip()
    return kept + tail


def is_numbered(name: str, of: str) -> bool:
    """Return True if a name is `of` with a number added, ignoring case."""
    number = name.rpartition(" ")[2]
    return number.isdecimal() and suffixed_name(of, int(number)).casefold() == name.casefold()


def clean(text: str, most_cells: int, most_bytes: int) -> str:
    """Clean a text: NFC, without control or invisible characters, cut to what fits.

    Blanks of any kind become single spaces. A letter keeps two combining marks at most, so that
    none spill into other lines. The result may be empty. Cleaning twice changes nothing.
    """
    return _clean("".join(filter(_is_known, text[: 16 * most_bytes])), most_cells, most_bytes)


def is_clean(text: str, most_cells: int, most_bytes: int) -> bool:
    """Return True if a text is as `clean` leaves it, here or on a Python with newer Unicode data.

    A character that this Python does not know may be a combining mark of width 0 on the host's, so
    its width counts as 0 here: otherwise a name with such a character would keep everybody whose
    Python is older than the host's away from the table.
    """
    return len(text) <= most_bytes and _clean(text, most_cells, most_bytes) == text


def is_clean_name(name: str) -> bool:
    return is_clean(name, MAX_NAME_CELLS, MAX_NAME_BYTES)


def is_clean_page(text: str) -> bool:
    return _UNWANTED_CATEGORIES.isdisjoint(
        unicodedata.category(letter) for letter in text if letter != "\n"
    )


def _clean(text: str, most_cells: int, most_bytes: int) -> str:
    """Clean a text; characters that this Python does not know take no cell."""
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


def sanitise(text: str, instead: str = "") -> str:
    """Return a text, uncut, with `instead` for control characters and spaces for other blanks."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else instead for c in text)


def _is_known(character: str) -> bool:
    return unicodedata.category(character) != "Cn"  # unassigned


def _plain(character: str) -> str:
    if character.isspace() or character in _BLANK:
        return " "
    unwanted = unicodedata.category(character) in _UNWANTED_CATEGORIES or ord(character) in _UNSEEN
    return "" if unwanted else character
