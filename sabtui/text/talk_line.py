"""The limits of a line of talk, which forms have too, without all that is said at a table."""

from __future__ import annotations

from net.protocol.text import MAX_CHAT_BYTES, MAX_CHAT_CELLS
from sabtui.text.i18n import _
from sabtui.text.names import cut_to_fit, width


def fits_talk(text: str) -> bool:
    """Return True if a text is short enough for a line of talk."""
    return width(text) <= MAX_CHAT_CELLS and len(text.encode()) <= MAX_CHAT_BYTES


def cut_to_talk(text: str, before: str = "", after: str = "") -> str:
    """Return as much of a text as fits into a line of talk between two texts that fit."""
    return cut_to_fit(text[:MAX_CHAT_BYTES], lambda kept: fits_talk(before + kept + after))


def cut_off_sentence() -> str:
    """Return the sentence that a text was too long for a line of talk."""
    return _("The talk line is full: the rest was cut off.")
