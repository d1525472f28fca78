"""The links that a room has now: who is behind each, when each was heard, and what it was sent.

What a crash forgets. Pure bookkeeping; times are seconds of a clock that the shell owns.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from net.bucket import Bucket
from net.lobby import Presence
from net.messages import Numbered, Snapshot

SHAKY_SECONDS: Final = 5.0
GONE_SECONDS: Final = 10.0
"""How long nothing is heard of somebody until the table says so."""

SLOW_SECONDS: Final = 10.0
"""How long somebody may go without taking in what they are sent."""

ENTER_SECONDS: Final = 10.0
"""How long a trusted link may wait before it enters the table."""

STRANGERS: Final = 16
"""How many trusted links may be there that have not entered: a player does so at once."""

PEOPLE_OF_ONE: Final = 20
"""How many people of one address come in: ten players of one SSH box and as many who watch, or a
family behind one router; and never more than half of all whom a table takes."""

RING: Final = 64
"""How many frames are kept for each person who may come back for them."""


def presence_after(silence: float) -> Presence:
    """What the table says of somebody who was silent for so many seconds."""
    if silence < SHAKY_SECONDS:
        return Presence.THERE
    return Presence.SHAKY if silence < GONE_SECONDS else Presence.GONE


@dataclass(slots=True)
class Guest:
    """A trusted link from `address`, and the member behind it once they have entered."""

    link: int
    key: bytes
    came: float
    heard: float
    address: str = ""
    member: int | None = None
    acked: int = 0
    sent: int = 0
    owed_since: float | None = None

    def was_sent(self, step: int, now: float) -> None:
        """A numbered frame is on its way."""
        self.sent = step
        if self.owed_since is None:
            self.owed_since = now

    def has_seen(self, step: int, now: float) -> None:
        """The other side has taken in all up to a step."""
        if step > self.acked:
            self.acked = step
            self.owed_since = None if step >= self.sent else now

    def is_slow(self, now: float) -> bool:
        """Whether nothing of what it was sent was taken in for long."""
        return self.owed_since is not None and now - self.owed_since >= SLOW_SECONDS

    def is_silent(self, now: float) -> bool:
        """Whether nothing was heard for long, or nothing of what had to come first."""
        if self.member is None and now - self.came >= ENTER_SECONDS:
            return True
        return now - self.heard >= GONE_SECONDS


@dataclass(slots=True)
class Memory:
    """What a room keeps in mind of a member: their frames, when they were heard, how much they say.

    `ring` is unbroken, and led by a snapshot where the member was given one. `address` is where
    their last link came from, empty where that is not known.
    """

    heard: float
    words: Bucket
    snapshots: Bucket
    ring: deque[Numbered] = field(default_factory=lambda: deque(maxlen=RING))
    address: str = ""

    @staticmethod
    def fresh(now: float) -> Memory:
        """Of somebody who was heard just now."""
        return Memory(now, Bucket(rate=2, burst=20, now=now), Bucket(rate=0.5, burst=4, now=now))

    def add(self, frame: Numbered) -> None:
        """Keep a frame; a snapshot makes those before it useless."""
        if isinstance(frame, Snapshot):
            self.ring.clear()
        self.ring.append(frame)

    def missed(self, seen: int | None) -> tuple[Numbered, ...] | None:
        """The frames after a step, `None` where they are not all here, or nobody knows which."""
        if seen is None or not self.ring:
            return None
        if not isinstance(self.ring[0], Snapshot) and self.ring[0].step > seen + 1:
            return None
        return tuple(frame for frame in self.ring if frame.step > seen)

    def has_much_after(self, seen: int | None) -> bool:
        """Whether a snapshot has to be sent to who has seen all up to a step."""
        missed = self.missed(seen)
        return missed is None or any(isinstance(frame, Snapshot) for frame in missed)
