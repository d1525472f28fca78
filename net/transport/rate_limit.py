"""Token bucket, limits for each source, and the quota of what one connection may send us.

Pure counting: times are seconds of a clock that the caller owns, and are passed in. A clock that
jumps back counts as one that stands still.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class TokenBucket:
    """A store of tokens, full at first, that refills by `rate` a second up to `burst`."""

    __slots__ = ("_at", "_level", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self._level = burst
        self._at = now

    def take(self, amount: float, now: float) -> bool:
        """Take `amount` tokens and return True, or none and return False if there are fewer."""
        self._level = min(self.burst, self._level + max(0.0, now - self._at) * self.rate)
        self._at = now
        if amount > self._level:
            return False
        self._level -= amount
        return True


class SourceLimits:
    """Limits on answers by UDP, whose sources can be forged: for each source, and for all together.

    Rates are answers a second; `burst_s` is how many seconds' worth may be saved up. Only the
    `known` most recent sources are remembered.
    """

    __slots__ = ("_all", "_burst_s", "_each", "_known", "_rate")

    def __init__(self, *, rate: float, total: float, burst_s: float, known: int = 1024) -> None:
        self._rate = rate
        self._burst_s = burst_s
        self._known = known
        self._all = TokenBucket(total, total * burst_s, now=0.0)
        self._each: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, source: str, now: float) -> bool:
        """Count an answer to a source; return False if it would be one too many."""
        fresh = TokenBucket(self._rate, self._rate * self._burst_s, now)
        bucket = self._each.setdefault(source, fresh)
        self._each.move_to_end(source)
        if len(self._each) > self._known:
            self._each.popitem(last=False)
        return bucket.take(1, now) and self._all.take(1, now)


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits on what a connection may send us: rates per second, and bursts at once."""

    frames: float
    frames_burst: float
    bytes: float
    bytes_burst: float


STRANGER_QUOTA: Final = Quota(frames=4, frames_burst=8, bytes=2048, bytes_burst=4096)
"""Quota of a connection not trusted yet; a handshake takes three frames of 260 bytes."""

GUEST_QUOTA: Final = Quota(frames=20, frames_burst=60, bytes=32 * 1024, bytes_burst=64 * 1024)
"""Quota of a trusted client: a person's moves, chat and heartbeat, with room to spare."""

HOST_QUOTA: Final = Quota(
    frames=500, frames_burst=2000, bytes=4 * 1024 * 1024, bytes_burst=8 * 1024 * 1024
)
"""Quota of a host at its client: a table of bots playing at full speed, and snapshots."""


class QuotaExceeded(StrEnum):
    """The quota that a connection has exceeded."""

    FRAMES = "frames"
    BYTES = "bytes"


class ConnectionQuota:
    """The quota of one connection, and what it has spent of it.

    `deadline` is the time by which the connection has to be trusted.
    """

    __slots__ = ("_bytes", "_frames", "deadline")

    def __init__(self, allowance: Quota, now: float, *, join_seconds: float = 10.0) -> None:
        self.deadline = now + join_seconds
        self._frames = TokenBucket(allowance.frames, allowance.frames_burst, now)
        self._bytes = TokenBucket(allowance.bytes, allowance.bytes_burst, now)

    def spend(self, *, frames: int, size: int, now: float) -> QuotaExceeded | None:
        """Count frames and bytes that came in; return the quota that they exceed, if any."""
        if not self._bytes.take(size, now):
            return QuotaExceeded.BYTES
        if not self._frames.take(frames, now):
            return QuotaExceeded.FRAMES
        return None

    def trust(self, allowance: Quota, now: float) -> None:
        """Set the quota of a connection that has become trusted, and lift its deadline."""
        self._frames = TokenBucket(allowance.frames, allowance.frames_burst, now)
        self._bytes = TokenBucket(allowance.bytes, allowance.bytes_burst, now)
        self.deadline = float("inf")

    def overdue(self, now: float) -> bool:
        """Return True if the deadline has passed and the connection is still not trusted."""
        return now >= self.deadline
