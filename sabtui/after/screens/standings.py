"""The screen of standings: gold and wins over the kept games, with details of one person beside.

One's own statistics are a page of their own; figures for statisticians, and bots, are on a key. The
index of the library is brought up to date in a thread; the list shows how far that is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from net.protocol.text import sanitise
from sabtui.after.library_index import IndexedGame
from sabtui.after.library_list import reading_sentence
from sabtui.after.review import counted_games
from sabtui.after.standings import (
    FoundOut,
    PersonStanding,
    own_statistics,
    select_finished,
    standings,
)
from sabtui.after.standings_table import (
    SIDES,
    count_games,
    figures_note,
    own_text,
    person_lines,
    table_rows,
    unchecked_sentence,
)
from sabtui.app.files import keeper_trouble
from sabtui.app.preferences import player_name, records_folder
from sabtui.text.errors import not_written
from sabtui.text.i18n import _, capitalise
from sabtui.text.layout import confine_lines
from sabtui.tui.command import Command
from sabtui.tui.commands import PageScreen
from sabtui.tui.screens.forms import FormScreen
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.list import Menu
from sabtui.tui.widgets.table import RowTable


class StandingsScreen(FormScreen, inherit_bindings=False):
    """Everybody's standings over all kept games, and a page of the player's own statistics."""

    AUTO_FOCUS = "RowTable"

    def __init__(self, where: Path | None = None) -> None:
        self.where = where or records_folder()
        self.games: tuple[IndexedGame, ...] | None = None
        self.reviewed: dict[str, FoundOut] = {}
        self.found: tuple[PersonStanding, ...] = ()
        self.shows_figures = self.unchecked = False
        self.trouble = ""
        super().__init__()
        self.menu: Final = RowTable(capitalise(_("standings")))
        self.counted: Final = Static(markup=False, id="counted")

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command("page", ("tab",), _("page"), _("your own statistics"), self.show_own)
        # Translators: label of the key that shows all figures, or hides them.
        label = _("numbers")
        purpose = _("all figures")
        yield Command("numbers", ("n",), label, purpose, self.turn_figures)
        # Translators: label of the key that counts records of others, too, or leaves them out.
        label = _("unchecked")
        purpose = _("count games that your program did not see, or leave them out")
        yield Command("unchecked", ("u",), label, purpose, self.turn_unchecked)
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        """Yield the table, what is counted below it, and details of one person."""
        yield from self.lay_out("", Vertical(self.menu, self.counted, id="games"))

    def on_mount(self) -> None:
        """Begin to read the games."""
        self.run_worker(self._read())

    def show_own(self) -> None:
        """Show the player's own statistics."""
        self.show(PageScreen(capitalise(_("your own statistics")), self.own_lines))

    def own_lines(self, columns: int) -> list[Content]:
        """Return the lines of the player's own statistics."""
        own = own_statistics(self._select_counted(), self._me, self.reviewed)
        text = own_text(own, ascii_only=self._is_ascii, numbers=self.shows_figures)
        return [Content(sanitise(line)) for line in confine_lines(text.splitlines(), columns)]

    def turn_figures(self) -> None:
        """Show all figures, or only those that players care for."""
        self.shows_figures = not self.shows_figures
        self._count()

    def turn_unchecked(self) -> None:
        """Count games that this user's programs did not see, or leave them out again."""
        self.unchecked = not self.unchecked
        self._count()

    async def _read(self) -> None:
        try:
            self.games, self.reviewed = await asyncio.to_thread(
                counted_games, self.where, self._me, self._tell
            )
            self.trouble = await asyncio.to_thread(keeper_trouble, self.where)
        except OSError as error:
            self.menu.say_empty(not_written(self.where, error))
        self._count()

    def _tell(self, done: int, files: int) -> bool:
        """Show the progress, from the thread that reads; return False once nobody looks."""
        if self.is_running:
            text = reading_sentence(done, files)
            self.app.call_from_thread(self.menu.say_empty, text)
        return self.is_running

    @property
    def _me(self) -> str:
        return player_name(self.context.preferences)

    @property
    def _is_ascii(self) -> bool:
        return self.context.glyphs is ASCII

    def _count(self) -> None:
        """Show the table, and below it what is counted; nothing before the games are read."""
        if self.games is None:
            return
        games = select_finished(self._select_counted())
        self.found = standings(games, self._me, with_bots=self.shows_figures)
        titles, *rows = table_rows(self.found, numbers=self.shows_figures)
        rows = [row[: SIDES.start] for row in rows]
        ids = [one.name for one in self.found]
        self.menu.say_empty(count_games(len(games)))
        self.menu.show(rows, ids=ids, titles=[*map(capitalise, titles[: SIDES.start])])
        lines = [count_games(len(games))] if self.found else []
        left_out = len(select_finished(self.games)) - len(games)
        lines += [unchecked_sentence(left_out, "u")] if left_out else []
        lines += [self.trouble] if self.trouble else []
        lines += [figures_note()] if self.found and self.shows_figures else []
        self.counted.update(Content("\n").join(Content(sanitise(line)) for line in lines))
        self._advise()

    def on_menu_moved(self, _moved: Menu.Moved) -> None:
        """Show the details of the person under the cursor."""
        self._advise()

    def on_menu_chosen(self, chosen: Menu.Chosen) -> None:
        """Do no more than move the cursor to a row that was clicked."""
        chosen.prevent_default()

    def _advise(self) -> None:
        """Show what the person under the cursor won on either side."""
        for one in self.found[self.menu.at : self.menu.at + 1]:
            self.note.border_title = Content(sanitise(one.name))
            lines = person_lines(one, ascii_only=self._is_ascii, numbers=self.shows_figures)
            self.note.tell("\n".join(lines))

    def _select_counted(self) -> list[IndexedGame]:
        """Return the games that are counted."""
        return [game for game in self.games or () if self.unchecked or game.is_checked]
