"""A door and its table: what they say to each other, and the door's end of that link.

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

Each is a line of JSON, over the door's standard streams, which nobody else has. The table's end is
`sabtui.doors.table_side`.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from itertools import count
from typing import Final, TypeAlias

import msgspec

from net.protocol.doors import DoorTrouble
from net.secure.handshake import BadShare, CodeExchange, PakeSide

MAX_LINE_BYTES: Final = 1 << 16
"""Longest line of the link, either way; all of them are short."""

MAX_TYPED_LETTERS: Final = 80
"""Most letters of a code as a guest types it; a longer text is no code, and is never sent."""


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
    """The door is open at this port; `fingerprint` and `trouble` as in `DoorNow`."""

    port: int
    fingerprint: str = ""
    trouble: DoorTrouble = DoorTrouble.NONE


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

    `is_new` is True for a guest who has proven the code, which had been `renewed` this many times.
    The key of any other guest has to be known at the table already.
    """

    id: int
    key: bytes
    address: str
    is_new: bool
    renewed: int = 0


class IsSeated(msgspec.Struct, frozen=True, tag="is-seated"):
    """Question whether somebody at the table has this public seat key, there or away."""

    id: int
    key: bytes


class TryExchange(msgspec.Struct, frozen=True, tag="exchange"):
    """A guest at this address begins a SPAKE2 exchange with the room code as they have typed it.

    `binding` are bytes that the guest mixes in, too. The door reports later if the guess was right
    (`Settle`).
    """

    id: int
    address: str
    share: bytes
    binding: bytes


class Settle(msgspec.Struct, frozen=True, tag="settle"):
    """The guess of a guest at this address, in an exchange, was right, or wrong.

    A right one is refunded; of wrong ones the host may be warned.
    """

    address: str
    is_right: bool


class DoorAnswer(msgspec.Struct, frozen=True):
    """Answer to the question with this id. With a `wait`, in seconds, nothing was tried yet.

    `share` and `secret` are the table's side of an exchange; an open table has none. The code that
    was tried had been `renewed` this many times.
    """

    id: int = 0
    yes: bool = False
    wait: float = 0.0
    share: bytes = b""
    secret: bytes = b""
    renewed: int = 0


Question: TypeAlias = TryCode | Admit | IsSeated | TryExchange
DoorMessage: TypeAlias = DoorOpened | DoorFailed | Question | Settle


def exchange(share: bytes, words: bytes, binding: bytes) -> DoorAnswer:
    """Run the table's side of an exchange; the answer is no if the guest's share is not valid.

    It takes about 10 ms. `words` are the code, or a seat's secret.
    """
    run = CodeExchange(PakeSide.HOST, words, binding)
    ours = run.share()
    try:
        return DoorAnswer(yes=True, share=ours, secret=run.key(share))
    except BadShare:
        return DoorAnswer()


_ANSWER: Final = msgspec.json.Decoder(DoorAnswer)


class TableGone(Exception):
    """Raised when a question cannot be answered: the table's process has ended, or closed us."""


class TableLink:
    """Questions of a door to its table, and the answers. Made by `connect`.

    `gone` is set once the table's process has ended, or has closed the door. A question raises
    TableGone if nobody is there to answer.
    """

    def __init__(
        self, order: DoorOrder, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.order = order
        self.gone = asyncio.Event()
        self._writer = writer
        self._ids = count(1)
        self._asked: dict[int, asyncio.Future[DoorAnswer]] = {}
        self._reading = asyncio.create_task(self._read(reader))

    @classmethod
    async def connect(cls, ours: socket.socket | None = None) -> TableLink:
        """Read the order, by default from the standard input, and go on with that link.

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

    def tell(self, message: DoorMessage) -> None:
        """Tell the table something that has no answer."""
        self._writer.write(msgspec.json.encode(message) + b"\n")

    async def try_code(self, address: str, typed: str) -> DoorAnswer:
        """Ask the table whether a code is right, for a guest at this address.

        A text longer than any code is wrong, and is not sent: the table would end the door.
        """
        if len(typed) > MAX_TYPED_LETTERS:
            return DoorAnswer()
        return await self._ask(TryCode(next(self._ids), address, typed))

    async def admit(self, key: bytes, address: str, *, is_new: bool, renewed: int = 0) -> bool:
        """Announce a screen with this public seat key; return True if it may enter the table.

        It `is_new` if its guest has just proven the code, which had been `renewed` this many times.
        """
        return (await self._ask(Admit(next(self._ids), key, address, is_new, renewed))).yes

    async def is_seated(self, key: bytes) -> bool:
        """Ask the table whether somebody there has this public seat key."""
        return (await self._ask(IsSeated(next(self._ids), key))).yes

    async def exchange(self, address: str, share: bytes, binding: bytes) -> DoorAnswer:
        """Ask the table for its side of an exchange with the room code.

        The answer is a share and a secret, or a wait, or nothing if the guest's share is none.
        """
        return await self._ask(TryExchange(next(self._ids), address, share, binding))

    async def close(self) -> None:
        """Close the link."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        self._writer.close()

    async def _ask(self, question: Question) -> DoorAnswer:
        if self.gone.is_set():
            raise TableGone
        waiting: asyncio.Future[DoorAnswer] = asyncio.get_running_loop().create_future()
        self._asked[question.id] = waiting
        try:
            self.tell(question)
            return await waiting
        finally:
            del self._asked[question.id]

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Hand out the answers until the link is gone."""
        try:
            while line := await reader.readline():
                answer = _ANSWER.decode(line)
                waiting = self._asked.get(answer.id)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        except OSError:
            pass
        finally:
            self.gone.set()
            for waiting in self._asked.values():
                if not waiting.done():
                    waiting.set_exception(TableGone())
