"""So many a second, and a little saved up: what keeps links and probes from taking too much.

Times are seconds of a clock that the caller owns, and are passed in; a clock that jumps back counts
as one that stood still. Must not know what is counted.
"""

from __future__ import annotations


class Bucket:
    """A store that fills by `rate` a second up to `burst`, is full at first, and is taken from."""

    __slots__ = ("_at", "_level", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self._level = burst
        self._at = now

    def take(self, amount: float, now: float) -> bool:
        """Take so much if it is there, and tell whether it was."""
        self._level = min(self.burst, self._level + max(0.0, now - self._at) * self.rate)
        self._at = now
        if amount > self._level:
            return False
        self._level -= amount
        return True
