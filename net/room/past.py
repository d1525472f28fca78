"""The public past of a table: its last steps as they are hashed, for clients that missed some.

A client computes the running hash from these bytes by itself, so that a step can be missed, but not
exchanged for another. All of it is public, and it does not grow over an evening.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Final

from net.protocol.lobby_events import HostChanged, Reopened
from net.protocol.messages import MAX_PART_STEPS, NOTHING_SEEN, Mark, Past
from net.protocol.state_hash import public_part
from net.room.broadcast import StepChange

MAX_KEPT_STEPS: Final = 4096
MAX_KEPT_BYTES: Final = 512 * 1024
"""Most steps and bytes that are kept: the public part of some fifteen games."""

MAX_PART_BYTES: Final = 48 * 1024  # most bytes of steps in one part of the past


class PublicPast:
    """The public part of the last steps, the running hash after each, and whence they go on.

    `was_reopened` is True once the host's program was restarted, or is another.
    """

    def __init__(self) -> None:
        self._base = NOTHING_SEEN
        self._steps: deque[tuple[bytes, bytes]] = deque()  # public part, hash after the step
        self._size = 0
        self.was_reopened = False

    def add(self, change: StepChange) -> None:
        """Add a step, and drop the oldest steps that are too many."""
        news, now = change.step.news, change.now
        public = public_part(now.number, news, change.events)
        self._steps.append((public, now.running))
        self._size += len(public)
        while len(self._steps) > MAX_KEPT_STEPS or self._size > MAX_KEPT_BYTES:
            oldest, after = self._steps.popleft()
            self._size -= len(oldest)
            self._base = Mark(self._base.step + 1, after)
        self.was_reopened |= any(isinstance(event, Reopened | HostChanged) for event in news)

    def hash_at(self, step: int) -> bytes:
        """Return the running hash after a step, empty if it is not known, or not any more."""
        at = step - self._base.step
        if at == 0:
            return self._base.hash
        return self._steps[at - 1][1] if 0 < at <= len(self._steps) else b""

    def has(self, mark: Mark) -> bool:
        """Return True if the table is known to have had this mark."""
        return self.hash_at(mark.step) == mark.hash

    def part(self, seen: Mark) -> Past:
        """Return the next part for somebody who has seen all up to a mark, or seen another past."""
        base = seen if self.has(seen) else self._base
        steps, size, first = list[bytes](), 0, base.step - self._base.step
        for public, _ in islice(self._steps, first, first + MAX_PART_STEPS):
            size += len(public)
            if size > MAX_PART_BYTES:
                break
            steps.append(public)
        return Past(base, tuple(steps), more=first + len(steps) < len(self._steps))
