"""The app as far as a screen may know it: the player's wishes, the doors to tables, the terminal.

A protocol, so that no screen imports the app.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sabtui.app.preferences import Preferences
    from sabtui.app.requests import TableAccess, TableHandle
    from sabtui.tui.theme import Glyphs


class AppContext(Protocol):
    """What every screen can ask of the app."""

    @property
    def preferences(self) -> Preferences:
        """What the player likes."""
        ...

    @property
    def glyphs(self) -> Glyphs:
        """What lines are drawn with."""
        ...

    @property
    def doors(self) -> TableAccess:
        """How one gets to a table."""
        ...

    def prefer(self, preferences: Preferences) -> str:
        """Take over and keep what the player likes now; returns what went wrong, or nothing."""
        ...

    def sit(self, handle: TableHandle) -> None:
        """Go to a table, and show it."""
        ...

    def stand(self, text: str = "") -> None:
        """Let go of the seat, show the screen to go on from, and say something there.

        The seat is kept for whoever has not wanted to `Leave` before.
        """
        ...

    def entitle(self, text: str) -> None:
        """Show this in the terminal's title, nothing for the plain one."""
        ...

    def show_cursor(self, *, shown: bool) -> None:
        """Show the terminal's own cursor, where the screen put it, or hide it."""
        ...

    def ring(self) -> None:
        """Ring the bell, if the player wants it."""
        ...
