"""A whole game at a real table of bots, at 80x24, by keys alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest
from textual.pilot import Pilot

from engine.state import Phase
from engine.view import View
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import Practice

pytestmark = pytest.mark.usefixtures("every_update_drawn")

SIZE = (80, 24)
PATIENCE = 60.0


async def until(pilot: Pilot[None], done: Callable[[], bool], what: str) -> None:
    """Wait for a condition, not for ever."""
    late = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < late, what
        await pilot.pause(0.01)


class Player:
    """Plays by keys the first card that can be played, and discards where none can."""

    def __init__(self, app: Practice, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> TableScreen:
        return self.app.table

    @property
    def view(self) -> View:
        view = self.table.status.view
        assert view is not None
        return view

    async def play_on(self) -> None:
        """Play until the game is over."""
        await until(self.pilot, self._is_there, "no table")
        while True:
            await until(self.pilot, self._is_wanted, "nobody waits for us")
            if self.table.model.is_in_ceremony:
                await self.skip()
                continue
            before = self.view
            if before.phase is Phase.OVER:
                return
            await self.act()
            await until(
                self.pilot,
                partial(self._is_other, before),
                f"nothing came of it: {self.table.footer.text}",
            )

    def _is_other(self, before: View) -> bool:
        return self.view is not before

    def _is_there(self) -> bool:
        return isinstance(self.app.screen, TableScreen) and self.table.status.view is not None

    def _is_wanted(self) -> bool:
        view = self.view
        return (
            view.phase is Phase.OVER
            or self.table.model.is_in_ceremony
            or (view.seat == view.to_act and not self.table.model.is_sent(self.table.status))
        )

    async def act(self) -> None:
        """Make a move."""
        if self.view.phase is Phase.GOLD:
            await self.keep(self.view.offer[0])
            return
        for at in range(len(self.view.hand)):
            await self.choose(at)
            choice = self.table.model.selection.choice(self.view)
            assert choice is not None
            if choice.targets and not (
                choice.on_seats and self.table.model.selection.seat == self.view.seat
            ):
                await self.do()
                return
        await self.discard()

    async def skip(self) -> None:
        await self.pilot.press("space")

    async def choose(self, at: int) -> None:
        await self.pilot.press(str(at + 1))

    async def do(self) -> None:
        await self.pilot.press("enter")

    async def discard(self) -> None:
        await self.pilot.press("x", "enter")

    async def keep(self, nuggets: int) -> None:
        await self.pilot.press(str(nuggets), "enter")


async def test_a_whole_game_is_played_through_keys_alone() -> None:
    app = Practice()
    app.is_calm = False
    async with app.run_test(size=SIZE) as pilot:
        await Player(app, pilot).play_on()
        await pilot.press("enter")
        await pilot.pause()
        assert "game over" in text_of(app)
        assert app.rung > 3
        assert app.titles[-1] != ""
