"""The browser door as a process beside a real table, and guests who speak as the page does."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from net.protocol.doors import DoorKind
from net.protocol.requests import Kick, SwitchDoor
from net.server.tables import resume
from tests.net.server.served_table import CODE, HERE, until
from tests.sabtui.doors.open_doors import in_this_process
from tests.sabtui.doors.web_guest import WORDS, Refused, WebGuest, echoing
from tests.sabtui.doors.web_table import beside, door

SEATED = b'{"do":"unready"'
IS_NOT_READY = b'"is":"person","ready":false'


async def test_a_guest_comes_by_the_code_and_back_by_the_secret_until_they_are_removed(
    where: Path, tmp_path: Path
) -> None:
    assert str(CODE).encode() == WORDS
    async with door(where, tmp_path) as opened:
        with pytest.raises(Refused, match="code"):
            await WebGuest.enter(opened.port, words=b"amber-tiger")
        await until(lambda: opened.hosted.host.entrance.guesses.wrong_codes == 1)
        zoe = await WebGuest.enter(opened.port, "Zoe")
        await zoe.sees(SEATED)
        await zoe.do("unready")
        await zoe.sees(IS_NOT_READY)
        zoe.link.transport.abort()
        again = await zoe.back(opened.port)
        await again.do("all")
        await again.sees(IS_NOT_READY)
        assert opened.names() == ["Ann", "Zoe"]
        (member,) = (one.member for one in opened.host.lobby.people if one.name == "Zoe")
        assert await opened.host.wants(Kick(member)) is None
        await again.wait_for_close()
        assert again.has_ended
        removed = await zoe.back(opened.port)
        await removed.wait_for_close()
        assert removed.refused == "seat", "it is the code that is needed again"


async def test_a_door_that_is_closed_lets_nobody_in_and_ends_once_its_guests_are_gone(
    where: Path, tmp_path: Path
) -> None:
    with echoing():
        async with in_this_process(), door(where, tmp_path) as opened:
            port = opened.port
            zoe = await WebGuest.enter(port, "Zoe")
            await zoe.sees(b"hello")
            assert await opened.host.wants(SwitchDoor(DoorKind.WEB, open=False)) is None
            await until(lambda: not opened.port)
            await zoe.type(b"still here")
            await zoe.sees(b"STILL HERE")
            with pytest.raises(OSError, match="onnect"):
                await asyncio.open_connection(HERE, port)
            zoe.link.transport.abort()


async def test_a_screen_follows_its_table_that_was_killed_and_resumed_and_so_does_its_page(
    where: Path, tmp_path: Path
) -> None:
    async with in_this_process(), AsyncExitStack() as stack:
        opened = await stack.enter_async_context(door(where, tmp_path))
        zoe = await WebGuest.enter(opened.port, "Zoe")
        await zoe.sees(SEATED)
        path, key, port = opened.hosted.table.journal.path, opened.hosted.host_key, opened.port
        await opened.host.leave()
        await opened.hosted.stop()
        await zoe.sees(b'"connection":"lost"')
        zoe.shown = b""
        with pytest.raises(OSError, match="onnect"):
            await asyncio.open_connection(HERE, port)
        again = await stack.enter_async_context(beside(resume(path), key, tmp_path))
        await again.host.come_back()
        await zoe.sees(b'"connection":"connected"')
        await zoe.do("unready")
        await until(lambda: not again.hosted.state.lobby.sitting[1][0].ready)
        anew = await zoe.back(again.port)
        await anew.do("all")
        await anew.sees(IS_NOT_READY)
        assert again.names() == ["Ann", "Zoe"]
