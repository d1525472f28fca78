"""Glyphs, themes and large letters, chosen by what the terminal can show.

Besides ASCII, BOX uses only characters of code page 437: console fonts have them, and they are one
cell wide in every Western terminal. Large letters are for the title, the room code and the winner's
name: five rows of dots, or with box drawing three lines of half blocks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache
from typing import Final, NamedTuple

from textual.message import Message
from textual.theme import Theme

from sabtui.app.preferences import Theme as Wanted
from sabtui.app.terminal import Colours, find_colours, is_unicode
from sabtui.art import Art
from sabtui.art.glyphs import BlockSet
from sabtui.art.terminal import SILENT, Protocol, TerminalAnswers


@dataclass
class Answered(Message):
    """Message of the driver to the app: the terminal has answered a question."""

    text: str


class GlyphsChanged(Message, bubble=False):
    """Message to a screen, and to the mine on it: there are other glyphs to draw with."""


class CardColours(Enum):
    """Number of colours that drawn cards have."""

    MANY = auto()  # 256 colours
    TRUE = auto()
    TRUE_ON_LIGHT = auto()  # all colours, on a light screen


class Strokes(NamedTuple):
    """Characters for a stretch of tunnel."""

    across: str
    along: str
    joints: str  # middles of through cards, indexed by their open edges
    caps: str  # ends of a dead end's arms from north, east, south and west, short of the middle


class Border(NamedTuple):
    """Box: its corners, row by row from the upper left, and its sides."""

    corners: str
    across: str
    along: str

    def top(self, columns: int, title: str = "") -> str:
        return self.corners[0] + title.center(columns - 2, self.across) + self.corners[1]

    def bottom(self, columns: int) -> str:
        return self.corners[2] + self.across * (columns - 2) + self.corners[3]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Characters with which a terminal draws everything: tunnels, frames, signs and letters."""

    name: str
    reached: Strokes  # tunnels that the start reaches
    cut: Strokes  # tunnels that are cut off from it
    small_reached: Strokes  # `reached`, for tiles of one or two rows
    small_cut: Strokes
    stubs: str
    """Middles of small dead ends: open to neither north nor south, to north, to south, to both."""
    face_down: Border
    chosen_face_down: Border
    cursor: str  # corners of the tile under the cursor, row by row from the upper left
    empty: str
    along: str
    across: str
    foot: str  # joint where a vertical rule from above ends on a horizontal one
    rubble: str  # rubble in the moment of a rockfall, dense and thin
    is_painted: bool = False  # True if parts of the mine that are not drawn are painted
    cards: CardColours | None = None
    """Colours of the drawn cards of the mine, `None` where no cards are drawn."""
    blocks: BlockSet = BlockSet.QUADRANTS  # block characters of drawn cards
    has_pictures: bool = False
    """True if the cards are sent to the terminal as pictures, in any protocol."""
    has_halves: bool = True
    """True if there are blocks that fill half of a cell, for large letters and QR codes."""


_DOUBLE: Final = Strokes("═", "║", " ║═╚║║╔╠═╝═╩╗╣╦╬", "╨╞╥╡")
_HEAVY: Final = Strokes("━", "┃", " ┃━┗┃┃┏┣━┛━┻┓┫┳╋", "┸┝┰┥")
_SINGLE: Final = Strokes("─", "│", " │─└││┌├─┘─┴┐┤┬┼", "┴├┬┤")

BOX: Final = Glyphs(
    name="box",
    reached=_DOUBLE,
    cut=_SINGLE,
    small_reached=_DOUBLE,
    small_cut=_SINGLE,
    stubs="x╨╥X",
    face_down=Border("┌┐└┘", "─", "│"),
    chosen_face_down=Border("╔╗╚╝", "═", "║"),
    cursor="┌┐└┘",
    empty="·",
    along="│",
    across="─",
    foot="┴",
    rubble="▓░",
)
"""Box drawing: tunnels have two walls, those that are cut off one."""

CONSOLE: Final = replace(BOX, name="console", rubble="▒░", has_halves=False)
"""Glyphs for the Linux console: Debian's fonts for it have no half blocks, and only two shades."""

PAINTED: Final = replace(BOX, name="painted", small_reached=_HEAVY, stubs="x┸┰X", is_painted=True)
"""Box drawing around a painted mine, for guests whose terminals have 256 colours or more."""

DRAWN: Final = replace(PAINTED, name="drawn", cards=CardColours.TRUE)
"""Box drawing around a mine of drawn cards, for terminals with all colours."""

DRAWN_ON_LIGHT: Final = replace(DRAWN, name="drawn on light", cards=CardColours.TRUE_ON_LIGHT)
DRAWN_IN_256: Final = replace(DRAWN, name="drawn in 256", cards=CardColours.MANY)

PICTURED: Final = replace(DRAWN, name="pictured", has_pictures=True)
"""Box drawing around a mine of pictures, for terminals that show them."""

PICTURED_ON_LIGHT: Final = replace(DRAWN_ON_LIGHT, name="pictured on light", has_pictures=True)

ASCII: Final = Glyphs(
    name="ascii",
    has_halves=False,
    reached=Strokes("-", "|", " |-+||++-+-+++++", "| | "),
    cut=Strokes(".", ":", " :.+::++.+.+++++", ": : "),
    small_reached=Strokes("-", "|", " |-'||.+-'-'.+.+", "|-|-"),
    small_cut=Strokes("~", ":", " :~'::.+~'~'.+.+", ":~:~"),
    stubs="x^vX",
    face_down=Border("..''", "-", "|"),
    chosen_face_down=Border("####", "=", "#"),
    cursor="/\\\\/",
    empty=" ",
    along="|",
    across="-",
    foot="+",
    rubble="#:",
)
"""Characters of the plain interface, for terminals and locales limited to ASCII."""

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
BLUE_ORANGE: Final = replace(
    DARK,
    name="sabtui-blue-orange",
    secondary="#a9b8d6",
    warning="#ffe27a",
    error="#f58a3c",
    success="#6cb4ff",
)
"""Dark theme for people who cannot tell red from green. Panels colour players by it, too."""

TERMINAL: Final = "ansi-dark"
"""Textual's theme in the terminal's own sixteen colours, on its own background."""


def choose_glyphs(
    wanted: Art, theme: str, environ: Mapping[str, str], answers: TerminalAnswers = SILENT
) -> Glyphs:
    """Return the wanted glyphs, as far as locale, theme and terminal allow; `AUTO` is the best."""
    if wanted is Art.ASCII or (wanted is Art.AUTO and not is_unicode(environ)):
        return ASCII
    colours, is_light = find_colours(environ, answers), theme == LIGHT.name
    is_plain = wanted is Art.AUTO and theme == TERMINAL
    if wanted is Art.LINES or is_plain or colours <= Colours.FEW:
        return CONSOLE if environ.get("TERM") == "linux" else BOX
    is_kitty = answers.find_protocol(environ) is Protocol.KITTY and colours is Colours.ALL
    has_pictures = is_kitty or answers.find_protocol(environ) is Protocol.SIXEL
    if wanted is not Art.BLOCKS and has_pictures:
        return PICTURED_ON_LIGHT if is_light else PICTURED
    drawn = DRAWN_ON_LIGHT if is_light else DRAWN
    return _with_blocks(
        drawn if colours is Colours.ALL else DRAWN_IN_256, answers.find_blocks(environ)
    )


@cache
def _with_blocks(glyphs: Glyphs, blocks: BlockSet) -> Glyphs:
    """Return glyphs with other block characters; the same objects each time."""
    return glyphs if glyphs.blocks is blocks else replace(glyphs, blocks=blocks)


def choose_theme(
    wanted: Wanted, environ: Mapping[str, str], answers: TerminalAnswers = SILENT
) -> str:
    """Return the name of the theme, the terminal's own if there are no colours."""
    if (colours := find_colours(environ, answers)) is Colours.NONE:
        return TERMINAL
    match wanted:
        case Wanted.DARK:
            return DARK.name
        case Wanted.LIGHT:
            return LIGHT.name
        case Wanted.BLUE_ORANGE:
            return BLUE_ORANGE.name
        case Wanted.TERMINAL:
            return TERMINAL
        case Wanted.AUTO:
            if colours is Colours.FEW:
                return TERMINAL
            ground = environ.get("COLORFGBG", "").rpartition(";")[2]
            return LIGHT.name if ground in {"7", "15"} else DARK.name


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
    "0": ".#. #.# #.# #.# .#.",
    "1": ".#. ##. .#. .#. ###",
    "2": "###. ...# .##. #... ####",
    "3": "###. ...# .##. ...# ###.",
    "4": "#..# #..# #### ...# ...#",
    "5": "#### #... ###. ...# ###.",
    "6": ".##. #... ###. #..# .##.",
    "7": "#### ...# ..#. .#.. .#..",
    "8": ".##. #..# .##. #..# .##.",
    "9": ".##. #..# .### ...# .##.",
    "-": "... ... ### ... ...",
    "+": "... .#. ### .#. ...",
    ",": ".. .. .. .# #.",
    ":": ". # . # .",
    " ": ".. .. .. .. ..",
}
_HALVES: Final = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}


def drawable(text: str) -> str:
    """Return a text without accents, for `draw_large`; "" if a sign of it cannot be drawn."""
    split = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(sign for sign in split if not unicodedata.combining(sign))
    return kept if set(kept) <= _DOTS.keys() else ""


def spell_dots(text: str) -> list[str]:
    """Return a `drawable` text as five rows of dots, of which `#` are set."""
    letters = [_DOTS[letter].split() for letter in text]
    return [".".join(letter[row] for letter in letters) for row in range(5)]


def draw_large(text: str, glyphs: Glyphs) -> list[str]:
    """Return a `drawable` text in large letters: three lines, or five without half blocks."""
    rows = spell_dots(text)
    if not glyphs.has_halves:
        dot = "#" if glyphs is ASCII else _HALVES["##"]
        return [row.replace(".", " ").replace("#", dot).rstrip() for row in rows]
    rows.append("." * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[a + b] for a, b in zip(*pair, strict=True)).rstrip() for pair in pairs]


def draw_seats(players: int, seats: int, glyphs: Glyphs) -> str:
    """Return the seats of a table as dots, full ones for its players."""
    free, taken = ".o" if glyphs is ASCII else "○●"
    return taken * players + free * (seats - players)


def space_capitals(text: str) -> str:
    """Return a text in spaced capitals, where large letters do not fit."""
    return " ".join(text.upper())
