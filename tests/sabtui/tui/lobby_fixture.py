"""A table shown in an app of its own, with a session that keeps requests: for tests of keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from net.client.session import Received, Status, Update
from sabtui.tui.mine.tiles import Viewport
from sabtui.tui.table.model import skip
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import BOX
from tests.sabtui.tui import scenes
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp


class ShownTable:
    """An app, the table's screen in it, and the session behind it."""

    def __init__(
        self, app: TableApp, pilot: Pilot[None], table: TableScreen, seat: IdleSession
    ) -> None:
        self.app = app
        self.pilot = pilot
        self.table = table
        self.seat = seat

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def receive(self, status: Status, received: Received | None = None) -> None:
        self.seat.status = status
        self.table.show_update(Update(status, received))
        await self.pilot.pause()

    @property
    def said(self) -> str:
        return self.table.footer.text

    @property
    def window(self) -> Viewport:
        """What is in sight of the mine."""
        return self.table.model.window

    @property
    def shown(self) -> str:
        return text_of(self.app)


@asynccontextmanager
async def shown_table(
    now: Status | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[ShownTable]:
    app = TableApp(BOX)
    async with app.run_test(size=size) as pilot:
        seat = IdleSession(now or scenes.now())
        table = await app.show(seat)
        await pilot.pause()
        while table.model.is_masked:  # tests of keys begin with the role card turned over
            table.dispatch(skip)
            table.dispatch(skip)
        yield ShownTable(app, pilot, table, seat)
