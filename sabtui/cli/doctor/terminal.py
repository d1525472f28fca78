"""Checks of the terminal (size, colours, glyph width) and of the system (Python, locale)."""

from __future__ import annotations

import locale
import os
import platform
import re
import select
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import sabtui
from sabtui.app.terminal import Colours, Terminal, find_terminal, no_screen
from sabtui.art.terminal import SILENT, TerminalAnswers, questions_for
from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.text.i18n import _

if TYPE_CHECKING:
    from sabtui.art.store import Size

MIN_SIZE: Final = (60, 18)
"""Smallest supported size of the full-screen interface, in columns and rows."""
GLYPHS: Final = "═║╔╗╚╝╠╣╦╩╬─│┌┐└┘·█▀▄"
"""Samples of the box-drawing and block characters that the screens use."""

REPLY_TIMEOUT_S: Final = 0.6  # seconds that a terminal may take to report its cursor position

_POSITION: Final = re.compile(r"\x1b\[\d+;(\d+)R")
"""Cursor position report of a terminal, with its column, from 1."""


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """Facts about the terminal, its answers, and the width of our glyphs on it."""

    terminal: Terminal
    answers: TerminalAnswers = SILENT
    glyph_columns: int | None = None
    """Width of GLYPHS in columns, `None` if the terminal does not report it."""


def look_at_terminal(environ: Mapping[str, str]) -> TerminalFacts:
    """Collect facts about the terminal, and measure our glyphs on it."""
    silent = find_terminal(environ)
    if silent.no_screen is not None:
        return TerminalFacts(silent)
    columns, answers = _measure(GLYPHS), ask_terminal(environ)
    return TerminalFacts(find_terminal(environ, answers), answers, columns)


def terminal_findings(facts: TerminalFacts) -> list[Finding]:
    """Return the findings for these facts."""
    if (why := facts.terminal.no_screen) is not None:
        text = no_screen(why, facts.terminal.term)
        return [
            Finding(
                Severity.WARNING,
                text,
                _("Without a screen, Sabtui plays in lines of text, as with --plain."),
            )
        ]
    return [_size(facts.terminal), *_colours(facts.terminal), *_glyphs(facts)]


def _size(terminal: Terminal) -> Finding:
    columns, rows = terminal.size
    size = f"{columns}x{rows}"
    if columns < MIN_SIZE[0] or rows < MIN_SIZE[1]:
        text = _("The terminal has {size}: make it at least 60x18, or play with --plain.")
        return Finding(Severity.ERROR, text.format(size=size))
    return Finding(Severity.OK, size)


def _colours(terminal: Terminal) -> list[Finding]:
    if terminal.colours is not Colours.FEW:
        return []
    text = _("TERM={term} means sixteen colours. If yours has more, set TERM=xterm-256color.")
    return [Finding(Severity.WARNING, text.format(term=terminal.term))]


def _glyphs(facts: TerminalFacts) -> list[Finding]:
    if facts.glyph_columns == len(GLYPHS):
        return []
    text = _("Do these join up: ╔═╦═╗ ? If not, play with --ascii, or set Cards to ASCII.")
    return [Finding(Severity.WARNING, text)]


def _measure(text: str) -> int | None:
    """Return a text's width in columns: write it, ask for the cursor's position, erase it."""
    found = _POSITION.search(
        converse(f"\r{text}\x1b[6n", lambda heard: bool(_POSITION.search(heard)))
    )
    sys.stdout.write("\r\x1b[K")
    sys.stdout.flush()
    return None if found is None else int(found[1]) - 1


def ask_terminal(environ: Mapping[str, str]) -> TerminalAnswers:
    """Return what the terminal answers about pictures, as far as it does so in time."""
    answers = TerminalAnswers(cell=_divide_window())
    if questions := questions_for(environ):
        answers = answers.read(converse(questions, lambda heard: SILENT.read(heard).is_done))
    if further := answers.ask_further():
        answers = answers.read(converse(further, lambda heard: SILENT.read(heard).is_done))
    return answers


if sys.platform == "win32":

    def converse(_questions: str, _is_done: Callable[[str], bool]) -> str:
        """Return nothing: a Windows console is not asked."""
        return ""

    def _divide_window() -> Size | None:
        """Return `None`: a Windows console tells no pixels."""
        return None

else:
    import termios
    import tty

    from sabtui.tui.driver import read_cell

    def converse(questions: str, is_done: Callable[[str], bool]) -> str:
        """Write questions to the terminal; return its answers, as far as they come in time."""
        stdin = sys.stdin.fileno()
        before = termios.tcgetattr(stdin)
        heard, until = "", time.monotonic() + REPLY_TIMEOUT_S
        try:
            tty.setcbreak(stdin)
            sys.stdout.write(questions)
            sys.stdout.flush()
            while (left := until - time.monotonic()) > 0 and not is_done(heard):
                ready, _write, _error = select.select([stdin], [], [], left)
                heard += os.read(stdin, 4096).decode(errors="replace") if ready else ""
        except (UnicodeEncodeError, OSError):
            return ""
        finally:
            termios.tcsetattr(stdin, termios.TCSADRAIN, before)
        return heard

    def _divide_window() -> Size | None:
        """Return a cell's size in pixels, where the kernel knows that of the window."""
        return read_cell(sys.stdout.fileno())


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
    versions = f"Sabtui {sabtui.__version__}, Python {python}, {facts.name}"
    return [Finding(Severity.OK, versions), *_encoding(facts)]


def _encoding(facts: SystemFacts) -> list[Finding]:
    if facts.encoding.lower().replace("-", "") == facts.output.lower().replace("-", "") == "utf8":
        return []
    text = _("Locale {locale}, output {output}: names may show as ?. Set LANG to a UTF-8 locale.")
    return [Finding(Severity.WARNING, text.format(locale=facts.encoding, output=facts.output))]
