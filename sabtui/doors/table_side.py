"""A table's side of a door: it starts the door's process, and answers its questions.

The process asks over its standard streams, which nobody else can use (`sabtui.doors.table_link`).
When the table's process closes a door or ends, in whatever way, the door reads the end of its
input. It then admits nobody, and ends once its guests are gone. Their screens wait until the table
is resumed.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.secure.code import BadCode, RoomCode
from net.server.doors import DoorTable
from net.server.process import environment, python
from sabtui.doors import table_link

_DECODER: Final = msgspec.json.Decoder(table_link.DoorMessage)

_started: Final[list[subprocess.Popen[bytes]]] = []
"""Processes started here that may still run: Python warns about those that are not waited for."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DoorProcess:
    """A door that is a process of its own."""

    program: Sequence[str]  # the arguments with which Python starts it
    folder: Path  # where it keeps its state
    language: str

    async def serve(
        self, table: DoorTable, kind: DoorKind, report: Callable[[DoorNow], None]
    ) -> DoorTrouble:
        """Start the door's process, and answer it until it ends; see `ServeDoor`."""
        trouble = DoorTrouble.ENDED
        ours = _start(self.program)
        reader, writer = await asyncio.open_connection(sock=ours, limit=table_link.MAX_LINE_BYTES)
        order = table_link.DoorOrder(
            table.id, table.name, table.port, table.pin, str(self.folder), self.language
        )
        try:
            writer.write(msgspec.json.encode(order) + b"\n")
            while line := await reader.readline():
                match _DECODER.decode(line):
                    case table_link.DoorOpened(port, fingerprint, why):
                        report(DoorNow(kind, port, fingerprint, why))
                    case table_link.DoorFailed(why):
                        trouble = why
                    case table_link.Settle() as settled:
                        settle(table, settled, time.monotonic())
                    case question:
                        said = answer(table, question, time.monotonic())
                        writer.write(msgspec.json.encode(said) + b"\n")
                        await writer.drain()
        except (OSError, ValueError) as error:  # a line that is too long, or no message
            _log.warning("the door %s broke: %s", kind, type(error).__name__)
        finally:
            writer.close()
        return trouble


def answer(table: DoorTable, question: table_link.Question, now: float) -> table_link.DoorAnswer:
    match question:
        case table_link.TryCode():
            return _try_code(table, question, now)
        case table_link.Admit(key, address, is_new, renewed):
            is_new = is_new and renewed == table.keys.renewed
            table.keys.admit(key, address, now, is_new=is_new)
            return table_link.DoorAnswer(yes=is_new or table.is_seated(key))
        case table_link.IsSeated(key):
            return table_link.DoorAnswer(yes=table.is_seated(key))
        case table_link.TryExchange():
            return _try_exchange(table, question, now)
        case _:
            assert_never(question)


def _try_code(table: DoorTable, asked: table_link.TryCode, now: float) -> table_link.DoorAnswer:
    """Compare a typed code; it counts like a guess at the table's own port."""
    code, renewed = table.code(), table.keys.renewed
    if code is None:
        return table_link.DoorAnswer(yes=True, renewed=renewed)
    try:
        typed = RoomCode.parse(asked.typed)
    except BadCode:  # no client of ours could send it, so it is not a guess
        return table_link.DoorAnswer()
    wait = table.guesses.admit(asked.address, now)
    if wait:
        return table_link.DoorAnswer(wait=wait)
    is_right = hmac.compare_digest(str(typed).encode(), str(code).encode())
    settle(table, table_link.Settle(asked.address, is_right), now)
    return table_link.DoorAnswer(yes=is_right, renewed=renewed)


def _try_exchange(
    table: DoorTable, asked: table_link.TryExchange, now: float
) -> table_link.DoorAnswer:
    """Count a guess, and run the table's side of the exchange, which takes about 10 ms.

    An open table answers yes, without a share. Anybody may ask that, so the door spends the 10 ms.
    """
    code, renewed = table.code(), table.keys.renewed
    if code is None:
        return table_link.DoorAnswer(yes=True, renewed=renewed)
    wait = table.guesses.admit(asked.address, now)
    if wait:
        return table_link.DoorAnswer(wait=wait)
    run = table_link.run_exchange(asked.share, str(code).encode(), asked.binding)
    return replace(run, renewed=renewed)


def settle(table: DoorTable, settled: table_link.Settle, now: float) -> None:
    """Refund the guess of a right code; count a wrong one, and warn about many."""
    if table.code() is None:
        return
    if settled.is_right:
        table.guesses.note_right(settled.address, now)
    elif tried := table.guesses.note_wrong():
        table.alarm(tried)


def _start(program: Sequence[str]) -> socket.socket:
    """Start a door's process, which may outlive us; return the socket to it. Raises OSError."""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            process = subprocess.Popen(  # noqa: S603 - ourselves
                python(*program),
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                env=environment(),
                start_new_session=True,
            )
        except OSError:
            ours.close()
            raise
    _started[:] = [*(running for running in _started if running.poll() is None), process]
    return ours
