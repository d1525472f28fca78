"""The screen of standings: gold and wins over the kept games, and one's own statistics.

Figures for statisticians, and bots, are on a key.

The index of the library is brought up to date in a thread; the page shows how far that is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from textual.content import Content

from net.protocol.text import sanitise
from sabtui.after.library_index import IndexedGame
from sabtui.after.library_list import reading_sentence
from sabtui.after.review import counted_games
from sabtui.after.standings import FoundOut, own_statistics, select_finished, standings
from sabtui.after.standings_table import (
    own_text,
    people_lines,
    standings_lines,
    unchecked_sentence,
)
from sabtui.app.files import keeper_trouble
from sabtui.app.preferences import player_name, records_folder
from sabtui.text.errors import not_written
from sabtui.text.i18n import _, capitalise
from sabtui.text.layout import confine_lines
from sabtui.tui.command import Command
from sabtui.tui.commands import PageScreen
from sabtui.tui.theme import ASCII

WRAP_INDENT_COLUMNS: Final = 3
"""Columns by which the continuation of a wrapped line is indented."""

HEADER_ROW: Final = 2
"""Row of the table's headings, below the number of games and a blank row."""


class StandingsScreen(PageScreen, inherit_bindings=False):
    """Two pages of standings over all kept games: everybody's, and the player's own statistics."""

    def __init__(self, where: Path | None = None) -> None:
        self.where = where or records_folder()
        self.games: tuple[IndexedGame, ...] | None = None
        self.reviewed: dict[str, FoundOut] = {}
        self.shows_own = self.shows_figures = self.unchecked = False
        self.progress = self.trouble = ""
        super().__init__(capitalise(_("standings")), self._shown_lines)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        purpose = _("turn the page: everybody, or your own statistics")
        yield Command("page", ("tab",), _("page"), purpose, self.turn_page)
        # Translators: label of the key that shows all figures, or hides them.
        label = _("numbers")
        purpose = _("all figures")
        yield Command("numbers", ("n",), label, purpose, self.turn_figures)
        # Translators: label of the key that counts records of others, too, or leaves them out.
        label = _("unchecked")
        purpose = _("count games that your program did not see, or leave them out")
        yield Command("unchecked", ("u",), label, purpose, self.turn_unchecked)
        yield from super().commands()

    def on_mount(self) -> None:
        """Begin to read the games."""
        self.run_worker(self._read())

    def turn_page(self) -> None:
        """Turn to the other page."""
        self.shows_own = not self.shows_own
        self._show_page()

    def turn_figures(self) -> None:
        """Show all figures, or only those that players care for."""
        self.shows_figures = not self.shows_figures
        self._show_page()

    def turn_unchecked(self) -> None:
        """Count games that this user's programs did not see, or leave them out again."""
        self.unchecked = not self.unchecked
        self._show_page()

    def _show_page(self) -> None:
        title = _("Your own statistics") if self.shows_own else capitalise(_("standings"))
        self.page.turn_to(title, self._shown_lines)

    async def _read(self) -> None:
        try:
            self.games, self.reviewed = await asyncio.to_thread(
                counted_games, self.where, self._me, self._tell
            )
            self.trouble = await asyncio.to_thread(keeper_trouble, self.where)
        except OSError as error:
            self.progress = not_written(self.where, error)
        self.page.refresh()

    def _tell(self, done: int, files: int) -> bool:
        """Show the progress, from the thread that reads; return False once nobody looks."""
        if self.is_running:
            self.app.call_from_thread(self._show_progress, done, files)
        return self.is_running

    def _show_progress(self, done: int, files: int) -> None:
        self.progress = reading_sentence(done, files)
        self.page.refresh()

    @property
    def _me(self) -> str:
        return player_name(self.context.preferences)

    def _shown_lines(self, columns: int) -> list[Content]:
        """Return the page that is open, or how far the games were read."""
        has_winner = False
        if self.games is None:
            lines = [self.progress]
        elif self.shows_own:
            is_ascii = self.context.glyphs is ASCII
            own = own_statistics(self._select_counted(), self._me, self.reviewed)
            lines = own_text(own, ascii_only=is_ascii, numbers=self.shows_figures).splitlines()
        else:
            games = select_finished(self._select_counted())
            found = standings(games, self._me, with_bots=self.shows_figures)
            lines = people_lines(found, len(games))
            has_winner = bool(found) and not self.shows_figures
            if self.shows_figures:
                lines = standings_lines(found, len(games), columns)
            left_out = len(select_finished(self.games)) - len(games)
            if left_out:
                lines += ["", unchecked_sentence(left_out, "u")]
            if self.trouble:
                lines += ["", self.trouble]
        shown = [
            Content(sanitise(line)) for line in confine_lines(lines, columns, WRAP_INDENT_COLUMNS)
        ]
        if has_winner:  # most gold stands first
            shown[HEADER_ROW] = shown[HEADER_ROW].stylize("$foreground 72%")
            shown[HEADER_ROW + 1 : HEADER_ROW + 2] = [
                line.stylize("bold $warning") for line in shown[HEADER_ROW + 1 : HEADER_ROW + 2]
            ]
        return shown

    def _select_counted(self) -> list[IndexedGame]:
        """Return the games that are counted."""
        return [game for game in self.games or () if self.unchecked or game.is_checked]
