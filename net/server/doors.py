"""Doors beside a table: processes that let guests in who have no Sabtui, and link them to it.

A door's process asks the table over its standard streams, which nobody else has (the messages are
in `net.server.door_messages`, the answers in `net.server.door_answers`).

When the table's process closes a door or ends, in whatever way, the door reads the end of its
input. It then lets nobody in, and ends once its guests are gone. Their screens wait for the table
to come back.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Final, assert_never

import msgspec

from net.protocol.messages import DoorNow, DoorTrouble
from net.protocol.requests import DoorKind
from net.server.door_answers import DoorTable, answer, settle
from net.server.door_messages import (
    MAX_LINE_BYTES,
    Admit,
    DoorFailed,
    DoorMessage,
    DoorOpened,
    IsSeated,
    Settle,
    TryCode,
    TryExchange,
)
from net.server.process import environment, python
from net.tasks import cancel_and_wait

_DECODER: Final = msgspec.json.Decoder(DoorMessage)

_started: Final[list[subprocess.Popen[bytes]]] = []
"""Processes started here that may run: Python warns of children whose end nobody asked for."""

_log = logging.getLogger(__name__)


class Doors:
    """The doors of one table, each opened and closed by `switch`. Close them all with `close`."""

    def __init__(self, table: DoorTable, programs: Mapping[DoorKind, Sequence[str]]) -> None:
        self.now: dict[DoorKind, DoorNow] = {}
        self._table = table
        self._programs = programs
        self._tasks: dict[DoorKind, asyncio.Task[None]] = {}

    @property
    def kinds(self) -> list[DoorKind]:
        """The doors that are open, or on the way."""
        return sorted(self._tasks)

    def switch(self, kind: DoorKind, *, is_open: bool) -> None:
        """Open a door, or close it; nothing happens if it is so already."""
        running = self._tasks.get(kind)
        if is_open and running is None:
            self._tasks[kind] = asyncio.create_task(self._run(kind))
        elif not is_open and running is not None:
            running.cancel()
            del self._tasks[kind]
            self._tell(DoorNow(kind))

    async def close(self) -> None:
        """Close all doors."""
        tasks, self._tasks = tuple(self._tasks.values()), {}
        await cancel_and_wait(*tasks)

    def _tell(self, now: DoorNow) -> None:
        self.now[now.kind] = now
        self._table.tell(now)

    async def _run(self, kind: DoorKind) -> None:
        """Run a door's process until it ends or this task is cancelled."""
        program = self._programs.get(kind)
        trouble = DoorTrouble.MISSING
        if program is not None:
            try:
                trouble = await self._serve(kind, program)
            except OSError as error:  # there are no processes or files left
                trouble = DoorTrouble.ENDED
                _log.warning("the door %s cannot be started: %s", kind, error)
        if self._tasks.get(kind) is asyncio.current_task():
            del self._tasks[kind]
        _log.info("the door %s is closed: %s", kind, trouble.value)
        self._tell(DoorNow(kind, trouble=trouble))

    async def _serve(self, kind: DoorKind, program: Sequence[str]) -> DoorTrouble:
        """Answer the questions of a door's process until it ends; return why it did.

        Raises OSError: it cannot be started.
        """
        trouble = DoorTrouble.ENDED
        ours = _start(program)
        reader, writer = await asyncio.open_connection(sock=ours, limit=MAX_LINE_BYTES)
        try:
            writer.write(msgspec.json.encode(self._table.order) + b"\n")
            while line := await reader.readline():
                message = _DECODER.decode(line)
                match message:
                    case DoorOpened(port, fingerprint, why):
                        self._tell(DoorNow(kind, port, fingerprint, why))
                    case DoorFailed(why):
                        trouble = why
                    case Settle():
                        settle(self._table, message, time.monotonic())
                    case TryCode() | Admit() | IsSeated() | TryExchange():
                        said = answer(self._table, message, time.monotonic())
                        writer.write(msgspec.json.encode(said) + b"\n")
                        await writer.drain()
                    case _:
                        assert_never(message)
        except (OSError, ValueError, msgspec.DecodeError) as error:  # ValueError: a line too long
            _log.warning("the door %s broke: %s", kind, type(error).__name__)
        finally:
            writer.close()
        return trouble


def _start(program: Sequence[str]) -> socket.socket:
    """Start a door's process, which may outlive us; return the socket to it. Raises OSError."""
    ours, theirs = socket.socketpair()
    with theirs, ExitStack() as undoing:
        undoing.callback(ours.close)
        process = subprocess.Popen(  # noqa: S603 - ourselves
            python(*program),
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            env=environment(),
            start_new_session=True,
        )
        undoing.pop_all()
    _started[:] = [*(one for one in _started if one.poll() is None), process]
    return ours
