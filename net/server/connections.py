"""The table's trusted connections, by number: what is sent on each, and slow or stuck readers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.protocol.messages import HostMessage, Snapshot, StepFrame
from net.room.effects import CloseConnection, Output, SendFrame
from net.transport.connection import Connection, ConnectionFailed

MAX_QUEUE_BYTES: Final = 64 * 1024
"""Unsent bytes to one client beyond which steps are dropped; at most one frame more waits."""

MAX_STUCK_CHECKS: Final = 20
"""Checks in a row without any byte sent after which a connection is cut: ten seconds."""


@dataclass(slots=True)
class _Line:
    """The output side of one connection.

    `behind`: the client has missed steps. `asked`: the room was asked for a snapshot for it.
    `given`: bytes handed to the connection. `left`: those that had left for the network at the last
    check. `still`: checks in a row in which none left though some wait.
    """

    connection: Connection
    behind: bool = False
    asked: bool = False
    given: int = 0
    left: int = 0
    still: int = 0

    def send_step(self, frame: bytes) -> None:
        """Queue a step, unless the client has missed one, or so much waits that it misses this."""
        backlog = self.connection.backlog
        if backlog > MAX_QUEUE_BYTES:
            self.behind, self.asked = True, False
        if not self.behind:
            self.send(frame, backlog)

    def send_snapshot(self, frame: bytes) -> None:
        """Queue a snapshot, which brings a client that is behind along."""
        self.behind = False
        self.send_step(frame)

    def wants_snapshot(self) -> bool:
        """Return True, once, if steps were dropped and all frames before them have been sent."""
        if not self.behind or self.asked or self.connection.backlog:
            return False
        self.asked = True
        return True

    def is_stuck(self) -> bool:
        """Check for progress; return True if nothing has left for MAX_STUCK_CHECKS checks."""
        left = self.given - self.connection.backlog  # or less: TLS adds to the backlog
        self.still = self.still + 1 if self.connection.backlog and left <= self.left else 0
        self.left = left
        return self.still >= MAX_STUCK_CHECKS

    def send(self, frame: bytes, backlog: int | None = None) -> None:
        """Queue a frame; abort the connection if that fails."""
        self.given += len(frame)
        try:
            self.connection.send_packed(frame, backlog)
        except ConnectionFailed:
            self.connection.abort()


class ClientConnections:
    """All open, trusted connections by number. Numbers are never used twice."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, connection: Connection) -> int:
        """Add a connection and return its number."""
        self._last += 1
        self._lines[self._last] = _Line(connection)
        return self._last

    def remove(self, number: int) -> None:
        """Remove a connection that is gone."""
        del self._lines[number]

    def deliver(self, do: Iterable[Output]) -> None:
        """Carry out the room's output."""
        for one in do:
            match one:
                case SendFrame(connections, message):
                    self._send([self._lines[number] for number in connections], message)
                case CloseConnection(connection):
                    self._lines[connection].connection.close()
                case _:
                    assert_never(one)

    def _send(self, lines: list[_Line], message: HostMessage) -> None:
        """Send a message, packed once, to all clients but those that are behind with steps."""
        frame = pack(message, MAX_HOST_FRAME_BYTES)
        match message:
            case StepFrame():
                for line in lines:
                    line.send_step(frame)
            case Snapshot():
                for line in lines:
                    line.send_snapshot(frame)
            case _:  # always sent
                for line in lines:
                    line.send(frame)

    @property
    def are_waiting(self) -> bool:
        """True if bytes wait for a client to read, or a client is behind: check again soon."""
        return any(line.behind or line.connection.backlog for line in self._lines.values())

    def starved(self) -> list[int]:
        """Return the connections that need a snapshot now in place of dropped steps, each once."""
        return [number for number, line in self._lines.items() if line.wants_snapshot()]

    def cut_stuck(self) -> None:
        """Abort the connections to which no byte could be sent for long.

        Called twice a second while `are_waiting`. Checks are counted, not seconds: a host computer
        that was asleep has not checked.
        """
        for line in self._lines.values():
            if line.is_stuck():
                line.connection.abort()
