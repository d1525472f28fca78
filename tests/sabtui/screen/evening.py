"""A table on a screen of its own, with a seat that keeps what was wanted: for tests of keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from net.client.seat import Now, Update
from net.table_view import Heard
from sabtui.screen.glyphs import BOX
from sabtui.screen.mine.window import Window
from sabtui.screen.table import TableScreen
from tests.sabtui.screen import scenes
from tests.sabtui.screen.parlour import Parlour, Still
from tests.sabtui.screen.pictures import text_of


class Evening:
    """An app, its table, and the seat behind it."""

    def __init__(self, app: Parlour, pilot: Pilot[None], table: TableScreen, seat: Still) -> None:
        self.app = app
        self.pilot = pilot
        self.table = table
        self.seat = seat

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def hear(self, now: Now, heard: Heard | None = None) -> None:
        self.seat.now = now
        self.table.hear(Update(now, heard))
        await self.pilot.pause()

    @property
    def said(self) -> str:
        return self.table.foot.said

    @property
    def window(self) -> Window:
        """What is in sight of the mine."""
        assert self.table.seen.window is not None
        return self.table.seen.window

    @property
    def shown(self) -> str:
        return text_of(self.app)


@asynccontextmanager
async def evening(
    now: Now | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Evening]:
    app = Parlour(BOX)
    async with app.run_test(size=size) as pilot:
        seat = Still(now or scenes.now())
        table = await app.show(seat)
        await pilot.pause()
        yield Evening(app, pilot, table, seat)
