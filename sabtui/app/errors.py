"""Errors shown to the player: each is one translated sentence that says what to do.

Among them is the reason why a terminal cannot show the screens: the start of the program and
`sabtui doctor` ask the same function, so that they agree. Every start needs this module, so it must
stay light.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Final, assert_never

from sabtui.text.i18n import _


class UserError(Exception):
    """A request failed; the text is a sentence for the player, in the player's language."""


class UsageError(UserError):
    """Wrong usage: what was typed is wrong in itself, whatever tables and files there are."""


def escape(text: str, encoding: str | None) -> str:
    """Return a text with escapes for control characters, and for what an encoding lacks."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    known = encoding or "utf-8"  # a stream that is no file has none
    return shown.encode(known, "backslashreplace").decode(known)


def print_lines(lines: Iterable[str]) -> int:
    """Print the output of a command, with unprintable characters escaped; return 0, its code."""
    for line in lines:
        print(escape(line, sys.stdout.encoding))  # noqa: T201 - what commands are for
    return 0


def complain(problem: str) -> None:
    """Write a problem to standard error as one line, with unprintable characters escaped."""
    sys.stderr.write(escape(problem, sys.stderr.encoding) + "\n")


UNABLE_TERMINALS: Final = frozenset(("dumb", "unknown"))
"""Values of TERM that name a terminal without a movable cursor."""


class NoScreen(Enum):
    """Reasons for which no screen can be shown."""

    INPUT = auto()  # keys cannot be read one by one
    OUTPUT = auto()
    UNABLE = auto()  # TERM names a terminal without cursor movement
    NAMELESS = auto()  # TERM is not set, so the terminal's abilities are unknown


def why_no_screen(environ: Mapping[str, str]) -> NoScreen | None:
    """Return the reason why the standard streams can show no screen, `None` if they can."""
    if not sys.stdin.isatty():
        return NoScreen.INPUT
    if not sys.stdout.isatty():
        return NoScreen.OUTPUT
    return why_unable(environ.get("TERM", ""), has_names=os.name != "nt")


def why_unable(term: str, *, has_names: bool) -> NoScreen | None:
    """Return the reason why a terminal of this name can show no screen, `None` if it can.

    `has_names` is False on systems that do not name their terminals in TERM (Windows).
    """
    if term in UNABLE_TERMINALS:
        return NoScreen.UNABLE
    return NoScreen.NAMELESS if has_names and not term else None


def no_screen(why: NoScreen, term: str) -> str:
    """Return the sentence that says why no screen is shown."""
    match why:
        case NoScreen.INPUT:
            return _("Input is not a terminal: no keys can be read.")
        case NoScreen.OUTPUT:
            return _("Output is not a terminal: no screen can be drawn.")
        case NoScreen.UNABLE | NoScreen.NAMELESS:
            return _("TERM is {term}: no screen can be drawn.").format(term=term or '""')
        case _:
            assert_never(why)
