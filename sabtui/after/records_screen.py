"""The screen of kept games: a list that typed words filter, and that opens games and standings.

The library is read in a thread. A record is checked before any of it is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input

from engine.board import NO_PEEKS
from net.protocol.cleaning import sanitise
from sabtui.after import library
from sabtui.after.replay_screen import ReplayScreen
from sabtui.after.replays import read_replay
from sabtui.app.errors import UserError
from sabtui.app.preferences import player_name, records_folder
from sabtui.app.records import no_games, not_a_record
from sabtui.text.errors import not_written
from sabtui.text.evening import PersonStanding, games_counted
from sabtui.text.i18n import _, capitalise, put_title
from sabtui.text.layout import no_match
from sabtui.tui.command import Command
from sabtui.tui.screens.bases import FormScreen
from sabtui.tui.screens.living import BoardPanel
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.form import TextField
from sabtui.tui.widgets.table import RowTable

REST_S: Final = 0.15
"""Seconds that the cursor rests on a game before its record is read, for its last mine."""

MAX_FILTER_COLUMNS: Final = 40

TIME_COLUMNS: Final = 72  # columns of a terminal from which the time of day follows the date

DAY_CHARACTERS: Final = 10  # characters of a date before the time of day


class ListedGame(NamedTuple):
    """A file of the library as a row: a game, or a file that is not a record."""

    file: str  # the file's name
    words: str  # everything that it can be found by
    cells: tuple[str, ...]
    game: library.KeptGame | None  # `None` for a file that is not a record


class RecordsScreen(FormScreen):
    """List of the kept games, which typed words filter, with details of one beside it."""

    AUTO_FOCUS = "TextField"

    def __init__(self) -> None:
        self.every: tuple[ListedGame, ...] = ()
        self.shown: tuple[ListedGame, ...] = ()
        self.has_own = True
        super().__init__()
        self._rest = Timer(self, REST_S)
        self.line: Final = TextField("what", "", MAX_FILTER_COLUMNS, "", _("type a name or a date"))
        empty = _make_printable(no_games())
        self.menu: Final = RowTable(_("Past games"), empty=empty, marked=True)
        self.menu.can_focus = False

    def commands(self) -> Iterable[Command]:
        text = _("watch a finished game again")
        yield Command("watch", ("enter",), _("watch"), text, self.watch_again, self._why_no_game)
        text = _("everybody's gold and wins")
        yield Command("standings", ("f4",), _("standings"), text, self.show_standings)
        for name, key, purpose, move in (
            ("down", "down", _("the next row"), lambda: self.menu.action_move(1)),
            ("up", "up", _("the previous row"), lambda: self.menu.action_move(-1)),
            ("page down", "pagedown", _("next page"), lambda: self.menu.action_move(10)),
            ("page up", "pageup", _("previous page"), lambda: self.menu.action_move(-10)),
        ):
            yield Command(name, (key,), purpose, purpose, move, hidden=True)
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.leave)

    def body(self) -> ComposeResult:
        games = Vertical(self.line, self.menu, id="games")
        yield from self.lay_out("", games, BoardPanel(self.context))

    def on_mount(self) -> None:
        super().on_mount()
        self.run_worker(self._load())

    def on_resize(self) -> None:
        self.find(self.line.value)

    def on_row_table_moved(self) -> None:
        self._advise()

    def _advise(self) -> None:
        title, lines = "", list[str]()
        for row in self.shown[self.menu.at : self.menu.at + 1]:
            lines = [row.cells[-1]]
            if row.game is not None:
                title = row.game.place or row.cells[0]
                lines = library.game_lines(row.game, in_rows=self.has_class("-roomy"))
        self.note.border_title = Content(sanitise(title))
        self.note.show_note("\n".join(lines))
        self._rest.stop()
        self._rest = self.set_timer(REST_S, self._begin_end)

    def _begin_end(self) -> None:
        self.run_worker(self._show_end(), group="end", exclusive=True)

    async def _show_end(self) -> None:
        panel, rows = self.query_one(BoardPanel), self.shown[self.menu.at : self.menu.at + 1]
        if not panel.display:
            return
        board, goals = None, NO_PEEKS
        with suppress(UserError):  # it is not a record, or has no game
            for row in rows:
                read = partial(read_replay, records_folder() / row.file)
                view = (await asyncio.to_thread(read)).begin().last.view
                board, goals = view.table.board, view.peeks
        panel.lay(board, goals)

    def on_input_changed(self, changed: Input.Changed) -> None:
        self.find(changed.value)
        self.menu.action_move(-len(self.shown))

    def find(self, typed: str) -> None:
        """List the games that match the typed words; the cursor stays on its game."""
        self.shown = tuple(row for row in self.every if library.matches(typed, row.words))
        shown = None if self.size.width >= TIME_COLUMNS else DAY_CHARACTERS
        rows = [(row.cells[0][:shown], *row.cells[1:]) for row in self.shown]
        files = [row.file for row in self.shown]
        titles = library.game_titles(has_own=self.has_own)
        self.menu.show(rows, titles=titles, ids=files)
        if self.every:
            self.menu.set_empty_text(no_match(typed))
        self._advise()
        self.update_commands()

    def watch_again(self) -> None:
        try:
            self.show(ReplayScreen(read_replay(records_folder() / self.shown[self.menu.at].file)))
        except UserError as trouble:
            self.say(_make_printable(trouble))

    def show_standings(self) -> None:
        self.show(StandingsScreen())

    def leave(self) -> None:
        """Show all games again if words are typed, else go back."""
        if self.line.value:
            self.line.value = ""
        else:
            self.back()

    def _why_no_game(self) -> str | None:
        if self.shown:
            return None
        return no_match(self.line.value) if self.every else no_games()

    async def _load(self) -> None:
        folder, name = records_folder(), player_name(self.context.preferences)
        try:
            kept = await asyncio.to_thread(library.read_library, folder, name)
        except OSError as error:
            self.say(not_written(_make_printable(folder), error))
            return
        self.every, self.has_own = _list_games(kept)
        self.find(self.line.value)


class StandingsScreen(FormScreen):
    """Everybody's gold and wins over all kept games, with bars where there is room."""

    AUTO_FOCUS = "RowTable"

    def __init__(self) -> None:
        super().__init__()
        self.standings: tuple[PersonStanding, ...] = ()
        self.menu: Final = RowTable(capitalise(_("standings")), empty=_make_printable(no_games()))

    def commands(self) -> Iterable[Command]:
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        yield from self.lay_out("", Vertical(self.menu, id="games"))

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#beside").display = False  # it would leave no room for the bars
        self.run_worker(self._load())

    def on_resize(self) -> None:
        self._show_rows()

    def on_glyphs_changed(self) -> None:
        self._show_rows()

    async def _load(self) -> None:
        folder, name = records_folder(), player_name(self.context.preferences)
        try:
            kept = await asyncio.to_thread(library.read_library, folder, name)
        except OSError as error:
            self.say(not_written(_make_printable(folder), error))
            return
        counted = [game for game in kept.games if game.record.nuggets is not None]
        self.standings = library.count_standings(counted)
        if self.standings:
            self.menu.border_title = Content(
                put_title(capitalise(_("standings")), games_counted(len(counted)))
            )
        self._show_rows()

    def _show_rows(self) -> None:
        sign = "#" if self.context.glyphs is ASCII else "█"
        rows = library.standings_rows(self.standings, self.size.width, sign)
        self.menu.show(rows, titles=library.standings_titles(), ids=[row[1] for row in rows])


def _make_printable(text: object) -> str:
    """Return a text, such as a file's name, with a "?" for each unprintable character."""
    return sanitise(str(text), "?")


def _list_games(kept: library.Library) -> tuple[tuple[ListedGame, ...], bool]:
    """Return the rows of games and broken files, and True if the user played in any game."""
    has_own = any(game.my_seat is not None for game in kept.games)
    blank = [""] * (len(library.game_titles(has_own=has_own)) - 1)
    rows = [
        ListedGame(
            game.file,
            library.search_words(game),
            tuple(map(_make_printable, library.game_cells(game, has_own=has_own))),
            game,
        )
        for game in kept.games
    ]
    rows += (
        ListedGame(name, name.casefold(), (*blank, _make_printable(not_a_record(name))), None)
        for name in kept.broken
    )
    return tuple(rows), has_own
