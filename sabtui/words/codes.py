"""What is wrong with a room code as it was typed. Knows no code."""

from __future__ import annotations

from typing import assert_never

from net.secure.code import BadCode, BadCodeReason
from sabtui.words.tongue import _


def bad_code(bad: BadCode) -> str:
    """Say what is wrong, and what a code looks like."""
    match bad.why:
        case BadCodeReason.NOT_TWO_WORDS:
            return _("{typed!r} is no room code: it is two words, as in amber-tulip").format(
                typed=bad.word[:40]
            )
        case BadCodeReason.UNKNOWN_WORD:
            return _("{word!r} is in no room code: look at it again").format(word=bad.word[:40])
        case _:
            assert_never(bad.why)
