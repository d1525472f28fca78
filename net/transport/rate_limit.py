"""Token bucket, per-connection quota.

So many a second, and a little saved up: what keeps links and probes from taking too much.

Times are seconds of a clock that the caller owns, and are passed in; a clock that jumps back
counts as one that stood still.

What one link may spend: bytes and frames a second, and the time until it has to be trusted.

Pure counting. Times are seconds of a clock that the caller owns, and are passed in; a clock that
jumps back counts as one that stood still.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class TokenBucket:
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


@dataclass(frozen=True, slots=True)
class Quota:
    """How much a link may send us. Rates are per second; a burst comes on top, once."""

    frames: float
    frames_burst: float
    bytes: float
    bytes_burst: float


STRANGER_QUOTA: Final = Quota(frames=4, frames_burst=8, bytes=2048, bytes_burst=4096)
"""A whole handshake takes three frames of 260 bytes."""

GUEST_QUOTA: Final = Quota(frames=20, frames_burst=60, bytes=32 * 1024, bytes_burst=64 * 1024)
"""A trusted client: a person's moves and talk and a heartbeat, with room for impatience."""

HOST_QUOTA: Final = Quota(
    frames=500, frames_burst=2000, bytes=4 * 1024 * 1024, bytes_burst=8 * 1024 * 1024
)
"""What a client takes from its host: a table of bots playing at full speed, and snapshots."""


class QuotaExceeded(StrEnum):
    """Of what a link has sent too much."""

    FRAMES = "frames"
    BYTES = "bytes"


class ConnectionQuota:
    """The account of one link.

    `deadline` is the time by which it has to be trusted.
    """

    __slots__ = ("_bytes", "_frames", "deadline")

    def __init__(self, allowance: Quota, now: float, *, join_seconds: float = 10.0) -> None:
        self.deadline = now + join_seconds
        self._frames = TokenBucket(allowance.frames, allowance.frames_burst, now)
        self._bytes = TokenBucket(allowance.bytes, allowance.bytes_burst, now)

    def spend(self, *, frames: int, size: int, now: float) -> QuotaExceeded | None:
        """Book frames and bytes that came in, and tell what was too much, if anything was."""
        if not self._bytes.take(size, now):
            return QuotaExceeded.BYTES
        if not self._frames.take(frames, now):
            return QuotaExceeded.FRAMES
        return None

    def trust(self, allowance: Quota, now: float) -> None:
        """Give the allowance of a link that has proven itself; its deadline is met."""
        self._frames = TokenBucket(allowance.frames, allowance.frames_burst, now)
        self._bytes = TokenBucket(allowance.bytes, allowance.bytes_burst, now)
        self.deadline = float("inf")

    def overdue(self, now: float) -> bool:
        """Tell whether the link has had its time and is still not trusted."""
        return now >= self.deadline
