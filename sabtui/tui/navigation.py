"""Session -> screen (stages, sitting).

The seat that the app shows, and which screen belongs to which stage of its table.

What a screen shows, the screen knows; what is behind a seat, nobody here does. What the welcome
screen does not need is imported when it is asked for.

A seat that runs beside the app, and what of it the screens have not been told yet.

Updates come from the seat's thread and are kept in order until the app takes them, so that none is
lost while screens change.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final, cast

from textual.app import App
from textual.message import Message

from net.client.session import ConnectionState, Session, Status, Update
from net.client.thread import SessionThread
from sabtui.app.paths import log_exception
from sabtui.app.requests import Invitation, TableHandle
from sabtui.text.i18n import _
from sabtui.tui.commands import CommandScreen
from sabtui.tui.context import AppContext
from sabtui.tui.screens.welcome import WelcomeScreen

if TYPE_CHECKING:
    from sabtui.tui.screens.session import SessionScreen


class SessionUpdated(Message):
    """To the app: a seat has news."""

    def __init__(self, active: ActiveSession) -> None:
        super().__init__()
        self.active = active


class Navigator:
    """Shows a seat on an app's screens, from `sit` until `stand`."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._sitting: ActiveSession | None = None

    @property
    def keeps_seat(self) -> bool:
        """Whether there is a seat that is kept for who quits: not one of a practice."""
        return self._sitting is not None and not self._sitting.practice

    def sit(self, handle: TableHandle) -> None:
        """Go to a table, and show it."""
        self._let_go()
        self._sitting = ActiveSession(handle, self._wake)
        self._sitting.begin()
        self._app.call_later(self._turn)

    def stand(self, text: str = "") -> None:
        """Let go of the seat, show the screen to go on from, and say something there.

        That is the welcome screen, or for who never came in the screen they came from.
        """
        never_in = self._sitting is not None and self._sitting.status.game_state is None
        self._let_go()
        self._app.call_later(self._unseat, text, never_in=never_in)

    async def end(self) -> None:
        """Let go of the seat, so that the table knows at once."""
        active = self._sitting
        self._let_go()
        if active is not None:
            await asyncio.to_thread(active.wait)

    async def deliver(self, active: ActiveSession) -> None:
        """Give the screen what came, then show the screen that belongs to the table's stage."""
        for update in active.apply():
            if active is not self._sitting:
                return
            if active.failure is not None:
                self.stand(_broken(active.failure))
                return
            screen = self._seated()
            if screen is not None:
                screen.show_update(update)
        await self._turn()

    def say(self, text: str) -> None:
        """Say something on the screen on top, if it has where."""
        for screen in self._app.screen_stack[-1:]:  # none, where we are about to end
            if isinstance(screen, CommandScreen):
                screen.say(text)

    def _wake(self, active: ActiveSession) -> None:
        """In the seat's thread: tell the app that there is news."""
        self._app.post_message(SessionUpdated(active))

    async def _turn(self) -> None:
        """Show the lobby without a game, the table with one; what is missing where it went back."""
        app, active = self._app, self._sitting
        if active is None:
            return
        kind = _kind(active.status)
        screen = self._seated()
        if isinstance(screen, kind) or (screen is None and _waits(active)):
            return
        if screen is not None:
            while app.screen is not screen:
                await app.pop_screen()
            await app.switch_screen(kind(active.session, active.status, active.invitation))
        else:
            await app.push_screen(kind(active.session, active.status, active.invitation))

    def _seated(self) -> SessionScreen | None:
        """The screen that shows the seat, be it below others."""
        if self._sitting is None:
            return None
        from sabtui.tui.screens.session import SessionScreen  # noqa: PLC0415 - not at start

        stack = reversed(self._app.screen_stack)
        return next((one for one in stack if isinstance(one, SessionScreen)), None)

    async def _unseat(self, text: str, *, never_in: bool) -> None:
        from sabtui.tui.screens.session import SessionScreen  # noqa: PLC0415 - not at start

        app = self._app
        while any(isinstance(screen, SessionScreen) for screen in app.screen_stack):
            await app.pop_screen()
        while not never_in and app.screen_stack and not isinstance(app.screen, WelcomeScreen):
            await app.pop_screen()
        cast("AppContext", app).entitle("")
        self.say(text)

    def _let_go(self) -> None:
        active, self._sitting = self._sitting, None
        if active is not None:
            active.end()


def _kind(status: Status) -> type[SessionScreen]:
    from sabtui.tui.lobby import LobbyScreen  # noqa: PLC0415 - not at start
    from sabtui.tui.screens.rollback import RollbackScreen  # noqa: PLC0415 - not at start
    from sabtui.tui.table import TableScreen  # noqa: PLC0415 - not at start

    if status.undone is not None:
        return RollbackScreen
    return LobbyScreen if status.view is None else TableScreen


def _waits(active: ActiveSession) -> bool:
    """Whether a practice table is about to begin by itself."""
    return active.practice and active.status.view is None and active.status.ending is None


def _broken(failure: BaseException) -> str:
    log_exception(failure)
    text = _("Sabtui itself made a mistake ({problem}). Resume brings you back to the table.")
    return text.format(problem=type(failure).__name__)


GOODBYE_TIMEOUT_S: Final = 1.5
"""Seconds that a seat is given to say goodbye."""


class ActiveSession:
    """A seat from `begin` until `end`. `wake` is called in the seat's thread when there is news."""

    def __init__(self, handle: TableHandle, wake: Callable[[ActiveSession], None]) -> None:
        self.status = Status()
        self.invitation: Invitation | None = handle.invitation
        self.practice = handle.practice
        self._told: deque[Update] = deque()
        self._wake = wake
        self._thread = SessionThread(handle.make, self._on_update)

    @property
    def session(self) -> Session:
        """What screens drive."""
        return self._thread

    def begin(self) -> None:
        """Run it."""
        self._thread.start()

    def end(self) -> None:
        """Let go of it."""
        self._thread.leave()

    def wait(self) -> None:
        """Wait for the goodbye, not for ever."""
        with suppress(Exception):  # its failure was told when it came
            self._thread.join(GOODBYE_TIMEOUT_S)

    @property
    def failure(self) -> BaseException | None:
        """The bug of ours by which it ended, `None` where it goes on or has ended for a reason."""
        if self.status.connection is not ConnectionState.ENDED or self.status.ending is not None:
            return None
        try:
            self._thread.join(0)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            return error
        return None

    def apply(self) -> Iterator[Update]:
        """Take what came, in order; `status` is then what the taken ones say."""
        while self._told:
            update = self._told.popleft()
            self.status = update.status
            yield update

    def _on_update(self, update: Update) -> None:
        self._told.append(update)
        self._wake(self)
