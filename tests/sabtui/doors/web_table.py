"""A table with a browser door beside it, the door's process included."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from net.secure.keys import SeatKey
from net.server.tables import HostedTable, ServerOptions
from tests.net.server.served_table import (
    CODE,
    HERE,
    QUICK,
    SMALL,
    Guest,
    Hosted,
    new_table,
)
from tests.sabtui.doors.open_doors import beside as beside_table
from tests.sabtui.doors.open_doors import names


@dataclass(frozen=True, slots=True)
class Door:
    """A door that is open, and the host of its table."""

    hosted: Hosted
    host: Guest
    folder: Path

    @property
    def port(self) -> int:
        return self.hosted.host.entrance.doors.now[DoorKind.WEB].port

    @property
    def address(self) -> str:
        return f"http://{HERE}:{self.port}/"

    def names(self) -> list[str]:
        return names(self.hosted)


@asynccontextmanager
async def door(
    where: Path, folder: Path, settings: Settings = SMALL, options: ServerOptions = QUICK
) -> AsyncIterator[Door]:
    """A new table, its host Ann, and the door."""
    key = SeatKey.new()
    async with beside(new_table(where, key, settings), key, folder, options) as opened:
        await opened.host.join(None if settings.is_open else CODE)
        yield opened


@asynccontextmanager
async def beside(
    table: HostedTable, key: SeatKey, folder: Path, options: ServerOptions = QUICK
) -> AsyncIterator[Door]:
    """The door beside a table, whose host has not come yet."""
    async with beside_table(table, key, folder, DoorKind.WEB, options=options) as hosted:
        yield Door(hosted, hosted.guest("Ann"), folder)
