"""A room's own past: the running hash after each step, and the steps at which it was reopened.

By these marks a returning client finds out whether the table is the one that it saw, or one that
was resumed from an older journal.
"""

from __future__ import annotations

from collections import deque

from net.lobby.events import Reopened
from net.protocol.messages import MOST_REOPENINGS, NOTHING_SEEN, Mark
from net.room.state import RoomState, Step


class Marks:
    """The marks of a table, from before its first step."""

    def __init__(self) -> None:
        self._hashes = [NOTHING_SEEN.hash]
        self._reopenings: deque[Mark] = deque(maxlen=MOST_REOPENINGS)

    @property
    def reopenings(self) -> tuple[Mark, ...]:
        """The last marks before the host was restarted, oldest first."""
        return tuple(self._reopenings)

    def add(self, before: RoomState, step: Step, now: RoomState) -> None:
        """Add a step's mark."""
        self._hashes.append(now.running)
        if any(isinstance(event, Reopened) for event in step.news):
            self._reopenings.append(Mark(before.number, before.running))

    def hash_at(self, step: int) -> bytes:
        """Return the running hash after a step, empty for a step that was not made yet."""
        return self._hashes[step] if step < len(self._hashes) else b""
