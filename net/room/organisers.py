"""`Organisers`: the people of a club who lead its nights, by a word that its program shows.

Not whoever comes from the club's own computer: all guests at its doors do.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Final

from net.protocol.messages import Refusal
from net.secure.limits import TokenBucket

GUESSES_AT_ONCE, GUESSES_PER_S = 5, 1 / 10
"""Words that one person may try at once, and a second: nobody uses up the tries of others."""

_SEPARATOR: Final = "-"


class Organisers:
    """The seat keys of a club's organisers, and the `word` by which others become one.

    Without a word nobody does.
    """

    def __init__(self, word: str, keys: Iterable[bytes]) -> None:
        self._word = word
        self._keys = set(keys)
        self._guesses: dict[bytes, TokenBucket] = {}

    def __contains__(self, key: object) -> bool:
        """Return True if the person of a key is an organiser."""
        return key in self._keys

    def forget(self, key: bytes) -> None:
        """Forget how often a person has tried, whom the club knows no more."""
        self._guesses.pop(key, None)

    def admit(self, key: bytes, typed: str, now: float) -> Refusal | None:
        """Make the person of a key an organiser, or return why not: the word has to be right."""
        fresh = TokenBucket(GUESSES_PER_S, GUESSES_AT_ONCE, now)
        if not self._guesses.setdefault(key, fresh).take(1, now):
            return Refusal.TOO_FAST
        word = _SEPARATOR.join(typed.casefold().replace(_SEPARATOR, " ").split())
        if not self._word or not hmac.compare_digest(word.encode(), self._word.encode()):
            return Refusal.WRONG_WORD
        self._keys.add(key)
        return None
