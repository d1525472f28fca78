"""A door and its table: the messages between them, and the door's end of that link.

    door                                    table
                                       <-   DoorOrder, first and once
    DoorOpened or DoorFailed           ->
    TryCode (address, typed)           ->
                                       <-   DoorAnswer: right, or not, or wait and ask again
    Admit (key, address, is_new)       ->
                                       <-   DoorAnswer: whether that key may enter now
    IsSeated (key)                     ->
                                       <-   DoorAnswer: whether somebody there has that key
    TryExchange (address, share)       ->
                                       <-   DoorAnswer: the table's share and the secret, or wait
    Settle (address, is_right)         ->

Each is a line of JSON, over the door's standard streams, which nobody else can use. Answers come in
the order of the questions. The table's end is `sabtui.doors.table_side`.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import deque
from typing import Final, TypeAlias

import msgspec

from net.protocol.doors import DoorTrouble
from net.secure.handshake import BadShare, CodeExchange, PakeSide

MAX_LINE_BYTES: Final = 1 << 16
"""Longest line of the link, either way; all of them are short."""

MAX_TYPED_LETTERS: Final = 80
"""Maximum number of letters of a code as a guest types it; a longer text cannot be one, and is
never sent."""


class DoorOrder(msgspec.Struct, frozen=True):
    """Order to a door's process: the table that it leads to, and its language.

    `pin` is the fingerprint of the table's certificate. `folder` is the door's own state folder.
    """

    table: str
    title: str
    port: int
    pin: bytes
    folder: str
    language: str = "en"


class DoorOpened(msgspec.Struct, frozen=True, tag="opened"):
    """The door is open at this port; `fingerprint` and `trouble` as in `DoorNow`."""

    port: int
    fingerprint: str = ""
    trouble: DoorTrouble = DoorTrouble.NONE


class DoorFailed(msgspec.Struct, frozen=True, tag="failed"):
    """The door cannot be opened."""

    trouble: DoorTrouble


class TryCode(msgspec.Struct, frozen=True, tag="try"):
    """Question whether the code that a guest at this address has `typed` is right.

    "" is right only at a table that needs no code.
    """

    address: str
    typed: str


class Admit(msgspec.Struct, frozen=True, tag="admit"):
    """Question whether a screen with this public seat key may join, for a guest at this address.

    `is_new` is True for a guest who has proven the code, which had been `renewed` this many times
    by then. The table must already know the key of any other guest.
    """

    key: bytes
    address: str
    is_new: bool
    renewed: int = 0


class IsSeated(msgspec.Struct, frozen=True, tag="is-seated"):
    """Question whether somebody at the table has this public seat key, present or absent."""

    key: bytes


class TryExchange(msgspec.Struct, frozen=True, tag="exchange"):
    """Question for the table's side of a SPAKE2 exchange with a guest at this address.

    The guest's `share` is made from the code that they have typed; both sides mix in the bytes of
    `binding`. The door reports later whether that code was right (`Settle`).
    """

    address: str
    share: bytes
    binding: bytes


class Settle(msgspec.Struct, frozen=True, tag="settle"):
    """Report on a `TryExchange` of a guest at this address: the code was right, or wrong.

    A right code does not count as a guess; the host may be warned of wrong ones.
    """

    address: str
    is_right: bool


class DoorAnswer(msgspec.Struct, frozen=True):
    """Answer to a question. With a `wait`, in seconds, nothing was tried yet.

    `share` and `secret` are the table's side of an exchange; an open table has none. The code that
    was tried had been `renewed` this many times.
    """

    yes: bool = False
    wait: float = 0.0
    share: bytes = b""
    secret: bytes = b""
    renewed: int = 0


Question: TypeAlias = TryCode | Admit | IsSeated | TryExchange
DoorMessage: TypeAlias = DoorOpened | DoorFailed | Question | Settle


def run_exchange(share: bytes, words: bytes, binding: bytes) -> DoorAnswer:
    """Run the host's side of an exchange with a guest's share, which takes about 10 ms.

    `words` are the code, or the secret of a seat. The answer is no if the share is not valid.
    """
    run = CodeExchange(PakeSide.HOST, words, binding)
    ours = run.share()
    try:
        return DoorAnswer(yes=True, share=ours, secret=run.key(share))
    except BadShare:
        return DoorAnswer()


_ANSWER: Final = msgspec.json.Decoder(DoorAnswer)


class TableGone(Exception):
    """Raised when a question cannot be answered: the table's process ended, or closed the door."""


class TableLink:
    """A door's questions to its table, and the answers. Made by `connect`.

    `gone` is set once the table's process has ended, or has closed the door. A question raises
    TableGone if nobody is there to answer.
    """

    def __init__(
        self, order: DoorOrder, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.order = order
        self.gone = asyncio.Event()
        self._writer = writer
        self._asked = deque[asyncio.Future[DoorAnswer]]()  # questions without an answer, in order
        self._reading = asyncio.create_task(self._read(reader))

    @classmethod
    async def connect(cls, ours: socket.socket | None = None) -> TableLink:
        """Read the order, by default from the standard input, and keep using that link.

        Raises TableGone: there is no order.
        """
        ours = ours or socket.socket(fileno=sys.stdin.fileno())
        reader, writer = await asyncio.open_connection(sock=ours, limit=MAX_LINE_BYTES)
        try:
            order = msgspec.json.decode(await reader.readline(), type=DoorOrder)
        except (OSError, ValueError) as error:
            writer.close()
            raise TableGone from error
        return cls(order, reader, writer)

    def send(self, message: DoorMessage) -> None:
        """Send the table a message that has no answer."""
        self._writer.write(msgspec.json.encode(message) + b"\n")

    async def try_code(self, address: str, typed: str) -> DoorAnswer:
        """Ask the table whether a code is right, for a guest at this address.

        A text longer than any code is wrong, and is not sent: the table would end the door.
        """
        if len(typed) > MAX_TYPED_LETTERS:
            return DoorAnswer()
        return await self._ask(TryCode(address, typed))

    async def admit(self, key: bytes, address: str, *, is_new: bool, renewed: int = 0) -> bool:
        """Ask the table whether a screen with this public seat key may enter; see `Admit`."""
        return (await self._ask(Admit(key, address, is_new, renewed))).yes

    async def is_seated(self, key: bytes) -> bool:
        """Ask the table whether somebody there has this public seat key."""
        return (await self._ask(IsSeated(key))).yes

    async def exchange(self, address: str, share: bytes, binding: bytes) -> DoorAnswer:
        """Ask the table for its side of an exchange with the room code; see `TryExchange`."""
        return await self._ask(TryExchange(address, share, binding))

    async def close(self) -> None:
        self._writer.close()  # first, as the caller may be cancelled while it waits
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _ask(self, question: Question) -> DoorAnswer:
        """Ask the table, and wait for its answer. Raises TableGone."""
        if self.gone.is_set():
            raise TableGone
        waiting: asyncio.Future[DoorAnswer] = asyncio.get_running_loop().create_future()
        self._asked.append(waiting)
        self.send(question)
        return await waiting

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Pass on the answers until the link is lost."""
        try:
            while line := await reader.readline():
                waiting = self._asked.popleft()
                if not waiting.done():  # it was cancelled
                    waiting.set_result(_ANSWER.decode(line))
        except OSError:
            pass
        finally:
            self.gone.set()
            for waiting in self._asked:
                if not waiting.done():
                    waiting.set_exception(TableGone())
