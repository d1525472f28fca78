"""The room's output, held back until its steps are on disk, then sent in order to the connections.

`WriteAhead` holds it back, and `ClientConnections` sends it: it has the trusted connections of a
table, or of a hall, by number, and deals with slow or stuck readers.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, assert_never

from net.protocol.framing import MAX_HOST_FRAME_BYTES, BadFrame, pack
from net.protocol.messages import DiskStatus, HostMessage, Snapshot, StepFrame
from net.room.effects import CloseConnection, Effects, Output, SendFrame, without
from net.room.journal_step import JournalStep
from net.secure.connection import Connection, ConnectionFailed
from net.server.journal import Journal
from net.server.journal_errors import JournalError
from net.server.journal_format import Finish, PutMeta, Write
from net.server.journal_writer import JournalWriter
from net.tasks import cancel_and_wait, finish, wait_for_event

MAX_QUEUE_BYTES: Final = 64 * 1024
"""Unsent bytes to one client beyond which steps are dropped; at most one frame more waits."""

MAX_STUCK_CHECKS: Final = 20
"""Checks in a row without any byte sent after which a connection is cut: ten seconds."""

WRITE_RETRY_S: Final = 1.0  # seconds between two attempts to write after a write error
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Line:
    """The output side of one connection.

    `behind`: the client has missed steps. `told`: the room was asked to tell it so.
    `given`: bytes handed to the connection. `left`: those that had left for the network at the last
    check. `still`: checks in a row in which none left though some wait.
    """

    connection: Connection
    behind: bool = False
    told: bool = False
    given: int = 0
    left: int = 0
    still: int = 0

    def send_step(self, frame: bytes) -> None:
        """Queue a step; drop it if too much waits, and all later ones until the client asks."""
        backlog = self.connection.backlog
        if backlog > MAX_QUEUE_BYTES:
            self.behind, self.told = True, False
        if not self.behind:
            self.send(frame, backlog)

    def send_snapshot(self, frame: bytes) -> None:
        """Queue a snapshot, for a client that asked for what it missed."""
        self.behind = False
        self.send(frame)

    def is_to_be_told(self) -> bool:
        """Return True, once, if steps were dropped and all frames before them have been sent."""
        if not self.behind or self.told or self.connection.backlog:
            return False
        self.told = True
        return True

    def is_stuck(self) -> bool:
        """Check for progress; return True if nothing has left for MAX_STUCK_CHECKS checks."""
        left = self.given - self.connection.backlog  # or less: TLS adds to the backlog
        self.still = self.still + 1 if self.connection.backlog and left <= self.left else 0
        self.left = left
        return self.still >= MAX_STUCK_CHECKS

    def send(self, frame: bytes, backlog: int | None = None) -> None:
        """Queue a frame; abort the connection if that fails, or too much waits in it already."""
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

    async def serve(self, number: int, receive: Callable[[object], None]) -> None:
        """Call `receive` with what comes on a connection, until it is gone or breaks the rules."""
        connection = self._lines[number].connection
        try:
            await connection.serve(receive)
        except (ConnectionFailed, BadFrame) as end:
            connection.abort()
            _log.info("connection %d is gone: %s", number, end)

    def remove(self, number: int) -> None:
        """Remove a connection that is gone, if it is there."""
        self._lines.pop(number, None)

    def deliver(self, do: Iterable[Output]) -> None:
        """Carry out what a room or a hall puts out, but for connections that are gone by now."""
        for one in do:
            match one:
                case SendFrame(connections, message):
                    there = [self._lines[one] for one in connections if one in self._lines]
                    self._send(there, message)
                case CloseConnection(connection):
                    if connection in self._lines:
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

    def find_starved(self) -> list[int]:
        """Return the connections whose clients are to ask for dropped steps now, each once."""
        return [number for number, line in self._lines.items() if line.is_to_be_told()]

    def cut_all(self) -> None:
        """Abort all connections."""
        for line in self._lines.values():
            line.connection.abort()

    def cut_stuck(self) -> None:
        """Abort the connections to which no byte could be sent for long.

        Called twice a second while `are_waiting`. Checks are counted, not seconds: a host computer
        that was asleep has not checked.
        """
        for line in self._lines.values():
            if line.is_stuck():
                line.connection.abort()


class WriteAhead:
    """Saves the steps of effects, then releases their output; owns the journal until `close`.

    `let_out` is called with the output that may be sent now; `note_disk` when writing begins to
    fail, when it works again, and when the table goes on unsaved. `finished` is set once the frames
    that close the table have been released. Make it in the event loop that runs it.
    """

    def __init__(
        self,
        journal: Journal,
        let_out: Callable[[tuple[Output, ...]], None],
        note_disk: Callable[[DiskStatus], None],
    ) -> None:
        self.finished = asyncio.Event()
        self._let_out = let_out
        self._note_disk = note_disk
        self._writer = JournalWriter(journal, self._on_trouble, self._finish_write)
        self._saved = journal.last
        self._unsaved: deque[JournalStep] = deque()
        self._metadata: dict[str, PutMeta] = {}
        self._waiting: deque[Effects] = deque()
        self._give_up = asyncio.Event()
        self._mending: asyncio.Task[None] | None = None
        self._closing = False

    def submit(self, effects: Effects) -> None:
        """Save the steps of these effects, and release their output as soon as it may be sent."""
        if effects.go_unsaved:
            self._give_up.set()
        self._unsaved += effects.steps
        # While some before it wait to be tried again, so does this one.
        self._write(
            step
            for step in effects.steps
            if self._mending is None or step.number == self._writer.due
        )
        if effects.after == 0:
            self._let_out(effects.do)
        else:
            self._waiting.append(effects)
            self._release()

    def put_meta(self, key: str, value: bytes) -> None:
        """Overwrite a metadata value. A write error is handled like that of a step."""
        self._metadata[key] = PutMeta(key, value)
        self._write((self._metadata[key],))

    def forget(self, connection: int) -> None:
        """Drop the output that is held back for a connection that is gone."""
        self._waiting = deque(
            replace(effects, do=without(connection, effects.do)) for effects in self._waiting
        )

    async def finish(self) -> None:
        """Record that the table is closed for good. If that fails, the table can be resumed."""
        try:
            await self._writer.write(Finish())
        except JournalError as error:
            _log.warning("the journal could not be finished: %s", error)

    async def close(self) -> None:
        """Wait until everything that can be written is on disk, then close the journal."""
        self._closing = True
        try:
            if self._mending is not None:
                await cancel_and_wait(self._mending)
        finally:
            await finish(self._writer.close())
        if self._unsaved:
            _log.warning("%d steps that nobody was told of are not saved", len(self._unsaved))

    def _write(self, writes: Iterable[Write]) -> list[asyncio.Future[None]]:
        return [self._writer.write(write) for write in writes]

    def _finish_write(self, number: int) -> None:
        """Handle a finished write: all steps up to this one are on disk."""
        while self._unsaved and self._unsaved[0].number <= number:
            self._unsaved.popleft()
        self._saved = number
        self._release()

    def _release(self) -> None:
        """Release, in order, the output whose steps are on disk."""
        while self._waiting and self._waiting[0].after <= self._saved:
            effects = self._waiting.popleft()
            self._let_out(effects.do)
            if effects.finished:
                self.finished.set()

    # Write errors.

    def _on_trouble(self, error: JournalError | None) -> None:
        """Handle a write error by starting to retry; `_mend` itself notices that writing works."""
        if error is None or self._writer.unsaved or self._mending is not None:
            return
        _log.warning("the journal cannot be written: %s", error)
        if self._closing:
            return
        self._give_up.clear()
        self._mending = asyncio.create_task(self._mend())
        self._note_disk(DiskStatus.FULL)

    async def _mend(self) -> None:
        """Retry the unsaved steps until they are on disk, or until the host decides to go unsaved.

        All metadata is written again, too: it may be what failed. Held-back output is released
        before `note_disk` is called, as it was made while the disk was full and says so.
        """
        disk = DiskStatus.FULL
        while disk is DiskStatus.FULL:
            if await wait_for_event(self._give_up, WRITE_RETRY_S):
                await self._writer.go_unsaved()
                _log.warning("the table goes on unsaved")
            due = [step for step in self._unsaved if step.number >= self._writer.due]
            waiting: list[Write] = [*self._metadata.values(), *due]
            failures = await asyncio.gather(*self._write(waiting), return_exceptions=True)
            if not any(failures) and self._writer.trouble is None:  # a later write may have failed
                disk = DiskStatus.UNSAVED if self._writer.unsaved else DiskStatus.OK
        self._mending = None
        self._note_disk(disk)
