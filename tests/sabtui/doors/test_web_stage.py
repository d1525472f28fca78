"""The stage as a page of the browser door: it watches, and shows the room how to join."""

from __future__ import annotations

from pathlib import Path

import pytest

from net.protocol.lobby import DEFAULT_LEVEL
from net.protocol.requests import NewCode, PutBot, Start
from sabtui.doors.guest_screen import GuestScreen
from sabtui.doors.guests import Guest
from sabtui.doors.web_channel import Arrival
from tests.net.server.served_table import CODE, HERE
from tests.sabtui.doors.browser import LAPTOP, LOOPBACK_ONLY, browsing
from tests.sabtui.doors.open_doors import in_this_process
from tests.sabtui.doors.web_guest import (
    EchoScreen,
    Gate,
    VisitingBrowser,
    WebGuest,
    looking,
    open_door,
)
from tests.sabtui.doors.web_table import Door, door

STAGE = VisitingBrowser(stage=True)
TITLE = "Gold Rush"


def names_at(opened: Door) -> list[str]:
    """The names of all who are at the table; a stage is nobody there."""
    return [one.name for one in opened.hosted.state.lobby.people]


async def test_a_page_of_the_stage_says_so_and_brings_the_code_that_it_shows(
    tmp_path: Path,
) -> None:
    arrived = list[Arrival]()

    def start(_guest: Guest, arrival: Arrival) -> GuestScreen:
        arrived.append(arrival)
        return EchoScreen(arrival.columns, arrival.rows)

    async with open_door(tmp_path, Gate(), start) as opened:
        page = await WebGuest.enter(opened.port, "Stage", browser=STAGE)
        await page.sees(b"hello")
        await (await WebGuest.enter(opened.port, "Zoe")).sees(b"hello")
    assert [(one.stage, one.code) for one in arrived] == [(True, str(CODE)), (False, "")]


@pytest.mark.thorough  # `test_director` watches, the first test comes by the page
async def test_a_stage_watches_and_shows_the_code_and_the_door_and_comes_back_to_a_game(
    where: Path, tmp_path: Path
) -> None:
    async with in_this_process(), door(where, tmp_path) as opened:
        page = await WebGuest.enter(opened.port, "Stage", browser=STAGE)
        async with looking(page) as screen:
            await screen.sees(TITLE)
            await screen.sees(f"In a browser: http://.*:{opened.port}")
            assert names_at(opened) == ["Ann"]
            for seat in (1, 2):
                assert await opened.host.wants(PutBot(seat, f"Bot {seat}", DEFAULT_LEVEL)) is None
            assert await opened.host.wants(Start()) is None
            await screen.sees("round 1/1")
            await screen.sees(f"Room code: {CODE}")
            assert "Your hand" not in screen.screen.text
            assert await opened.host.wants(NewCode()) is None
            await screen.until(lambda: "Room code" not in screen.screen.text)
        known = (page.seat, page.secret)
        again = await WebGuest.enter(opened.port, known=known, browser=STAGE)
        async with looking(again) as screen:
            await screen.sees("round 1/1")
        assert names_at(opened) == ["Ann"]


@pytest.mark.broad
@pytest.mark.thorough  # `test_web_browser` has a page, the first test what this one tells
async def test_a_link_with_the_code_brings_a_browser_to_the_stage_and_nothing_is_typed(
    tmp_path: Path,
) -> None:
    gate, arrived = Gate(), list[Arrival]()

    def start(_guest: Guest, arrival: Arrival) -> GuestScreen:
        arrived.append(arrival)
        return EchoScreen(arrival.columns, arrival.rows)

    async with (
        open_door(tmp_path / "doors", gate, start) as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        address = f"http://{HERE}:{opened.port}/stage"
        page = await browser.open(LAPTOP)
        await page.go(address)
        text = await page.sees("Room code: the two words")
        assert "Your name" not in text
        await page.go("about:blank")
        await page.go(f"{address}#{CODE}")
        await page.sees("hello")
        ((is_stage, code),) = [(one.stage, one.code) for one in arrived]
        assert (is_stage, code) == (True, str(CODE)), "which it shows to the room"
        stored = "Object.keys(localStorage).join()"
        assert await page.run(stored) == "sabtui stage", "who plays in this browser keeps a seat"
        assert await page.run("location.href") == address
        await page.go("about:blank")
        await page.go(address)
        await page.sees("REDRAWN")
        assert len(arrived) == 1
        assert gate.settled == [True]
        gate.knows_seats = False
        await page.type("q")
        await page.until("!document.getElementById('notice').hidden")
        await page.type("\r")
        await page.sees("The host no longer knows your seat")
        await page.run("document.activeElement.click()")
        await page.sees("hello")
        assert gate.settled == [True, True], "it had kept the code"
        assert page.troubles == []
