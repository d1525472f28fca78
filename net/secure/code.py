"""The room code: two words that let a player join a table, easy to say aloud and to type.

The same words serve to compare what two programs have seen (`words_to_compare`).

The words (words.txt) are our own: short and distinct in sound. None is the beginning of another,
and none is one typing slip away from another. So a slip can be corrected without asking, and a
missing space does no harm. Two different words are 20 bits: too few against an offline search by a
computer, enough at a thousand guesses an hour (`net.secure.limits`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import scrypt
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

MAX_CODE_TEXT: Final = 200  # maximum characters of a text that is read as a room code


class BadCodeReason(StrEnum):
    """Reason why typed text is not a room code."""

    NOT_TWO_WORDS = "not two words"
    UNKNOWN_WORD = "unknown word"


class BadCode(ValueError):
    """Text that is not a room code. `word` is its unknown word, or all that is not two words."""

    def __init__(self, why: BadCodeReason, word: str) -> None:
        super().__init__(why, word)
        self.why = why
        self.word = word


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
    def new(cls, seed: bytes | None = None) -> RoomCode:
        """Draw a code, two different words, from the system's randomness, or a seed of it."""
        chance = SystemRandom() if seed is None else Random(seed)
        first, second = chance.sample(words(), 2)
        return cls(first, second)

    @classmethod
    def parse(cls, text: str) -> RoomCode:
        """Parse a code as people type it: any case, any separator or none, a slip in each word.

        In a line such as `Room code: attic-coffee`, only what follows the colon counts.

        Raises BadCode: the text is not two words, or a word is neither in the list nor one slip
        from exactly one word that is.
        """
        if len(text) > MAX_CODE_TEXT:
            raise BadCode(BadCodeReason.NOT_TWO_WORDS, text[:MAX_CODE_TEXT])
        plain = unicodedata.normalize("NFKC", text).casefold().strip()
        typed = re.findall(r"[^\W_]+", plain)
        if len(typed) > 2:
            typed = re.findall(r"[^\W_]+", plain.rpartition(":")[2])
        if len(typed) == 1:
            typed = _split(typed[0])
        if len(typed) != 2:
            raise BadCode(BadCodeReason.NOT_TWO_WORDS, plain)
        first, second = (_correct(word) for word in typed)
        return cls(first, second)


WORDS_TO_COMPARE: Final = 6  # words that people compare aloud: 60 bits


def words_to_compare(round_hash: bytes) -> tuple[str, ...]:
    """Return six words, to compare aloud, from the hash of a round; takes about 0.1 s.

    A host that tells people different stories searches for endings that give the same words. By the
    birthday rule, an even chance takes 1.8 * 10^9 tries of scrypt, 32 MB each: two days on a strong
    graphics card at 10,000 a second (assumed, not measured). But the hash depends on everything
    that guests did in the round, so the search can only begin after the last of their moves.
    """
    cost = {"n": 1 << 15, "r": 8, "p": 1, "maxmem": 1 << 26}
    made = scrypt(round_hash, salt=b"sabtui words 2", dklen=4 * WORDS_TO_COMPARE, **cost)
    numbers = (int.from_bytes(made[at : at + 4], "big") for at in range(0, len(made), 4))
    return tuple(words()[number % len(words())] for number in numbers)


@cache
def words() -> tuple[str, ...]:
    """Return all words of the list, in alphabetical order."""
    return tuple(Path(__file__).with_name("words.txt").read_text(encoding="ascii").split())


def _split(typed: str) -> list[str]:
    """Split two words that were typed as one; no word of the list begins another."""
    for word in words():
        if typed.startswith(word) and len(typed) > len(word):
            return [word, typed[len(word) :]]
    return [typed]


def _correct(typed: str) -> str:
    """Return the word that was meant, with one slip corrected. Raises `BadCode`."""
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
