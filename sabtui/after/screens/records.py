"""Screens for kept games: the list of games, found as you type, one game, and standings.

Figures for statisticians, and bots, are on a key. The index of the library is brought up to date in
a thread; the list shows how far that is.

The list comes from the index at once; files that are new are read into it meanwhile. A record is
read and checked before any of it is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker, get_current_worker

from net.protocol.text import sanitise
from sabtui.after.library import (
    IndexedGame,
    Library,
    counted_games,
    game_cells,
    game_lines,
    game_titles,
    matches,
    reading_sentence,
    search_words,
)
from sabtui.after.replays import read
from sabtui.after.standings import PersonStanding, select_finished, standings
from sabtui.after.standings_table import (
    SIDES,
    count_games,
    figures_note,
    person_lines,
    table_rows,
)
from sabtui.app.errors import UserError
from sabtui.app.files import keeper_trouble, not_a_record
from sabtui.app.preferences import player_name, records_folder
from sabtui.text.errors import not_written, system_words
from sabtui.text.i18n import _, capitalise
from sabtui.text.layout import confine_lines
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen, PageScreen
from sabtui.tui.screens.forms import FormScreen
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.form import TextField
from sabtui.tui.widgets.table import Menu, RowTable
from sabtui.tui.widgets.text import TextPage


class StandingsScreen(FormScreen, inherit_bindings=False):
    """Everybody's standings over all kept games."""

    AUTO_FOCUS = "RowTable"

    def __init__(self, where: Path | None = None) -> None:
        self.where = where or records_folder()
        self.games: tuple[IndexedGame, ...] | None = None
        self.found: tuple[PersonStanding, ...] = ()
        self.shows_figures = False
        self.trouble = ""
        super().__init__()
        self.menu: Final = RowTable(capitalise(_("standings")))
        self.counted: Final = Static(markup=False, id="counted")

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        # Translators: label of the key that shows all figures, or hides them.
        label = _("numbers")
        purpose = _("all figures")
        yield Command("numbers", ("n",), label, purpose, self.turn_figures)
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        """Yield the table, what is counted below it, and details of one person."""
        yield from self.lay_out("", Vertical(self.menu, self.counted, id="games"))

    def on_mount(self) -> None:
        """Begin to read the games."""
        self.run_worker(self._read())

    def turn_figures(self) -> None:
        """Show all figures, or only those that players care for."""
        self.shows_figures = not self.shows_figures
        self._count()

    async def _read(self) -> None:
        try:
            self.games = await asyncio.to_thread(counted_games, self.where, self._me, self._tell)
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
        games = [game for game in select_finished(self.games) if game.is_checked]
        self.found = standings(games, self._me, with_bots=self.shows_figures)
        titles, *rows = table_rows(self.found, numbers=self.shows_figures)
        rows = [row[: SIDES.start] for row in rows]
        ids = [one.name for one in self.found]
        self.menu.say_empty(count_games(len(games)))
        self.menu.show(rows, ids=ids, titles=[*map(capitalise, titles[: SIDES.start])])
        lines = [count_games(len(games))] if self.found else []
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


MAX_FILTER_COLUMNS: Final = 40

TIME_COLUMNS: Final = 72
"""Columns of a terminal from which the time of day stands beside the date."""

DAY_CHARACTERS: Final = 10
"""Characters of a date before the time of day."""

FIRST_GAMES: Final = 100
"""Games that are listed first: more than any screen has rows."""


class ListedGame(NamedTuple):
    """A row of the list: its file's name, the words by which it is found, and its details."""

    file: str
    words: str
    cells: tuple[str, ...]
    game: IndexedGame | None


class RecordsScreen(FormScreen):
    """List of the kept games, which typed words narrow down, with details of one beside it."""

    AUTO_FOCUS = "TextField"

    def __init__(self) -> None:
        self.every: tuple[ListedGame, ...] = ()
        self.shown: tuple[ListedGame, ...] = ()
        self.has_own = True
        super().__init__()
        self.line: Final = TextField("what", "", MAX_FILTER_COLUMNS, "", _("type a name or a date"))
        text = _("No saved games yet. Finished games are saved here:\n{folder}")
        empty = text.format(folder=_make_printable(records_folder()))
        self.menu: Final = RowTable(_("Your games"), empty=empty, marked=True)
        self.menu.can_focus = False

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        text = _("watch the game under the cursor again")
        yield Command("watch", ("enter",), _("watch"), text, self.watch_again, self._why_no_game)
        text = _("read the record under the cursor, turn by turn")
        yield Command("read", ("f3",), _("read"), text, self.read, self._why_no_game)
        text = _("everybody's gold and wins")
        yield Command("standings", ("f4",), _("standings"), text, self.show_standings)
        text = _("read all files again")
        yield Command("again", ("f5",), _("read all again"), text, self.rebuild, hidden=True)
        for name, key, purpose, move in (
            ("down", "down", _("the next row"), lambda: self.menu.action_move(1)),
            ("up", "up", _("the previous row"), lambda: self.menu.action_move(-1)),
            ("page down", "pagedown", _("one page down"), lambda: self.menu.action_move(10)),
            ("page up", "pageup", _("one page up"), lambda: self.menu.action_move(-10)),
        ):
            yield Command(name, (key,), purpose, purpose, move, hidden=True)
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.leave)

    def body(self) -> ComposeResult:
        """Yield the field to search with, and the list."""
        yield from self.lay_out("", Vertical(self.line, self.menu, id="games"))

    def on_mount(self) -> None:
        """List the games of the index, and read the files that are new."""
        super().on_mount()
        self._load_games(anew=False)

    def on_resize(self) -> None:
        """Tell as much of the games as there is room for."""
        self.find(self.line.value)

    def on_menu_moved(self, _moved: Menu.Moved) -> None:
        """Show the details of the game under the cursor."""
        self._advise()

    def _advise(self) -> None:
        """Show who played in the game under the cursor, and what they were and have."""
        title, lines = "", list[str]()
        for row in self.shown[self.menu.at : self.menu.at + 1]:
            lines = [row.cells[-1]]
            if row.game is not None:
                title = row.game.place or row.cells[0]
                lines = game_lines(row.game, in_rows=self.has_class("-roomy"))
        self.note.border_title = Content(sanitise(title))
        self.note.tell("\n".join(lines))

    def on_input_changed(self, changed: Input.Changed) -> None:
        """List the games that match the typed words, with the cursor on the first."""
        self.find(changed.value)
        self.menu.action_move(-len(self.shown))

    def find(self, typed: str) -> None:
        """List the games that match the typed words.

        The cursor stays on its game, but on the first row it is on the newest.
        """
        self.shown = tuple(one for one in self.every if matches(typed, one.words))
        shown = None if self.size.width >= TIME_COLUMNS else DAY_CHARACTERS
        rows = [(one.cells[0][:shown], *one.cells[1:]) for one in self.shown]
        files = [one.file for one in self.shown]
        titles = game_titles(has_own=self.has_own)
        self.menu.show(rows, None if self.menu.at else 0, titles=titles, ids=files)
        if self.every:
            self.menu.say_empty(_("No game matches: {text}.").format(text=typed))
        self._advise()
        self.look_again()

    def watch_again(self) -> None:
        """Watch the game under the cursor again."""
        from sabtui.after.replays import read_replay  # noqa: PLC0415 - what plays is needed only now
        from sabtui.after.screens.replay import ReplayScreen  # noqa: PLC0415 - as above

        self._open(lambda file: ReplayScreen(read_replay(file)))

    def read(self) -> None:
        """Open the record under the cursor."""
        self._open(
            lambda file: PageScreen(
                TextPage(_make_printable(file.stem), partial(_record_lines, read(str(file))))
            )
        )

    def _open(self, make: Callable[[Path], CommandScreen]) -> None:
        """Show the game under the cursor on another screen, or say why it cannot be read."""
        try:
            self.show(make(records_folder() / self.shown[self.menu.at].file))
        except UserError as trouble:
            self.say(_make_printable(trouble))

    def show_standings(self) -> None:
        """Show the standings over all games."""
        self.show(StandingsScreen())

    def rebuild(self) -> None:
        """Read all files again."""
        self._load_games(anew=True)

    def leave(self) -> None:
        """Show all games again, else go back; what is being read is left for the next time."""
        if self.line.value:
            self.line.value = ""
        else:
            self.back()

    def _why_no_game(self) -> str | None:
        return None if self.shown else _("There is no game to watch.")

    def _load_games(self, *, anew: bool) -> None:
        # The language is in the context, which a thread does not have by itself.
        run = copy_context().run
        self.run_worker(
            lambda: run(self._load, get_current_worker(), anew=anew),
            thread=True,
            group="games",
            exclusive=True,
        )

    # In a thread.

    def _load(self, worker: Worker[object], *, anew: bool) -> None:
        """Show the games of the index, then read what is new and show them again.

        It stops once it is cancelled: by another load, or as the screen is left.
        """
        tell = self.app.call_from_thread
        try:
            library = Library(records_folder(), player_name(self.context.preferences))
        except OSError as error:
            tell(self.say, not_written(_make_printable(records_folder()), error))
            return
        try:
            self._list(library, worker)
            read = library.rebuild if anew else library.refresh
            done = read(partial(self._progress, worker))
            if anew or done.added or done.removed or done.problems:
                self._list(library, worker)
        except OSError as error:
            tell(self.say, system_words(error))
        finally:
            library.close()

    def _progress(self, worker: Worker[object], done: int, every: int) -> bool:
        """Tell how far the reading is; return False once nobody waits for it."""
        if every and not worker.is_cancelled:
            self.app.call_from_thread(
                self.say, reading_sentence(done, every) if done < every else ""
            )
        return not worker.is_cancelled

    def _list(self, library: Library, worker: Worker[object]) -> None:
        """List the newest games at once, and all of them as soon as their rows are made."""
        games = library.games()
        has_own = any(game.my_seat is not None for game in games)
        list_game = partial(_list_game, has_own=has_own)
        first = tuple(map(list_game, games[:FIRST_GAMES]))
        if not self.every and not worker.is_cancelled:
            self.app.call_from_thread(self._take, first, has_own=has_own)
        others = tuple(map(list_game, games[FIRST_GAMES:]))
        blank = [""] * (len(game_titles(has_own=has_own)) - 1)
        broken = tuple(
            ListedGame(name, name.casefold(), (*blank, _make_printable(not_a_record(name))), None)
            for name, _problem in library.problems()
        )
        if not worker.is_cancelled:
            every = (*first, *others, *broken)
            self.app.call_from_thread(self._take, every, has_own=has_own)

    def _take(self, every: tuple[ListedGame, ...], *, has_own: bool) -> None:
        self.every, self.has_own = every, has_own
        self.find(self.line.value)


def _record_lines(lines: list[str], columns: int) -> list[Content]:
    """Return the lines of a record for so many columns, lap by lap."""
    return [
        Content(part)
        for line in map(_make_printable, lines)
        for part in confine_lines([line], columns, 5 if line.startswith(" ") else 0)
    ]


def _make_printable(text: object) -> str:
    """Return a file's text or name with unprintable characters replaced."""
    return sanitise(str(text), "?")


def _list_game(game: IndexedGame, *, has_own: bool) -> ListedGame:
    cells = tuple(map(_make_printable, game_cells(game, has_own=has_own)))
    return ListedGame(game.file, search_words(game), cells, game)
