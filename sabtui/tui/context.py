"""The app as screens know it: everything that they need from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sabtui.app.preferences import Preferences
    from sabtui.app.requests import HallVisit, TableHandle
    from sabtui.app.tables import TableService
    from sabtui.text.signs import Signs
    from sabtui.tui.command import Command
    from sabtui.tui.theme import Glyphs


class Context(Protocol):
    """Everything that screens need from the app."""

    preferences: Preferences
    is_calm: bool  # True if nothing is animated
    is_guest: bool  # True at a door, where the files are the host's
    farewell: str  # printed after the end

    @property
    def glyphs(self) -> Glyphs: ...

    @property
    def is_terminal_behind(self) -> bool:
        """True while the terminal has not yet taken all that was written."""

    @property
    def tables(self) -> TableService: ...

    @property
    def club(self) -> HallVisit | None:
        """The visit that the session is part of, `None` where there can be no club."""

    @property
    def in_club(self) -> bool:
        """True at a table of a club."""

    def save_preferences(self, preferences: Preferences) -> str:
        """Apply and save new preferences. Return what went wrong, or ""."""

    def open_settings(self) -> None: ...

    def open_rules(self) -> None: ...

    def open_help(self, commands: tuple[Command, ...], signs: Signs) -> None: ...

    def enter_table(self, handle: TableHandle) -> None:
        """Open a table's session and show it."""

    def leave_table(self, text: str = "") -> None:
        """Close the session, and return to where it began, with a message."""

    def say(self, text: str) -> None: ...

    def set_title(self, text: str) -> None:
        """Show a text in the terminal's title; "" shows only the app's name."""

    def show_cursor(self, *, shown: bool) -> None:
        """Show or hide the terminal's own cursor, at the place that the screen chose."""

    def ring(self) -> None:
        """Ring the bell, unless the player has turned it off."""
