"""The real app before a test, with tables to tables in this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from textual import events
from textual.geometry import Offset
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widget import Widget

from net.client.session import ConnectionState, Ending, OnUpdate, Status, Update
from net.discovery.advert import OURS, Advert, AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus, make_titles
from net.protocol.cleaning import clean_name
from net.protocol.requests import Request
from net.secure.address import Address
from sabtui.app.errors import UserError
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import HostRequest, Invitation, JoinRequest, ResumableTable, TableHandle
from sabtui.app.tables import TableService
from sabtui.art import Art
from sabtui.tui.app import SabtuiApp
from sabtui.tui.command_screen import CommandScreen
from sabtui.tui.screens.join import JoinScreen
from tests.sabtui.tui.table_server import RoomInProcess

Kind = TypeVar("Kind", bound=CommandScreen)

PATIENCE = 60.0
FACTS = Invitation("Rush", "amber-tiger", ("192.168.1.20:7341",))


def found_game(  # noqa: PLR0913, PLR0917 - a game has all of this
    number: int,
    title: str = "Gold Rush",
    status: GameStatus = GameStatus.JOINABLE,
    stage: AdvertStage = AdvertStage.LOBBY,
    people: tuple[int, int] = (2, 5),
    at: Address | None = None,
) -> DiscoveredGame:
    """A game as it is found; people are those who are there, and its seats."""
    advert = Advert(f"{number:016x}", clean_name(title), OURS, stage, *people)
    return DiscoveredGame(title, advert, status, (at or Address("192.168.1.20", 7341 + number),))


class ScriptedSession:
    """A seat that tells of one thing after the other, as fast as it can."""

    def __init__(self, told: Iterable[Status | Update], on_update: OnUpdate) -> None:
        self.status = Status()
        self.told = [one if isinstance(one, Update) else Update(one) for one in told]
        self.on_update = on_update
        self.left = asyncio.Event()

    def request(self, wanted: Request) -> None:
        """Nobody hears it."""

    def go_on(self) -> None:
        """Nobody hears it."""

    def leave(self) -> None:
        self.left.set()

    async def run(self) -> None:
        for update in self.told:
            self.status = update.status
            self.on_update(update)
        await self.left.wait()


class PreparedTables(TableService):
    """Doors: hosting opens the inn, joining enters it; each can be shut by a reason."""

    def __init__(self, inn: RoomInProcess | None = None) -> None:
        self.inn = inn or RoomInProcess()
        self.facts = FACTS
        self.trouble = ""
        self.ending: Ending | None = None
        self.hosted: list[HostRequest] = []
        self.joined: list[JoinRequest] = []
        self.tables: tuple[ResumableTable, ...] = ()
        self.kept_seats: set[str] = set()

    async def host(self, request: HostRequest) -> TableHandle:
        """The inn, as it was wished for."""
        self._may_be_shut()
        self.hosted.append(request)
        self.inn = inn = RoomInProcess(request.title, request.settings)
        return TableHandle(
            lambda on_update: inn.seat(request.name, on_update, is_host=True), self.facts
        )

    async def join(self, request: JoinRequest) -> TableHandle:
        """A place at the inn."""
        self._may_be_shut()
        self.joined.append(request)
        ending = self.ending
        if ending is not None:
            shut = Status(ConnectionState.ENDED, ending=ending)
            return TableHandle(lambda on_update: ScriptedSession([shut], on_update))
        return TableHandle(lambda on_update: self.inn.seat(request.name, on_update))

    def find_kept_seats(self, games: Iterable[DiscoveredGame]) -> frozenset[str]:
        """What the test says."""
        return frozenset(game.advert.id for game in games) & self.kept_seats

    def resumable(self) -> tuple[ResumableTable, ...]:
        """What the test says."""
        return self.tables

    async def resume(self, to: ResumableTable) -> TableHandle:
        """Back to the inn."""
        self._may_be_shut()
        return TableHandle(lambda on_update: self.inn.seat("Ana", on_update, is_host=to.is_host))

    def _may_be_shut(self) -> None:
        if self.trouble:
            raise UserError(self.trouble)


class Front:
    """The app, the keys and the mouse, and what is to be seen."""

    def __init__(self, app: SabtuiApp, pilot: Pilot[None], service: PreparedTables) -> None:
        self.app = app
        self.pilot = pilot
        self.service = service

    @property
    def screen(self) -> CommandScreen:
        """The screen on top."""
        screen = self.app.screen
        assert isinstance(screen, CommandScreen), screen
        return screen

    @property
    def said(self) -> str:
        """The status line."""
        return self.screen.footer.text

    @property
    def lines(self) -> list[str]:
        """All that is to be seen."""
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        """The same, in one."""
        return "\n".join(self.lines)

    def sit(self, *told: Status | Update) -> list[ScriptedSession]:
        """Sit down at a table that tells of this; return the seat, once it is there."""
        seats: list[ScriptedSession] = []

        def make(on_update: OnUpdate) -> ScriptedSession:
            seats.append(ScriptedSession(told, on_update))
            return seats[-1]

        self.app.enter_table(TableHandle(make))
        return seats

    async def press(self, *keys: str) -> None:
        """Press keys, and let come what comes of it."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def list_games(self, *games: DiscoveredGame) -> JoinScreen:
        """Show these games in the list, which is open, or opened."""
        if not isinstance(self.app.screen, JoinScreen):
            await self.press("j")
        join = await self.is_on(JoinScreen)
        vars(join).update(search=lambda: None)  # what is on this network is another test's
        join.workers.cancel_all()
        join.list_games(make_titles(games))
        await self.pilot.pause()
        return join

    def type_ahead(self, *keys: str) -> None:
        """Press keys, which the app takes one after another as it gets to them."""
        driver = self.app._driver
        assert driver is not None
        for key in keys:
            letter = key if len(key) == 1 else None
            name = key if len(key) > 1 or key.isalnum() else _character_to_key(key)
            event = events.Key(name, letter)
            event.set_sender(self.app)
            driver.send_message(event)

    async def type_in(self, text: str) -> None:
        """Type a text."""
        await self.press(*("space" if letter == " " else letter for letter in text))

    async def click(self, widget: Widget, x: int, y: int) -> None:
        """Click into what a widget shows, within its border."""
        await self.pilot.click(widget, offset=Offset(x, y) + widget.gutter.top_left)
        await self.pilot.pause()

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for a condition, not for ever; to look is work, so after a while it is seldom."""
        begun, waited = time.monotonic(), 0.0
        while not done():
            assert waited < PATIENCE, self.text
            await self.pilot.pause(min(max(waited / 8, 0.01), 0.1))
            waited = time.monotonic() - begun

    async def sees(self, text: str) -> None:
        """Wait until a text is to be seen."""
        await self.until(lambda: text in self.text)

    async def go(self, kind: type[Kind], *keys: str) -> Kind:
        """Press keys, and wait until they have led to a screen of this kind."""
        for key in keys:
            await self.press(key)
        return await self.is_on(kind)

    async def is_on(self, kind: type[Kind]) -> Kind:
        """Wait until a screen of this kind is on top, and drawn, and return it."""
        await self.until(lambda: isinstance(self.app.screen, kind) and any(self.lines))
        assert isinstance(self.app.screen, kind)
        return self.app.screen


@asynccontextmanager
async def open_app(
    folder: Path,
    size: tuple[int, int] = (80, 24),
    service: PreparedTables | None = None,
    *,
    art: Art | None = None,
    language: str = "",
) -> AsyncIterator[Front]:
    """The app, open, with its preferences in a folder."""
    service, file = service or PreparedTables(), folder / "settings"
    if not file.exists():
        file.write_text("name = Ana\nart = lines\ntheme = dark\n", encoding="utf-8")
    app = SabtuiApp(lambda: service, PreferencesStore(file), art=art, language=language)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Front(app, pilot, service)
