"""Real clients behind the browser door, at a table in this process."""

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
        screens[0]._process.end(at_once=True)
        await zoe.wait_for_close()
        assert zoe.has_ended
        again = await zoe.back(opened.port)
        await again.type(b"still here")
        await again.sees(b"still here")
        assert len(screens) == 2


@pytest.mark.level("thorough")  # the first test kills one, and `test_json` reads such lines
async def test_what_a_page_sends_ends_no_client_and_a_new_one_has_the_seat_of_one_that_was_killed(
    where: Path, tmp_path: Path
) -> None:
    async with zoe_in_lobby(where, tmp_path) as (hosted, port, screens, zoe):
        await zoe.sees(IS_SEATED)
        for nonsense in (
            b"{\n",
            b"[" * 3000 + b"\n",
            b"\xff\xfe\n",
            bytes(range(128, 256)),
            b"\n" * 300,
        ):
            await zoe.type(nonsense)
        await zoe.do("who")
        await zoe.sees(b"Zoe (you)")
        assert len(screens) == 1
        screens[0]._process.end(at_once=True)
        await zoe.wait_for_close()
        assert zoe.has_ended
        await (await zoe.back(port)).sees(IS_SEATED)
        assert len(screens) == 2
        assert [one.name for one in hosted.state.lobby.people] == ["Ann", "Zoe"]


@pytest.mark.level("thorough")  # `test_ssh_door` stalls one, which is the same at both doors
async def test_a_client_that_is_stalled_is_its_guests_alone_and_ends_when_it_is_closed(
    where: Path, tmp_path: Path
) -> None:
    async with zoe_in_lobby(where, tmp_path) as (hosted, port, screens, zoe):
        await zoe.sees(IS_SEATED)
        program = screens[0]._process
        assert isinstance(program, Program)
        program.process.send_signal(signal.SIGSTOP)
        for _ in range(50):
            await zoe.type(b"{}\n" * 2000)
        await (await WebGuest.enter(port, "Eva")).sees(IS_SEATED)
        await screens[0].close()
        await (await zoe.back(port)).sees(IS_SEATED)
        assert [one.name for one in hosted.state.lobby.people] == ["Ann", "Zoe", "Eva"]


@pytest.mark.parametrize("word", ["save", "s"])
async def test_a_guest_can_save_nothing_on_the_hosts_computer(
    word: str, where: Path, tmp_path: Path
) -> None:
    async with zoe_in_lobby(where, tmp_path) as (_hosted, _port, _screens, zoe):
        await zoe.sees(IS_SEATED)
        await zoe.do(f"{word} game.sabtui")
        await zoe.sees(b"Nothing can be saved here")
