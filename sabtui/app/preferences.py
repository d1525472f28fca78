"""What a player likes, in a small file of theirs: name, language, glyphs, theme, bell.

A line each, `name = Anna`, for people to read and mend. What cannot be read in it is told once
and is as without it; it never keeps anybody from playing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from net.protocol.text import clean_name
from sabtui.text.errors import system_words
from sabtui.text.i18n import AUTO, _, languages, listed

MAX_SETTINGS_BYTES: Final = 1 << 14


class GlyphSet(StrEnum):
    """What lines are drawn with."""

    AUTO = "auto"  # as the locale has it
    BOX = "box"
    ASCII = "ascii"


class Theme(StrEnum):
    """In which colours."""

    AUTO = "auto"  # dark, and the terminal's own where it has sixteen
    DARK = "dark"
    LIGHT = "light"
    TERMINAL = "terminal"  # its own sixteen


class Bell(StrEnum):
    """Whether the terminal's bell tells that it is one's turn."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player likes. An empty `name` is what the system calls them.

    A `language` is one of those there are, by its code, or `auto`: the locale's.
    """

    name: str = ""
    language: str = AUTO
    glyphs: GlyphSet = GlyphSet.AUTO
    theme: Theme = Theme.AUTO
    bell: Bell = Bell.ON


def player_name(preferences: Preferences) -> str:
    """What the player is called: as they like, or as the system calls them."""
    from sabtui.app.names import login_name  # noqa: PLC0415 - not at start

    return preferences.name or clean_name(login_name()) or _("Player")


@dataclass(frozen=True, slots=True)
class PreferencesStore:
    """The file that keeps them."""

    path: Path

    def read(self) -> tuple[Preferences, str]:
        """What is kept, and a sentence on what of it cannot be read, empty where all can."""
        try:
            with self.path.open("rb") as file:
                text = file.read(MAX_SETTINGS_BYTES).decode(
                    "utf-8-sig"
                )  # as editors on Windows write
        except FileNotFoundError:
            return Preferences(), ""
        except (OSError, UnicodeDecodeError):
            message = _("{path} cannot be read: your settings are the usual ones.")
            return Preferences(), message.format(path=self.path)
        return self._understood(text)

    def write(self, preferences: Preferences) -> str:
        """Keep them, all or nothing; a sentence on what went wrong, empty where nothing did."""
        lines = [f"{one.name} = {getattr(preferences, one.name)}\n" for one in fields(preferences)]
        try:
            path = self.path.resolve()  # where it is a link, what it leads to is written
            spare = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                spare.write_text("".join(lines), encoding="utf-8", newline="\n")
                spare.replace(path)
            finally:
                spare.unlink(missing_ok=True)
        except OSError as error:
            text = _("Your settings count until you quit, but {path} cannot be written: {problem}.")
            return text.format(path=self.path, problem=system_words(error))
        return ""

    def _understood(self, text: str) -> tuple[Preferences, str]:
        kept, strange = Preferences(), list[str]()
        for line in text.splitlines():
            name, _equals, value = (part.strip() for part in line.partition("="))
            if not name or name.startswith("#"):
                continue
            try:
                kept = _with(kept, name, value)
            except ValueError:
                # Translators: one of the things that are wrong in a file of settings.
                strange.append(name if name in _NAMES else _("a line"))
        if not strange:
            return kept, ""
        message = _("In {path} not all is right: {names}. The usual counts instead.")
        return kept, message.format(path=self.path, names=listed(list(dict.fromkeys(strange))))


_NAMES: Final = tuple(one.name for one in fields(Preferences))


def _with(kept: Preferences, name: str, value: str) -> Preferences:
    """The preferences with one set. Raises `ValueError` where it is none of them, or wrong."""
    match name:
        case "name":
            return replace(kept, name=clean_name(value))
        case "language":
            return replace(kept, language=_language(value))
        case "glyphs":
            return replace(kept, glyphs=GlyphSet(value))
        case "theme":
            return replace(kept, theme=Theme(value))
        case "bell":
            return replace(kept, bell=Bell(value))
        case _:
            raise ValueError(name)


def _language(value: str) -> str:
    """A language there is. Raises `ValueError` where there is none."""
    if value not in (AUTO, *languages()):
        raise ValueError(value)
    return value


def usual_path() -> Path:
    """Where this user's preferences are kept."""
    from platformdirs import user_config_path  # noqa: PLC0415 - 5 ms, and not all commands need it

    return user_config_path("sabtui", appauthor=False) / "settings"
