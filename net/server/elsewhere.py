"""Ends a table that everybody has left, once it has moved to another computer.

No program informs it. A table whose host plays on elsewhere, or that slept or was cut off, would
stay as an older copy for as long as its computer runs. While anybody who has a seat is there, it
does not end: they choose on their own screens.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Final

from net.discovery.search import FoundCopy, ask_host, search
from net.room.permissions import can_move
from net.room.room import Room
from net.secure.address import Address

WATCH_INTERVAL_S: Final = 2.0  # seconds between checks of our own table


def is_left(room: Room) -> bool:
    """Return True if nobody with a seat is at the table, as after a cut or a sleep."""
    seats = room.lobby.seats
    return can_move(room.lobby) and not any(member in seats for member in room.sessions.by_member)


async def find_later(room: Room, table: str, pin: bytes) -> FoundCopy:
    """Wait until a table that everybody has left plays at another computer; return that copy.

    Somebody who has a seat has to have signed it: anybody may announce a table.
    """

    async def ask(at: Address) -> FoundCopy:
        seats = tuple(person.key for _chair, person in room.lobby.sitting)
        return await ask_host(at, table, pin, seats=seats)

    while True:
        await asyncio.sleep(WATCH_INTERVAL_S)
        if not is_left(room):
            continue
        found = search(table, lambda there: there.replaces(room.rank.term), ask)
        async with aclosing(found) as copies:
            async for copy in copies:
                if not is_left(room):
                    break
                if copy is not None and copy.rank.replaces(room.rank.term):
                    return copy
