"""What strangers can do to the browser door as a process: hold links, and guess."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from net.protocol.messages import GuessAlarm
from net.protocol.requests import Chat
from net.secure.limits import ALARM_WRONG_CODES
from sabtui.doors.web_door import WEB_PLACES
from tests.net.server.served_table import until
from tests.sabtui.doors.open_doors import crowd, many_files
from tests.sabtui.doors.web_guest import Refused, VisitingBrowser, WebGuest
from tests.sabtui.doors.web_table import Door, door
from tests.samples import first


async def goes_on(opened: Door) -> None:
    """Somebody comes in at the door, and the table answers its host."""
    assert await opened.host.wants(Chat("hello")) is None
    dede = await WebGuest.enter(opened.port, "Dede")
    await dede.sees(b'{"do":"unready"')
    dede.link.transport.abort()


@pytest.mark.level("thorough")  # as at the SSH door
@pytest.mark.parametrize("links", first(1, [300, 1000]))
async def test_idle_links_take_no_more_than_their_places_and_keep_nobody_out(
    links: int, where: Path, tmp_path: Path
) -> None:
    with many_files(3 * links):
        async with (
            door(where, tmp_path / "door") as opened,
            crowd(opened.port, links, WEB_PLACES // 2),
        ):
            await goes_on(opened)


@pytest.mark.level("thorough")  # as at the SSH door
async def test_guesses_from_many_addresses_are_told_to_the_host_and_keep_no_friend_out(
    where: Path, tmp_path: Path
) -> None:
    addresses = [f"127.0.0.{number}" for number in range(2, 2 + ALARM_WRONG_CODES)]

    async def guess(opened: Door, address: str) -> str:
        with pytest.raises(Refused) as refused:
            await WebGuest.enter(
                opened.port, "Mallory", b"amber-tiger", browser=VisitingBrowser(address)
            )
        return str(refused.value)

    async with door(where, tmp_path) as opened:
        guesses = (guess(opened, one) for one in addresses for _ in range(3))
        said = await asyncio.gather(*guesses)
        assert opened.hosted.host.entrance.guesses.wrong_codes >= 2 * ALARM_WRONG_CODES
        assert set(said) <= {"code", "wait"}
        await until(lambda: GuessAlarm(ALARM_WRONG_CODES) in opened.host.got)
        await goes_on(opened)
        assert opened.names() == ["Ann", "Dede"]
