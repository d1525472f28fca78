"""Messages of the driver to the app, and of the app to its screens."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class Answered(Message):
    """Message: the terminal has answered what it was asked."""

    text: str


class GlyphsChanged(Message, bubble=False):
    """Message to a screen, and to the mine on it: there are other glyphs to draw with."""
