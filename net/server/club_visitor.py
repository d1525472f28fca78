"""A trusted connection to a club, on its way to the hall or to a table."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol, assert_never

from net.protocol.framing import BadFrame, FrameFault, decode
from net.protocol.hall import (
    FIRST_KINDS,
    HALL_CLIENT_KINDS,
    EnterHall,
    FirstMessage,
    FromHallClient,
    Visit,
)
from net.protocol.messages import CloseReason, EnterTable
from net.secure.connection import Connection
from net.server.club_table import ClubTable

MAX_WAITING: Final = 16  # most messages on a connection whose table is being resumed


class Inside(Protocol):
    """The inside of a club, as one who comes in sees it."""

    def is_known(self, key: bytes) -> bool:
        """Return True if this key has a name here."""
        ...

    def receive(self, number: int, message: FromHallClient) -> None:
        """Handle what came from somebody in the hall, or on the way there."""
        ...

    def reject(self, number: int, why: CloseReason) -> None:
        """End a connection that has not come to a table."""
        ...

    def leave_hall(self, number: int) -> None:
        """Forget a connection that leads to a table now."""
        ...

    async def find_table(self, table: str) -> ClubTable | None:
        """Return a table, `None` if there is none."""
        ...


class Visitor:
    """A trusted connection to a club, on its way to the hall or to a table."""

    def __init__(
        self, club: Inside, number: int, connection: Connection, key: bytes, address: str
    ) -> None:
        self.number = number
        self._club = club
        self._connection = connection
        self._key = key
        self._address = address
        self._is_first = True
        self._waiting: list[object] | None = None  # for a table that is being resumed
        self._finding: asyncio.Task[None] | None = None
        self._table: ClubTable | None = None
        self._place = 0  # the number of this connection at the table

    def receive(self, value: object) -> None:
        """Handle what came. Raises BadFrame: it is no message that is due now."""
        if self._table is not None:
            self._table.receive(self._place, value)
        elif self._waiting is not None:
            if len(self._waiting) >= MAX_WAITING:
                raise BadFrame(FrameFault.MESSAGE)
            self._waiting.append(value)
        elif self._is_first:
            self._is_first = False
            self._begin(decode(value, *FIRST_KINDS))
        else:
            self._club.receive(self.number, decode(value, *HALL_CLIENT_KINDS))

    def leave(self) -> None:
        """Forget the connection, which is gone."""
        if self._finding is not None:
            self._finding.cancel()
        if self._table is not None:
            self._table.detach(self._place)

    def _begin(self, first: FirstMessage) -> None:
        match first:
            case EnterHall():
                self._club.receive(self.number, first)
            case EnterTable():
                self._club.reject(self.number, CloseReason.CLUB)
            case Visit() if not self._club.is_known(self._key):
                self._club.reject(self.number, CloseReason.OUT_OF_ORDER)
            case Visit(table):
                self._waiting = []
                self._finding = asyncio.create_task(self._go_to(table))
            case _:
                assert_never(first)

    async def _go_to(self, table: str) -> None:
        live = await self._club.find_table(table)
        waiting, self._waiting = self._waiting or [], None
        if live is None:
            self._club.reject(self.number, CloseReason.NO_TABLE)
            return
        self._club.leave_hall(self.number)
        self._place = live.attach(self._connection, self._key, self._address)
        self._table = live
        try:
            for value in waiting:
                live.receive(self._place, value)
        except BadFrame:
            self._connection.abort()
