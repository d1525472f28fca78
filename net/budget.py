"""What one link may spend: bytes and frames a second, and the time until it has to be trusted.

Pure counting. Times are seconds of a clock that the caller owns, and are passed in; a clock that
jumps back counts as one that stood still. Knows no socket and no message.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from net.bucket import Bucket


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much a link may send us. Rates are per second; a burst comes on top, once."""

    frames: float
    frames_burst: float
    bytes: float
    bytes_burst: float


STRANGER: Final = Allowance(frames=4, frames_burst=8, bytes=2048, bytes_burst=4096)
"""A whole handshake takes three frames of 260 bytes."""

GUEST: Final = Allowance(frames=20, frames_burst=60, bytes=32 * 1024, bytes_burst=64 * 1024)
"""A trusted client: a person's moves and talk and a heartbeat, with room for impatience."""

HOST: Final = Allowance(
    frames=500, frames_burst=2000, bytes=4 * 1024 * 1024, bytes_burst=8 * 1024 * 1024
)
"""What a client takes from its host: a table of bots playing at full speed, and snapshots."""


class Overrun(StrEnum):
    """Of what a link has sent too much."""

    FRAMES = "frames"
    BYTES = "bytes"


class Budget:
    """The account of one link.

    `deadline` is the time by which it has to be trusted.
    """

    __slots__ = ("_bytes", "_frames", "deadline")

    def __init__(self, allowance: Allowance, now: float, *, join_seconds: float = 10.0) -> None:
        self.deadline = now + join_seconds
        self._frames = Bucket(allowance.frames, allowance.frames_burst, now)
        self._bytes = Bucket(allowance.bytes, allowance.bytes_burst, now)

    def spend(self, *, frames: int, size: int, now: float) -> Overrun | None:
        """Book frames and bytes that came in, and tell what was too much, if anything was."""
        if not self._bytes.take(size, now):
            return Overrun.BYTES
        if not self._frames.take(frames, now):
            return Overrun.FRAMES
        return None

    def trust(self, allowance: Allowance, now: float) -> None:
        """Give the allowance of a link that has proven itself; its deadline is met."""
        self._frames = Bucket(allowance.frames, allowance.frames_burst, now)
        self._bytes = Bucket(allowance.bytes, allowance.bytes_burst, now)
        self.deadline = float("inf")

    def overdue(self, now: float) -> bool:
        """Tell whether the link has had its time and is still not trusted."""
        return now >= self.deadline
