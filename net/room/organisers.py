"""`Organisers`: the people of a club who lead its nights, by a word that its program shows.

Not whoever comes from the club's own computer: all guests at its doors do.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Final

from net.protocol.messages import Refusal
from net.secure.limits import Limit, Limiter

GUESSES: Final = Limit(rate=1 / 10, burst=5)
"""Words that one person may try: nobody uses up the tries of others."""

_SEPARATOR: Final = "-"


class Organisers:
    """The seat keys of a club's organisers, and the `word` by which others become one.

    Without a word nobody does.
    """

    def __init__(self, word: str, keys: Iterable[bytes]) -> None:
        self._word = word
        self._keys = set(keys)
        self._limiter = Limiter()

    def __contains__(self, key: object) -> bool:
        """Return True if the person of a key is an organiser."""
        return key in self._keys

    def admit(self, key: bytes, typed: str, now: float) -> Refusal | None:
        """Make the person of a key an organiser, or return why not: the word has to be right."""
        if not self._limiter.take(GUESSES, now, key):
            return Refusal.TOO_FAST
        word = _SEPARATOR.join(typed.casefold().replace(_SEPARATOR, " ").split())
        if not self._word or not hmac.compare_digest(word.encode(), self._word.encode()):
            return Refusal.WRONG_WORD
        self._keys.add(key)
        return None
