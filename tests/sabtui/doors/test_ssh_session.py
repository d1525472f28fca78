"""Sessions at the SSH door: friends of one name keep a seat each, whoever comes first or again."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import asyncssh
import pytest

from net.protocol.lobby import Settings
from sabtui.doors import ssh_session
from sabtui.doors.padding import FILLER, PIECES_BYTES
from tests.net.server.served_table import CODE, HERE, until
from tests.sabtui.doors.ssh_table import quick_door
from tests.sabtui.doors.web_guest import echoing

FOUR = Settings(seats=4, rounds=1)


async def test_two_of_one_name_who_come_at_the_same_moment_have_a_seat_each(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_session, "PRESENCE_S", 0.05)
    monkeypatch.setattr(ssh_session, "PRESENCE_TRIES", 8)
    with echoing() as started:
        async with quick_door(where, tmp_path / "door", FOUR) as opened, AsyncExitStack() as stack:
            logins = [await stack.enter_async_context(opened.login("Dede")) for _ in range(2)]
            opening = (login.create_process(term_type="xterm", encoding=None) for login in logins)
            screens = await asyncio.gather(*opening)
            await until(lambda: len(started) == len(screens))
            assert len({request.order.key for request, _ in started}) == len(screens)
            assert [screen.is_closing() for screen in screens] == [False, False]


@pytest.mark.rule("K")
async def test_the_length_of_what_is_shown_says_little_and_nothing_on_the_way_compresses_it(
    where: Path, tmp_path: Path
) -> None:
    with echoing():
        async with quick_door(where, tmp_path / "door", FOUR) as opened:
            async with opened.guest("Dede") as dede:
                await dede.sees("hello")
                await dede.until(lambda: len(dede.raw) % PIECES_BYTES[0] == 0)
                assert dede.raw.endswith(FILLER)
            packed = asyncssh.connect(
                HERE,
                opened.port,
                username="Dede",
                password=str(CODE),
                known_hosts=None,
                compression_algs=["zlib@openssh.com"],
            )
            # The door may hang up before its reason is read.
            with pytest.raises((asyncssh.KeyExchangeFailed, asyncssh.ConnectionLost)):
                await packed
