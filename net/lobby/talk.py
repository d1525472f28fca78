"""What is said at a table: lines of text cleaned and bounded, and the last of them kept.

Text from others is cleaned here once, by the host, and is harmless on any terminal; it is never
markup. Knows how wide text is; must not know who may speak.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from net.text import clean

TEXT_CELLS: Final = 160
"""The most terminal cells of a line of talk: two lines of a small terminal."""

TEXT_BYTES: Final = 160
"""The most UTF-8 bytes, so that a client's frame stays in the smallest bucket."""

MOST_LINES: Final = 50
"""How many of the last lines a snapshot holds."""

Text: TypeAlias = Annotated[str, Meta(max_length=TEXT_BYTES)]


def clean_text(text: str) -> str:
    """Make a line of talk of any text; what is left may be empty."""
    return clean(text, TEXT_CELLS, TEXT_BYTES)
