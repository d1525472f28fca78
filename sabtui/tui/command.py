"""A command of a screen as a value: its keys, their names, and its words.

Textual passes all keys that arrive together to the widget that has the focus at that moment. Over a
slow connection letters arrive in batches: every letter of `t hello` would be a command, and Enter
might play a card. So each key waits until the effects of the last one are complete.

The screens that have commands are in `command_screen`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from textual import events
from textual.app import App
from textual.keys import REPLACED_KEYS, key_to_character

from sabtui.text.i18n import _, capitalise, pgettext

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
        way, which may ask the app for a screen; that screen then chooses the focus. So this waits
        for two such passes, then for the top screen, then for the app.
        """
        top = self._app.screen_stack[-1:]
        way = [node for screen in top for node in (screen.focused or screen).ancestors_with_self]
        for pump in (*way, *way, *top, self._app):
            done = asyncio.Event()
            if pump.call_later(done.set):
                with suppress(TimeoutError):  # a busy widget must not block all keys
                    async with asyncio.timeout(WIDGET_TIMEOUT_S):
                        await done.wait()


def key_names(keys: Iterable[str]) -> str:
    """Return the names of several keys, separated by blanks."""
    return " ".join(key_name(key) for key in keys)


def key_name(key: str) -> str:
    *held, last = key.split("+")
    if not held and len(last) == 1:
        return last
    modifiers = {"ctrl": pgettext("key", "Ctrl"), "shift": pgettext("key", "Shift")} if held else {}
    return "+".join([*(modifiers.get(of, of.capitalize()) for of in held), _name_last(last, held)])


def character_of(key: str) -> str:
    """Return the character that a key types, or "" if it types none."""
    character = key_to_character(REPLACED_KEYS.get(key, key)) or ""
    return character if character.isprintable() else ""


_NAMES: Final[Mapping[str, Callable[[], str]]] = {
    "space": lambda: pgettext("key", "Space"),
    "escape": lambda: pgettext("key", "Esc"),
    "enter": lambda: pgettext("key", "Enter"),
    "tab": lambda: pgettext("key", "Tab"),
    "up": lambda: pgettext("key", "Up"),
    "down": lambda: pgettext("key", "Down"),
    "left": lambda: pgettext("key", "Left"),
    "right": lambda: pgettext("key", "Right"),
    "pageup": lambda: pgettext("key", "PgUp"),
    "pagedown": lambda: pgettext("key", "PgDn"),
    "home": lambda: pgettext("key", "Home"),
    "end": lambda: pgettext("key", "End"),
    "delete": lambda: pgettext("key", "Del"),
    "backspace": lambda: pgettext("key", "Backspace"),
}
"""Names of keys that type nothing, each in the current language."""


def _name_last(key: str, held: list[str]) -> str:
    if key in _NAMES:
        return _NAMES[key]()
    character = character_of(key) or key
    return character.upper() if held or len(character) > 1 else character


LEAVE: Final = "leave"
"""Name of the command that leaves a screen: its key is always visible if Escape has no command."""

PALETTE_KEYS: Final = ("ctrl+p", "f10", "colon")
"""Keys that open the palette, which lists every command, even those without a key."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a player can give on a screen."""

    name: str
    keys: tuple[str, ...]
    """Textual's names of keys, the one to show first; others for terminals that swallow it."""
    label: str  # a word for the footer
    purpose: str  # a phrase for help and palette
    do: Callable[[], object]
    why_not: Callable[[], str | None] = lambda: None
    """Returns the sentence that says why the command is unavailable now, or `None`."""
    concerns: Callable[[], bool] = lambda: True
    """Returns False if this player can never use it, such as a guest who cannot pause the game."""
    hidden: bool = False  # True if it is not in the footer, and after others in help
    group: str = ""  # the title above it in help
    in_series: bool = False
    """True for one of many, such as the digits: they share a row of help, and no list has them."""
    spare_keys: tuple[str, ...] = ()
    """Keys that help does not name, used unless another command has them."""

    @property
    def spelt(self) -> str:
        """All keys of the command, as a player reads them."""
        return key_names(self.keys)

    def describe(self) -> str:
        """Return the purpose, with the reason if the command is unavailable now."""
        why_not = self.why_not()
        if why_not is None:
            return self.purpose
        text = _("{purpose} (not now). {why_not}")
        return text.format(purpose=self.purpose, why_not=why_not).rstrip()


def host_title() -> str:
    """Return the title of the group of commands that only the host has."""
    # Translators: a title in help: what the host alone can do.
    return capitalise(pgettext("a player", "host"))
