"""Asking the terminal what it can show, and reading its answers.

`questions_for` a terminal are written once, when the screen starts. Nobody waits: the table starts
in blocks, and each answer says what is best from then on. Name and version decide: some terminals
announce features that they show badly. The driver removes each sequence that `is_answer` from the
typed input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from sabtui.art.glyphs import BlockSet

if TYPE_CHECKING:
    from sabtui.art.store import Size

QUESTIONS: Final = "\x1b[>q\x1b[16t\x1b[c"
"""XTVERSION, a cell's size in pixels, and DA1.

DA1 comes last, as every terminal answers it: then no other answer is to come.
"""

GRAPHICS_QUESTION: Final = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c"
"""Question whether kitty's graphics come through, and DA1.

Only a terminal that says it has them is asked: others may write the question on the screen.
"""

REGISTERS: Final = 256
"""Colours that sixel pictures may have; xterm as a VT340 has 16 until it is asked for more."""

REGISTERS_WISH: Final = f"\x1b[?1;3;{REGISTERS}S\x1b[c"
"""Ask for this many sixel colours, which xterm answers with the number it then has, and DA1.

An xterm without sixel answers only with an error.
"""


class Protocol(StrEnum):
    """Ways to send a terminal pictures in pixels."""

    KITTY = "kitty"
    SIXEL = "sixel"


TerminalVersion = tuple[int, ...]

_WINDOWS: Final = "windows terminal"  # which is recognised by its environment

_KITTY_FROM: Final[dict[str, TerminalVersion]] = {"kitty": (0, 28), "ghostty": (1, 0)}
"""Terminals that show pictures as cells of text. Others know the protocol, but not these cells."""

_SIXEL_FROM: Final[dict[str, TerminalVersion]] = {
    "xterm": (359,),
    "foot": (1, 2),
    "wezterm": (20200620,),
    "iterm2": (3, 3),
    _WINDOWS: (),
}
"""Terminals that draw sixel well, if they also announce it in DA1, as Windows Terminal does since
it has it. Konsole 22.12 draws a column too many beside each picture; VS Code's cells may have
fractions of a pixel."""

_XTERM: Final = "xterm"  # terminal that is asked for more colours of sixel

_COLOURS_FROM: Final[dict[str, TerminalVersion]] = {_XTERM: (331,)}
"""Terminals that have 24-bit colour, but do not set `COLORTERM`."""

_OCTANTS_FROM: Final[dict[str, TerminalVersion]] = {
    "kitty": (0, 40),
    "ghostty": (1, 2),
    "foot": (1, 20),
    "vte": (0, 78),
}
_SEXTANTS_FROM: Final[dict[str, TerminalVersion]] = {
    "kitty": (0, 20),
    "ghostty": (1, 0),
    "foot": (1, 7),
    "vte": (0, 64),
    "wezterm": (20211204,),
    "contour": (0, 2),
}
"""Terminals that draw these characters themselves, whatever the font has."""

_SIXEL: Final = "4"  # what DA1 says about a terminal with sixel


@dataclass(frozen=True, slots=True)
class TerminalAnswers:
    """Answers of a terminal so far."""

    name: str = ""
    version: TerminalVersion = ()
    knows_kitty: bool = False
    knows_sixel: bool = False
    cell: Size | None = None
    """Width and height of a cell in pixels, if the terminal or the kernel gives them."""
    registers: int = 0
    """Number of sixel colours, if the terminal was asked for it."""

    def read(self, text: str) -> TerminalAnswers:
        """Add the answers found in a text; everything else in it is ignored."""
        found = self
        for match in _ANSWER.finditer(text):
            found = found._add(match)
        return found

    def _add(self, match: re.Match[str]) -> TerminalAnswers:
        match match.lastgroup:
            case "version":
                return replace(
                    self, name=_name(match["version"]), version=_numbers(match["version"])
                )
            case "graphics":
                return replace(self, knows_kitty=match["graphics"] == "OK")
            case "cell":
                height, width = (int(part) for part in match["cell"].split(";"))
                return replace(self, cell=(width, height) if width and height else self.cell)
            case "registers":
                _status, _semicolon, count = match["registers"].partition(";")
                return replace(self, registers=int(count or 0))
            case _:
                known = match["device"].split(";")[1:]
                return replace(self, knows_sixel=_SIXEL in known)

    def ask_further(self) -> str:
        """Return the follow-up questions for this terminal, "" for none."""
        if _Terminal(self.name, self.version).is_from(_KITTY_FROM):
            return GRAPHICS_QUESTION
        return REGISTERS_WISH if self.name == _XTERM else ""

    def find_protocol(self, environ: Mapping[str, str]) -> Protocol | None:
        """Return the way to send this terminal pictures, if it shows them well."""
        terminal = self._find_terminal(environ)
        if terminal.is_multiplexer:
            return None
        if self.knows_kitty and terminal.is_from(_KITTY_FROM):
            return Protocol.KITTY
        has_colours = self.registers >= REGISTERS or terminal.name != _XTERM
        if self.knows_sixel and has_colours and self.cell and terminal.is_from(_SIXEL_FROM):
            return Protocol.SIXEL
        return None

    def has_all_colours(self, environ: Mapping[str, str]) -> bool:
        """Return True if this terminal is known to have 24-bit colour; all that draw sixel do."""
        if self._find_terminal(environ).is_from(_COLOURS_FROM):
            return True
        return self.find_protocol(environ) is Protocol.SIXEL

    def find_blocks(self, environ: Mapping[str, str]) -> BlockSet:
        """Return the finest block characters that this terminal draws itself."""
        if environ.get("TERM") == "linux":
            return BlockSet.HALVES  # its fonts have at most 512 characters, and no other blocks
        terminal = self._find_terminal(environ)
        if terminal.is_multiplexer:
            return BlockSet.QUADRANTS
        if terminal.is_from(_OCTANTS_FROM):
            return BlockSet.OCTANTS
        return BlockSet.SEXTANTS if terminal.is_from(_SEXTANTS_FROM) else BlockSet.QUADRANTS

    def _find_terminal(self, environ: Mapping[str, str]) -> _Terminal:
        """Return the terminal by its own answer; Windows Terminal gives none."""
        if _is_multiplexed(environ):
            return _Terminal("tmux", ())
        is_windows = not self.name and "WT_SESSION" in environ
        return _Terminal(_WINDOWS if is_windows else self.name, self.version)


SILENT: Final = TerminalAnswers()  # answers of a terminal that has given none


def is_gnu_screen(environ: Mapping[str, str]) -> bool:
    """Return True in GNU screen, whose programs also get the environment of its own terminal."""
    term = environ.get("TERM", "")
    is_named = term.startswith("screen") and "TMUX" not in environ
    return is_named or ("STY" in environ and not term.startswith("tmux"))


def _is_multiplexed(environ: Mapping[str, str]) -> bool:
    is_tmux = "TMUX" in environ or environ.get("TERM", "").startswith("tmux")
    return is_tmux or is_gnu_screen(environ)


def questions_for(environ: Mapping[str, str]) -> str:
    """Return the first questions for a terminal, "" where no answer would change anything."""
    is_known = _is_multiplexed(environ) or environ.get("TERM") in {"linux", "dumb"}
    return "" if is_known else QUESTIONS


def is_answer(sequence: str) -> bool:
    """Return True if a whole sequence answers one of our questions."""
    return _ANSWER.fullmatch(sequence) is not None


def divide_window(cells: Size, pixels: Size) -> Size | None:
    """Return a cell's size in pixels, by the window's two sizes; `None` where they are unknown."""
    columns, rows = cells
    width, height = pixels
    if not columns or not rows or width < columns or height < rows:
        return None
    return width // columns, height // rows


class _Terminal(NamedTuple):
    """A terminal's name, in lower case, and version, () if unknown."""

    name: str
    version: TerminalVersion

    @property
    def is_multiplexer(self) -> bool:
        """True for programs that pass pictures on badly or not at all."""
        return self.name in {"tmux", "screen", "zellij"}

    def is_from(self, versions: Mapping[str, TerminalVersion]) -> bool:
        """Return True for a terminal in this list, of the version there or a later one."""
        return self.name in versions and self.version >= versions[self.name]


_ANSWER: Final = re.compile(
    r"\x1bP>\|(?P<version>[^\x1b\x07]{0,80})\x1b\\"
    r"|\x1b_Gi=31;(?P<graphics>[^\x1b]{0,80})\x1b\\"
    r"|\x1b\[6;(?P<cell>\d{1,4};\d{1,4})t"
    r"|\x1b\[\?1;(?P<registers>\d(?:;\d{1,6})?)S"
    r"|\x1b\[\?(?P<device>[\d;]{1,80})c"
)


def _name(version: str) -> str:
    """Return a terminal's name in lower case, from `kitty(0.40.1)` or `foot 1.20.0`."""
    return re.split(r"[( ]+v?\d|\(", version.strip().casefold(), maxsplit=1)[0].strip()


def _numbers(version: str) -> TerminalVersion:
    """Return the first version number in a text. VTE writes 0.78.1 as 7801."""
    found = re.search(r"(?<![\w.])v?(\d+(?:\.\d+)*)|\((\d+(?:\.\d+)*)", version)
    if not found:
        return ()
    parts = tuple(int(part) for part in (found[1] or found[2]).split("."))
    if _name(version) == "vte" and len(parts) == 1:
        return (parts[0] // 10_000, parts[0] // 100 % 100, parts[0] % 100)
    return parts
