"""Navigation: which screen shows the session, according to the stage of its table.

A session runs in a thread of its own. Each of its updates is a callback in the app's own queue, so
that they keep their order and none is lost while screens change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.message_pump import MessagePump

from net.client.session import ConnectionState, SessionThread, Status, Update
from net.protocol.messages import CloseReason
from sabtui.app.errors import log_exception
from sabtui.app.records import ends_game, keep_finished
from sabtui.app.requests import HallVisit, TableHandle
from sabtui.text.evening import farewell_lines
from sabtui.text.i18n import _
from sabtui.text.seats import way_back
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.screens.podium import EveningScreen
from sabtui.tui.table.screen import TableScreen

if TYPE_CHECKING:
    from textual.app import App

    from sabtui.tui.context import Context


class Navigator:
    """Shows one session on the app's screens, from `enter_table` until `leave_table`.

    In a guest's app, `leave_table` calls `leave` with the message, and shows no other screen.
    """

    def __init__(
        self, app: App[None], context: Context, leave: Callable[[str], None] | None = None
    ) -> None:
        self._app = app
        self._context = context  # the app, as screens know it
        self._leave = leave
        self._active: ActiveSession | None = None

    @property
    def keeps_seat(self) -> bool:
        """True if there is a seat that survives quitting; a practice table does not keep one."""
        return self._active is not None and not self._active.handle.practice

    @property
    def club(self) -> HallVisit | None:
        """The visit that the session is part of, `None` where there can be no club."""
        return None if self._active is None else self._active.handle.club

    @property
    def in_club(self) -> bool:
        """True at a table of a club, unless another terminal has taken over the seat."""
        active = self._active
        if active is None or not active.handle.in_club:
            return False
        return active.status.ending is not CloseReason.REPLACED

    def enter_table(self, handle: TableHandle) -> None:
        """Open a table's session and show it."""
        self._close_session()
        self._context.farewell = ""
        self._active = ActiveSession(handle, self._app, self._show_update)
        self._active.thread.start()
        self._app.call_later(self._show_stage)

    def leave_table(self, text: str = "") -> None:
        """Close the session, and return to the hall or the welcome screen, with a message.

        A player who was never admitted returns to the screen from which they tried to join.
        """
        if self.club is not None and self.in_club:
            self.enter_table(self.club.hall())
            self._app.call_later(self._context.say, text)
            return
        status = Status() if self._active is None else self._active.status
        farewell, lobby = farewell_lines(status), status.lobby
        self._close_session()
        if self._leave is not None:
            self._leave(" ".join([text, *farewell[:1]]))
            return
        self._say_way_back(status)
        never_in = status.game_state is None
        self._app.call_later(self._leave_screens, text, never_in=never_in)
        if farewell and lobby is not None:
            self._app.call_later(self._app.push_screen, EveningScreen(lobby, farewell))

    def _say_way_back(self, status: Status) -> None:
        """Make the app say at its end how the player can return; a guest's door says it itself."""
        if self._leave is None:
            self._context.farewell = way_back(status) if status.ending is None else ""

    async def end(self) -> None:
        """Close the session and wait for its goodbye, so that the table knows at once."""
        active = self._active
        self._close_session()
        if active is not None:
            self._say_way_back(active.status)
            with suppress(Exception):  # its failure was reported already
                await asyncio.to_thread(active.thread.join, GOODBYE_TIMEOUT_S)

    async def _show_update(self, active: ActiveSession, update: Update) -> None:
        """Pass an update to the screen, then show the screen for the table's stage."""
        if active is not self._active:
            return
        active.status = update.status
        if active.is_called and active.handle.club is not None:
            self.enter_table(active.handle.club.hall())
            return
        if active.failure is not None:
            log_exception(active.failure)
            text = _("Sabtui hit an error ({problem}). Resume brings you back to the table.")
            self.leave_table(text.format(problem=type(active.failure).__name__))
            return
        screen = self._find_session_screen()
        if screen is not None:
            screen.show_update(update)
        await self._show_stage()
        if ends_game(update) and not self._context.is_guest:
            self._app.run_worker(self._save_record(update))  # later: the disk may be slow

    async def _save_record(self, update: Update) -> None:
        outcome = await asyncio.to_thread(keep_finished, update)
        if outcome.path is None:
            self._context.say(outcome.text)

    async def _show_stage(self) -> None:
        app, active = self._app, self._active
        if active is None:
            return
        kind = _find_kind(active)
        screen = self._find_session_screen()
        if isinstance(screen, kind) or (screen is None and _begins_by_itself(active)):
            return
        invitation = active.handle.invitation
        shown = kind(active.thread, active.status, invitation)
        if screen is not None:
            # Help, settings and other screens on top belong to the old stage.
            while app.screen is not screen:
                await app.pop_screen()
            await app.switch_screen(shown)
        else:
            await app.push_screen(shown)
            if invitation is not None and invitation.warnings:
                self._context.say(" ".join(invitation.warnings))

    def _find_session_screen(self) -> SessionScreen | None:
        """Return the screen that shows the session, even if others are on top of it."""
        if self._active is None:
            return None
        stack = reversed(self._app.screen_stack)
        return next((screen for screen in stack if isinstance(screen, SessionScreen)), None)

    async def _leave_screens(self, text: str, *, never_in: bool) -> None:
        """Close the screens of a session, and show a message.

        Those from which the table was reached close, too, unless the player was `never_in`.
        """
        app = self._app
        while any(isinstance(screen, SessionScreen) for screen in app.screen_stack):
            await app.pop_screen()
        while not never_in and len(app.screen_stack) > 1:
            await app.pop_screen()
        self._context.set_title("")
        self._context.say(text)

    def _close_session(self) -> None:
        active, self._active = self._active, None
        if active is not None:
            active.thread.leave()


def _find_kind(active: ActiveSession) -> type[SessionScreen]:
    status = active.status
    if status.hall is not None or active.comes_to_hall:
        from sabtui.club.screens import HallScreen  # noqa: PLC0415 - a feature

        return HallScreen
    return LobbyScreen if status.view is None else TableScreen


def _begins_by_itself(active: ActiveSession) -> bool:
    """Return True while a practice table is about to begin automatically."""
    return active.handle.practice and active.status.view is None and active.status.ending is None


GOODBYE_TIMEOUT_S: Final = 1.5  # seconds to wait for a session's goodbye


class ActiveSession:
    """Session in its thread: `on_update` is called in the app's own queue, with each update."""

    def __init__(
        self,
        handle: TableHandle,
        app: MessagePump,
        on_update: Callable[[ActiveSession, Update], object],
    ) -> None:
        self.handle = handle
        self.thread: Final = SessionThread(handle.make, partial(app.call_later, on_update, self))
        self.status = self.thread.status  # of the last update shown

    @property
    def comes_to_hall(self) -> bool:
        """True on the way back from a table of a club to its hall."""
        handle = self.handle
        is_back = handle.club is not None and handle.club.is_club and not handle.in_club
        return is_back and self.status.lobby is None

    @property
    def is_called(self) -> bool:
        """True if an organiser has called the player from a table to the club's hall."""
        return self.status.ending is CloseReason.CALLED

    @property
    def failure(self) -> BaseException | None:
        """The exception in our own code that ended the session, `None` if there is none."""
        if self.status.connection is not ConnectionState.ENDED or self.status.ending is not None:
            return None
        try:
            self.thread.join(0)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            return error
        return None
