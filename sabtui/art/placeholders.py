"""Characters that stand for the cells of kitty's pictures until they are written.

Such a cell is U+10EEEE with two marks for its row and its column. Here it is one character for
private use, so that rows of text can be cut and compared by their letters.
"""

from __future__ import annotations

from functools import cache
from typing import Final

PLACEHOLDER: Final = "\U0010eeee"

FIRST_SIGN: Final = "\U000f0000"
"""First of the characters for private use; no text from elsewhere has them."""

_MARKS: Final = (
    "\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352"
    "\u0357\u035b\u0363\u0364\u0365\u0366\u0367\u0368\u0369\u036a\u036b\u036c\u036d\u036e\u036f"
)
"""Marks of the numbers from 0 to 29, more than any picture's columns; the protocol's page has
the others."""


def sign_of(row: int, column: int) -> str:
    return chr(ord(FIRST_SIGN) + row * len(_MARKS) + column)


def place_of_sign(sign: str) -> tuple[int, int]:
    return divmod(ord(sign) - ord(FIRST_SIGN), len(_MARKS))


def spell_signs(text: str) -> str:
    """Return a text of these characters as it is written."""
    return text.translate(_list_spellings())


def blank_signs(text: str) -> str:
    return " " * len(text)


@cache
def _list_spellings() -> dict[int, str]:
    numbered = list(enumerate(_MARKS))
    return {
        ord(sign_of(row, column)): PLACEHOLDER + down + across
        for row, down in numbered
        for column, across in numbered
    }
