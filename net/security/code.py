"""The room code: two words that open a table, made to be read out loud and typed by anyone.

The words (words.txt) are our own: short, of clear sound, none the beginning of another and none
one slip of the finger from another. So a slip can be put right without asking, and a missing
space does not matter. Two different ones of them are 20 bits: nothing against a computer, and
plenty at a thousand guesses an hour (`net.security.guess_limiter`).
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from random import Random


class BadCodeReason(StrEnum):
    """What is wrong with a code as typed."""

    NOT_TWO_WORDS = "not two words"
    UNKNOWN_WORD = "unknown word"


class BadCode(ValueError):
    """No code can be made of the text.

    `word` is the word that is not in the list, or all of the text when it is not two words.
    """

    def __init__(self, why: BadCodeReason, word: str) -> None:
        super().__init__(why, word)
        self.why = why
        self.word = word

    def __str__(self) -> str:
        return f"{self.why}: {self.word!r}"


@dataclass(frozen=True, slots=True, repr=False)
class RoomCode:
    """Two words of the list. Told by str() only, so that no log, repr or traceback tells it."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"

    def __repr__(self) -> str:
        return "RoomCode(...)"

    @classmethod
    def new(cls) -> RoomCode:
        """Draw two different words from the system's randomness."""
        return cls._drawn(secrets.SystemRandom())

    @classmethod
    def of_seed(cls, seed: bytes) -> RoomCode:
        """Draw two different words by a seed of the system's randomness."""
        return cls._drawn(Random(seed))

    @classmethod
    def _drawn(cls, chance: Random) -> RoomCode:
        first, second = chance.sample(words(), 2)
        return cls(first, second)

    @classmethod
    def parse(cls, text: str) -> RoomCode:
        """Read a code as people type it: any case, any separator or none, a slip in each word.

        Raises:
            BadCode: it is not two words, or one is neither in the list nor one slip from exactly
                one that is.
        """
        plain = unicodedata.normalize("NFKC", text).casefold().strip()
        typed = re.findall(r"[^\W_]+", plain)
        if len(typed) == 1:
            typed = _split(typed[0])
        if len(typed) != 2:
            raise BadCode(BadCodeReason.NOT_TWO_WORDS, plain)
        first, second = (_corrected(word) for word in typed)
        return cls(first, second)


@cache
def words() -> tuple[str, ...]:
    """List the words, in alphabetical order."""
    return tuple((files("net.security") / "words.txt").read_text(encoding="ascii").split())


def _split(typed: str) -> list[str]:
    """Part two words that were typed as one; the list has no word that begins another."""
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
    """Tell whether one key more, less, other or swapped with the next turns one into the other."""
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
