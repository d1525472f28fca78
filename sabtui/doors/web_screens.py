"""Guests' screens at a browser door, which outlive the connections of their pages for a while.

A phone that is locked, or walks out of the Wi-Fi, loses its connection. Its screen goes on for
KEPT_S without a page, and a page that comes back finds it as it was. After that the screen is
ended: the table then says that this player is away, a bot may play for them, and the page gets a
new screen at the same seat whenever it comes back.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from sabtui.doors.guest_screen import GuestScreen
from sabtui.doors.padding import PaddedOutput

KEPT_S: Final = 60.0  # seconds that a screen goes on without a page
REDRAW: Final = b"\x0c"  # Ctrl+L, at which a screen draws all of itself again

RESET: Final = b"\x1bc"
"""Escape sequence that makes a terminal forget all it shows, and all its modes."""

MAX_MODES: Final = 64  # most modes remembered of one terminal; our screens set about a dozen

ShowOutput: TypeAlias = Callable[[bytes], Awaitable[None]]
"""Sends a page what its terminal is to show, and waits while the page does not take it."""


class TerminalModes:
    """The private modes that a screen has set in its terminal, such as that of the mouse.

    A page that was reloaded has a new terminal, in which they must be set again.
    """

    _MODE: Final = re.compile(rb"\x1b\[\?([0-9;]{1,40})([hl])")
    _CUT: Final = re.compile(rb"\x1b(\[(\?[0-9;]{0,40})?)?$")

    def __init__(self) -> None:
        self._set: dict[bytes, bool] = {}
        self._rest = b""  # the beginning of a sequence that came in two parts

    def feed(self, data: bytes) -> None:
        """Take in what a screen has drawn."""
        data = self._rest + data
        for modes, letter in self._MODE.findall(data):
            for mode in modes.split(b";"):
                self._set.pop(mode, None)
                if len(self._set) < MAX_MODES:
                    self._set[mode] = letter == b"h"
        cut = self._CUT.search(data)
        self._rest = b"" if cut is None else cut[0]

    def again(self) -> bytes:
        """Return the escape sequences that set the modes in a new terminal."""
        return b"".join(
            b"\x1b[?%b%b" % (mode, b"h" if is_set else b"l") for mode, is_set in self._set.items()
        )


class HeldScreen:
    """A guest's screen with at most one page; `on_end` is called once it has ended."""

    def __init__(
        self, screen: GuestScreen, on_end: Callable[[], None], kept_s: float = KEPT_S
    ) -> None:
        self._screen = screen
        self._on_end = on_end
        self._kept_s = kept_s
        self._modes: Final = TerminalModes()
        self._page: ShowOutput | None = None  # the page that came last
        self._show: ShowOutput | None = None  # the same, once it is ready for what is drawn
        self._leaving: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[None] | None = None
        self._has_drawn = False
        self.ended: Final = asyncio.Event()
        self._pump: Final = asyncio.create_task(self._run())

    async def attach(self, show: ShowOutput, columns: int, rows: int) -> None:
        """Show the screen on a page, from its beginning; another page no longer shows it.

        A page that comes while this one is made ready has the screen, even if it is ready first.
        """
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        self._page = show
        self._show = None  # nothing may come before the modes
        self._screen.resize(columns, rows)
        await show(RESET + self._modes.again())
        if self._page == show:
            self._show = show
            if self._has_drawn:  # else all of it is to come, and a terminal would echo the key
                self._screen.write(REDRAW)

    def detach(self, show: ShowOutput) -> None:
        """Go on without the page, for a while; nothing happens if another page has come."""
        if self._page == show:
            self._page = self._show = None
            loop = asyncio.get_running_loop()
            self._leaving = loop.call_later(self._kept_s, self._give_up)

    def pass_on_typing(self, data: bytes) -> None:
        """Pass on what the guest types."""
        self._screen.write(data)

    def resize(self, columns: int, rows: int) -> None:
        """Tell the screen the new size of the page's terminal."""
        self._screen.resize(columns, rows)

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
        """Carry what the screen draws to its page, as fast as the page takes it."""
        output = PaddedOutput(self._screen.read)
        while data := await output.read():
            self._modes.feed(data)
            self._has_drawn = True
            show = self._show
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
