"""The browser door: its guests' screens, and the table behind it as its server asks it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from net.server.door_messages import DoorOpened
from sabtui.doors.guest_screen import GuestRequest, GuestScreen, GuestTerminal
from sabtui.doors.guests import Guest, GuestBook, guest_book
from sabtui.doors.table_link import TableLink
from sabtui.doors.web_channel import Arrival, BadMessage, exchange
from sabtui.doors.web_server import WebDoor

TERM: Final = "xterm-256color"
"""The terminal of the page, which knows 16 million colours besides."""


async def serve(table: TableLink, sockets: list[socket.socket]) -> None:
    """Keep the door open while there is a table, or a guest."""
    guests = guest_book(Path(table.order.folder), table.order.table)
    door = WebDoor(_Gate(table), guests, _screens(table, guests))
    table.report(DoorOpened(sockets[0].getsockname()[1]))
    await door.run(sockets, table.gone)


class _Gate:
    """The table behind the link, as the door asks it (`sabtui.doors.web_server.TableGate`)."""

    def __init__(self, table: TableLink) -> None:
        self._table = table

    async def is_open(self) -> bool:
        """Return True if the table asks for no room code."""
        return (await self._table.try_code("", "")).yes

    async def exchange(
        self, address: str, share: bytes, binding: bytes
    ) -> tuple[bytes, bytes] | float:
        """Return the table's share and the secret of an exchange, or the seconds to wait."""
        answer = await self._table.exchange(address, share, binding)
        if answer.wait:
            return answer.wait
        if not answer.yes:
            raise BadMessage
        if answer.share:
            return answer.share, answer.secret
        return await asyncio.to_thread(exchange, share, b"", binding)

    def settle(self, address: str, *, is_right: bool) -> None:
        """Say whether a guess was right."""
        self._table.settle(address, is_right=is_right)

    async def admit(self, guest: Guest, address: str, *, is_new: bool) -> bool:
        """Return True if a guest's screen may enter the table."""
        return await self._table.admit(guest.seat.public, address, is_new=is_new)

    async def is_seated(self, key: bytes) -> bool:
        """Return True if somebody at the table has this public seat key."""
        return await self._table.is_seated(key)


def _screens(
    table: TableLink, guests: GuestBook
) -> Callable[[Guest, Arrival], Awaitable[GuestScreen]]:
    """Return what starts the screen of a guest."""

    async def start(guest: Guest, arrival: Arrival) -> GuestScreen:
        terminal = GuestTerminal(
            term=TERM,
            lang=f"{arrival.language}.UTF-8" if arrival.language else "",
            colorterm="truecolor",
            columns=arrival.columns,
            rows=arrival.rows,
        )
        request = GuestRequest.of(guest, table.order, terminal, guests.home(guest))
        return await GuestScreen.start(request)

    return start
