"""Doors beside a table: processes that let guests in who have no Sabtui, and answers to them.

A guess at a door counts as one at the table's own port, by the address that the door says. Nobody
but a door can say an address: a connection from this computer counts for a guest's address only if
it proves a seat key that a door has announced for that address. The room code never leaves the
table's process.

A door's process asks the table over its standard streams, which nobody else has
(`net.server.door_messages`).

When the table's process closes a door or ends, in whatever way, the door reads the end of its
input. It then lets nobody in, and ends once its guests are gone. Their screens wait for the table
to come back.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, assert_never

import msgspec

from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.secure.code import BadCode, RoomCode
from net.secure.handshake import BadShare, CodeExchange, PakeSide
from net.secure.limits import GuessLimiter, keep_last
from net.server.door_messages import (
    MAX_LINE_BYTES,
    Admit,
    DoorAnswer,
    DoorFailed,
    DoorMessage,
    DoorOpened,
    DoorOrder,
    IsSeated,
    Question,
    Settle,
    TryCode,
    TryExchange,
)
from net.server.process import environment, python
from net.tasks import cancel_and_wait

ADMISSION_S: Final = 60.0
"""Seconds in which a key that a door has admitted may enter the table for the first time."""

MAX_GUEST_KEYS: Final = 256
"""Most keys of guests whose addresses are remembered; the oldest is forgotten first."""


class GuestKeys:
    """The seat keys that doors have admitted, with the address that each guest comes from.

    An admitted key may enter for `ADMISSION_S`, and only until it has: who is removed from the
    table after that has to prove the code again. A code that was proven before it was `renewed`
    admits nobody. Times are seconds of the caller's clock.
    """

    def __init__(self) -> None:
        self.renewed = 0
        self._addresses: dict[bytes, str] = {}
        self._until: dict[bytes, float] = {}

    def admit(self, key: bytes, address: str, now: float, *, is_new: bool) -> None:
        """Note the address of a key's guest; if `is_new`, let it enter."""
        if is_new:
            self._until[key] = now + ADMISSION_S
        oldest = keep_last(self._addresses, key, address, MAX_GUEST_KEYS)
        if oldest is not None:
            self._until.pop(oldest, None)

    def may_enter(self, key: bytes, now: float) -> bool:
        """Return True if a key was admitted within `ADMISSION_S`, and has not entered since."""
        return self._until.get(key, -1.0) >= now

    def note_entry(self, key: bytes) -> None:
        """Note that a key has entered, so that its admission is used up."""
        self._until.pop(key, None)

    def revoke(self) -> None:
        """Take back all admissions that were not used: there is a new room code."""
        self.renewed += 1
        self._until.clear()

    def is_guest(self, key: bytes) -> bool:
        """Return True if a key is that of a guest at a door."""
        return key in self._addresses

    def address_of(self, key: bytes, peer: str) -> str:
        """Return the address that counts for a trusted connection from `peer` with this key."""
        return self._addresses.get(key, peer)


@dataclass(frozen=True, slots=True)
class DoorTable:
    """The part of a table that doors may know and ask.

    `code` returns the present room code, None while the table is open. `alarm` warns the host of so
    many wrong codes.
    """

    order: DoorOrder
    code: Callable[[], RoomCode | None]
    guesses: GuessLimiter
    keys: GuestKeys
    is_seated: Callable[[bytes], bool]
    alarm: Callable[[int], None]
    tell: Callable[[DoorNow], None]


def answer(table: DoorTable, question: Question, now: float) -> DoorAnswer:
    """Return the table's answer to a question of a door."""
    match question:
        case TryCode():
            return _try_code(table, question, now)
        case Admit(number, key, address, is_new, renewed):
            is_new = is_new and renewed == table.keys.renewed
            table.keys.admit(key, address, now, is_new=is_new)
            return DoorAnswer(number, is_new or table.is_seated(key))
        case IsSeated(number, key):
            return DoorAnswer(number, table.is_seated(key))
        case TryExchange():
            return _try_exchange(table, question, now)
        case _:
            assert_never(question)


def _try_code(table: DoorTable, asked: TryCode, now: float) -> DoorAnswer:
    """Count a guess as one at the table's own port, and compare it."""
    code, renewed = table.code(), table.keys.renewed
    if code is None:
        return DoorAnswer(asked.id, yes=True, renewed=renewed)
    try:
        typed = RoomCode.parse(asked.typed)
    except BadCode:  # no client of ours could send it, so it is no guess
        return DoorAnswer(asked.id)
    wait = table.guesses.admit(asked.address, now)
    if wait:
        return DoorAnswer(asked.id, wait=wait)
    is_right = hmac.compare_digest(str(typed).encode(), str(code).encode())
    settle(table, Settle(asked.address, is_right), now)
    return DoorAnswer(asked.id, yes=is_right, renewed=renewed)


def _try_exchange(table: DoorTable, asked: TryExchange, now: float) -> DoorAnswer:
    """Count a guess, and run the table's side of the exchange, which takes about 10 ms.

    An open table answers yes, without a share: the door does all of it.
    """
    code, renewed = table.code(), table.keys.renewed
    if code is None:
        return DoorAnswer(asked.id, yes=True, renewed=renewed)
    wait = table.guesses.admit(asked.address, now)
    if wait:
        return DoorAnswer(asked.id, wait=wait)
    run = CodeExchange(PakeSide.HOST, str(code).encode(), asked.binding)
    share = run.share()
    try:
        secret = run.key(asked.share)
        return DoorAnswer(asked.id, yes=True, share=share, secret=secret, renewed=renewed)
    except BadShare:
        return DoorAnswer(asked.id)


def settle(table: DoorTable, settled: Settle, now: float) -> None:
    """Refund a guess that was right, and count one that was wrong."""
    if table.code() is None:
        return
    if settled.is_right:
        table.guesses.right(settled.address, now)
    elif tried := table.guesses.wrong():
        table.alarm(tried)


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
