"""Typed input, one key at a time, and key names as players read them.

Textual gives all keys that arrive together to the widget that has the focus at that moment. Over a
slow connection letters arrive in batches: every letter of `t hello` would be a command, and Enter
might play a card. So each key waits until the effects of the last one are done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final

from textual import events
from textual.app import App
from textual.keys import REPLACED_KEYS, key_to_character
from textual.message_pump import MessagePump

from sabtui.text.i18n import pgettext

WIDGET_TIMEOUT_S: Final = 0.5
"""Seconds to wait for a widget; one that was just removed never answers."""

TypedEvent = events.Key | events.Paste


class Keyboard:
    """Queue of typed input for an app. `give` passes one event to the app."""

    def __init__(self, app: App[None], give: Callable[[TypedEvent], Awaitable[None]]) -> None:
        self._app = app
        self._give = give
        self._typed: Final = asyncio.Queue[TypedEvent]()

    def put(self, typed: TypedEvent) -> None:
        """Queue a typed event."""
        self._typed.put_nowait(typed)

    async def run(self) -> None:
        """Pass typed events on, one at a time, until cancelled."""
        while True:
            typed = await self._typed.get()
            await self._wait_until_done()
            await self._give(typed)

    async def _wait_until_done(self) -> None:
        """Wait until everything that the last key set off is done.

        A key bubbles from the focused widget up to the app and may send another message the same
        way, which may ask the app for a screen; that screen then chooses the focus. Hence two
        passes up, the top screen, and the app.
        """
        for pump in (*self._way_up(), *self._way_up(), *self._app.screen_stack[-1:], self._app):
            done = asyncio.Event()
            if pump.call_later(done.set):
                with suppress(TimeoutError):
                    async with asyncio.timeout(WIDGET_TIMEOUT_S):
                        await done.wait()

    def _way_up(self) -> Iterator[MessagePump]:
        """Yield the focused widget, its ancestors, and the app."""
        for screen in self._app.screen_stack[-1:]:
            yield from (screen.focused or screen).ancestors_with_self


def key_names(keys: Iterable[str]) -> str:
    """Return the names of several keys, separated by blanks."""
    return " ".join(key_name(key) for key in keys)


def key_name(key: str) -> str:
    """Return a key as a player reads it: Esc, Ctrl+P, F10, ?."""
    *held, last = key.split("+")
    modifiers = {"ctrl": pgettext("key", "Ctrl"), "shift": pgettext("key", "Shift")}
    return "+".join([*(modifiers.get(one, one.capitalize()) for one in held), _plain(last, held)])


def character_of(key: str) -> str:
    """Return the character that a key types, or "" if it types none."""
    character = key_to_character(REPLACED_KEYS.get(key, key)) or ""
    return character if character.isprintable() else ""


def _plain(key: str, held: list[str]) -> str:
    """Return a key without those that are held with it."""
    named = {
        "space": pgettext("key", "Space"),
        "escape": pgettext("key", "Esc"),
        "enter": pgettext("key", "Enter"),
        "tab": pgettext("key", "Tab"),
        "up": pgettext("key", "Up"),
        "down": pgettext("key", "Down"),
        "left": pgettext("key", "Left"),
        "right": pgettext("key", "Right"),
        "pageup": pgettext("key", "PgUp"),
        "pagedown": pgettext("key", "PgDn"),
        "home": pgettext("key", "Home"),
        "end": pgettext("key", "End"),
        "delete": pgettext("key", "Del"),
        "backspace": pgettext("key", "Backspace"),
    }
    if key in named:
        return named[key]
    character = character_of(key) or key
    return character.upper() if held or len(character) > 1 else character
