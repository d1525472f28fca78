"""The app: one terminal, its player's preferences, the screens, and the seat they show.

Knows which screen belongs to which stage of a table. What a screen shows, the screen knows; what
is behind a seat, nobody here does. Must start quickly: what the welcome screen does not need is
imported when it is asked for.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from rich.console import RenderableType
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message

from net.text import harmless
from sabtui.logs import mishap, note
from sabtui.options import complain
from sabtui.preferences import Bell, GlyphSet, Preferences, Store
from sabtui.screen.commands import Commanded
from sabtui.screen.doors import Doors, Way
from sabtui.screen.glyphs import Glyphs
from sabtui.screen.keyboard import Keyboard
from sabtui.screen.terminal import DARK, LIGHT, glyphs_for, has_no_colour, theme_for
from sabtui.screen.welcome import Welcome
from sabtui.words.languages import chosen, tongue
from sabtui.words.tongue import _, speak

if TYPE_CHECKING:
    from net.client.seat import Now
    from sabtui.screen.seated import Seated
    from sabtui.screen.sitting import Sitting

SHOW_CURSOR, HIDE_CURSOR = "\x1b[4 q\x1b[?25h", "\x1b[?25l"
USUAL_CURSOR = "\x1b[0 q"
"""A cursor that stands still below the tile it is on; and one as the terminal had it."""

PUSH_TITLE, POP_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""Keep the terminal's title, and give it back. Terminals that cannot take no notice."""


class SabtuiApp(App[None], inherit_bindings=False):
    """Sabtui on a terminal."""

    TITLE = "Sabtui"
    ENABLE_COMMAND_PALETTE = False  # ours is a command of each screen
    CSS = """
    Screen {
        overflow: hidden;
    }
    .heading {
        height: 2;
        padding: 0 1;
        color: $accent;
        text-style: bold;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "ask_to_quit", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", priority=True, show=False),
    ]

    class Told(Message):
        """A seat has news."""

        def __init__(self, sitting: Sitting) -> None:
            super().__init__()
            self.sitting = sitting

    def __init__(
        self,
        doors: Callable[[], Doors],
        store: Store,
        *,
        ascii_only: bool = False,
        language: str = "",
        way: Way | None = None,
    ) -> None:
        """Make the app. `doors` is called when first needed; with a `way`, it begins there.

        A `language` counts instead of the one the player likes, until they choose another.
        """
        # Whether there are colours at all Textual decides once, by the theme it begins with.
        super().__init__(ansi_color=True if has_no_colour(os.environ) else None)
        self.animation_level = "none"
        self._doors = doors
        self._porter: Doors | None = None
        self._way = way
        self._store = store
        self._ascii_only = ascii_only
        self._preferences, self._trouble = store.read()
        wanted = language or chosen(self._preferences.language, os.environ)
        self._tongue: Final = tongue(wanted)
        self._sitting: Sitting | None = None
        self.broken = ""
        self._cursor_shown = False
        self._keyboard: Final = Keyboard(self, super().on_event)
        self._typing: asyncio.Task[None] | None = None
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = theme_for(self._preferences.theme, os.environ)

    @property
    def preferences(self) -> Preferences:
        """What the player likes."""
        return self._preferences

    @property
    def glyphs(self) -> Glyphs:
        """What lines are drawn with."""
        wanted = GlyphSet.ASCII if self._ascii_only else self._preferences.glyphs
        return glyphs_for(wanted, os.environ)

    @property
    def doors(self) -> Doors:
        """How one gets to a table."""
        if self._porter is None:
            self._porter = self._doors()
        return self._porter

    def on_load(self) -> None:
        """Speak the player's language in all that runs here: screens and timers begin from here."""
        speak(self._tongue)

    async def on_mount(self) -> None:
        """Show the welcome screen."""
        if not self.is_headless and sys.platform != "win32":
            end = partial(self.exit, return_code=1)
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)
        self._typing = asyncio.create_task(self._type())
        # A terminal is given back while we are suspended; after that, Textual hides its cursor.
        self.app_suspend_signal.subscribe(self, self._give_back_cursor, immediate=True)
        self.app_resume_signal.subscribe(self, self._draw_cursor)
        await self.push_screen(Welcome())
        if self._way is not None:
            self.sit(self._way)
        if self._trouble:
            self._say(self._trouble)

    def prefer(self, preferences: Preferences) -> str:
        """Take over and keep what the player likes now; returns what went wrong, or nothing."""
        if preferences.language != self._preferences.language:
            self._tongue.learn(tongue(chosen(preferences.language, os.environ)))
            self.call_later(self._say_anew)
        self._preferences = preferences
        self.theme = theme_for(preferences.theme, os.environ)
        return self._store.write(preferences)

    async def _say_anew(self) -> None:
        """Make the open screens anew, so that all on them is in the language spoken now."""
        screens = [screen for screen in self.screen_stack if isinstance(screen, Commanded)]
        while isinstance(self.screen, Commanded):
            await self.pop_screen()
        for screen in screens:
            await self.push_screen(screen.again())

    def entitle(self, text: str) -> None:
        """Show this in the terminal's title, nothing for the plain one."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(titled(f"{text} - {self.TITLE}" if text else self.TITLE))

    def show_cursor(self, *, shown: bool) -> None:
        """Show the terminal's own cursor, where the screen put it, or hide it."""
        if shown is not self._cursor_shown:
            self._cursor_shown = shown
            self._draw_cursor()

    def _give_back_cursor(self, _app: App[None]) -> None:
        if self._driver is not None:
            self._driver.write(USUAL_CURSOR)

    def _draw_cursor(self, _app: App[None] | None = None) -> None:
        if self._driver is not None and not self.is_headless:
            self._driver.write(SHOW_CURSOR if self._cursor_shown else HIDE_CURSOR)

    def ring(self) -> None:
        """Ring the bell, if the player wants it."""
        if self._preferences.bell is Bell.ON:
            self.bell()

    def sit(self, way: Way) -> None:
        """Go to a table, and show it."""
        from sabtui.screen.sitting import Sitting  # noqa: PLC0415 - not at start

        self._let_go()
        self._sitting = Sitting(way, self._wake)
        self._sitting.begin()
        self.call_later(self._turn_to_stage)

    def stand(self, said: str = "") -> None:
        """Let go of the seat, show the screen to go on from, and say something there.

        That is the welcome screen, or for who never came in the screen they came from.
        """
        never_in = self._sitting is not None and self._sitting.now.held is None
        self._let_go()
        self.call_later(self._unseat, said, never_in=never_in)

    def _wake(self, sitting: Sitting) -> None:
        """In the seat's thread: tell the app that there is news."""
        self.post_message(self.Told(sitting))

    async def on_sabtui_app_told(self, told: Told) -> None:
        """Give the screen what came, then show the screen that belongs to the table's stage."""
        sitting = told.sitting
        for update in sitting.take():
            if sitting is not self._sitting:
                return
            if sitting.failure is not None:
                self.stand(_broken(sitting.failure))
                return
            screen = self._seated()
            if screen is not None:
                screen.hear(update)
        await self._turn_to_stage()

    async def _turn_to_stage(self) -> None:
        """Show the lobby without a game, the table with one."""
        sitting = self._sitting
        if sitting is None:
            return
        kind = self._kind(sitting.now)
        screen = self._seated()
        if isinstance(screen, kind) or (screen is None and self._waits(sitting)):
            return
        if screen is not None:
            while self.screen is not screen:
                await self.pop_screen()
            await self.switch_screen(kind(sitting.seat, sitting.now, sitting.facts))
        else:
            await self.push_screen(kind(sitting.seat, sitting.now, sitting.facts))

    def _kind(self, now: Now) -> type[Seated]:
        from sabtui.screen.lobby import Lobby  # noqa: PLC0415 - not at start
        from sabtui.screen.table import TableScreen  # noqa: PLC0415 - not at start

        return Lobby if now.view is None else TableScreen

    def _waits(self, sitting: Sitting) -> bool:
        """Whether a practice table is about to begin by itself."""
        return sitting.practice and sitting.now.view is None and sitting.now.ending is None

    def _seated(self) -> Seated | None:
        """The screen that shows the seat, be it below others."""
        if self._sitting is None:
            return None
        from sabtui.screen.seated import Seated  # noqa: PLC0415 - not at start

        return next((one for one in reversed(self.screen_stack) if isinstance(one, Seated)), None)

    async def _unseat(self, said: str, *, never_in: bool) -> None:
        from sabtui.screen.seated import Seated  # noqa: PLC0415 - not at start

        while any(isinstance(screen, Seated) for screen in self.screen_stack):
            await self.pop_screen()
        while not never_in and self.screen_stack and not isinstance(self.screen, Welcome):
            await self.pop_screen()
        self.entitle("")
        self._say(said)

    def _let_go(self) -> None:
        sitting, self._sitting = self._sitting, None
        if sitting is not None:
            sitting.end()

    def _say(self, text: str) -> None:
        """Say something on the screen on top, if it has where."""
        for screen in self.screen_stack[-1:]:  # none, where we are about to end
            if isinstance(screen, Commanded):
                screen.say(text)

    def action_ask_to_quit(self) -> None:
        """Ask whether to quit; a seat at a table is kept."""
        screen = self.screen
        if not isinstance(screen, Commanded):
            self.call_later(self.pop_screen)
            return
        if screen.question is not None:
            screen.answer("ctrl+c")
        elif self._sitting is None or self._sitting.practice:
            screen.ask(_("Quit Sabtui?"), self.exit)
        else:
            screen.ask(_("Quit Sabtui? Your seat is kept, Resume brings you back."), self.exit)

    async def on_event(self, event: events.Event) -> None:
        """Take what happens; what is typed, one after the other."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._keyboard.put(event)
        else:
            await super().on_event(event)

    async def _type(self) -> None:
        """Give what is typed to the screens, until the app ends."""
        try:
            await self._keyboard.run()
        except Exception as error:  # noqa: BLE001 - a bug of ours, as in any handler
            self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        """End for a bug of ours. Textual's report would show hands and codes to who looks on."""
        if not self.broken:
            self.broken = mishap(error)
            self._exception = error
            self._exception_event.set()
        self.panic()

    def panic(self, *_told: RenderableType) -> None:
        """End without a report: Textual calls this too, once the terminal cannot be read."""
        self._return_code = 1
        self._close_messages_no_wait()

    async def on_unmount(self) -> None:
        """Let go of the seat, so that the table knows at once."""
        if self._typing is not None:
            self._typing.cancel()
        sitting = self._sitting
        self._let_go()
        if sitting is not None:
            await asyncio.to_thread(sitting.wait)


def titled(text: str) -> str:
    """What makes a terminal show this as its title, whatever it says."""
    return f"\x1b]2;{harmless(text)}\x07"


def _broken(failure: BaseException) -> str:
    note(failure)
    told = _("Sabtui itself made a mistake ({problem}). Resume brings you back to the table.")
    return told.format(problem=type(failure).__name__)


def run(app: SabtuiApp) -> int:
    """Run the app on this terminal, and give the terminal back as it was."""
    sys.stderr.write(PUSH_TITLE)
    try:
        app.run()
    finally:
        sys.stderr.write(USUAL_CURSOR + POP_TITLE)
        sys.stderr.flush()
    if app.broken:
        complain(f"sabtui: {app.broken}")
    return app.return_code or 0
