"""What a player's wish can come to grief on: one sentence that says what to do."""

from __future__ import annotations

import sys


class UserError(Exception):
    """A wish cannot be fulfilled; its text is the sentence for the player, in their language."""


def complain(problem: str) -> None:
    """Say in one line on standard error what is wrong, whatever it quotes."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in problem)
    encoding = sys.stderr.encoding
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
