"""A player at a laptop of their own: the real app, over a real link to a real host.

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
from engine.moves import Discard, Keep
from engine.table import Phase
from net.client.client import RHYTHM, Client, Rhythm
from net.client.ticket import Ticket
from net.client.wallet import Wallet
from net.discovery.address import Address
from net.lobby import Taken
from net.secure.seatkey import SeatKey
from sabtui.preferences import Store
from sabtui.screen.app import SabtuiApp
from sabtui.screen.commands import Commanded
from sabtui.screen.doors import Doors, Way
from sabtui.screen.lobby import Lobby
from sabtui.screen.seated import Seated
from sabtui.screen.table import TableScreen
from sabtui.screen.table.choice import Choice, place_of
from tests.net.host.guest import CODE, HERE, Hosted
from tests.sabtui.screen.front import Porter
from tests.sabtui.screen.pictures import text_of

PATIENCE = 20.0
SMALL = (60, 18)


class Laptop:
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
        assert isinstance(screen, Commanded)
        return screen.foot.said

    @property
    def seated(self) -> Seated:
        """The lobby or the table, on top."""
        assert isinstance(self.app.screen, Seated), self.text
        return self.app.screen

    @property
    def table(self) -> TableScreen:
        """The table, on top."""
        assert isinstance(self.app.screen, TableScreen), self.text
        return self.app.screen

    @property
    def view(self) -> View:
        """What is known of the game."""
        view = self.table.now.view
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
        """Wait for a condition, not for ever."""
        late = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < late, f"{self.name} sees:\n{self.text}"
            await asyncio.sleep(0.01)

    async def sees(self, text: str) -> None:
        """Wait until a text is to be seen."""
        await self.until(lambda: text in self.text)

    async def agrees(self, hosted: Hosted) -> None:
        """Wait until what is known is what the table says."""
        await self.until(lambda: self.view == hosted.state.view(self.seated.now.seat))

    async def knows_the_host(self) -> None:
        """Wait until the host is not looked for any more."""
        await self.until(lambda: "looking for it" not in self.said)

    async def resize(self, columns: int, rows: int) -> None:
        """Make the terminal another size."""
        size = Size(columns, rows)
        driver = self.app._driver
        assert driver is not None
        driver._size = (columns, rows)
        self.app.post_message(events.Resize(size, size))
        await asyncio.sleep(0)

    async def is_on(self, kind: type[Commanded]) -> None:
        """Wait until a screen of this kind is on top."""
        await self.until(lambda: isinstance(self.app.screen, kind))

    async def get_ready(self) -> None:
        """Say that one is ready, in the lobby."""
        await self.is_on(Lobby)
        await self.sees("Press r when you are ready.")
        self.press("r")
        await self.until(lambda: isinstance(self._chair, Taken) and self._chair.ready)

    async def play_on(self) -> None:
        """Play by a bot's advice and by keys alone, until the game is over."""
        await self.is_on(TableScreen)
        await self._until_asked()
        while not self._is_over():
            before = self.view
            self.press(*self.keys_for(BOTS["greedy"](before, self._chance, Playouts(0))))
            await self.until(partial(self._sees_other_than, before))
            await self._until_asked()

    async def _until_asked(self) -> None:
        """Wait for one's turn, as long as there is something to be seen of the others'."""
        while not self.is_asked:
            await self.until(partial(self._is_asked_or_sees_other_than, self.view))

    def keys_for(self, move: Move) -> list[str]:
        """The keys that make a move."""
        if isinstance(move, Keep):
            return [str(move.nuggets), "enter"]
        view, desk = self.view, self.table.desk
        at = view.hand.index(card_of(move, view))
        first = [str(at + 1)] if desk.card != at else []
        if isinstance(move, Discard):
            return [*first, "x", "enter"]
        choice, desk = Choice.of(view, view.hand[at]), desk.choosing(at, view)
        keys, place = first, place_of(move)
        while desk.place != place:
            after = choice.after(desk.place, 1)
            assert after is not None
            desk = desk.moved_to(after)
            keys.append("n")
        return [*keys, *(["r"] if choice.way(place, desk.turned) != move else []), "enter"]

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
        return self._is_over() or (mine and not self.table.is_sent)

    @property
    def _chair(self) -> object:
        now = self.seated.now
        return None if now.lobby is None or now.seat is None else now.lobby.chairs[now.seat]


def card_of(move: Move, view: View) -> object:
    """The card of the hand that a move plays."""
    if isinstance(move, Discard):
        return move.card
    return next(
        card
        for card in view.hand
        if any(move in target.ways for target in Choice.of(view, card).targets)
    )


def ticket(hosted: Hosted, name: str, port: int = 0, key: SeatKey | None = None) -> Ticket:
    """A ticket to a table; Ann's is its host's."""
    at = (Address(HERE, port or hosted.port),)
    if name == "Ann":
        pin = hosted.table.certificate.fingerprint
        return Ticket(name=name, addresses=at, key=hosted.host_key, pin=pin)
    return Ticket(name=name, addresses=at, code=CODE, key=key or SeatKey.new())


@asynccontextmanager
async def laptop(  # noqa: PLR0913 - a laptop is all of this
    folder: Path,
    to: Ticket,
    size: tuple[int, int] = SMALL,
    *,
    ascii_only: bool = False,
    rhythm: Rhythm = RHYTHM,
    doors: Doors | None = None,
) -> AsyncIterator[Laptop]:
    """An app that goes to a table."""
    file = folder / f"{to.name}-{to.key.public.hex()[:8]}"
    file.write_text(f"name = {to.name}\nglyphs = box\ntheme = dark\n", encoding="utf-8")
    wallet = Wallet(folder / "seats")
    way = Way(lambda hear: Client(to, hear, wallet, rhythm))
    porter = doors or Porter()
    app = SabtuiApp(lambda: porter, Store(file), ascii_only=ascii_only, way=way)
    async with app.run_test(size=size):
        yield Laptop(app, to.name)


async def all_of(doing: Sequence[Awaitable[object]]) -> None:
    """Do all of it at once, and stop where one fails."""
    async with asyncio.TaskGroup() as group:
        for one in doing:
            group.create_task(_await(one))


async def _await(one: Awaitable[object]) -> None:
    await one
