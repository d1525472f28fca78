"""Errors shown to the player: each is one translated sentence that says what to do.

Every start needs this module, so it must stay light.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable


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
