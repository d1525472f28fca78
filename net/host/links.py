"""The trusted links of a table by number: what goes out on each, and how much may wait for whom.

Knows frames and bytes. Must not know who is behind a link, nor what is said but that steps are
numbered: for who reads slowly they are dropped, and one snapshot takes their place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from net.frames import FROM_HOST, pack
from net.link import Link, LinkError
from net.messages import FromHost, Snapshot, Told
from net.room import Do, End, Send

QUEUE: Final = 64 * 1024
"""Bytes that may wait for one reader until steps are dropped; one frame more at the most."""

STUCK: Final = 20
"""Looks in which nothing left for a reader before the link is cut: ten seconds."""


@dataclass(slots=True)
class _Line:
    """A link. `behind` tells that it has missed steps, `asked` that a snapshot is on its way.

    `given` and `left` are how many bytes were sent here, and how many of them had left for the
    network at the last look; `still` is for how many looks none did though some wait.
    """

    link: Link
    behind: bool = False
    asked: bool = False
    given: int = 0
    left: int = 0
    still: int = 0

    def takes(self, message: FromHost) -> bool:
        """Whether this is to be sent here: what is no step always, a step if there is room."""
        if not isinstance(message, Told | Snapshot):
            return True
        if self.link.backlog > QUEUE:
            self.behind, self.asked = True, False
        elif isinstance(message, Snapshot):
            self.behind = False
        return not self.behind

    def wants_snapshot(self) -> bool:
        """Whether steps were dropped here, all before them was read, and nobody has asked yet."""
        if not self.behind or self.asked or self.link.backlog:
            return False
        self.asked = True
        return True

    def is_stuck(self) -> bool:
        """Look whether anything has left; whether nothing has for too many looks."""
        left = self.given - self.link.backlog  # what TLS adds to what waits makes it less
        self.still = self.still + 1 if self.link.backlog and left <= self.left else 0
        self.left = left
        return self.still >= STUCK

    def send(self, frame: bytes) -> None:
        """Queue a frame; where that cannot be, the link ends."""
        self.given += len(frame)
        try:
            self.link.send_packed(frame)
        except LinkError:
            self.link.abort()


class Links:
    """All links that are up and trusted. Numbers are never used twice."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, link: Link) -> int:
        """Take a link in; its number."""
        self._last += 1
        self._lines[self._last] = _Line(link)
        return self._last

    def remove(self, number: int) -> None:
        """A link is gone."""
        del self._lines[number]

    def carry(self, do: Iterable[Do]) -> None:
        """Do what a room asks for. What many are told is packed once."""
        packed: dict[int, bytes] = {}  # by identity
        for one in do:
            line = self._lines[one.link]
            match one:
                case Send(_, message):
                    if line.takes(message):
                        if id(message) not in packed:
                            packed[id(message)] = pack(message, FROM_HOST)
                        line.send(packed[id(message)])
                case End():
                    line.link.close()
                case _:
                    assert_never(one)

    def starved(self) -> list[int]:
        """The links that are due a snapshot in place of what was dropped; each is named once."""
        return [number for number, line in self._lines.items() if line.wants_snapshot()]

    def cut_stuck(self) -> None:
        """End the links that take nothing, whatever they say they have read. Called twice a second.

        Looks are counted, not seconds: a host that was asleep has not looked.
        """
        for line in self._lines.values():
            if line.is_stuck():
                line.link.abort()
