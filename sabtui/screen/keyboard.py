"""Keys one after the other: what a key does is done before the next is given to anybody.

Textual gives all keys that come together to whatever has the focus at that moment. Over a slow
line letters come in handfuls: of `t hello` all would be commands, and Enter might play a card.
Knows message pumps, and no key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Final

from textual import events
from textual.app import App
from textual.message_pump import MessagePump

PATIENCE: Final = 0.5
"""Seconds to wait for a widget at most: one that is just taken away answers nobody."""

Typed = events.Key | events.Paste


class Keyboard:
    """Gives an app what is typed; `give` is its own way of doing so."""

    def __init__(self, app: App[None], give: Callable[[Typed], Awaitable[None]]) -> None:
        self._app = app
        self._give = give
        self._typed: Final = asyncio.Queue[Typed]()

    def put(self, typed: Typed) -> None:
        """Keep something that was typed until it is its turn."""
        self._typed.put_nowait(typed)

    async def run(self) -> None:
        """Give one after the other, for ever."""
        while True:
            typed = await self._typed.get()
            await self._done()
            await self._give(typed)

    async def _done(self) -> None:
        """Wait until all that the last key set off is done.

        A key goes up from the focus to the app, and may send another message the same way, which
        may ask the app for a screen; the screen then chooses what has the focus.
        """
        for pump in (*self._way_up(), *self._way_up(), *self._app.screen_stack[-1:], self._app):
            done = asyncio.Event()
            if pump.call_later(done.set):
                with suppress(TimeoutError):
                    async with asyncio.timeout(PATIENCE):
                        await done.wait()

    def _way_up(self) -> Iterator[MessagePump]:
        """The focus, what is above it, and the app."""
        for screen in self._app.screen_stack[-1:]:
            yield from (screen.focused or screen).ancestors_with_self
