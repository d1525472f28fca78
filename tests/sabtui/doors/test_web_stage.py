"""The stage as a page of the browser door: it watches, and shows the room where to join."""

from __future__ import annotations

from pathlib import Path

import pytest

from net.protocol.lobby import DEFAULT_LEVEL
from net.protocol.requests import PutBot, Start
from sabtui.doors.guest_screen import GuestScreen
from sabtui.doors.guests import Guest
from sabtui.doors.web_login import Arrival
from tests.sabtui.doors.open_doors import in_this_process
from tests.sabtui.doors.web_guest import (
    EchoScreen,
    Gate,
    VisitingBrowser,
    WebGuest,
    open_door,
)
from tests.sabtui.doors.web_table import Door, door

STAGE = VisitingBrowser(stage=True)
TITLE = "Gold Rush"


def names_at(opened: Door) -> list[str]:
    """The names of all who are at the table; a stage is nobody there."""
    return [one.name for one in opened.hosted.state.lobby.people]


async def test_a_page_of_the_stage_says_so(tmp_path: Path) -> None:
    arrived = list[Arrival]()

    def start(_guest: Guest, arrival: Arrival) -> GuestScreen:
        arrived.append(arrival)
        return EchoScreen()

    async with open_door(tmp_path, Gate(), start) as opened:
        page = await WebGuest.enter(opened.port, "Stage", browser=STAGE)
        await page.sees(b"hello")
        await (await WebGuest.enter(opened.port, "Zoe")).sees(b"hello")
    assert [one.stage for one in arrived] == [True, False]


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
