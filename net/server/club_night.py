"""The tables of a round of a club's night: drawn beside the loop, and opened with their people."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final

from msgspec.structs import replace

from net.protocol.fields import KEY_BYTES
from net.protocol.lobby import DEFAULT_LEVEL, MIN_SEATS, BotChair, bot_names
from net.protocol.night import NightTable
from net.protocol.text import clean_name
from net.room.night import RoundOrder
from net.room.table_draw import draw_tables
from net.secure.code import RoomCode
from net.server.club_folder import remove
from net.server.clubs import HostedClub
from net.server.tables import HostedTable, create

LATE_AFTER_S: Final = 60.0
"""Seconds after which a table's game begins without those who have not come."""


async def open_round(
    club: HostedClub, order: RoundOrder, code: RoomCode
) -> list[tuple[NightTable, HostedTable]]:
    """Draw the tables of a round, and open them all.

    Raises JournalError: one of them cannot be written. Those before it are removed.
    """
    drawn = await asyncio.to_thread(draw_tables, order.present, order.played, order.seed)
    opened: list[tuple[NightTable, HostedTable]] = []
    try:
        for number, people in enumerate(drawn, 1):
            table = await asyncio.to_thread(_open, club, order, code, number, people)
            opened.append((NightTable(table.id, people), table))
    except BaseException:
        for _told, table in opened:
            table.journal.close()
            remove(table.journal.path)
        raise
    return opened


def _open(
    club: HostedClub, order: RoundOrder, code: RoomCode, number: int, people: tuple[int, ...]
) -> HostedTable:
    """Open a table of the night. Its host's key is nobody's: all its people are guests."""
    seated = [order.people[one] for one in people]
    missing = max(MIN_SEATS - len(seated), 0)
    bots = bot_names(missing, {name.casefold() for _key, name in seated})
    return create(
        club.tables,
        name=clean_name(f"{order.title} {number}"),
        host_key=secrets.token_bytes(KEY_BYTES),
        settings=replace(order.settings, seats=len(seated) + missing),
        port=0,
        code=code,
        bots=tuple(BotChair(name, DEFAULT_LEVEL) for name in bots),
        certificate=club.certificate,
        people=seated,
        in_club=True,
    )
