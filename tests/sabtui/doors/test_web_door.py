"""The browser door as a process beside a real table, and guests who speak as the page does."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from net.protocol.doors import DoorKind
from net.protocol.lobby import DEFAULT_LEVEL
from net.protocol.messages import GuessAlarm
from net.protocol.requests import Chat, Kick, PutBot, Start, SwitchDoor
from net.secure.limits import ALARM_WRONG_CODES
from net.server.tables import resume
from sabtui.doors.guest_screen import GuestScreen
from sabtui.doors.guests import Guest
from sabtui.doors.web_door import WEB_PLACES
from sabtui.doors.web_login import Arrival
from tests.net.server.served_table import CODE, HERE, until
from tests.sabtui.doors.open_doors import crowd, in_this_process, many_files
from tests.sabtui.doors.web_guest import (
    WORDS,
    EchoScreen,
    Gate,
    Refused,
    VisitingBrowser,
    WebGuest,
    echoing,
    open_door,
)
from tests.sabtui.doors.web_table import Door, beside, door
from tests.samples import first

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
        (member,) = (person.member for person in opened.host.lobby.people if person.name == "Zoe")
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
        guesses = (guess(opened, address) for address in addresses for _ in range(3))
        said = await asyncio.gather(*guesses)
        assert opened.hosted.host.entrance.guesses.wrong_codes >= 2 * ALARM_WRONG_CODES
        assert set(said) <= {"code", "wait"}
        await until(lambda: GuessAlarm(ALARM_WRONG_CODES) in opened.host.got)
        await goes_on(opened)
        assert opened.names() == ["Ann", "Dede"]


STAGE = VisitingBrowser(stage=True)
TITLE = "Gold Rush"


def names_at(opened: Door) -> list[str]:
    """The names of all who are at the table; a stage is nobody there."""
    return [person.name for person in opened.hosted.state.lobby.people]


async def test_a_page_of_the_stage_says_so(tmp_path: Path) -> None:
    arrived = list[Arrival]()

    def start(_guest: Guest, arrival: Arrival) -> GuestScreen:
        arrived.append(arrival)
        return EchoScreen()

    async with open_door(tmp_path, Gate(), start) as opened:
        page = await WebGuest.enter(opened.port, "Stage", browser=STAGE)
        await page.sees(b"hello")
        await (await WebGuest.enter(opened.port, "Zoe")).sees(b"hello")
    assert [arrival.stage for arrival in arrived] == [True, False]


@pytest.mark.level("thorough")  # the first test comes by the page, and `test_json` watches
async def test_a_stage_watches_and_comes_back_to_a_game(where: Path, tmp_path: Path) -> None:
    async with in_this_process(), door(where, tmp_path) as opened:
        page = await WebGuest.enter(opened.port, "Stage", browser=STAGE)
        await page.sees(f'"name":"{TITLE}"'.encode())
        assert names_at(opened) == ["Ann"]
        for seat in (1, 2):
            assert await opened.host.wants(PutBot(seat, f"Bot {seat}", DEFAULT_LEVEL)) is None
        assert await opened.host.wants(Start()) is None
        await page.sees(b'"round":1')
        assert b'"hand":[{' not in page.shown
        again = await WebGuest.enter(opened.port, known=(page.seat, page.secret), browser=STAGE)
        await again.do("all")
        await again.sees(b'"round":1')
        assert names_at(opened) == ["Ann"]
