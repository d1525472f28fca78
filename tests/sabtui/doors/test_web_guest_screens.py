"""Real screens behind the browser door, at a table in this process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from net.tasks import cancel_and_wait
from sabtui.doors.guest_screen import GuestOrder, GuestRequest, GuestScreen, GuestTerminal
from sabtui.doors.guests import Guest, GuestBook
from sabtui.doors.web_channel import Arrival
from sabtui.doors.web_server import WebDoor
from tests.net.server.served_table import CODE, SMALL, Hosted, hosting, until
from tests.sabtui.doors.watched import Watched
from tests.sabtui.doors.web_guest import HERE, Gate, WebGuest


@asynccontextmanager
async def door_of(hosted: Hosted, folder: Path) -> AsyncIterator[int]:
    """A browser door in this process; its port."""
    guests = GuestBook(folder)

    async def start(guest: Guest, arrival: Arrival) -> GuestScreen:
        order = GuestOrder(
            guest.name, hosted.port, guest.key, code=str(CODE), table=hosted.table.id
        )
        terminal = GuestTerminal(
            lang="en_GB.UTF-8", columns=arrival.columns, rows=arrival.rows, colorterm="truecolor"
        )
        return await GuestScreen.start(GuestRequest(order, terminal, str(guests.home(guest))))

    with socket.create_server((HERE, 0)) as listening:
        door = WebDoor(Gate(), guests, start)
        task = asyncio.create_task(door.run([listening], asyncio.Event()))
        try:
            yield int(listening.getsockname()[1])
        finally:
            await cancel_and_wait(task)


@asynccontextmanager
async def looking(guest: WebGuest) -> AsyncIterator[Watched]:
    typing = set[asyncio.Task[None]]()

    def write(data: bytes) -> None:
        typing.add(asyncio.create_task(guest.type(data)))

    async with Watched(guest.read, write) as watched:
        yield watched
    await asyncio.gather(*typing)
    guest.link.transport.abort()


async def test_a_page_that_was_loaded_anew_shows_all_of_the_same_screen(
    where: Path, tmp_path: Path
) -> None:
    async with hosting(where, SMALL) as hosted, door_of(hosted, tmp_path) as port:
        await hosted.come("Ann")
        anna = await WebGuest.enter(port, "Zoe")
        async with looking(anna) as page:
            await page.sees("Zoe(?s:.*)Press r when you are ready")
            page.type("t")
            page.type("half a sentence")
            await page.sees("half a sentence")
            shown = page.screen.text
        async with looking(await anna.back(port)) as page:
            await page.sees("half a sentence")
            assert page.screen.text == shown
            assert b"\x1b[?1006h" in page.raw, "the mouse is on in the new terminal"
            page.type("\r")
            await page.sees("Zoe: half a sentence")
        await until(lambda: len(hosted.state.lobby.people) == 2)
