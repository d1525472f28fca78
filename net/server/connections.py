"""The trusted links of a table by number: what goes out on each, and how much may wait for whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.protocol.messages import HostMessage, Snapshot, StepFrame
from net.room import CloseConnection, Output, SendFrame
from net.transport.connection import Connection, ConnectionFailed

MAX_QUEUE_BYTES: Final = 64 * 1024
"""Bytes that may wait for one reader until steps are dropped; one frame more at the most."""

MAX_STUCK_CHECKS: Final = 20
"""Looks in which nothing left for a reader before the link is cut: ten seconds."""


@dataclass(slots=True)
class _Line:
    """A link. `behind` tells that it has missed steps, `asked` that a snapshot is on its way.

    `given` and `left` are how many bytes were sent here, and how many of them had left for the
    network at the last look; `still` is for how many looks none did though some wait.
    """

    connection: Connection
    behind: bool = False
    asked: bool = False
    given: int = 0
    left: int = 0
    still: int = 0

    def takes(self, message: HostMessage) -> bool:
        """Whether this is to be sent here: what is no step always, a step if there is room."""
        if not isinstance(message, StepFrame | Snapshot):
            return True
        if self.connection.backlog > MAX_QUEUE_BYTES:
            self.behind, self.asked = True, False
        elif isinstance(message, Snapshot):
            self.behind = False
        return not self.behind

    def wants_snapshot(self) -> bool:
        """Whether steps were dropped here, all before them was read, and nobody has asked yet."""
        if not self.behind or self.asked or self.connection.backlog:
            return False
        self.asked = True
        return True

    def is_stuck(self) -> bool:
        """Look whether anything has left; whether nothing has for too many looks."""
        left = self.given - self.connection.backlog  # what TLS adds to what waits makes it less
        self.still = self.still + 1 if self.connection.backlog and left <= self.left else 0
        self.left = left
        return self.still >= MAX_STUCK_CHECKS

    def send(self, frame: bytes) -> None:
        """Queue a frame; where that cannot be, the link ends."""
        self.given += len(frame)
        try:
            self.connection.send_packed(frame)
        except ConnectionFailed:
            self.connection.abort()


class ClientConnections:
    """All links that are up and trusted. Numbers are never used twice."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, connection: Connection) -> int:
        """Take a link in; its number."""
        self._last += 1
        self._lines[self._last] = _Line(connection)
        return self._last

    def remove(self, number: int) -> None:
        """A link is gone."""
        del self._lines[number]

    def deliver(self, do: Iterable[Output]) -> None:
        """Do what a room asks for. What many are told is packed once."""
        packed: dict[int, bytes] = {}  # by identity
        for one in do:
            line = self._lines[one.link]
            match one:
                case SendFrame(_, message):
                    if line.takes(message):
                        if id(message) not in packed:
                            packed[id(message)] = pack(message, MAX_HOST_FRAME_BYTES)
                        line.send(packed[id(message)])
                case CloseConnection():
                    line.connection.close()
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
                line.connection.abort()
