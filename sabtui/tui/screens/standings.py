"""The screen of standings: gold and wins over the kept games, one's own statistics, and evenings.

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
from sabtui.app.evenings import (
    GatheredEvening,
    ask_tables,
    evening_words,
    read_evening,
    tables_sentence,
)
from sabtui.app.files import not_opened, reading_record
from sabtui.app.fooled import FooledRounds, fooled, fooled_lines, fooled_rounds
from sabtui.app.library_index import IndexedGame
from sabtui.app.people import load_people
from sabtui.app.preferences import player_name
from sabtui.app.records import folder
from sabtui.app.review import counted_games
from sabtui.app.standings import FoundOut, finished, own_statistics, standings
from sabtui.app.standings_table import own_text, standings_lines, unchecked_sentence
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.tui.commands import Command, CommandScreen
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.text import TextPage

WRAP_INDENT_COLUMNS: Final = 3
"""Columns by which the continuation of a wrapped line is indented."""


EVERYBODY, OWN, FOOLED = range(3)
OTHER_PAGES: Final = 3
"""Pages before those of evenings: everybody, the player's own statistics, and who fooled whom."""


class StandingsScreen(CommandScreen, inherit_bindings=False):
    """Pages of standings: all kept games, the player's own statistics, and each named evening."""

    AUTO_FOCUS = "TextPage"

    def __init__(self, where: Path | None = None) -> None:
        self.where = where or folder()
        self.games: tuple[IndexedGame, ...] | None = None
        self.reviewed: dict[str, FoundOut] = {}
        self.evenings: dict[str, GatheredEvening] = {}
        self.fooled: dict[str, FooledRounds] | None = None
        self.page_number = EVERYBODY
        self.is_asking = self.unchecked = False
        self.progress = ""
        super().__init__()
        self.page: Final = TextPage(_("Standings"), self._shown_lines)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        purpose = _("turn the page: everybody, you, who fooled whom, each named evening")
        yield Command("page", ("tab",), _("page"), purpose, self.turn_page)
        # Translators: label of the key that counts records of others, too, or leaves them out.
        label = _("unchecked")
        purpose = _("count games that your program did not see, or leave them out")
        yield Command("unchecked", ("u",), label, purpose, self.turn_unchecked)
        # Translators: label of the key that asks the tables on this network for their results.
        ask, purpose = _("ask tables"), _("ask the tables on this network for their results")
        yield Command("ask", ("a",), ask, purpose, self.ask_around, self._why_not_ask)
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
        """Turn to the next page; who fooled whom is worked out once somebody wants to know."""
        self._turn_to((self.page_number + 1) % (OTHER_PAGES + len(self.evenings)))

    def turn_unchecked(self) -> None:
        """Count games that this user's programs did not see, or leave them out again."""
        self.unchecked = not self.unchecked
        self._turn_to(self.page_number)

    def ask_around(self) -> None:
        """Ask the tables on this network for the results of their evenings."""
        self.is_asking = True
        self.say(_("Asking the tables on this network..."))
        self.run_worker(self._ask())

    def _why_not_ask(self) -> str | None:
        if self.games is None:
            return _("The games are not counted yet, one moment.")
        return _("The tables are being asked, one moment.") if self.is_asking else None

    async def _ask(self) -> None:
        problems = await ask_tables(self.where)
        self.is_asking = False
        before = {word: len(one.games) for word, one in self.evenings.items()}
        self._read_evenings()
        now = {word: len(one.games) for word, one in self.evenings.items()}
        fresh = [word for word in now if now[word] != before.get(word)]
        if problems:
            self.say(" ".join(problems))
        else:
            self.say("" if fresh else _("No table on this network has new results."))
        self._turn_to(OTHER_PAGES + list(now).index(fresh[0]) if fresh else self.page_number)

    def _turn_to(self, page: int) -> None:
        self.page_number = page
        if page == FOOLED and self.fooled is None and self.games is not None:
            self.run_worker(self._work_out_fooled(), exclusive=True, group="fooled")
        titles = [_("Standings"), _("Your own statistics"), _("Who fooled whom")]
        titles += [_("The evening {word}").format(word=word) for word in self.evenings]
        self.page.turn_to(titles[page], self._shown_lines)

    def _read_evenings(self) -> None:
        games = self.games or ()
        self.evenings = {
            word: read_evening(self.where, word, games) for word in evening_words(self.where)
        }

    async def _read(self) -> None:
        try:
            self.games, self.reviewed = await asyncio.to_thread(
                counted_games, self.where, self._me, self._tell
            )
        except OSError as error:
            self.progress = not_opened(self.where, error)
        else:
            self._read_evenings()
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

    def _shown_lines(self, columns: int) -> list[Content]:
        """Return the page that is open, or how far the games were read."""
        if self.games is None:
            lines = [self.progress]
        elif self.page_number >= OTHER_PAGES:
            lines = self._evening_lines(columns)
        elif self.page_number == FOOLED:
            lines = self._fooled_lines(columns)
        elif self.page_number == OWN:
            is_ascii = self.context.glyphs is ASCII
            own = own_statistics(self._counted(), self._me, self.reviewed)
            lines = own_text(own, ascii_only=is_ascii).splitlines()
        else:
            games = finished(self._counted())
            found = standings(games, load_people(self.where), self._me)
            lines = standings_lines(found, len(games), columns)
            left_out = len(finished(self.games)) - len(games)
            if left_out:
                lines += ["", unchecked_sentence(left_out, "u")]
        return [Content(sanitise(line)) for line in confined(lines, columns, WRAP_INDENT_COLUMNS)]

    def _counted(self) -> list[IndexedGame]:
        """Return the games that are counted."""
        return [game for game in self.games or () if self.unchecked or game.is_checked]

    def _fooled_lines(self, columns: int) -> list[str]:
        if self.fooled is None:
            return [self.progress]
        people = load_people(self.where)
        return fooled_lines(fooled(self._counted(), self.fooled, people, self._me), columns)

    async def _work_out_fooled(self) -> None:
        games = finished(self.games or ())
        try:
            self.fooled = await asyncio.to_thread(fooled_rounds, self.where, games, self._tell)
        except OSError as error:
            self.progress = not_opened(self.where, error)
        self.page.refresh()

    def _evening_lines(self, columns: int) -> list[str]:
        evening = [*self.evenings.values()][self.page_number - OTHER_PAGES]
        found = standings(evening.games, load_people(self.where), self._me)
        lines = standings_lines(found, len(evening.games), columns)
        return [*lines, "", tables_sentence(evening.tables), *evening.problems]
