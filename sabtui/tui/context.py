"""Protocol of the app for its screens: preferences, tables, terminal.

With it, no screen needs to import the app.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

if TYPE_CHECKING:
    from sabtui.app.preferences import Preferences
    from sabtui.app.requests import HallVisit, TableHandle
    from sabtui.app.tables import TableService
    from sabtui.art.store import Size
    from sabtui.tui.theme import Glyphs


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


class AppContext(Protocol):
    """Services of the app that every screen can use, and what it can read of the app."""

    preferences: Preferences
    glyphs: Glyphs
    is_calm: bool
    """True if nothing is to be animated."""
    is_terminal_behind: bool
    """True while the terminal has not yet taken all that was written."""
    is_guest: bool
    """True at a door: the app ends with its table, and no screen writes or reads files."""
    club: HallVisit | None
    """The way around the club that the session is in, or may be."""
    in_club: bool
    """True at a table of a club: whoever leaves it comes back to the hall."""
    tables: TableService

    def prefer(self, preferences: Preferences) -> str:
        """Apply and save new preferences. Return what went wrong, or ""."""

    def open_settings(self) -> None:
        """Show the settings above the present screen."""

    def sit(self, handle: TableHandle, text: str = "") -> None:
        """Open a table's session and show it, with a message once it is there."""

    def stand(self, text: str = "") -> None:
        """Close the session, and show a message on the screen to go on from; the seat is kept."""

    def set_title(self, text: str) -> None:
        """Show a text in the terminal's title; "" shows the app's name alone."""

    def show_cursor(self, *, shown: bool) -> None:
        """Show or hide the terminal's own cursor, at the place that the screen chose."""

    def ring(self) -> None:
        """Ring the bell if the player wants it."""
