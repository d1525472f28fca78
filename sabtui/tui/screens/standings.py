"""The screen of standings: everybody's gold and wins over the kept games, and one's own statistics.

The index of the library is brought up to date in a thread; the page shows how far that is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.content import Content

from net.protocol.text import sanitise
from sabtui.app.files import not_opened, reading_record
from sabtui.app.library import IndexedGame
from sabtui.app.people import load_people
from sabtui.app.preferences import player_name
from sabtui.app.records import folder
from sabtui.app.review import counted_games
from sabtui.app.standings import FoundOut, finished, own_statistics, standings
from sabtui.app.standings_table import own_text, standings_lines
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.tui.commands import Command, CommandScreen
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.text import TextPage

INDENT: Final = 3
"""Columns by which the continuation of a wrapped line is indented."""


class StandingsScreen(CommandScreen, inherit_bindings=False):
    """Standings over all kept games, and the player's own statistics on a second page."""

    AUTO_FOCUS = "TextPage"

    def __init__(self, where: Path | None = None) -> None:
        self.where = where or folder()
        self.games: tuple[IndexedGame, ...] | None = None
        self.reviewed: dict[str, FoundOut] = {}
        self.is_own = False
        self.progress = ""
        super().__init__()
        self.page: Final = TextPage(_("Standings"), self._told)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        purpose = _("turn the page: everybody, or your own statistics")
        yield Command("page", ("tab",), _("page"), purpose, self.turn_page)
        yield Command("back", ("escape", "q"), _("back"), _("back to the list"), self.back)

    def body(self) -> ComposeResult:
        """Yield the page."""
        yield self.page

    def on_mount(self) -> None:
        """Begin to read the games."""
        self.run_worker(self._read())

    def has_read(self) -> bool:
        """Return True once the games are counted."""
        return self.games is not None

    def turn_page(self) -> None:
        """Turn to the other page."""
        self.is_own = not self.is_own
        title = _("Your own statistics") if self.is_own else _("Standings")
        self.page.turn_to(title, self._told)

    async def _read(self) -> None:
        try:
            self.games, self.reviewed = await asyncio.to_thread(
                counted_games, self.where, self._me, self._tell
            )
        except OSError as error:
            self.progress = not_opened(self.where, error)
        self.page.refresh()

    def _tell(self, done: int, files: int) -> bool:
        """Show the progress, from the thread that reads; return False once nobody looks."""
        if self.is_running:
            self.app.call_from_thread(self._show_progress, done, files)
        return self.is_running

    def _show_progress(self, done: int, files: int) -> None:
        self.progress = reading_record(done, files)
        self.page.refresh()

    @property
    def _me(self) -> str:
        return player_name(self.context.preferences)

    def _told(self, columns: int) -> list[Content]:
        """Return the page that is open, or how far the games were read."""
        if self.games is None:
            lines = [self.progress]
        elif self.is_own:
            is_ascii = self.context.glyphs is ASCII
            own = own_statistics(self.games, self._me, self.reviewed)
            lines = own_text(own, ascii_only=is_ascii).splitlines()
        else:
            found = standings(self.games, load_people(self.where), self._me)
            lines = standings_lines(found, len(finished(self.games)), columns)
        return [Content(sanitise(line)) for line in confined(lines, columns, INDENT)]
