"""A trusted connection to a club, on its way to the hall or to a table."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from net.protocol.framing import BadFrame, FrameFault, decode
from net.protocol.hall import Visit
from net.protocol.messages import CLIENT_KINDS, CloseReason
from net.secure.connection import Connection
from net.server.club_hall import LiveHall
from net.server.club_table import ClubTable

MAX_WAITING: Final = 16  # most messages on a connection whose table is being resumed


class Inside(Protocol):
    """The inside of a club, as one who comes in sees it."""

    hall: LiveHall

    async def find_table(self, table: str) -> ClubTable | None:
        """Return a table, `None` if there is none."""
        ...


class Visitor:
    """A trusted connection to a club, which is one to its hall unless it is for a table.

    `number` is that of the connection in the hall.
    """

    def __init__(
        self, club: Inside, number: int, connection: Connection, key: bytes, address: str
    ) -> None:
        self._club = club
        self._number = number
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
            first = decode(value, Visit, *CLIENT_KINDS)
            if isinstance(first, Visit):
                self._visit(first.table)
            else:
                self._club.hall.receive(self._number, value)
        else:
            self._club.hall.receive(self._number, value)

    def leave(self) -> None:
        """Forget the connection, which is gone."""
        if self._finding is not None:
            self._finding.cancel()
        if self._table is not None:
            self._table.detach(self._place)

    def _visit(self, table: str) -> None:
        if not self._club.hall.is_known(self._key):
            self._club.hall.turn_away(self._number, CloseReason.OUT_OF_ORDER)
            return
        self._waiting = []
        self._finding = asyncio.create_task(self._go_to(table))

    async def _go_to(self, table: str) -> None:
        live = await self._club.find_table(table)
        waiting, self._waiting = self._waiting or [], None
        if live is None:
            self._club.hall.turn_away(self._number, CloseReason.NO_TABLE)
            return
        self._club.hall.detach(self._number)
        self._place = live.attach(self._connection, self._key, self._address)
        self._table = live
        try:
            for value in waiting:
                live.receive(self._place, value)
        except BadFrame:
            self._connection.abort()
