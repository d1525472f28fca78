"""Doors beside a table: processes that let guests in who have no Sabtui, and what they may ask.

A door's process asks the table over its standard streams, which nobody else has. So a door can say
which address a guest comes from, and no client can: a connection from this computer counts for a
guest's address only if it proves a seat key that a door has announced for that address.

    door                                    table
                                       <-   DoorOrder, first and once
    DoorOpened or DoorFailed           ->
    TryCode (address, typed)           ->
                                       <-   DoorAnswer: right, or not, or wait and ask again
    Admit (key, address, is_new)       ->
                                       <-   DoorAnswer: whether that key may enter now
    TryExchange (address, share)       ->
                                       <-   DoorAnswer: the table's share and the secret, or wait
    Settle (address, is_right)         ->

Each is a line of JSON. The room code never leaves the table's process. When the table's process
ends, however it ends, or closes a door, the door reads the end of its input: it lets nobody in any
more, and ends once the guests that it has are gone. Their screens wait for the table to come back.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

import msgspec

from net.protocol.messages import DoorNow, DoorTrouble
from net.protocol.requests import DoorKind
from net.security.code import BadCode, RoomCode
from net.security.guess_limiter import GuessLimiter, WrongCodes
from net.security.pake import BadShare, CodeExchange, PakeSide
from net.server.process import environment, python
from net.tasks import cancel_and_wait

MAX_LINE_BYTES: Final = 1 << 16
"""Longest line that a door's process may write; all of them are short."""

ADMISSION_S: Final = 60.0
"""Seconds in which a key that a door has admitted may enter the table for the first time."""

MAX_GUEST_KEYS: Final = 256
"""Most keys of guests whose addresses are remembered; the oldest is forgotten first."""

_started: Final[list[subprocess.Popen[bytes]]] = []
"""Processes started here: referenced, so that Python does not warn about unreaped children."""

_log = logging.getLogger(__name__)


class DoorOrder(msgspec.Struct, frozen=True):
    """Order to a door's process: the table that it leads to, and the language it speaks.

    `pin` is the fingerprint of the table's certificate. `folder` is the door's own state folder.
    """

    table: str
    title: str
    port: int
    pin: bytes
    folder: str
    language: str = "en"


class DoorOpened(msgspec.Struct, frozen=True, tag="opened"):
    """The door is open at this port; `fingerprint` is that of its own key, if it has one."""

    port: int
    fingerprint: str = ""


class DoorFailed(msgspec.Struct, frozen=True, tag="failed"):
    """The door cannot be opened."""

    trouble: DoorTrouble


class TryCode(msgspec.Struct, frozen=True, tag="try"):
    """A guest at this address has typed a code; "" asks whether the table needs none."""

    id: int
    address: str
    typed: str


class Admit(msgspec.Struct, frozen=True, tag="admit"):
    """A screen with this public seat key is about to join for a guest at this address.

    `is_new` is True for one who has proven the code. The other ones need a seat already.
    """

    id: int
    key: bytes
    address: str
    is_new: bool


class TryExchange(msgspec.Struct, frozen=True, tag="exchange"):
    """A guest at this address begins a SPAKE2 exchange with the room code as they have typed it.

    `binding` are bytes that the guest mixes in, too. Whether the guess was right shows later, and
    the door says so (`Settle`).
    """

    id: int
    address: str
    share: bytes
    binding: bytes


class Settle(msgspec.Struct, frozen=True, tag="settle"):
    """The guess of a guest at this address, in an exchange, was right or wrong."""

    address: str
    is_right: bool


class DoorAnswer(msgspec.Struct, frozen=True):
    """Answer to the question with this id. With a `wait`, in seconds, nothing was tried yet.

    `share` and `secret` are the table's side of an exchange; an open table has none.
    """

    id: int
    yes: bool = False
    wait: float = 0.0
    share: bytes = b""
    secret: bytes = b""


Question: TypeAlias = TryCode | Admit | TryExchange
DoorMessage: TypeAlias = DoorOpened | DoorFailed | Question | Settle
_DECODER: Final = msgspec.json.Decoder(DoorMessage)


class GuestKeys:
    """The seat keys that doors have admitted, with the address that each guest comes from.

    An admitted key may enter for `ADMISSION_S`, and only until it has: who is removed from the
    table after that has to prove the code again. Times are seconds of the caller's clock.
    """

    def __init__(self) -> None:
        self._addresses: dict[bytes, str] = {}
        self._until: dict[bytes, float] = {}

    def admit(self, key: bytes, address: str, now: float, *, is_new: bool) -> None:
        """Note the address of a key's guest; if `is_new`, let it enter."""
        self._addresses.pop(key, None)
        self._addresses[key] = address
        if is_new:
            self._until[key] = now + ADMISSION_S
        if len(self._addresses) > MAX_GUEST_KEYS:
            oldest = next(iter(self._addresses))
            del self._addresses[oldest]
            self._until.pop(oldest, None)

    def may_enter(self, key: bytes, now: float) -> bool:
        """Return True if a key that has no seat was admitted lately."""
        return self._until.get(key, -1.0) >= now

    def has_entered(self, key: bytes) -> None:
        """Note that a key has entered, so that its admission is used up."""
        self._until.pop(key, None)

    def revoke(self) -> None:
        """Take back all admissions that were not used: there is a new room code."""
        self._until.clear()

    def address_of(self, key: bytes, peer: str) -> str:
        """Return the address that counts for a trusted connection from `peer` with this key."""
        return self._addresses.get(key, peer)


@dataclass(frozen=True, slots=True)
class DoorTable:
    """What doors may know and ask of their table.

    `code` returns the present room code, None while the table is open. `alarm` warns the host.
    """

    order: DoorOrder
    code: Callable[[], RoomCode | None]
    guesses: GuessLimiter
    keys: GuestKeys
    is_seated: Callable[[bytes], bool]
    alarm: Callable[[WrongCodes], None]
    tell: Callable[[DoorNow], None]


def answer(table: DoorTable, question: Question, now: float) -> DoorAnswer:
    """Return the table's answer to a question of a door."""
    match question:
        case TryCode():
            return _try_code(table, question, now)
        case Admit(number, key, address, is_new):
            table.keys.admit(key, address, now, is_new=is_new)
            return DoorAnswer(number, is_new or table.is_seated(key))
        case TryExchange():
            return _try_exchange(table, question, now)
        case _:
            assert_never(question)


def _try_code(table: DoorTable, asked: TryCode, now: float) -> DoorAnswer:
    """Count a guess as one at the table's own port, and compare it."""
    code = table.code()
    if code is None:
        return DoorAnswer(asked.id, yes=True)
    try:
        typed = RoomCode.parse(asked.typed)
    except BadCode:  # no client of ours could send it, so it is no guess
        return DoorAnswer(asked.id)
    wait = table.guesses.admit(asked.address, now)
    if wait:
        return DoorAnswer(asked.id, wait=wait)
    if hmac.compare_digest(str(typed).encode(), str(code).encode()):
        table.guesses.right(asked.address, now)
        return DoorAnswer(asked.id, yes=True)
    alarm = table.guesses.wrong()
    if alarm is not None:
        table.alarm(alarm)
    return DoorAnswer(asked.id)


def _try_exchange(table: DoorTable, asked: TryExchange, now: float) -> DoorAnswer:
    """Count a guess, and run the table's side of the exchange, which takes about 10 ms.

    An open table answers yes, without a share: the door does all of it.
    """
    code = table.code()
    if code is None:
        return DoorAnswer(asked.id, yes=True)
    wait = table.guesses.admit(asked.address, now)
    if wait:
        return DoorAnswer(asked.id, wait=wait)
    run = CodeExchange(PakeSide.HOST, str(code).encode(), asked.binding)
    share = run.share()
    try:
        return DoorAnswer(asked.id, yes=True, share=share, secret=run.key(asked.share))
    except BadShare:
        return DoorAnswer(asked.id)


def settle(table: DoorTable, settled: Settle, now: float) -> None:
    """Refund a guess that was right, and count one that was wrong."""
    if table.code() is None:
        return
    if settled.is_right:
        table.guesses.right(settled.address, now)
    elif (alarm := table.guesses.wrong()) is not None:
        table.alarm(alarm)


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
            ours = _start(program)
            reader, writer = await asyncio.open_connection(sock=ours, limit=MAX_LINE_BYTES)
            try:
                trouble = await self._serve(kind, reader, writer)
            finally:
                writer.close()
        if self._tasks.get(kind) is asyncio.current_task():
            del self._tasks[kind]
        _log.warning("the door %s is closed: %s", kind, trouble.value)
        self._tell(DoorNow(kind, trouble=trouble))

    async def _serve(
        self, kind: DoorKind, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> DoorTrouble:
        """Answer a door's questions until its process ends; return why it did."""
        trouble = DoorTrouble.ENDED
        try:
            writer.write(msgspec.json.encode(self._table.order) + b"\n")
            while line := await reader.readline():
                message = _DECODER.decode(line)
                match message:
                    case DoorOpened(port, fingerprint):
                        self._tell(DoorNow(kind, port, fingerprint))
                    case DoorFailed(why):
                        trouble = why
                    case Settle():
                        settle(self._table, message, time.monotonic())
                    case TryCode() | Admit() | TryExchange():
                        said = answer(self._table, message, time.monotonic())
                        writer.write(msgspec.json.encode(said) + b"\n")
                        await writer.drain()
                    case _:
                        assert_never(message)
        except (OSError, ValueError, msgspec.DecodeError) as error:  # ValueError: a line too long
            _log.warning("the door %s broke: %s", kind, type(error).__name__)
        return trouble


def _start(program: Sequence[str]) -> socket.socket:
    """Start a door's process, which may outlive us; return the socket to it."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - ourselves
            python(*program),
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            env=environment(),
            start_new_session=True,
        )
    _started.append(process)
    return ours
