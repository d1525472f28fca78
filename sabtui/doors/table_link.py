"""A door's link to its table's process: over the standard input, which nobody else has.

The other end is `sabtui.doors.table_side`; what may be asked is in `sabtui.doors.messages`.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from itertools import count
from typing import Final

import msgspec

from sabtui.doors import messages
from sabtui.doors.messages import DoorAnswer, DoorOrder

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
        reader, writer = await asyncio.open_connection(sock=ours, limit=messages.MAX_LINE_BYTES)
        try:
            order = msgspec.json.decode(await reader.readline(), type=DoorOrder)
        except (OSError, ValueError) as error:
            writer.close()
            raise TableGone from error
        return cls(order, reader, writer)

    def report(self, now: messages.DoorOpened | messages.DoorFailed) -> None:
        """Tell the table that the door is open, or that it cannot be opened."""
        self._write(now)

    async def try_code(self, address: str, typed: str) -> DoorAnswer:
        """Ask the table whether a code is right, for a guest at this address.

        A text that is longer than any code is not: the table would end a door that sends it.
        """
        if len(typed) > messages.MAX_TYPED_LETTERS:
            return DoorAnswer(0)
        return await self._ask(messages.TryCode(next(self._ids), address, typed))

    async def admit(self, key: bytes, address: str, *, is_new: bool, renewed: int = 0) -> bool:
        """Announce a screen with this public seat key; return True if it may enter the table.

        It `is_new` if its guest has just proven the code, which had been `renewed` this many times.
        """
        return (await self._ask(messages.Admit(next(self._ids), key, address, is_new, renewed))).yes

    async def is_seated(self, key: bytes) -> bool:
        """Ask the table whether somebody there has this public seat key."""
        return (await self._ask(messages.IsSeated(next(self._ids), key))).yes

    async def exchange(self, address: str, share: bytes, binding: bytes) -> DoorAnswer:
        """Ask the table for its side of an exchange with the room code.

        The answer is a share and a secret, or a wait, or nothing if the guest's share is none.
        """
        return await self._ask(messages.TryExchange(next(self._ids), address, share, binding))

    def settle(self, address: str, *, is_right: bool) -> None:
        """Tell the table whether the guess in an exchange was right.

        Then it is refunded; else the host may be warned.
        """
        self._write(messages.Settle(address, is_right))

    async def close(self) -> None:
        """Close the link."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        self._writer.close()

    async def _ask(self, question: messages.Question) -> DoorAnswer:
        if self.gone.is_set():
            raise TableGone
        waiting: asyncio.Future[DoorAnswer] = asyncio.get_running_loop().create_future()
        self._asked[question.id] = waiting
        try:
            self._write(question)
            return await waiting
        finally:
            del self._asked[question.id]

    def _write(self, message: messages.DoorMessage) -> None:
        self._writer.write(msgspec.json.encode(message) + b"\n")

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
