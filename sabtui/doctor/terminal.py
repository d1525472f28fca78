"""The terminal: how large, how many colours, and whether its glyphs are as wide as we think."""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sabtui.doctor.findings import Finding, Grade
from sabtui.terminal import NoScreen, no_screen, why_no_screen
from sabtui.words.tongue import _, pgettext

SMALLEST: Final = (60, 18)
USUAL: Final = (80, 24)
GLYPHS: Final = "═║╔╗╚╝╠╣╦╩╬─│┌┐└┘·█▀▄"
"""Some of all kinds that are drawn with box drawing."""

PATIENCE: Final = 0.6
"""Seconds that a terminal is given to answer."""

_POSITION: Final = re.compile(rb"\x1b\[(\d+);(\d+)R")


@dataclass(frozen=True, slots=True)
class Terminal:
    """What was found. `no_screen` is why the screens cannot be shown there, `None` if they can.

    `glyph_columns` is how wide GLYPHS are there, `None` if it does not tell.
    """

    no_screen: NoScreen | None
    columns: int
    rows: int
    term: str
    colour_term: str
    no_colour: bool
    glyph_columns: int | None = None


def look_at_terminal(environ: Mapping[str, str]) -> Terminal:
    """Look at the terminal, and ask it how wide our glyphs are."""
    lacking = why_no_screen(environ)
    columns, rows = shutil.get_terminal_size()
    return Terminal(
        lacking,
        columns,
        rows,
        environ.get("TERM", ""),
        environ.get("COLORTERM", ""),
        "NO_COLOR" in environ,
        None if lacking is not None else _measure(GLYPHS),
    )


def terminal_findings(seen: Terminal) -> list[Finding]:
    """Say what was found."""
    if seen.no_screen is not None:
        told = no_screen(seen.no_screen, seen.term)
        return [Finding(Grade.NOTE, told, _("Sabtui plays in lines there, as with --plain."))]
    return [_size(seen), _colours(seen), _glyphs(seen)]


def _size(seen: Terminal) -> Finding:
    told = _("Terminal of {columns}x{rows}.").format(columns=seen.columns, rows=seen.rows)
    if seen.columns < SMALLEST[0] or seen.rows < SMALLEST[1]:
        return Finding(Grade.STOP, told, _("Make it 60x18 at least, or play with --plain."))
    if seen.columns < USUAL[0] or seen.rows < USUAL[1]:
        return Finding(Grade.NOTE, told, _("From 80x24 on the mine is drawn larger."))
    return Finding(Grade.FINE, told)


def _colours(seen: Terminal) -> Finding:
    # Translators: a terminal without a name.
    named = seen.term or pgettext("terminal", "none")
    if seen.no_colour:
        return Finding(Grade.FINE, _("No colours, as NO_COLOR asks. All signs are seen without."))
    if seen.colour_term in {"truecolor", "24bit"}:
        return Finding(Grade.FINE, _("All colours (TERM={term}).").format(term=named))
    if seen.term.endswith("256color"):
        return Finding(Grade.FINE, _("256 colours (TERM={term}).").format(term=named))
    if os.name == "nt":
        return Finding(Grade.FINE, _("Colours as Windows has them."))
    told = _("Sixteen colours (TERM={term}).").format(term=named)
    return Finding(Grade.NOTE, told, _("Set TERM=xterm-256color if yours has more."))


def _glyphs(seen: Terminal) -> Finding:
    if seen.glyph_columns is None:
        told = _("The terminal does not tell how wide box drawing is. Do these join: ╔═╦═╗ ?")
        return Finding(Grade.NOTE, told, _("If not, play with --ascii."))
    if seen.glyph_columns == len(GLYPHS):
        return Finding(Grade.FINE, _("Box drawing is as wide as it should be."))
    told = _("Box drawing takes {columns} columns for {count} signs.")
    told = told.format(columns=seen.glyph_columns, count=len(GLYPHS))
    return Finding(Grade.NOTE, told, _("Play with --ascii, or set Lines to ASCII."))


if sys.platform == "win32":

    def _measure(_text: str) -> int | None:
        """How many columns a text takes: a Windows console is not asked."""
        return None

else:
    import termios
    import tty

    def _measure(text: str) -> int | None:
        """How many columns a text takes: write it, ask where the cursor is, and wipe it out."""
        inlet = sys.stdin.fileno()
        before = termios.tcgetattr(inlet)
        try:
            tty.setcbreak(inlet)
            sys.stdout.write(f"\r{text}\x1b[6n")
            sys.stdout.flush()
            answer = _answer(inlet)
        except (UnicodeEncodeError, OSError):
            return None
        finally:
            termios.tcsetattr(inlet, termios.TCSADRAIN, before)
            sys.stdout.write("\r\x1b[K")
            sys.stdout.flush()
        return None if answer is None else answer - 1


def _answer(inlet: int) -> int | None:
    """The column that the terminal tells, `None` if it stays silent."""
    heard, until = b"", time.monotonic() + PATIENCE
    while (left := until - time.monotonic()) > 0:
        ready, _write, _error = select.select([inlet], [], [], left)
        if not ready:
            return None
        heard += os.read(inlet, 64)
        found = _POSITION.search(heard)
        if found is not None:
            return int(found[2])
    return None
