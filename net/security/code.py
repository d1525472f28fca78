"""The room code: two words that let a player join a table, easy to say aloud and to type.

The same words serve to compare what two programs have seen (`words_to_compare`).

The words (words.txt) are our own: short and distinct in sound; none begins another, and none is one
typing slip from another. So a slip can be corrected without asking, and a missing space does no
harm. Two different words are 20 bits: nothing against an offline search by a computer, enough at a
thousand guesses an hour (`net.security.guess_limiter`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import pbkdf2_hmac
from random import Random, SystemRandom
from typing import Final


class BadCodeReason(StrEnum):
    """Reason for which typed text is not a room code."""

    NOT_TWO_WORDS = "not two words"
    UNKNOWN_WORD = "unknown word"


class BadCode(ValueError):
    """Raised for text that is not a room code.

    `word` is the word that is not in the list, or the whole text if it is not two words.
    """

    def __init__(self, why: BadCodeReason, word: str) -> None:
        super().__init__(why, word)
        self.why = why
        self.word = word

    def __str__(self) -> str:
        return f"{self.why}: {self.word!r}"


@dataclass(frozen=True, slots=True, repr=False)
class RoomCode:
    """Two words of the list. Only str() shows them, so that no log, repr or traceback does."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"

    def __repr__(self) -> str:
        return "RoomCode(...)"

    @classmethod
    def new(cls) -> RoomCode:
        """Draw a code, two different words, from the system's randomness."""
        return cls._drawn(SystemRandom())

    @classmethod
    def of_seed(cls, seed: bytes) -> RoomCode:
        """Draw a code, two different words, from a seed that came from the system's randomness."""
        return cls._drawn(Random(seed))

    @classmethod
    def _drawn(cls, chance: Random) -> RoomCode:
        first, second = chance.sample(words(), 2)
        return cls(first, second)

    @classmethod
    def parse(cls, text: str) -> RoomCode:
        """Parse a code as people type it: any case, any separator or none, a slip in each word.

        Raises:
            BadCode: the text is not two words, or a word is neither in the list nor one slip from
                exactly one word that is.
        """
        plain = unicodedata.normalize("NFKC", text).casefold().strip()
        typed = re.findall(r"[^\W_]+", plain)
        if len(typed) == 1:
            typed = _split(typed[0])
        if len(typed) != 2:
            raise BadCode(BadCodeReason.NOT_TWO_WORDS, plain)
        first, second = (_corrected(word) for word in typed)
        return cls(first, second)


WORDS_ITERATIONS: Final = 100_000
"""Iterations of PBKDF2 for words to compare: about 50 ms for each past that somebody tries out."""


def words_to_compare(running: bytes) -> tuple[str, str]:
    """Return two words made of a running hash, for people to compare aloud.

    People who saw different pasts have the same words once in a million times. A host that tells
    two stories would have to try about a million endings of one of them to find those words; so the
    words are made slowly, and the end of a round leaves it no time.
    """
    made = pbkdf2_hmac("sha256", running, b"sabtui words 1", WORDS_ITERATIONS, 8)
    first, second = (int.from_bytes(half, "big") for half in (made[:4], made[4:]))
    return words()[first % len(words())], words()[second % len(words())]


@cache
def words() -> tuple[str, ...]:
    """Return all words of the list, in alphabetical order."""
    from importlib.resources import files  # noqa: PLC0415 - 4 ms, and lists of games need no words

    return tuple((files("net.security") / "words.txt").read_text(encoding="ascii").split())


def _split(typed: str) -> list[str]:
    """Split two words that were typed as one; no word of the list begins another."""
    for word in words():
        if typed.startswith(word) and len(typed) > len(word):
            return [word, typed[len(word) :]]
    return [typed]


def _corrected(typed: str) -> str:
    if typed in words():
        return typed
    near = [word for word in words() if is_slip(typed, word)]
    if len(near) != 1:
        raise BadCode(BadCodeReason.UNKNOWN_WORD, typed)
    return near[0]


def is_slip(typed: str, meant: str) -> bool:
    """Return True if one added, missing, wrong or swapped key turns `meant` into `typed`."""
    shorter, longer = sorted((typed, meant), key=len)
    if len(longer) - len(shorter) > 1:
        return False
    start = next(
        (i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter)
    )
    if len(shorter) < len(longer):
        return shorter[start:] == longer[start + 1 :]
    swapped = longer[start : start + 2][::-1] + longer[start + 2 :]
    return shorter[start + 1 :] == longer[start + 1 :] or shorter[start:] == swapped
