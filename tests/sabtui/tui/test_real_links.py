"""Real apps at a real host's table over real links: what each shows, through all that happens.

All laptops share one loop with the host; each has its seat in a thread, as outside of tests.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from unittest.mock import patch

import pytest
from textual.app import App
from textual.pilot import Pilot

from engine import View
from engine.bots import BOTS, Playouts
from engine.state import Phase
from net.client import remote
from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import ConnectionState, SessionThread
from net.protocol.lobby import Settings, Taken
from net.secure.address import Address
from net.secure.connection import Connection
from net.secure.keys import SeatKey
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import TableHandle
from sabtui.tui.app import SabtuiApp
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.widgets.panel import Panel
from tests.net.cable import Cable, cable
from tests.net.server.served_table import CODE, HERE, SMALL, Hosted, hosting
from tests.sabtui.tui.app_fixture import Front, PreparedTables
from tests.sabtui.tui.player_app import keys_for

NAMES = ("Ann", "Ben", "Cleo", "Dede", "Eva", "Fritz", "Gina", "Hugo", "Ida", "Jo")

SMALLEST, USUAL = (60, 18), (80, 24)
LOST = "Lost connection to the host; trying again. Your seat is kept."


class Player(Front):
    """A player with an app of their own, who plays by a bot's advice."""

    def __init__(self, app: SabtuiApp, pilot: Pilot[None], name: str) -> None:
        super().__init__(app, pilot, PreparedTables())
        self._chance = Random(name)

    @property
    def seated(self) -> SessionScreen:
        """The lobby or the table, on top."""
        assert isinstance(self.app.screen, SessionScreen), self.text
        return self.app.screen

    @property
    def table(self) -> TableScreen:
        """The table, on top."""
        assert isinstance(self.app.screen, TableScreen), self.text
        return self.app.screen

    @property
    def view(self) -> View:
        """What is known of the game."""
        view = self.table.status.view
        assert view is not None
        return view

    async def agrees(self, hosted: Hosted) -> None:
        """Wait until what is known is what the table says."""
        await self.until(lambda: self.view == hosted.state.view(self.seated.status.seat))

    async def knows_the_host(self) -> None:
        """Wait until the host is not looked for any more, so that it is asked for moves."""
        await self.until(lambda: self.seated.status.connection is ConnectionState.CONNECTED)

    async def get_ready(self) -> None:
        """Come to the lobby, where who sits is ready."""
        await self.is_on(LobbyScreen)
        await self.sees("You have joined.")

        def is_ready() -> bool:
            lobby, seat = self.seated.status.lobby, self.seated.status.seat
            chair = None if lobby is None or seat is None else lobby.chairs[seat]
            return isinstance(chair, Taken) and chair.ready

        await self.until(is_ready)

    async def play_on(self) -> None:
        """Play by keys alone until the game is over."""
        await self.is_on(TableScreen)
        while True:
            await self.until(lambda: self.is_asked)
            if self.view.phase is Phase.OVER:
                break
            before = self.make_move()
            # Not `is not`: who has come back to a table gets a view that is the same as before, and
            # keys for a card that is half played would be pressed a second time.
            await self.until(lambda: self.view != before)  # noqa: B023 - waited for at once

    def make_move(self) -> View:
        """Press the keys of a move; return what was known before it."""
        view = self.view
        move = BOTS["greedy"](view, self._chance, Playouts(0))
        self.type_ahead(*keys_for(move, view, self.table.model.selection))
        return view

    @property
    def is_asked(self) -> bool:
        """Whether the game waits for this player, or is over."""
        mine = self.view.to_act == self.view.seat
        is_over = self.view.phase is Phase.OVER
        return is_over or (mine and not self.table.model.is_sent(self.table.status))


@asynccontextmanager
async def open_player(
    folder: Path,
    to: Credentials,
    size: tuple[int, int] = USUAL,
    art: str = "lines",
) -> AsyncIterator[Player]:
    """An app that goes to a table."""
    file = folder / f"{to.name}-{to.key.public.hex()[:8]}"
    file.write_text(f"name = {to.name}\nart = {art}\ntheme = dark\n", encoding="utf-8")
    store = CredentialStore(folder / "seats")
    handle = TableHandle(lambda on_update: RemoteSession(to, on_update, store))
    app = SabtuiApp(PreparedTables, PreferencesStore(file), is_calm=True, handle=handle)
    async with app.run_test(size=size) as pilot:
        yield Player(app, pilot, to.name)


def credentials_for(hosted: Hosted, name: str, port: int = 0) -> Credentials:
    """Credentials for a table; Ann's is its host's."""
    at = (Address(HERE, port or hosted.port),)
    if name == "Ann":
        pin = hosted.table.certificate.fingerprint
        return Credentials(name=name, addresses=at, key=hosted.host_key, pin=pin)
    return Credentials(name=name, addresses=at, code=CODE, key=SeatKey.new())


async def do_all(doing: Sequence[Awaitable[object]]) -> None:
    """Do all of it at once, and stop where one fails."""

    async def do(awaitable: Awaitable[object]) -> None:
        await awaitable

    async with asyncio.TaskGroup() as group:
        for waiting in doing:
            group.create_task(do(waiting))


@dataclass(frozen=True, slots=True)
class Party:
    """Ann, the host, and Ben at a table with a bot; Ben's link goes by the cable."""

    hosted: Hosted
    line: Cable
    ann: Player
    ben: Player

    async def begin(self) -> None:
        """Begin the game."""
        await self.ben.get_ready()
        self.ann.type_ahead("end", "b")
        await self.ann.sees("Enter starts the game.")
        self.ann.type_ahead("enter")
        await do_all([person.is_on(TableScreen) for person in (self.ann, self.ben)])

    async def agree(self) -> None:
        """Wait until both see what is true."""
        for person in (self.ann, self.ben):
            await person.agrees(self.hosted)


@asynccontextmanager
async def party(where: Path, folder: Path) -> AsyncIterator[Party]:
    """A table, and who is at it, in the lobby."""
    async with AsyncExitStack() as stack:
        fast = patch.multiple(
            remote, HEARTBEAT_INTERVAL_S=0.05, SHAKY_AFTER_S=0.4, LOST_AFTER_S=0.8
        )
        stack.enter_context(fast)
        hosted = await stack.enter_async_context(hosting(where, SMALL))
        line = await stack.enter_async_context(cable(hosted.port))
        anns, bens = credentials_for(hosted, "Ann"), credentials_for(hosted, "Ben", line.port)
        ann = await stack.enter_async_context(open_player(folder, anns))
        await ann.sees("Ann")
        ben = await stack.enter_async_context(open_player(folder, bens))
        await ben.is_on(LobbyScreen)
        await ben.sees("You have joined")
        yield Party(hosted, line, ann, ben)


@pytest.mark.level("soak")
@pytest.mark.usefixtures("every_update_drawn")
@pytest.mark.parametrize("count", [4, 10])
async def test_apps_in_one_loop_play_a_whole_game_by_keys(
    count: int, where: Path, tmp_path: Path
) -> None:
    settings = Settings(seats=count, rounds=1)
    async with hosting(where, settings) as hosted, AsyncExitStack() as stack:
        people: list[Player] = []
        for name in NAMES[:count]:
            to, art = credentials_for(hosted, name), "ascii" if name == "Ben" else "lines"
            player = open_player(tmp_path, to, SMALLEST, art)
            people.append(await stack.enter_async_context(player))
            await people[-1].sees(name)
        await do_all([person.get_ready() for person in people[1:]])
        await people[0].sees("Enter starts the game.")
        people[0].type_ahead("enter")
        await do_all([person.play_on() for person in people])
        for person in people:
            person.type_ahead(".")
            await person.sees("game over")
            await person.agrees(hosted)
        assert people[1].text.isascii()


async def test_a_link_that_breaks_is_told_and_nothing_is_lost_meanwhile(
    where: Path, tmp_path: Path
) -> None:
    async with party(where, tmp_path) as at:
        await at.begin()
        at.ben.type_ahead("space", "space")  # the own role, and on
        await at.line.refuse()
        await at.ben.until(lambda: at.ben.said == LOST)
        at.ben.type_ahead("1", "t", *"hello", "enter")
        await at.ben.until(lambda: bool(at.ben.seated.status.unanswered))
        await at.line.open()
        for person in (at.ann, at.ben):
            await person.sees("Ben: hello")
        await at.ben.knows_the_host()
        assert at.ben.table.model.selection.card == 0
        await at.agree()


MOST_HOPS = 7
PAGE = Path(__file__).parents[3] / "CONTRIBUTING.md"
OURS = ("net.", "sabtui.")


def calls() -> tuple[str, ...]:
    """Our functions that wait for this one, the first caller first."""
    frame: FrameType | None = sys._getframe(1)
    found = list[str]()
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(OURS):
            found.append(frame.f_code.co_qualname)
        frame = frame.f_back
    return tuple(reversed(found))


class Passes:
    """The calls that led to each of some functions, every time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: dict[str, set[tuple[str, ...]]] = {}
        self._monkeypatch = monkeypatch

    def watch(self, owner: type, name: str) -> None:
        """Note the calls that lead to a method."""
        method, key = getattr(owner, name), f"{owner.__name__}.{name}"
        passes = self.seen.setdefault(key, set())

        def note_call(*values: object, **options: object) -> object:
            passes.add((*calls(), key))
            return method(*values, **options)

        self._monkeypatch.setattr(owner, name, note_call)

    def to(self, key: str, first: str, *others: str) -> tuple[str, ...]:
        """The one way to a function that begins with this call, and passes by the others."""
        ways = {way[way.index(first) :] for way in self.seen[key] if {first, *others}.issubset(way)}
        assert len(ways) == 1, (key, ways)
        return ways.pop()


@pytest.mark.level("thorough")  # only a page would be wrong
async def test_contributing_draws_the_way_of_a_key_and_that_of_a_frame_and_neither_is_long(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = Passes(monkeypatch)
    passes.watch(App, "on_event")
    passes.watch(SabtuiApp, "call_later")
    async with party(where, tmp_path) as table:
        await table.begin()
        await table.ann.until(lambda: table.ann.is_asked or table.ben.is_asked)
        mover = table.ann if table.ann.is_asked else table.ben
        for owner, name in ((SessionThread, "request"), (Connection, "send"), (Panel, "show")):
            passes.watch(owner, name)
        before = mover.make_move()
        await mover.until(lambda: mover.view is not before)
    key = (
        *passes.to("App.on_event", "Keyboard.run")[:-1],
        *passes.to("SessionThread.request", "CommandScreen.action_command"),
        *passes.to("Connection.send", "RemoteSession.request"),
    )
    frame = (
        *passes.to("SabtuiApp.call_later", "RemoteSession._read", "StatusPublisher.receive")[:-1],
        *passes.to("Panel.show", "Navigator._show_update"),
    )
    drawn = PAGE.read_text(encoding="utf-8").split("a frame to the screen:")[1].split("```")[1]
    assert [tuple(re.findall(r"\w+\.\w+", way)) for way in drawn.split("\n\n")] == [key, frame]
    assert max(len(key), len(frame)) - 1 <= MOST_HOPS
