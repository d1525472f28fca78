"""Guests' screens at the browser door, as pages come and go."""

from __future__ import annotations

import asyncio

import pytest

from sabtui.doors.padding import FILLER, PIECES_BYTES
from sabtui.doors.web_door import HeldScreen
from tests.sabtui.doors.web_guest import EchoScreen


class Page:
    """A page that shows what it is sent, once it is `awake`."""

    def __init__(self) -> None:
        self.shown = b""
        self.awake = asyncio.Event()
        self.awake.set()
        self._came = asyncio.Event()

    async def show(self, data: bytes) -> None:
        await self.awake.wait()
        self.shown += data
        self._came.set()

    async def sees(self, text: bytes) -> None:
        async with asyncio.timeout(60):
            while text not in self.shown:
                self._came.clear()
                await self._came.wait()


async def test_a_page_that_comes_back_is_shown_what_follows() -> None:
    echo, page, again = EchoScreen(), Page(), Page()
    held = HeldScreen(echo, lambda: None)
    held.attach(page.show)
    await page.sees(b"hello")
    held.detach(page.show)
    held.attach(again.show)
    held.pass_on(b"all again")
    await again.sees(b"ALL AGAIN")
    assert b"AGAIN" not in page.shown
    assert not echo.is_closed
    await held.close()


@pytest.mark.rule("K")
async def test_the_length_of_what_is_shown_says_little() -> None:
    echo, page = EchoScreen(), Page()
    held = HeldScreen(echo, lambda: None)
    held.attach(page.show)
    await page.sees(b"hello" + FILLER)
    before = len(page.shown)
    echo.draw(b"a saboteur")
    await page.sees(b"a saboteur" + FILLER)
    assert len(page.shown) - before == PIECES_BYTES[0]
    await held.close()


async def test_a_screen_without_a_page_is_read_on_and_ends_after_its_time() -> None:
    echo, page, ended = EchoScreen(), Page(), asyncio.Event()
    held = HeldScreen(echo, ended.set, kept_s=0.01)
    held.attach(page.show)
    held.detach(page.show)
    async with asyncio.timeout(60):
        await ended.wait()
    assert echo.is_closed
    assert held.ended.is_set()


async def test_a_page_that_comes_in_time_keeps_the_screen() -> None:
    echo, page, again = EchoScreen(), Page(), Page()
    held = HeldScreen(echo, lambda: None, kept_s=600)
    held.attach(page.show)
    held.detach(page.show)
    timer = held._leaving
    assert timer is not None
    held.attach(again.show)
    assert timer.cancelled()
    held.detach(page.show)  # the old page says so late
    assert held._leaving is None, "the new page has not gone"
    await held.close()


async def test_of_two_pages_the_later_one_has_the_screen() -> None:
    echo, earlier, later = EchoScreen(), Page(), Page()
    held = HeldScreen(echo, lambda: None)
    held.attach(earlier.show)
    held.attach(later.show)
    held.detach(earlier.show)
    assert held._leaving is None, "the later page has not gone"
    await later.sees(b"hello")
    assert not earlier.shown
    await held.close()


async def test_a_page_that_takes_nothing_stalls_its_own_screen() -> None:
    echo, page = EchoScreen(), Page()
    held = HeldScreen(echo, lambda: None)
    held.attach(page.show)
    await page.sees(b"hello")
    page.awake.clear()
    for _ in range(50):
        echo.draw(b"x" * PIECES_BYTES[-1])
    for _ in range(10):
        await asyncio.sleep(0)
    assert echo._drawn.qsize() >= 49
    page.awake.set()
    await page.sees(b"x" * 50)
    await held.close()
