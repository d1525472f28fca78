"""What keys are called for a player: Textual's `question_mark` is `?`, and `escape` is Esc.

ASCII alone, so that a footer reads alike on every terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual.keys import REPLACED_KEYS, key_to_character

from sabtui.words.tongue import pgettext


def key_names(keys: Iterable[str]) -> str:
    """Several keys in a row."""
    return " ".join(key_name(key) for key in keys)


def key_name(key: str) -> str:
    """A key as a player reads it: Esc, Ctrl+P, F10, ?."""
    *held, last = key.split("+")
    modifiers = {"ctrl": pgettext("key", "Ctrl"), "shift": pgettext("key", "Shift")}
    return "+".join([*(modifiers.get(one, one.capitalize()) for one in held), _plain(last, held)])


def typed_by(key: str) -> str:
    """The character that a key types, empty where it types none."""
    character = key_to_character(REPLACED_KEYS.get(key, key)) or ""
    return character if character.isprintable() else ""


def _plain(key: str, held: list[str]) -> str:
    if key == "space":
        return pgettext("key", "Space")
    if key in _NAMED:
        return _named(key)
    character = typed_by(key) or key
    return character.upper() if held or len(character) > 1 else character


_NAMED: Final = frozenset(
    (
        "escape",
        "enter",
        "tab",
        "up",
        "down",
        "left",
        "right",
        "pageup",
        "pagedown",
        "home",
        "end",
        "delete",
        "backspace",
    )
)


def _named(key: str) -> str:
    """A key that has a word on it."""
    return {
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
    }[key]
