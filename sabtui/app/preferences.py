"""The player's preferences, in a small text file: name, dwarf, language, art, theme and so on.

The file has one `name = value` per line, for people to edit. A line that cannot be read is reported
once and its default is used; no error in the file keeps anybody from playing.
"""

from __future__ import annotations

import getpass
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from platformdirs import user_config_path, user_data_path

from net import files
from net.protocol.cleaning import clean_name
from sabtui.art import Art
from sabtui.text.errors import not_written
from sabtui.text.i18n import AUTO, _, languages

MAX_SETTINGS_BYTES: Final = 1 << 14  # maximum bytes of the file that are read (16 KiB)
MAX_LOOKS: Final = 10  # faces, and colours, as `net.protocol.lobby.MAX_LOOKS` says


class Theme(StrEnum):
    """Colour theme of the screens."""

    AUTO = "auto"  # by the terminal's background; TERMINAL if it has 16 colours at most
    DARK = "dark"
    LIGHT = "light"
    BLUE_ORANGE = "blue-orange"  # dark, for people who cannot tell red from green
    TERMINAL = "terminal"  # the terminal's own 16 colours


class Bell(StrEnum):
    """Setting for the terminal bell that announces the player's turn."""

    ON = "on"
    OFF = "off"


class Reactions(StrEnum):
    """Setting for the line that reports a reaction when the game is played in lines."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Preferences:
    """The player's preferences."""

    name: str = ""  # empty for the login name
    language: str = AUTO  # code of an available language, or `auto` for the locale's
    art: Art = Art.AUTO
    theme: Theme = Theme.AUTO
    bell: Bell = Bell.ON
    reactions: Reactions = Reactions.ON
    face: int = 0  # of the dwarf that was picked, from 1 to `MAX_LOOKS`; 0 if none was
    colour: int = 0  # of its colour, from 1 to `MAX_LOOKS`; 0 if none was picked

    def with_look(self, kind: str, look: int) -> Preferences:
        """Return these preferences with another `face` or `colour`, by its number from 0."""
        return _READERS[kind](self, str(look + 1))


def player_name(preferences: Preferences) -> str:
    """Return the player's name: the preferred one, else the login name, else "Player"."""
    return preferences.name or clean_name(login_name()) or _("Player")


def login_name() -> str:
    """Return the user's login name, "" if the system does not know it."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return ""


@dataclass(frozen=True, slots=True)
class PreferencesStore:
    """The file that stores the preferences."""

    path: Path

    def read(self) -> tuple[Preferences, str]:
        """Return the stored preferences, and a sentence about what could not be read, or ""."""
        try:
            with self.path.open("rb") as file:
                # Windows editors add a byte order mark.
                text = file.read(MAX_SETTINGS_BYTES).decode("utf-8-sig")
        except FileNotFoundError:
            return Preferences(), ""
        except (OSError, UnicodeDecodeError):
            return Preferences(), f"Cannot read {self.path}: using the default settings."
        return self._parse(text)

    def write(self, preferences: Preferences) -> str:
        """Write the preferences atomically; return a sentence about a failure, "" on success."""
        lines = [
            f"{field.name} = {getattr(preferences, field.name)}\n" for field in fields(preferences)
        ]
        try:
            path = self.path.resolve()  # replace a symbolic link's target, not the link
            files.private_folder(path.parent)
            files.replace(path, "".join(lines).encode())
        except OSError as error:
            return not_written(self.path, error)
        return ""

    def _parse(self, text: str) -> tuple[Preferences, str]:
        """Parse the file's text; return the preferences, and a sentence about bad lines or ""."""
        kept, strange = Preferences(), list[str]()
        for line in text.splitlines():
            name, _equals, value = (part.strip() for part in line.partition("="))
            if not name or name.startswith("#"):
                continue
            try:
                kept = _READERS[name](kept, value)
            except (KeyError, ValueError):
                strange.append(name if name in _READERS else "an unreadable line")
        if not strange:
            return kept, ""
        names = ", ".join(dict.fromkeys(strange))
        return kept, f"Some settings in {self.path} are wrong: {names}. Their defaults are used."


def _read_language(value: str) -> str:
    """Return the language code if it is available. Raises `ValueError` if not."""
    if value not in (AUTO, *languages()):
        raise ValueError(value)
    return value


def _read_look(value: str) -> int:
    """Return the number of a face or colour. Raises `ValueError` for any other text."""
    return range(MAX_LOOKS + 1).index(int(value))


_READERS: Final[Mapping[str, Callable[[Preferences, str], Preferences]]] = {
    "name": lambda kept, value: replace(kept, name=clean_name(value)),
    "language": lambda kept, value: replace(kept, language=_read_language(value)),
    "art": lambda kept, value: replace(kept, art=Art(value)),
    "theme": lambda kept, value: replace(kept, theme=Theme(value)),
    "bell": lambda kept, value: replace(kept, bell=Bell(value)),
    "reactions": lambda kept, value: replace(kept, reactions=Reactions(value)),
    "face": lambda kept, value: replace(kept, face=_read_look(value)),
    "colour": lambda kept, value: replace(kept, colour=_read_look(value)),
}
"""Functions that set a preference to a value from the file; a bad one raises `ValueError`."""


def usual_path() -> Path:
    return user_config_path("sabtui", appauthor=False) / "settings"


def keep_look(kind: str, look: int) -> str:
    """Save a face or colour picked in lines, by its number from 0; return the trouble, or ""."""
    store = PreferencesStore(usual_path())
    return store.write(store.read()[0].with_look(kind, look))


def records_folder() -> Path:
    return user_data_path("sabtui", appauthor=False) / "records"


_LESSON: Final = "lesson"
"""Name of the empty file beside the records that marks the lesson as taken."""


def has_played() -> bool:
    """Return True if a game was ever kept here, or the lesson completed."""
    folder = records_folder()
    return (folder / _LESSON).exists() or any(folder.glob("*.sab"))


def note_lesson() -> None:
    """Note that the lesson was completed; if that fails, it will be offered again."""
    folder = records_folder()
    with suppress(OSError):
        files.private_folder(folder)
        (folder / _LESSON).touch()
