"""Welcome screen: a menu beside a mine that digs itself, and nothing to read first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from net.protocol.cleaning import sanitise
from sabtui.app.features import WelcomeRow, features
from sabtui.app.preferences import player_name
from sabtui.text.i18n import _, capitalise, join_words, put_title
from sabtui.text.layout import pad_to
from sabtui.tui import command_screen
from sabtui.tui.command import Command
from sabtui.tui.theme import draw_large
from sabtui.tui.widgets.menu import Menu
from sabtui.tui.widgets.text import cut_short

if TYPE_CHECKING:
    from sabtui.tui.screens.living import LivingMine

FIRST_S: Final = 0.4
"""Seconds until the mine is drawn: the game is loaded for it, which must not hold up a key."""

KEY_COLUMNS, LABEL_COLUMNS = 3, 11  # columns of a row's key and of its label
PURPOSE_COLUMNS: Final = 40  # columns of the rest of a row


class WelcomeScreen(command_screen.SearchScreen):
    """First screen of the app."""

    AUTO_FOCUS = "Menu"
    HORIZONTAL_BREAKPOINTS = command_screen.BREADTHS
    VERTICAL_BREAKPOINTS = command_screen.HEIGHTS

    def __init__(self, first: str = "join") -> None:
        """Make the screen with the cursor on the row of the command with this name."""
        self.first = first
        self.menu_rows: Final = [command.name for command in self.menu_commands()]
        super().__init__()
        self.title_line: Final = Static()
        self._has_begun = False
        self._mine: LivingMine | None = None

    def remake(self) -> WelcomeScreen:
        return WelcomeScreen(self.first)

    def commands(self) -> Iterable[Command]:
        # Translators: a verb: open the row under the cursor.
        yield Command("go", ("enter",), _("open"), _("choose the row under the cursor"), self.go)
        yield from self.menu_commands()

    def menu_commands(self) -> Iterable[Command]:
        """Yield the command of each row of the menu, from the top."""
        preferring = _("name, language, cards, colours, bell")
        rows: tuple[tuple[str, str, str, str, Callable[[], object]], ...] = (
            # Translators: a menu: verbs, at most 10 columns each.
            ("join", "j", _("Join"), _("find a game on this network"), self.join),
            # Translators: a verb: open a table.
            ("host", "h", _("Host"), _("open a table for your friends"), self.host),
            # Translators: a verb: take the lesson.
            ("learn", "l", _("Learn"), _("your first game, step by step"), self.learn),
            ("practise", "p", _("Practise"), _("play against bots"), self.practise),
            ("resume", "r", _("Resume"), _("come back to a table"), self.resume),
            *(
                (row.name, row.key, row.label, row.purpose, partial(self._open, row))
                for feature in features()
                for row in feature.rows()
            ),
            ("rules", "u", _("Rules"), _("how to play, page by page"), self.read_rules),
            ("settings", "s", capitalise(_("settings")), preferring, self.open_settings),
            ("quit", "q", _("Quit"), _("quit Sabtui"), self.quit),
        )
        for name, key, label, purpose, do in rows:
            yield Command(name, (key,), label, purpose, do, hidden=True)

    def body(self) -> ComposeResult:
        rows = [*self.menu_commands()]
        menu = Menu([*map(_draw_row, rows)], title=_subtitle())
        menu.highlighted = self.menu_rows.index(self.first)
        self._draw_title(menu)
        with Container(id="all"):
            yield Container(id="mine")
            with Container(id="front"):
                yield self.title_line
                yield menu

    def _draw_title(self, menu: Menu) -> None:
        """Draw the name in large letters where there is room.

        On the lowest screens the menu has no box to bear the subtitle, so that is drawn here.
        """
        columns, rows = self.app.size
        lines = [_subtitle()] if rows < command_screen.BOXED_ROWS else []
        if rows >= command_screen.ROOMY_ROWS or (
            columns >= command_screen.WIDE_COLUMNS and rows >= command_screen.BOXED_ROWS
        ):
            lines = draw_large("sabtui", self.context.glyphs)
        menu.border_title = Content(_subtitle() if lines else _full_title())
        self.title_line.display = bool(lines)
        if self.title_line.content != (text := "\n".join(lines)):  # else all is laid out again
            self.title_line.update(Content(text))

    def on_mount(self) -> None:
        if self.app.is_headless:
            self.call_after_refresh(self._begin_to_dig)
        else:
            self.set_timer(FIRST_S, self._begin_to_dig)

    def on_resize(self) -> None:
        self._draw_title(self.query_one(Menu))

    def on_glyphs_changed(self) -> None:
        self._draw_title(self.query_one(Menu))

    def on_screen_resume(self) -> None:
        if self._mine is not None:
            self._mine.resume()

    async def _begin_to_dig(self) -> None:
        from sabtui.tui.screens.living import LivingMine

        self._has_begun = True
        if self.app.screen is self:  # not a table that the command line asked for
            self.search()
        is_still = self.context.is_calm or self.app.is_headless or "SSH_CONNECTION" in os.environ
        self._mine = LivingMine(self.context, is_still=is_still)
        await self.query_one("#mine").mount(self._mine)

    def search(self) -> None:
        if self._has_begun and not (self.context.is_guest or self.app.is_headless):
            self.name_tables([])
            self.run_worker(
                self._look_for_tables(), group=command_screen.SEARCH, exit_on_error=False
            )

    async def _look_for_tables(self) -> None:
        from net.discovery.advert import OURS
        from net.discovery.games import GameStatus
        from net.discovery.service import Browser

        async with Browser(OURS) as browser:
            async for games in browser:
                joinable = [game.title for game in games if game.status is GameStatus.JOINABLE]
                self.name_tables(joinable)

    def name_tables(self, titles: list[str]) -> None:
        """Name open tables in the row that leads to them."""
        row = self.by_name["join"]
        if titles:
            text = _("open now: {tables}").format(tables=sanitise(join_words(titles)))
            row = replace(row, purpose=cut_short(text, PURPOSE_COLUMNS))
        shown = _draw_row(row)
        at, menu = self.menu_rows.index("join"), self.query_one(Menu)
        menu.replace_option_prompt_at_index(at, shown.stylize("$success") if titles else shown)

    def go(self) -> None:
        self.action_command(self.menu_rows[self.query_one(Menu).at])

    def join(self) -> None:
        from sabtui.tui.screens.join import JoinScreen

        self.show(JoinScreen())

    def host(self) -> None:
        from sabtui.tui.screens.host import HostScreen

        self.show(HostScreen())

    def practise(self) -> None:
        from sabtui.tui.screens.host import PractiseScreen

        self.show(PractiseScreen())

    def resume(self) -> None:
        from sabtui.tui.screens.join import ResumeScreen

        self.show(ResumeScreen())

    def _open(self, row: WelcomeRow) -> None:
        self.show(row.make_screen())

    def learn(self) -> None:
        from sabtui.app.lesson import learn

        self.context.enter_table(learn(player_name(self.context.preferences)))
        self.query_one(Menu).highlighted = self.menu_rows.index("practise")  # what comes after it

    def quit(self) -> None:
        """Quit without confirmation: nothing can be lost here."""
        self.app.exit()


def _full_title() -> str:
    return put_title("Sabtui", _("the card game Saboteur, terminal to terminal"))


def _subtitle() -> str:
    return capitalise(_("the card game Saboteur, terminal to terminal"))


def _draw_row(command: Command) -> Content:
    key = Content(pad_to(command.spelt, KEY_COLUMNS)).stylize("bold $accent")
    label = Content(pad_to(command.label, LABEL_COLUMNS)).stylize("bold")
    return key + label + Content(command.purpose)
