"""What a terminal shows, as far as its environment tells: box drawing or ASCII, which colours.

Pure functions of the environment, and the themes. Asks the terminal nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

from sabtui.preferences import GlyphSet
from sabtui.preferences import Theme as Wanted
from sabtui.screen.glyphs import ASCII, BOX, Glyphs

DARK: Final = Theme(
    name="sabtui-dark",
    primary="#c9a227",
    secondary="#8ab0c4",
    accent="#f2c14e",
    warning="#e0a458",
    error="#f08b7b",
    success="#8fbf6f",
    foreground="#dcd6c8",
    background="#171512",
    surface="#1f1c18",
    panel="#2a2620",
)
LIGHT: Final = Theme(
    name="sabtui-light",
    primary="#7d6000",
    secondary="#2f5468",
    accent="#7a4b00",
    warning="#824a00",
    error="#98240f",
    success="#2f5c17",
    foreground="#2b2620",
    background="#f6f1e4",
    surface="#efe8d6",
    panel="#e4dbc4",
    dark=False,
)
TERMINAL: Final = "ansi-dark"
"""Textual's theme of the terminal's own sixteen colours, on its own background."""


def glyphs_for(wanted: GlyphSet, environ: Mapping[str, str]) -> Glyphs:
    """What to draw with; by the locale where the player left it to that."""
    match wanted:
        case GlyphSet.BOX:
            return BOX
        case GlyphSet.ASCII:
            return ASCII
        case GlyphSet.AUTO:
            return BOX if _is_unicode(environ) else ASCII


def _is_unicode(environ: Mapping[str, str]) -> bool:
    """Whether the locale has more than ASCII; Windows has none, and its terminals do."""
    if environ.get("TERM") == "dumb":
        return False
    names = (environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((name for name in names if name), "")
    if not locale:
        return os.name == "nt" or sys.stdout.encoding.lower() in {"utf-8", "utf8"}
    return locale.lower().replace("-", "").endswith("utf8")


def theme_for(wanted: Wanted, environ: Mapping[str, str]) -> str:
    """The name of the theme; where there are sixteen colours or none, the terminal's own."""
    if has_no_colour(environ):
        return TERMINAL
    match wanted:
        case Wanted.DARK:
            return DARK.name
        case Wanted.LIGHT:
            return LIGHT.name
        case Wanted.TERMINAL:
            return TERMINAL
        case Wanted.AUTO:
            if has_few_colours(environ):
                return TERMINAL
            return LIGHT.name if _is_light(environ) else DARK.name


def has_no_colour(environ: Mapping[str, str]) -> bool:
    """Whether the player wants no colour in any program; Textual takes an empty one for a yes."""
    return "NO_COLOR" in environ


def has_few_colours(environ: Mapping[str, str]) -> bool:
    """Whether the terminal has sixteen colours or less."""
    if os.name == "nt" or environ.get("COLORTERM") in {"truecolor", "24bit"}:
        return False
    return not environ.get("TERM", "").endswith(("256color", "-direct", "kitty", "ghostty"))


def _is_light(environ: Mapping[str, str]) -> bool:
    """Whether the terminal says that its background is white, as some do."""
    return environ.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"}
