"""Real clients behind the browser door, at a table in this process."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from net.tasks import cancel_and_wait
from sabtui.doors.guest_screen import GuestOrder, GuestRequest, GuestScreen, GuestTerminal
from sabtui.doors.guests import Guest, GuestBook
from sabtui.doors.web_login import Arrival
from sabtui.doors.web_server import WebDoor
from tests.net.server.served_table import CODE, SMALL, Hosted, hosting
from tests.sabtui.doors.test_guest_screen import ECHO, NOBODY, request
from tests.sabtui.doors.web_guest import HERE, Gate, WebGuest, open_door

assert sys.platform != "win32"  # so that types know, too

IS_SEATED = b'{"do":"unready"'


@asynccontextmanager
async def door_of(hosted: Hosted, folder: Path) -> AsyncIterator[tuple[int, list[GuestScreen]]]:
    """A browser door in this process; its port, and the screens that it has started."""
    guests, screens = GuestBook(folder), list[GuestScreen]()

    async def start(guest: Guest, _arrival: Arrival) -> GuestScreen:
        order = GuestOrder(
            guest.name,
            hosted.port,
            guest.key,
            code=str(CODE),
            table=hosted.table.id,
            lines=True,
        )
        request = GuestRequest(order, GuestTerminal(lang="en_GB.UTF-8"), str(guests.home(guest)))
        screens.append(await GuestScreen.start(request))
        return screens[-1]

    with socket.create_server((HERE, 0)) as listening:
        door = WebDoor(Gate(), guests, start)
        task = asyncio.create_task(door.run([listening], asyncio.Event()))
        try:
            yield int(listening.getsockname()[1]), screens
        finally:
            await cancel_and_wait(task)


@asynccontextmanager
async def zoe_in_lobby(
    where: Path, folder: Path
) -> AsyncIterator[tuple[Hosted, int, list[GuestScreen], WebGuest]]:
    """A table of Ann's and a door, its port and its screens, and Zoe, who was let in."""
    async with hosting(where, SMALL) as hosted, door_of(hosted, folder) as (port, screens):
        await hosted.come("Ann")
        yield hosted, port, screens, await WebGuest.enter(port, "Zoe")


async def test_who_comes_back_once_their_screen_was_killed_has_a_new_one(tmp_path: Path) -> None:
    screens = list[GuestScreen]()

    async def start(_guest: Guest, _arrival: Arrival) -> GuestScreen:
        screens.append(await GuestScreen.start(request(tmp_path, NOBODY), ("-c", ECHO)))
        return screens[-1]

    async with open_door(tmp_path, Gate()) as opened:
        opened.door._open_screen = start
        zoe = await WebGuest.enter(opened.port, "Zoe")
        await zoe.sees(b"ready")
        screens[0]._process.kill()
        await zoe.wait_for_close()
        assert zoe.has_ended
        again = await zoe.back(opened.port)
        await again.type(b"still here")
        await again.sees(b"still here")
        assert len(screens) == 2
