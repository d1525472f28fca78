"""Themes, glyph sets, big letters, terminal capabilities.

What lines are drawn with: box drawing, or ASCII alone.

All that BOX has beside ASCII is in code page 437, which console fonts have, and is one cell wide
in every Western terminal; whether a terminal can show it, others decide.

What a terminal shows, as far as its environment tells: box drawing or ASCII, which colours.

Pure functions of the environment, and the themes. Asks the terminal nothing.

Large letters: the room code and the title, to be read across a room.

A pure function from text and glyph set to lines. Each letter is five rows of dots; with box
drawing two rows share a line, in half blocks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from textual.theme import Theme

from sabtui.app.preferences import GlyphSet
from sabtui.app.preferences import Theme as Wanted


@dataclass(frozen=True, slots=True)
class Strokes:
    """How a stretch of tunnel is drawn.

    `joints` is what stands where the open sides of a through card meet, by edges. `caps` are the
    ends of a dead end's arms from north, east, south and west, on their way to the middle.
    """

    across: str
    along: str
    joints: str
    caps: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A box: its corners from the upper left one on, and its sides."""

    corners: str
    across: str
    along: str


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of characters to draw a whole table with.

    `reached` and `cut` are tunnels that the start reaches and those that it does not, and the
    `small_` ones the same in tiles of one row. `stubs` are the middles of small dead ends that are
    open to neither north nor south, to north, to south, and to both.
    """

    name: str
    reached: Strokes
    cut: Strokes
    small_reached: Strokes
    small_cut: Strokes
    stubs: str
    face_down: Frame
    chosen_face_down: Frame
    cursor: str
    """The corners of the tile with the cursor, from the upper left one on."""
    empty: str
    along: str
    across: str
    tee: str
    """Where a rule goes down from one that goes across."""
    foot: str
    """Where a rule from above ends on one that goes across."""


_DOUBLE: Final = Strokes("═", "║", " ║═╚║║╔╠═╝═╩╗╣╦╬", "╨╞╥╡")
_SINGLE: Final = Strokes("─", "│", " │─└││┌├─┘─┴┐┤┬┼", "┴├┬┤")

BOX: Final = Glyphs(
    name="box",
    reached=_DOUBLE,
    cut=_SINGLE,
    small_reached=_DOUBLE,
    small_cut=_SINGLE,
    stubs="x╨╥X",
    face_down=Frame("┌┐└┘", "─", "│"),
    chosen_face_down=Frame("╔╗╚╝", "═", "║"),
    cursor="┌┐└┘",
    empty="·",
    along="│",
    across="─",
    tee="┬",
    foot="┴",
)
"""Tunnels with two walls; those that are cut off have one."""

ASCII: Final = Glyphs(
    name="ascii",
    reached=Strokes("-", "|", " |-+||++-+-+++++", "| | "),
    cut=Strokes(".", ":", " :.+::++.+.+++++", ": : "),
    small_reached=Strokes("-", "|", " |-'||.+-'-'.+.+", "|-|-"),
    small_cut=Strokes("~", ":", " :~'::.+~'~'.+.+", ":~:~"),
    stubs="x^vX",
    face_down=Frame("..''", "-", "|"),
    chosen_face_down=Frame("####", "=", "#"),
    cursor="/\\\\/",
    empty=" ",
    along="|",
    across="-",
    tee="+",
    foot="+",
)
"""As the line face draws, for terminals and locales that have no more."""

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


_DOTS: Final = {
    "a": ".##. #..# #### #..# #..#",
    "b": "###. #..# ###. #..# ###.",
    "c": ".### #... #... #... .###",
    "d": "###. #..# #..# #..# ###.",
    "e": "#### #... ###. #... ####",
    "f": "#### #... ###. #... #...",
    "g": ".### #... #.## #..# .###",
    "h": "#..# #..# #### #..# #..#",
    "i": "### .#. .#. .#. ###",
    "j": "..## ...# ...# #..# .##.",
    "k": "#..# #.#. ##.. #.#. #..#",
    "l": "#... #... #... #... ####",
    "m": "#...# ##.## #.#.# #...# #...#",
    "n": "#..# ##.# #.## #..# #..#",
    "o": ".##. #..# #..# #..# .##.",
    "p": "###. #..# ###. #... #...",
    "q": ".##. #..# #..# #.#. .#.#",
    "r": "###. #..# ###. #.#. #..#",
    "s": ".### #... .##. ...# ###.",
    "t": "##### ..#.. ..#.. ..#.. ..#..",
    "u": "#..# #..# #..# #..# .##.",
    "v": "#..# #..# #..# .##. .##.",
    "w": "#...# #...# #.#.# ##.## #...#",
    "x": "#..# #..# .##. #..# #..#",
    "y": "#.# #.# .#. .#. .#.",
    "z": "#### ..#. .#.. #... ####",
    "-": "... ... ### ... ...",
}
_HALVES: Final = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}


def large(text: str, glyphs: Glyphs) -> list[str]:
    """A text of letters and hyphens in large letters: three lines, or five in ASCII."""
    rows = [
        ".".join(parts) for parts in zip(*(_DOTS[letter].split() for letter in text), strict=True)
    ]
    if glyphs is ASCII:
        return [row.replace(".", " ").rstrip() for row in rows]
    rows.append("." * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[a + b] for a, b in zip(*pair, strict=True)).rstrip() for pair in pairs]


def spaced(text: str) -> str:
    """A text in capitals, set wide: where large letters have no room."""
    return " ".join(text.upper())
