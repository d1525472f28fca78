"""The seat that the app shows, and which screen belongs to which stage of its table.

Knows lobby, table and welcome screen, and in what order they come. What a screen shows, the screen
knows; what is behind a seat, nobody here does. What the welcome screen does not need is imported
when it is asked for.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from textual.app import App
from textual.message import Message

from sabtui.logs import note
from sabtui.screen.commands import Commanded
from sabtui.screen.house import House
from sabtui.screen.welcome import Welcome
from sabtui.words.tongue import _

if TYPE_CHECKING:
    from net.client.seat import Now
    from sabtui.screen.doors import Way
    from sabtui.screen.seated import Seated
    from sabtui.screen.sitting import Sitting


class Told(Message):
    """To the app: a seat has news."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting


class Stages:
    """Shows a seat on an app's screens, from `sit` until `stand`."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._sitting: Sitting | None = None

    @property
    def keeps_seat(self) -> bool:
        """Whether there is a seat that is kept for who quits: not one of a practice."""
        return self._sitting is not None and not self._sitting.practice

    def sit(self, way: Way) -> None:
        """Go to a table, and show it."""
        from sabtui.screen.sitting import Sitting  # noqa: PLC0415 - not at start

        self._let_go()
        self._sitting = Sitting(way, self._wake)
        self._sitting.begin()
        self._app.call_later(self._turn)

    def stand(self, said: str = "") -> None:
        """Let go of the seat, show the screen to go on from, and say something there.

        That is the welcome screen, or for who never came in the screen they came from.
        """
        never_in = self._sitting is not None and self._sitting.now.held is None
        self._let_go()
        self._app.call_later(self._unseat, said, never_in=never_in)

    async def end(self) -> None:
        """Let go of the seat, so that the table knows at once."""
        sitting = self._sitting
        self._let_go()
        if sitting is not None:
            await asyncio.to_thread(sitting.wait)

    async def hear(self, sitting: Sitting) -> None:
        """Give the screen what came, then show the screen that belongs to the table's stage."""
        for update in sitting.take():
            if sitting is not self._sitting:
                return
            if sitting.failure is not None:
                self.stand(_broken(sitting.failure))
                return
            screen = self._seated()
            if screen is not None:
                screen.hear(update)
        await self._turn()

    def say(self, text: str) -> None:
        """Say something on the screen on top, if it has where."""
        for screen in self._app.screen_stack[-1:]:  # none, where we are about to end
            if isinstance(screen, Commanded):
                screen.say(text)

    def _wake(self, sitting: Sitting) -> None:
        """In the seat's thread: tell the app that there is news."""
        self._app.post_message(Told(sitting))

    async def _turn(self) -> None:
        """Show the lobby without a game, the table with one; what is missing where it went back."""
        app, sitting = self._app, self._sitting
        if sitting is None:
            return
        kind = _kind(sitting.now)
        screen = self._seated()
        if isinstance(screen, kind) or (screen is None and _waits(sitting)):
            return
        if screen is not None:
            while app.screen is not screen:
                await app.pop_screen()
            await app.switch_screen(kind(sitting.seat, sitting.now, sitting.facts))
        else:
            await app.push_screen(kind(sitting.seat, sitting.now, sitting.facts))

    def _seated(self) -> Seated | None:
        """The screen that shows the seat, be it below others."""
        if self._sitting is None:
            return None
        from sabtui.screen.seated import Seated  # noqa: PLC0415 - not at start

        stack = reversed(self._app.screen_stack)
        return next((one for one in stack if isinstance(one, Seated)), None)

    async def _unseat(self, said: str, *, never_in: bool) -> None:
        from sabtui.screen.seated import Seated  # noqa: PLC0415 - not at start

        app = self._app
        while any(isinstance(screen, Seated) for screen in app.screen_stack):
            await app.pop_screen()
        while not never_in and app.screen_stack and not isinstance(app.screen, Welcome):
            await app.pop_screen()
        cast("House", app).entitle("")
        self.say(said)

    def _let_go(self) -> None:
        sitting, self._sitting = self._sitting, None
        if sitting is not None:
            sitting.end()


def _kind(now: Now) -> type[Seated]:
    from sabtui.screen.gone_back import GoneBack  # noqa: PLC0415 - not at start
    from sabtui.screen.lobby import Lobby  # noqa: PLC0415 - not at start
    from sabtui.screen.table import TableScreen  # noqa: PLC0415 - not at start

    if now.undone is not None:
        return GoneBack
    return Lobby if now.view is None else TableScreen


def _waits(sitting: Sitting) -> bool:
    """Whether a practice table is about to begin by itself."""
    return sitting.practice and sitting.now.view is None and sitting.now.ending is None


def _broken(failure: BaseException) -> str:
    note(failure)
    told = _("Sabtui itself made a mistake ({problem}). Resume brings you back to the table.")
    return told.format(problem=type(failure).__name__)
