"""How fast a whole table can be guessed at: five codes at once, then one in three seconds.

One account for all links and all addresses, as addresses are free on a LAN. A guess is paid for
when the host gives its share of the exchange, and given back when the proof is right: so guesses
that run side by side or are never finished count too, and cost the host its work only that often.
Times are seconds of the caller's clock. Knows no link, no code and no proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FREE: Final = 5
PACE: Final = 3.0
"""Seconds between two guesses once FREE were wrong."""


@dataclass(frozen=True, slots=True)
class WrongCodes:
    """Tell the host: so many wrong codes have been tried at this table since it was opened."""

    tried: int


class GuessLimiter:
    """The account of one table."""

    __slots__ = ("_at", "_credit", "_tell_at", "wrong_codes")

    def __init__(self) -> None:
        self.wrong_codes = 0
        self._tell_at = FREE
        self._credit = float(FREE)
        self._at = float("-inf")

    def admit(self, now: float) -> float:
        """Pay for one guess: 0.0 if it may be made, else the seconds until one may."""
        self._refill(now)
        if self._credit < 1 - 1e-6:
            return (1 - self._credit) * PACE
        self._credit -= 1
        return 0.0

    def right(self, now: float) -> None:
        """Give back what a guess cost that was the code: friends do not slow each other down."""
        self._refill(now)
        self._credit = min(self._most, self._credit + 1)

    def wrong(self) -> WrongCodes | None:
        """Count a wrong code; the host is told of the 5th, 10th, 20th, 40th and so on."""
        self.wrong_codes += 1
        if self.wrong_codes < self._tell_at:
            return None
        self._tell_at *= 2
        return WrongCodes(self.wrong_codes)

    @property
    def _most(self) -> float:
        return 1.0 if self.wrong_codes >= FREE else float(FREE)

    def _refill(self, now: float) -> None:
        self._credit = min(self._most, self._credit + max(0.0, now - self._at) / PACE)
        self._at = now
