"""Errors shown to the player: each is one translated sentence that says what to do."""

from __future__ import annotations

import sys


class UserError(Exception):
    """A request failed; the text is a sentence for the player, in the player's language."""


def complain(problem: str) -> None:
    """Write a problem to standard error as one line, with unprintable characters escaped."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in problem)
    encoding = sys.stderr.encoding
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
