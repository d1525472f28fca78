"""A house with one room: an app that shows a table, be it a real one of bots or one that is still.

Knows what every screen asks of the app, and no more of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from textual.app import App

import sabtui.tui
from engine import Move
from engine.bots import Playouts
from net.client.local import LocalSession, Opponents
from net.client.session import Session, SessionThread, Status, Update
from net.protocol.game_wire import read_move
from net.protocol.lobby import Settings
from net.protocol.requests import MakeMove, Request
from sabtui.app.preferences import Preferences
from sabtui.app.requests import HallVisit, TableHandle
from sabtui.app.tables import TableService
from sabtui.text.signs import Signs
from sabtui.tui.command import Command
from sabtui.tui.screens.pages import HelpScreen
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import BOX, Glyphs


class IdleSession:
    """A seat at a table where nothing happens; keeps what was wanted."""

    def __init__(self, status: Status) -> None:
        self.status = status
        self.requests: list[Request] = []
        self.moves: list[Move] = []
        self.left = self.went_on = False

    def request(self, wanted: Request) -> None:
        if isinstance(wanted, MakeMove):
            self.moves.append(read_move(wanted.move))
        else:
            self.requests.append(wanted)

    def go_on(self) -> None:
        self.went_on = True

    def leave(self) -> None:
        self.left = True


class TableApp(App[None], inherit_bindings=False):
    """Shows one table."""

    CSS_PATH = Path(sabtui.tui.__file__).with_name("app.tcss")
    ENABLE_COMMAND_PALETTE = False
    tables: TableService

    def __init__(self, glyphs: Glyphs = BOX) -> None:
        super().__init__()
        self.animation_level = "none"
        self.glyphs = glyphs
        self.preferences = Preferences()
        self.is_calm = False
        self.is_guest = False
        self.farewell = ""
        self.is_terminal_behind = False
        self.club: HallVisit | None = None
        self.in_club = False
        self.rung = 0
        self.cursor_shown = False
        self.titles: list[str] = []
        self.left_with: list[str] = []
        self.seat: Session | None = None

    @property
    def table(self) -> TableScreen:
        """The table, on top."""
        assert isinstance(self.screen, TableScreen)
        return self.screen

    async def show(self, session: Session) -> TableScreen:
        """Show the table that a seat is at."""
        self.seat = session
        table = TableScreen(session, session.status)
        await self.push_screen(table)
        return table

    def save_preferences(self, preferences: Preferences) -> str:
        raise NotImplementedError(preferences)

    def open_settings(self) -> None:
        raise NotImplementedError

    def open_rules(self) -> None:
        raise NotImplementedError

    def open_help(self, commands: tuple[Command, ...], signs: Signs) -> None:
        self.call_later(self.push_screen, HelpScreen(commands, signs))

    def enter_table(self, handle: TableHandle) -> None:
        raise NotImplementedError(handle)

    def leave_table(self, text: str = "") -> None:
        self.left_with.append(text)
        self.exit()

    def say(self, text: str) -> None:
        raise NotImplementedError(text)

    def set_title(self, text: str) -> None:
        self.titles.append(text)

    def show_cursor(self, *, shown: bool) -> None:
        self.cursor_shown = shown

    def ring(self) -> None:
        self.rung += 1


class Practice(TableApp):
    """Shows a real table of bots, beside the app; without ceremonies, unless that is changed."""

    def __init__(
        self,
        glyphs: Glyphs = BOX,
        names: Sequence[str] = ("Borin", "Dagna", "Eitri", "Frida"),
        settings: Settings = Settings(rounds=1),  # noqa: B008 - frozen
        seed: int = 7341,
        pace: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        super().__init__(glyphs)
        self.is_calm = True
        seeds = Random(seed)
        opponents = Opponents(
            tuple(names), "greedy", pace, Playouts(0), lambda: seeds.randbytes(32)
        )
        self.thread = SessionThread(
            lambda on_update: LocalSession("Ana", settings, opponents, on_update), self.pass_on
        )

    def pass_on(self, update: Update) -> None:
        """Called in the thread of the seat, with each update."""
        self.call_later(self.receive, update)

    def on_mount(self) -> None:
        self.thread.start()

    async def receive(self, update: Update) -> None:
        """Show it."""
        if isinstance(self.screen, TableScreen):
            self.table.show_update(update)
        elif update.status.view is not None:
            table = TableScreen(self.thread, update.status)
            await self.push_screen(table)

    def on_unmount(self) -> None:
        self.thread.leave()
        self.thread.join(5)
