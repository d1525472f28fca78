"""Doors beside a table that is served in this process, the doors' own processes included."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from net.protocol.requests import DoorKind
from net.security.keys import SeatKey
from net.server.server import ServerOptions
from net.server.tables import HostedTable
from sabtui.app.doors import PROGRAMS
from tests.net.server.served_table import QUICK, Hosted, run, until


@asynccontextmanager
async def beside(
    table: HostedTable,
    key: SeatKey,
    folder: Path,
    *kinds: DoorKind,
    options: ServerOptions = QUICK,
) -> AsyncIterator[Hosted]:
    """Serve a table until its doors of these kinds are open, each at any port."""
    programs = {kind: (*PROGRAMS[kind], "0") for kind in kinds}
    options = replace(options, doors=programs, doors_folder=folder)
    async with run(replace(table, doors=kinds), key, options) as hosted:
        now = hosted.host._doors.now
        await until(lambda: set(now) == set(kinds))
        assert all(door.port for door in now.values()), now
        yield hosted


def names(hosted: Hosted) -> list[str]:
    """Who is at the table."""
    return [person.name for person in hosted.state.lobby.people]
