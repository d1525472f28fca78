"""Guests' clients at a browser door, which outlive the connections of their pages for a while.

A phone that is locked, or walks out of the Wi-Fi, loses its connection. Its client, a screen in
lines of JSON, goes on for KEPT_S without a page, and a page that comes back asks it for everything
again. After that the client is ended: the table then says that this player is away, a bot may play
for them, and the page gets a new client at the same seat whenever it comes back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from sabtui.doors.guest_screen import GuestScreen
from sabtui.doors.padding import PaddedOutput

KEPT_S: Final = 60.0  # seconds that a screen goes on without a page

ShowOutput: TypeAlias = Callable[[bytes], Awaitable[None]]
"""Sends a page lines of JSON, cut anywhere, and waits while the page does not take them."""


class HeldScreen:
    """A guest's screen with at most one page; `on_end` is called once it has ended."""

    def __init__(
        self, screen: GuestScreen, on_end: Callable[[], None], kept_s: float = KEPT_S
    ) -> None:
        self._screen = screen
        self._on_end = on_end
        self._kept_s = kept_s
        self._page: ShowOutput | None = None  # the page that came last
        self._leaving: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[None] | None = None
        self.ended: Final = asyncio.Event()
        self._pump: Final = asyncio.create_task(self._run())

    def attach(self, show: ShowOutput) -> None:
        """Show a page what follows; another page is shown nothing any more."""
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        self._page = show

    def detach(self, show: ShowOutput) -> None:
        """Go on without the page, for a while; nothing happens if another page has come."""
        if self._page == show:
            self._page = None
            loop = asyncio.get_running_loop()
            self._leaving = loop.call_later(self._kept_s, self._give_up)

    def pass_on(self, data: bytes) -> None:
        """Pass on lines of the guest."""
        self._screen.write(data)

    async def close(self) -> None:
        """End the screen."""
        if self._leaving is not None:
            self._leaving.cancel()
        await self._screen.close()
        self._pump.cancel()
        self._end()

    def _give_up(self) -> None:
        self._closing = asyncio.create_task(self.close())

    async def _run(self) -> None:
        """Carry the client's lines to its page, as fast as the page takes it."""
        output = PaddedOutput(self._screen.read)
        while data := await output.read():
            show = self._page
            if show is not None:
                try:
                    await show(data)
                except OSError as error:
                    logging.getLogger(__name__).info("a page is gone: %s", error)
        self._give_up()

    def _end(self) -> None:
        if not self.ended.is_set():
            self.ended.set()
            self._on_end()
