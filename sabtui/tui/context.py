"""What passes between the app, its driver and its screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

if TYPE_CHECKING:
    from sabtui.art.store import Size


@dataclass
class Answered(Message):
    """Message: the terminal has answered what it was asked."""

    text: str


class GlyphsChanged(Message, bubble=False):
    """Message to a screen, and to the mine on it: there are other glyphs to draw with."""


class TellingDriver(Protocol):
    """Driver that says how the terminal is, and can ask it: ours, on POSIX."""

    @property
    def is_behind(self) -> bool:
        """True while the terminal does not take what is written."""

    @property
    def cell(self) -> Size | None:
        """Pixels of a cell, where they are known."""

    def ask(self, questions: str) -> None:
        """Ask the terminal, which may answer by `Answered`."""
