"""Checks of the terminal (size, colours, glyph width) and of the system (Python, locale)."""

from __future__ import annotations

import locale
import os
import platform
import re
import select
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import sabtui
from sabtui.app.errors import NoScreen, no_screen, why_no_screen
from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.text.i18n import _, pgettext

MIN_SIZE: Final = (60, 18)
"""Smallest supported size of the full-screen interface, in columns and rows."""
USUAL_SIZE: Final = (80, 24)
"""Size in columns and rows from which the mine is drawn with large tiles."""
GLYPHS: Final = "═║╔╗╚╝╠╣╦╩╬─│┌┐└┘·█▀▄"
"""Samples of the box-drawing and block characters that the screens use."""

REPLY_TIMEOUT_S: Final = 0.6
"""Seconds that a terminal may take to report its cursor position."""

_POSITION: Final = re.compile(rb"\x1b\[(\d+);(\d+)R")
"""Cursor position report of a terminal: row and column, from 1."""


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """Facts about the terminal. `no_screen` is why screens cannot be shown, `None` if they can.

    `glyph_columns` is the width of GLYPHS in columns, `None` if the terminal does not report it.
    """

    no_screen: NoScreen | None
    columns: int
    rows: int
    term: str
    colour_term: str
    no_colour: bool
    glyph_columns: int | None = None


def look_at_terminal(environ: Mapping[str, str]) -> TerminalFacts:
    """Collect facts about the terminal, and measure our glyphs on it."""
    reason = why_no_screen(environ)
    columns, rows = shutil.get_terminal_size()
    return TerminalFacts(
        reason,
        columns,
        rows,
        environ.get("TERM", ""),
        environ.get("COLORTERM", ""),
        "NO_COLOR" in environ,
        None if reason is not None else _measure(GLYPHS),
    )


def terminal_findings(facts: TerminalFacts) -> list[Finding]:
    """Return the findings for these facts."""
    if facts.no_screen is not None:
        text = no_screen(facts.no_screen, facts.term)
        return [
            Finding(
                Severity.WARNING,
                text,
                _("Without a screen, Sabtui plays in lines of text, as with --plain."),
            )
        ]
    return [_size(facts), *_colours(facts), *_glyphs(facts)]


def _size(facts: TerminalFacts) -> Finding:
    text = _("Terminal of {columns}x{rows}.").format(columns=facts.columns, rows=facts.rows)
    if facts.columns < MIN_SIZE[0] or facts.rows < MIN_SIZE[1]:
        return Finding(Severity.ERROR, text, _("Make it at least 60x18, or play with --plain."))
    if facts.columns < USUAL_SIZE[0] or facts.rows < USUAL_SIZE[1]:
        return Finding(Severity.WARNING, text, _("From 80x24 on, the mine is drawn larger."))
    return Finding(Severity.OK, text)


def _colours(facts: TerminalFacts) -> list[Finding]:
    has_more = facts.colour_term in {"truecolor", "24bit"} or facts.term.endswith("256color")
    if facts.no_colour or has_more or os.name == "nt":
        return []
    # Translators: a terminal without a name.
    named = facts.term or pgettext("terminal", "none")
    text = _("Sixteen colours (TERM={term}).").format(term=named)
    advice = _("Set TERM=xterm-256color if your terminal has more.")
    return [Finding(Severity.WARNING, text, advice)]


def _glyphs(facts: TerminalFacts) -> list[Finding]:
    if facts.glyph_columns is None:
        text = _("The terminal does not say how wide box drawing is. Do these join up: ╔═╦═╗ ?")
        return [Finding(Severity.WARNING, text, _("If they do not, play with --ascii."))]
    if facts.glyph_columns == len(GLYPHS):
        return []
    text = _("Box drawing takes {columns} columns for {count} characters.")
    text = text.format(columns=facts.glyph_columns, count=len(GLYPHS))
    return [Finding(Severity.WARNING, text, _("Play with --ascii, or set Cards to ASCII."))]


if sys.platform == "win32":

    def _measure(_text: str) -> int | None:
        """Return `None`: a Windows console is not asked."""
        return None

else:
    import termios
    import tty

    def _measure(text: str) -> int | None:
        """Return a text's width in columns: write it, ask for the cursor's position, erase it."""
        stdin = sys.stdin.fileno()
        before = termios.tcgetattr(stdin)
        try:
            tty.setcbreak(stdin)
            sys.stdout.write(f"\r{text}\x1b[6n")
            sys.stdout.flush()
            answer = _answer(stdin)
        except (UnicodeEncodeError, OSError):
            return None
        finally:
            termios.tcsetattr(stdin, termios.TCSADRAIN, before)
            sys.stdout.write("\r\x1b[K")
            sys.stdout.flush()
        return None if answer is None else answer - 1


def _answer(stdin: int) -> int | None:
    """Return the column that the terminal reports, `None` if it does not answer in time."""
    heard, until = b"", time.monotonic() + REPLY_TIMEOUT_S
    while (left := until - time.monotonic()) > 0:
        ready, _write, _error = select.select([stdin], [], [], left)
        if not ready:
            return None
        heard += os.read(stdin, 64)
        found = _POSITION.search(heard)
        if found is not None:
            return int(found[2])
    return None


MIN_PYTHON: Final = (3, 11)
"""Oldest supported Python version."""


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """Facts about the system: its name, Python's version, and encodings of locale and output."""

    name: str
    python: tuple[int, ...]
    encoding: str
    output: str


def look_at_system() -> SystemFacts:
    """Collect facts about the system."""
    return SystemFacts(
        platform.system() or sys.platform,
        tuple(sys.version_info[:3]),
        locale.getpreferredencoding(do_setlocale=False),
        sys.stdout.encoding,
    )


def system_findings(facts: SystemFacts) -> list[Finding]:
    """Return the findings for these facts."""
    python = ".".join(map(str, facts.python))
    text = _("Sabtui {version}, Python {python}, {system}.").format(
        version=sabtui.__version__, python=python, system=facts.name
    )
    first = Finding(Severity.OK, text)
    if facts.python[:2] < MIN_PYTHON:
        first = Finding(Severity.ERROR, text, _("Sabtui needs Python 3.11 or newer."))
    return [first, *_encoding(facts)]


def _encoding(facts: SystemFacts) -> list[Finding]:
    if facts.encoding.lower().replace("-", "") == facts.output.lower().replace("-", "") == "utf8":
        return []
    text = _("The locale is {locale}, output {output}, not UTF-8.")
    text = text.format(locale=facts.encoding, output=facts.output)
    advice = _("Names may show as ?; set LANG to a UTF-8 locale.")
    return [Finding(Severity.WARNING, text, advice)]
