"""Facts about the terminal: its size, colours and characters, and whether it can show screens.

Everything asks here, so that the answers agree. Every start needs this module, so it must stay
light.
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TextIO

from sabtui.art.terminal import SILENT, TerminalAnswers, is_gnu_screen
from sabtui.text.i18n import _, lazy

USUAL_SIZE: Final = (80, 24)
"""Columns and rows of a terminal that reports no size, or an impossible one."""

MAX_SIDE: Final = 2000  # maximum columns or rows of a credible size

UNABLE_TERMINALS: Final = frozenset(("dumb", "unknown"))
"""Values of TERM that name a terminal without a movable cursor."""

_RICH_TERMS: Final = ("256color", "-direct", "kitty", "ghostty")
"""Endings of TERM for terminals with at least 256 colours."""

_POOR_TERMS: Final = ("linux", "vt", "ansi", "cons25", "eterm", "xterm-color", "xterm-16color")
"""Beginnings of TERM for terminals that have sixteen colours, whatever `COLORTERM` says."""

_APPLE_IN_ALL_COLOURS: Final = 464
"""First version of Apple's Terminal with all colours, in macOS 26."""


class Colours(IntEnum):
    """Numbers of colours that terminals have."""

    NONE = 0  # the user wants none
    FEW = 16
    MANY = 256
    ALL = 1 << 24


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal, as far as its environment, its streams and its answers describe it."""

    term: str  # its name in TERM
    size: tuple[int, int]  # columns and rows
    colours: Colours
    no_screen: str  # sentence that says why no screen can be shown, "" if screens can


def find_terminal(environ: Mapping[str, str]) -> Terminal:
    return Terminal(
        environ.get("TERM", ""), find_size(environ), find_colours(environ), why_no_screen(environ)
    )


def sane_size(columns: int, rows: int) -> tuple[int, int]:
    """Return columns and rows, the usual ones for zeros, which mean unknown (RFC 4254, 6.2)."""
    return (columns, rows) if _is_sane(columns, rows) else USUAL_SIZE


def _is_sane(columns: int, rows: int) -> bool:
    return 0 < columns <= MAX_SIDE and 0 < rows <= MAX_SIDE


def kernel_size() -> tuple[int, int]:
    """Return columns and rows of standard output's window as the kernel has them, else zeros."""
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ is not None else -1)
    except (OSError, ValueError):  # it is not a terminal, or not even a file
        return 0, 0


def find_size(environ: Mapping[str, str]) -> tuple[int, int]:
    """Return the terminal's size now in columns and rows.

    `COLUMNS` and `LINES`, which do not follow the window, are used only if the kernel knows no
    size.
    """
    size = kernel_size()
    if _is_sane(*size):
        return size
    asked = (environ.get(name, "") for name in ("COLUMNS", "LINES"))
    sides = zip(asked, USUAL_SIZE, strict=True)
    columns, rows = (
        int(text) if text.isdecimal() and len(text) < 5 else usual for text, usual in sides
    )
    return sane_size(columns, rows)


def find_colours(environ: Mapping[str, str], answers: TerminalAnswers = SILENT) -> Colours:
    """Return how many colours the terminal has; as for Textual, even an empty `NO_COLOR` counts."""
    term = environ.get("TERM", "")
    if "NO_COLOR" in environ:
        return Colours.NONE
    # A terminal or a shell that runs inside another terminal may have inherited `COLORTERM`.
    shows_less = is_gnu_screen(environ) or term.startswith(_POOR_TERMS)
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        version = environ.get("TERM_PROGRAM_VERSION", "").partition(".")[0]
        shows_less |= version.rjust(4) < f"{_APPLE_IN_ALL_COLOURS:4}"
    if not shows_less and environ.get("COLORTERM") in {"truecolor", "24bit"}:
        return Colours.ALL
    if answers.has_all_colours(environ):
        return Colours.ALL
    return Colours.MANY if os.name == "nt" or term.endswith(_RICH_TERMS) else Colours.FEW


def is_unicode(environ: Mapping[str, str]) -> bool:
    """Return True if box drawing can be shown, by the locale and standard output's encoding."""
    if environ.get("TERM") == "dumb" or not _is_utf8(_encoding(sys.__stdout__)):
        return False
    names = (environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((name for name in names if name), "")
    return not locale or _is_utf8(locale)


def _is_utf8(name: str) -> bool:
    return name.lower().replace("-", "").endswith("utf8")


def _encoding(stream: TextIO | None) -> str:
    return stream.encoding if stream is not None and stream.encoding else "utf-8"


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def why_no_screen(environ: Mapping[str, str]) -> str:
    """Explain why no screen can be shown; "" if screens can."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.__stdout__)):
        return _("Input or output is not a terminal: no screen can be drawn.")
    term = environ.get("TERM", "")
    if term not in UNABLE_TERMINALS and (term or os.name == "nt"):  # Windows names no terminal
        return ""
    return _("TERM is {term}: no screen can be drawn.").format(term=term or '""')


plays_in_lines: Final = lazy("Playing in lines of text, as with --plain.")


def prepare_streams() -> None:
    """Open each standard stream that was closed at the start, without input or readers.

    Otherwise a file that is opened later would get its number, and Python has `None` in its place.
    Text need not fit the output's encoding.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            file = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(file, True)  # noqa: FBT003 - programs that we start have it, too
            how = "w" if number else "r"
            stream = open(file, how, encoding="utf-8", closefd=False)  # noqa: SIM115 - until the end
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def suspend_job() -> None:
    """Suspend our whole process group: the shell waits until every process of the job has stopped.

    If no shell can resume us, as in `ssh -t host sabtui`, the system does not stop us.
    """
    if sys.platform != "win32":
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)


def end_with_terminal() -> None:
    """Wait until the terminal hangs up, then send ourselves the signal for that.

    The system sends it only to processes that the terminal controls. Any other program keeps
    reading the end of input, and Textual does so on a whole core.
    """
    if sys.platform != "win32" and sys.stdin.isatty():
        terminal = select.poll()
        terminal.register(sys.stdin, 0)  # hang-ups and errors are reported in any case
        if any(flags & (select.POLLHUP | select.POLLERR) for _, flags in terminal.poll()):
            os.kill(os.getpid(), signal.SIGHUP)
