"""The Textual app: preferences, the terminal's title and cursor, typed input, and exit.

`Navigator` decides which screen shows the session. Start-up must be fast: what the welcome screen
does not need is loaded when it opens.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar, Final

from rich.console import RenderableType
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from sabtui.app.errors import complain, crash_message, end_message, print_lines
from sabtui.app.preferences import Bell, Preferences, PreferencesStore
from sabtui.app.terminal import Colours, end_with_terminal, find_colours, suspend_job
from sabtui.art import Art
from sabtui.art.terminal import QUESTIONS, SILENT, Protocol, TerminalAnswers, questions_for
from sabtui.text.i18n import _, choose_language, load_locale, set_language
from sabtui.tui import output
from sabtui.tui.command import Keyboard
from sabtui.tui.command_screen import CommandScreen
from sabtui.tui.private import ChopsUpdate, LayoutUpdate
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.theme import (
    ASCII,
    BLUE_ORANGE,
    DARK,
    LIGHT,
    PAINTED,
    Answered,
    Glyphs,
    GlyphsChanged,
    choose_glyphs,
    choose_theme,
)

if sys.platform != "win32":
    from sabtui.tui.driver import QuietDriver

if TYPE_CHECKING:
    from textual.message_pump import Callback

    from sabtui.app.requests import HallVisit, TableHandle
    from sabtui.app.tables import TableService
    from sabtui.art.store import Size
    from sabtui.text.signs import Signs
    from sabtui.tui.command import Command
    from sabtui.tui.navigation import Navigator


class SabtuiApp(App[None], inherit_bindings=False):
    """Sabtui in a terminal."""

    TITLE = "Sabtui"
    ENABLE_COMMAND_PALETTE = False  # each screen has our own, as a command
    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "screens/welcome.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "ask_to_quit", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", priority=True, show=False),
        Binding("ctrl+l", "redraw", priority=True, show=False),
    ]

    def __init__(  # noqa: PLR0913 - what is asked for on the command line
        self,
        open_tables: Callable[[], TableService],
        store: PreferencesStore,
        *,
        art: Art | None = None,
        is_calm: bool = False,
        language: str = "",
        handle: TableHandle | None = None,
        is_guest: bool = False,
        first: Callable[[], Screen[None]] | None = None,
        has_played: bool = True,
    ) -> None:
        """Make the app, which shows at once the table of a `handle`, or the screen `first`.

        `open_tables` is called on first use. Unless the player `has_played`, the welcome screen
        suggests the lesson. If `is_calm`, nothing is animated. `language` and `art` override the
        player's preferences. A guest's app (`is_guest`) ends with its table. `farewell` is printed
        after the end.
        """
        # Textual decides only once, with its first theme, whether there are any colours.
        is_plain = find_colours(os.environ) is Colours.NONE
        super().__init__(ansi_color=True if is_plain else None)
        self.animation_level = "none"
        self._open_tables = open_tables
        self._tables: TableService | None = None
        self._handle = handle
        self._first = first
        self._has_played = has_played
        self._store = store
        self._art = art
        self._answers = SILENT
        self.is_guest = is_guest
        self.farewell = ""
        self.is_calm = is_calm or os.environ.get("TEXTUAL_ANIMATIONS") == "none"
        self.preferences, self._trouble = store.read()
        wanted = language or choose_language(self.preferences.language, os.environ)
        self._locale: Final = load_locale(wanted)
        self._navigator: Navigator | None = None
        self._terminal: Final = output.Display(self._write)
        self.broken = ""
        self._keyboard: Final = Keyboard(self, super().on_event)
        self._typing: asyncio.Task[None] | None = None
        for known in (DARK, LIGHT, BLUE_ORANGE):
            self.register_theme(known)
        self._begin_theme(choose_theme(self.preferences.theme, os.environ))

    def _begin_theme(self, name: str) -> None:
        """Choose the first theme. If `theme` were set, Textual would parse all styles twice."""
        self.set_reactive(App.theme, name)
        self.stylesheet.set_variables(self.get_css_variables())
        self._refresh_truecolor_filter(self.ansi_theme)

    def get_driver_class(self) -> type[Driver]:
        """Return the class of the driver: ours in place of Textual's for POSIX terminals."""
        usual = super().get_driver_class()
        if sys.platform != "win32" and usual.__name__ == "LinuxDriver":
            return QuietDriver
        return usual

    @property
    def glyphs(self) -> Glyphs:
        """Glyphs to draw with; for a guest, those that paint cards.

        The number of bytes that a drawn card takes on the wire could reveal what a goal is.
        """
        wanted = self._art or self.preferences.art
        found = choose_glyphs(wanted, self.theme, os.environ, self._answers)
        return PAINTED if self.is_guest and found.cards is not None else found

    @property
    def is_terminal_behind(self) -> bool:
        """True while the terminal has not yet taken all that was written."""
        return self._quiet_driver is not None and self._quiet_driver.is_behind

    @property
    def _quiet_driver(self) -> output.OutputDriver | None:
        """The driver, `None` if it is one of Textual's."""
        if sys.platform != "win32" and isinstance(self._driver, QuietDriver):
            return self._driver
        return None

    @property
    def tables(self) -> TableService:
        if self._tables is None:
            self._tables = self._open_tables()
        return self._tables

    def on_load(self) -> None:
        """Set the language here, because screens and timers inherit this context.

        The boxes are styled before there is a screen, which would be styled again for them.
        """
        set_language(self._locale)
        self._style_boxes()

    def get_default_screen(self) -> Screen[None]:
        """Return the screen below all others; above an empty one it would be drawn later."""
        first = "join" if self._has_played else "learn"
        screen = CommandScreen() if self.is_guest else WelcomeScreen(first)
        screen._push_result_callback(self, None)  # noqa: SLF001 - which `switch_screen` expects
        return screen

    async def on_mount(self) -> None:
        if not self.is_headless and sys.platform != "win32":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._end_on_signal)
        self._typing = asyncio.create_task(self._run_keyboard())
        self._terminal.follow_suspension(self)
        if not self.is_guest:
            self._ask_cell(questions_for(os.environ))
        if self._handle is not None:
            self.enter_table(self._handle)
        if self._first is not None:
            await self.push_screen(self._first())
        if self._trouble:
            self.say(self._trouble)

    def save_preferences(self, preferences: Preferences) -> str:
        """Apply and save new preferences. Return what went wrong, or ""."""
        if preferences.language != self.preferences.language:
            self._locale.learn(load_locale(choose_language(preferences.language, os.environ)))
            self.call_later(self._translate_screens)
        glyphs = self.glyphs
        if preferences.art is not self.preferences.art:
            self._art = None
        self.preferences = preferences
        self.theme = choose_theme(preferences.theme, os.environ, self._answers)
        if self.glyphs is not glyphs:
            self._announce_glyphs()
        return self._store.write(preferences)

    def open_settings(self) -> None:
        from sabtui.tui.screens.settings import SettingsScreen

        self._show(SettingsScreen())

    def open_rules(self) -> None:
        from sabtui.tui.screens.rules import RulesScreen

        self._show(RulesScreen())

    def open_help(self, commands: tuple[Command, ...], signs: Signs) -> None:
        from sabtui.tui.screens.pages import HelpScreen

        self._show(HelpScreen(commands, signs))

    def _show(self, screen: CommandScreen) -> None:
        if isinstance(self.screen, CommandScreen):
            self.screen.show(screen)

    async def _translate_screens(self) -> None:
        screens = self.screen_stack
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        for screen in screens:
            copy = screen.remake() if isinstance(screen, CommandScreen) else None
            if copy is not None:
                await (self.switch_screen if screen is screens[0] else self.push_screen)(copy)

    def set_title(self, text: str) -> None:
        """Show a text in the terminal's title; "" shows only the app's name."""
        self._terminal.set_title(f"{text} - {self.TITLE}" if text else self.TITLE)

    def show_cursor(self, *, shown: bool) -> None:
        """Show or hide the terminal's own cursor, at the place that the screen chose."""
        self._terminal.show_cursor(shown=shown)

    def _write(self, sequence: str) -> None:
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Write an update of the screen, in fewer bytes than Textual does."""
        numbers, cell = list[int](), self.cell_by_sixel
        if isinstance(renderable, ChopsUpdate | LayoutUpdate):
            renderable = output.shorten(renderable, self._find_picture_cells())
            if self.is_running and not self._batch_count:
                numbers = renderable.pictures
        if cell is None:
            self._terminal.send_pictures(numbers, self._answers.cell)
        with self._terminal.without_cursor(when=cell is not None and bool(numbers)):
            super()._display(screen, renderable)

    def _find_picture_cells(self) -> output.PictureCells:
        if (cell := self.cell_by_sixel) is not None:
            return output.use_sixel(cell, self._terminal.shown)
        if sys.platform == "win32":  # Rich asks the console
            return output.BY_KITTY
        else:  # noqa: RET505 - or types do not know that the rest is for other systems
            return output.use_colours(find_colours(os.environ, self._answers))

    @property
    def cell_by_sixel(self) -> Size | None:
        """Pixels of a cell if pictures are drawn with sixel, else `None`."""
        is_sixel = self._answers.find_protocol(os.environ) is Protocol.SIXEL
        return self._answers.cell if is_sixel else None

    def _ask(self, questions: str) -> None:
        if self._quiet_driver is not None and questions:
            self._quiet_driver.ask(questions)

    def _ask_cell(self, questions: str) -> None:
        """Ask the kernel how large a cell is, and then the terminal."""
        cell = self._quiet_driver.cell if self._quiet_driver is not None else None
        self._take_answers(replace(self._answers, cell=cell or self._answers.cell))
        self._ask(questions)

    def on_answered(self, answered: Answered) -> None:
        before = self._answers
        self._take_answers(before.read(answered.text))
        if self._answers.name != before.name:
            self._ask(self._answers.ask_further())

    def call_later(self, callback: Callback, *args: object, **kwargs: object) -> bool:
        try:
            return super().call_later(callback, *args, **kwargs)
        except RuntimeError:  # its event loop is closed, but a session's thread still runs
            return False

    def on_resize(self) -> None:
        self._terminal.shown.forget()
        if self.cell_by_sixel is not None:
            self._ask_cell(QUESTIONS)

    def _take_answers(self, answers: TerminalAnswers) -> None:
        """Keep these answers, and redraw if that makes a difference."""
        glyphs, cells = self.glyphs, self._find_picture_cells()
        self._answers = answers
        self.theme = choose_theme(self.preferences.theme, os.environ, answers)
        if self.glyphs is not glyphs:
            self._announce_glyphs()
        if self._find_picture_cells() != cells:
            self.action_redraw()

    def _announce_glyphs(self) -> None:
        self._style_boxes()
        for screen in self.screen_stack:
            for widget in (screen, *screen.query("BoardPanel")):
                widget.post_message(GlyphsChanged())

    def _style_boxes(self) -> None:
        """Set the classes that tell the style sheet which boxes and colours the terminal has."""
        self.set_class(self.glyphs is ASCII, "-ascii")
        self.set_class(self.glyphs.is_painted, "-painted")
        self.set_class(find_colours(os.environ, self._answers) is Colours.MANY, "-many")

    def ring(self) -> None:
        if self.preferences.bell is Bell.ON:
            self.bell()

    def enter_table(self, handle: TableHandle) -> None:
        if self._navigator is None:
            from sabtui.tui.navigation import Navigator

            self._navigator = Navigator(self, self, self._leave_for_good if self.is_guest else None)
        self._navigator.enter_table(handle)

    def leave_table(self, text: str = "") -> None:
        """Close the session, return to the screen to continue from, and show a message there."""
        assert self._navigator is not None
        self._navigator.leave_table(text)

    def say(self, text: str) -> None:
        """Show a message on the top screen, if it has a status line."""
        for screen in self.screen_stack[-1:]:  # empty while the app is ending
            if isinstance(screen, CommandScreen):
                screen.say(text)

    @property
    def club(self) -> HallVisit | None:
        return None if self._navigator is None else self._navigator.club

    @property
    def in_club(self) -> bool:
        """True at a table of a club: its people go back to the hall when they leave."""
        return self._navigator is not None and self._navigator.in_club

    def _leave_for_good(self, text: str) -> None:
        """End a guest's app, whose table they have left."""
        self.farewell = text
        self.exit()

    def action_ask_to_quit(self) -> None:
        """Quit, after a question unless on the welcome screen or in a guest's app.

        A screen may do something else instead, and an open question is answered.
        """
        screen = self.screen
        if not isinstance(screen, CommandScreen):
            return
        if screen.question is not None:
            screen.answer("ctrl+c")
        elif screen.interrupt():
            return
        elif self.is_guest:
            self.exit()
        elif self._navigator is not None and self._navigator.keeps_seat:
            from sabtui.text.seats import seat_kept  # with all that the table needs

            quitting, back = _("Quit Sabtui?"), seat_kept(_("Resume"))
            screen.ask(f"{quitting} {back}", self.exit)
        elif isinstance(screen, WelcomeScreen):
            screen.quit()
        else:
            screen.ask(_("Quit Sabtui?"), self.exit)

    def action_suspend_process(self) -> None:
        """Suspend the app until the shell resumes it."""
        if not self.is_headless and sys.platform != "win32":
            with self.suspend():
                suspend_job()

    def on_app_focus(self) -> None:
        """Draw sixel pictures again: xterm forgets most of them when its window is uncovered."""
        if self.cell_by_sixel is not None:
            self.action_redraw()

    def action_redraw(self) -> None:
        """Draw everything again, in case another program has written over it."""
        self._terminal.shown.forget()
        self.refresh()

    async def on_event(self, event: events.Event) -> None:
        """Queue keys and pastes for `Keyboard`; handle all other events at once."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._keyboard.put(event)
        else:
            await super().on_event(event)

    async def _run_keyboard(self) -> None:
        """Pass typed input to the screens until the app ends."""
        try:
            await self._keyboard.run()
        except Exception as error:  # noqa: BLE001 - a bug of ours, as in any handler
            self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        """Exit after a bug of our own. Textual's report would show hands and codes to onlookers."""
        if not self.broken:
            self.broken = crash_message(error)
            self._exception = error
            self._exception_event.set()
        self.panic()

    def _end_on_signal(self) -> None:
        """Exit because another program asks for it. A guest learns the reason from the door."""
        if not self.is_guest:
            self.broken = end_message()
        self.exit(return_code=1)

    def panic(self, *_report: RenderableType) -> None:
        """Exit without a report. Textual also calls this when the terminal cannot be read."""
        self._return_code = 1
        self._close_messages_no_wait()

    def restore_sequences(self) -> str:
        """Return the escape sequences that restore the terminal after the app."""
        return self._terminal.restore_sequences()

    async def on_unmount(self) -> None:
        if self._typing is not None:
            self._typing.cancel()
        if self._navigator is not None:
            await self._navigator.end()


def run(app: SabtuiApp) -> int:
    if sys.platform != "win32":  # end with the terminal even if SIGHUP is ignored
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        threading.Thread(target=end_with_terminal, name="terminal", daemon=True).start()
    sys.stdout.write(output.PUSH_TITLE)
    sys.stdout.flush()
    try:
        app.run()
    finally:
        sys.stdout.write(app.restore_sequences() + output.POP_TITLE)
        sys.stdout.flush()
    if app.broken:
        complain(f"sabtui: {app.broken}")
    elif app.farewell:
        print_lines([app.farewell])
    return app.return_code or 0
