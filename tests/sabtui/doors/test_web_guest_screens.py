"""Real screens behind the browser door, at a table in this process."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from net.tasks import cancel_and_wait
from sabtui.doors.guest_screen import GuestOrder, GuestRequest, GuestScreen, GuestTerminal, Program
from sabtui.doors.guests import Guest, GuestBook
from sabtui.doors.web_channel import Arrival
from sabtui.doors.web_server import WebDoor
from tests.net.server.served_table import CODE, SMALL, Hosted, hosting, until
from tests.sabtui.doors.test_guest_screen import ECHO, NOBODY, request
from tests.sabtui.doors.web_guest import HERE, Gate, WebGuest, looking, open_door

assert sys.platform != "win32"  # so that types know, too

ZOE_READY = "Zoe(?s:.*)You are in"


@asynccontextmanager
async def door_of(hosted: Hosted, folder: Path) -> AsyncIterator[tuple[int, list[GuestScreen]]]:
    """A browser door in this process; its port, and the screens that it has started."""
    guests, screens = GuestBook(folder), list[GuestScreen]()

    async def start(guest: Guest, arrival: Arrival) -> GuestScreen:
        order = GuestOrder(
            guest.name, hosted.port, guest.key, code=str(CODE), table=hosted.table.id
        )
        terminal = GuestTerminal(
            lang="en_GB.UTF-8", columns=arrival.columns, rows=arrival.rows, colorterm="truecolor"
        )
        request = GuestRequest(order, terminal, str(guests.home(guest)))
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
        screens[0]._process.end(at_once=True)
        await zoe.wait_for_close()
        assert zoe.has_ended
        again = await zoe.back(opened.port)
        await again.type(b"still here")
        await again.sees(b"still here")
        assert len(screens) == 2


@pytest.mark.thorough  # `test_web_door` has a guest who comes back to a screen
async def test_a_page_that_was_loaded_anew_shows_all_of_the_same_screen(
    where: Path, tmp_path: Path
) -> None:
    async with zoe_in_lobby(where, tmp_path) as (hosted, port, _screens, zoe):
        async with looking(zoe) as page:
            await page.sees(ZOE_READY)
            page.type("t")
            page.type("half a sentence")
            await page.sees("half a sentence")
            shown = page.screen.text
        async with looking(await zoe.back(port)) as page:
            await page.sees("half a sentence")
            assert page.screen.text == shown
            assert b"\x1b[?1006h" in page.raw, "the mouse is on in the new terminal"
            page.type("\r")
            await page.sees("Zoe: half a sentence")
        await until(lambda: len(hosted.state.lobby.people) == 2)


@pytest.mark.thorough  # the first test kills one, and `test_driver` reads such keys
async def test_what_is_typed_ends_no_screen_and_a_new_one_shows_the_seat_of_one_that_was_killed(
    where: Path, tmp_path: Path
) -> None:
    async with zoe_in_lobby(where, tmp_path) as (hosted, port, screens, zoe):
        async with looking(zoe) as page:
            await page.sees(ZOE_READY)
            for nonsense in (b"\x1b[", b"\x1b]52;c;!\x07", b"\x1bP" * 100, bytes(range(128, 256))):
                await zoe.type(nonsense * 10)
            await zoe.type(b"\x1b[<0;99999;99999M\x1b[<64;1;1M\x1b[M   \x1b[200~paste\x1b[201~")
            await zoe.resize(1, 1)
            await zoe.resize(500, 500)
            await zoe.resize(80, 24)
            await zoe.type(b"\x0c")
            await page.sees("Zoe")
            assert len(screens) == 1
            assert not page.has_ended
            screens[0]._process.end(at_once=True)
            await page.end()
        assert zoe.has_ended
        async with looking(await zoe.back(port)) as page:
            await page.sees(ZOE_READY)
        assert len(screens) == 2
        assert [one.name for one in hosted.state.lobby.people] == ["Ann", "Zoe"]


@pytest.mark.thorough  # `test_ssh_door` stalls one, which is the same at both doors
async def test_a_screen_that_is_stalled_is_its_guests_alone_and_ends_when_it_is_closed(
    where: Path, tmp_path: Path
) -> None:
    async with zoe_in_lobby(where, tmp_path) as (hosted, port, screens, zoe):
        async with looking(zoe) as page:
            await page.sees(ZOE_READY)
            program = screens[0]._process
            assert isinstance(program, Program)
            program.process.send_signal(signal.SIGSTOP)
            for _ in range(50):
                await zoe.type(b"?\x1b" * 2000)
            async with looking(await WebGuest.enter(port, "Eva")) as other:
                await other.sees("Eva(?s:.*)You are in")
        await screens[0].close()
        async with looking(await zoe.back(port)) as page:
            await page.sees(ZOE_READY)
        assert [one.name for one in hosted.state.lobby.people] == ["Ann", "Zoe", "Eva"]
