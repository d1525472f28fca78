"""A player with an app of their own: the real one, over a real link to a real host.

All laptops share one loop with the host; each has its seat in a thread, as outside of tests. Knows
how moves are made by keys, and waits for what is to be seen.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random

from textual import events
from textual.geometry import Size
from textual.keys import _character_to_key

from engine import Move, View
from engine.bots import BOTS, Playouts
from engine.moves import Discard, KeepGold
from engine.state import Phase
from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import HEARTBEAT_POLICY, ConnectionState, HeartbeatPolicy, Status
from net.protocol.lobby import Taken
from net.secure.address import Address
from net.secure.keys import SeatKey
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import TableHandle
from sabtui.app.tables import TableService
from sabtui.art import Art
from sabtui.tui.app import SabtuiApp
from sabtui.tui.commands import CommandScreen
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.table.selection import Choice, Selection
from tests.net.server.served_table import CODE, HERE, Hosted
from tests.sabtui.tui.app_fixture import PreparedTables
from tests.sabtui.tui.pictures import text_of

PATIENCE = 60.0
MAX_TURNS = 1000
"""More than a game has."""

SMALL = (60, 18)


class PlayerApp:
    """An app that runs, its keys, and what is to be seen on it."""

    def __init__(self, app: SabtuiApp, name: str) -> None:
        self.app = app
        self.name = name
        self._chance = Random(name)

    @property
    def text(self) -> str:
        """All that is to be seen."""
        return text_of(self.app)

    @property
    def said(self) -> str:
        """The status line."""
        screen = self.app.screen
        assert isinstance(screen, CommandScreen)
        return screen.footer.text

    @property
    def seated(self) -> SessionScreen:
        """The lobby or the table, on top."""
        assert isinstance(self.app.screen, SessionScreen), self.text
        return self.app.screen

    @property
    def status(self) -> Status | None:
        """The status of the last update shown, `None` on a screen that shows none."""
        screen = self.app.screen
        return screen.status if isinstance(screen, SessionScreen) else None

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

    def press(self, *keys: str) -> None:
        """Press keys, which the app takes one after the other as it gets to them."""
        driver = self.app._driver
        assert driver is not None
        for key in keys:
            letter = key if len(key) == 1 else None
            name = key if len(key) > 1 or key.isalnum() else _character_to_key(key)
            event = events.Key(name, letter)
            event.set_sender(self.app)
            driver.send_message(event)

    async def until(self, done: Callable[[], object]) -> None:
        """Wait for a condition, not for ever; to look is work, so after a while it is seldom."""
        begun, waited = time.monotonic(), 0.0
        while not done():
            assert waited < PATIENCE, f"{self.name} sees:\n{self.text}"
            await asyncio.sleep(min(max(waited / 8, 0.01), 0.1))
            waited = time.monotonic() - begun

    async def sees(self, text: str) -> None:
        """Wait until a text is to be seen."""
        await self.until(lambda: text in self.text)

    async def agrees(self, hosted: Hosted) -> None:
        """Wait until what is known is what the table says."""
        await self.until(lambda: self.view == hosted.state.view(self.seated.status.seat))

    async def knows_the_host(self) -> None:
        """Wait until the host is not looked for any more, so that it is asked for moves."""
        await self.until(lambda: self.seated.status.connection is ConnectionState.CONNECTED)

    async def resize(self, columns: int, rows: int) -> None:
        """Make the terminal another size."""
        size = Size(columns, rows)
        driver = self.app._driver
        assert driver is not None
        driver._size = (columns, rows)
        self.app.post_message(events.Resize(size, size))
        await asyncio.sleep(0)

    async def is_on(self, kind: type[CommandScreen]) -> None:
        """Wait until a screen of this kind is on top."""
        await self.until(lambda: isinstance(self.app.screen, kind))

    async def get_ready(self) -> None:
        """Come to the lobby, where who sits is ready."""
        await self.is_on(LobbyScreen)
        await self.sees("You are in.")
        await self.until(lambda: isinstance(self._chair, Taken) and self._chair.ready)

    async def play_on(self, turns: int = MAX_TURNS) -> None:
        """Play by a bot's advice and by keys alone, this many turns or until the game is over."""
        await self.is_on(TableScreen)
        while turns:
            await self._until_asked()
            if self._is_over():
                break
            before = self.view
            self.press(*self.keys_for(BOTS["greedy"](before, self._chance, Playouts(0))))
            # Not `is not`: who has come back to a table gets a view that is the same as before, and
            # keys for a card that is half played would be pressed a second time.
            await self.until(lambda: self.view != before)  # noqa: B023 - waited for at once
            turns -= not self.is_asked  # it may have been news of something else

    async def _until_asked(self) -> None:
        """Wait for one's turn, as long as there is something to be seen of the others'."""
        while not self.is_asked:
            await self.until(partial(self._is_asked_or_sees_other_than, self.view))

    def keys_for(self, move: Move) -> list[str]:
        """The keys that make a move."""
        return keys_for(move, self.view, self.table.model.selection)

    def _sees_other_than(self, view: View) -> bool:
        return self.view is not view

    def _is_asked_or_sees_other_than(self, view: View) -> bool:
        return self.is_asked or self._sees_other_than(view)

    def _is_over(self) -> bool:
        return self.view.phase is Phase.OVER

    @property
    def is_asked(self) -> bool:
        """Whether the game waits for this player, or is over."""
        mine = self.view.to_act == self.view.seat
        return self._is_over() or (mine and not self.table.model.is_sent(self.table.status))

    @property
    def _chair(self) -> object:
        status = self.seated.status
        return (
            None
            if status.lobby is None or status.seat is None
            else status.lobby.chairs[status.seat]
        )


def keys_for(move: Move, view: View, selection: Selection) -> list[str]:
    """The keys that make a move at a table where this much is selected."""
    if isinstance(move, KeepGold):
        return [str(move.nuggets), "enter"]
    at = view.hand.index(card_of(move, view))
    first = [str(at + 1)] if selection.card != at else []
    if isinstance(move, Discard):
        return [*first, "x", "enter"]
    choice, keys, place = Choice.of(view, view.hand[at]), first, move.place
    if first:
        selection = selection.choosing(at, view)
    while selection.place != place:
        after = choice.after(selection.place, 1)
        assert after is not None
        selection = selection.move_to(after)
        keys.append("n")
    return [*keys, *(["r"] if choice.play_at(place, selection.turned) != move else []), "enter"]


def card_of(move: Move, view: View) -> object:
    """The card of the hand that a move plays."""
    if isinstance(move, Discard):
        return move.card
    return next(
        card
        for card in view.hand
        if any(move in target.ways for target in Choice.of(view, card).targets)
    )


def credentials_for(
    hosted: Hosted, name: str, port: int = 0, key: SeatKey | None = None
) -> Credentials:
    """Credentials for a table; Ann's is its host's."""
    at = (Address(HERE, port or hosted.port),)
    if name == "Ann":
        pin = hosted.table.certificate.fingerprint
        return Credentials(name=name, addresses=at, key=hosted.host_key, pin=pin)
    return Credentials(name=name, addresses=at, code=CODE, key=key or SeatKey.new())


@asynccontextmanager
async def player_app(  # noqa: PLR0913 - a player has all of this
    folder: Path,
    to: Credentials,
    size: tuple[int, int] = SMALL,
    *,
    art: Art = Art.LINES,
    is_calm: bool = True,
    heartbeat: HeartbeatPolicy = HEARTBEAT_POLICY,
    tables: TableService | None = None,
) -> AsyncIterator[PlayerApp]:
    """An app that goes to a table."""
    file = folder / f"{to.name}-{to.key.public.hex()[:8]}"
    file.write_text(f"name = {to.name}\nart = {art}\ntheme = dark\n", encoding="utf-8")
    store = CredentialStore(folder / "seats")
    handle = TableHandle(lambda on_update: RemoteSession(to, on_update, store, heartbeat))
    porter = tables or PreparedTables()
    app = SabtuiApp(lambda: porter, PreferencesStore(file), is_calm=is_calm, handle=handle)
    async with app.run_test(size=size):
        yield PlayerApp(app, to.name)


async def all_of(doing: Sequence[Awaitable[object]]) -> None:
    """Do all of it at once, and stop where one fails."""
    async with asyncio.TaskGroup() as group:
        for waiting in doing:
            group.create_task(_await(waiting))


async def _await(awaitable: Awaitable[object]) -> None:
    await awaitable
