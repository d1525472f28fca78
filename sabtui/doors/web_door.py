"""The browser door: its guests' screens, and the table behind it as its server asks it."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from sabtui.doors.guest_screen import GuestRequest, GuestScreen, GuestTerminal
from sabtui.doors.guests import Guest, GuestBook, guest_book
from sabtui.doors.messages import DoorOpened
from sabtui.doors.table_link import TableLink
from sabtui.doors.web_login import Arrival
from sabtui.doors.web_server import WebDoor


async def serve(table: TableLink, sockets: Sequence[socket.socket]) -> None:
    """Keep the door open while there is a table, or a guest."""
    guests = guest_book(Path(table.order.folder), table.order.table)
    door = WebDoor(table, guests, _screens(table, guests))
    table.report(DoorOpened(sockets[0].getsockname()[1], ""))
    await door.run(sockets, table.gone)


def _screens(
    table: TableLink, guests: GuestBook
) -> Callable[[Guest, Arrival], Awaitable[GuestScreen]]:
    """Return what starts the screen of a guest."""

    async def start(guest: Guest, arrival: Arrival) -> GuestScreen:
        lang = f"{arrival.language}.UTF-8" if arrival.language else ""
        request = GuestRequest.of(guest, table.order, GuestTerminal(lang=lang), guests.home(guest))
        order = replace(request.order, lines=True, stage=arrival.stage)
        request = replace(request, order=order)
        return await GuestScreen.start(request)

    return start
