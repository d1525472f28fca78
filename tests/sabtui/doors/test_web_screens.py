"""Guests' screens at the browser door, as pages come and go."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.tasks import cancel_and_wait
from sabtui.doors.padding import FILLER, PIECES_BYTES
from sabtui.doors.web_screens import MAX_MODES, HeldScreen, TerminalModes
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


async def test_a_page_that_comes_back_has_the_modes_and_the_size_and_is_drawn_anew() -> None:
    echo, page, again = EchoScreen(80, 24), Page(), Page()
    held = HeldScreen(echo, lambda: None)
    await held.attach(page.show, 80, 24)
    await page.sees(b"hello")
    assert b"REDRAWN" not in page.shown, "all of it was to come"
    held.detach(page.show)
    await held.attach(again.show, 45, 28)
    await again.sees(b"REDRAWN")
    assert again.shown.startswith(b"\x1bc\x1b[?1049h\x1b[?1006h")
    assert echo.size == (45, 28)
    assert not echo.is_closed
    await held.close()


@pytest.mark.rule("K")
async def test_the_length_of_what_is_shown_says_little() -> None:
    echo, page = EchoScreen(80, 24), Page()
    held = HeldScreen(echo, lambda: None)
    await held.attach(page.show, 80, 24)
    await page.sees(b"hello" + FILLER)
    before = len(page.shown)
    echo.draw(b"a saboteur")
    await page.sees(b"a saboteur" + FILLER)
    assert len(page.shown) - before == PIECES_BYTES[0]
    await held.close()


async def test_a_screen_without_a_page_is_read_on_and_ends_after_its_time() -> None:
    echo, page, ended = EchoScreen(80, 24), Page(), asyncio.Event()
    held = HeldScreen(echo, ended.set, kept_s=0.01)
    await held.attach(page.show, 80, 24)
    held.detach(page.show)
    async with asyncio.timeout(60):
        await ended.wait()
    assert echo.is_closed
    assert held.ended.is_set()


async def test_a_page_that_comes_in_time_keeps_the_screen() -> None:
    echo, page, again = EchoScreen(80, 24), Page(), Page()
    held = HeldScreen(echo, lambda: None, kept_s=600)
    await held.attach(page.show, 80, 24)
    held.detach(page.show)
    timer = held._leaving
    assert timer is not None
    await held.attach(again.show, 80, 24)
    assert timer.cancelled()
    held.detach(page.show)  # the old page says so late
    assert held._leaving is None, "the new page has not gone"
    await held.close()


async def test_of_two_pages_that_come_at_once_the_later_one_has_the_screen() -> None:
    echo, slow, later = EchoScreen(80, 24), Page(), Page()
    held = HeldScreen(echo, lambda: None)
    slow.awake.clear()
    earlier = asyncio.create_task(held.attach(slow.show, 80, 24))
    await asyncio.sleep(0)
    await held.attach(later.show, 45, 28)
    slow.awake.set()
    await earlier
    held.detach(slow.show)
    assert held._leaving is None, "the later page has not gone"
    assert held._show == later.show
    await later.sees(b"hello")
    assert echo.size == (45, 28)
    await held.close()


async def test_a_page_that_goes_while_it_comes_leaves_the_screen_to_end_after_its_time() -> None:
    echo, page = EchoScreen(80, 24), Page()
    held = HeldScreen(echo, lambda: None)
    page.awake.clear()
    coming = asyncio.create_task(held.attach(page.show, 80, 24))
    await asyncio.sleep(0)
    await cancel_and_wait(coming)
    held.detach(page.show)
    assert held._leaving is not None
    await held.close()


async def test_a_screen_that_ends_by_itself_is_told_once() -> None:
    echo, told = EchoScreen(80, 24), []
    held = HeldScreen(echo, lambda: told.append(1))
    held.pass_on_typing(b"q")
    async with asyncio.timeout(60):
        await held.ended.wait()
    await held.close()
    assert told == [1]


async def test_a_page_that_takes_nothing_stalls_its_own_screen() -> None:
    echo, page = EchoScreen(80, 24), Page()
    held = HeldScreen(echo, lambda: None)
    await held.attach(page.show, 80, 24)
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


def test_modes_are_set_again_as_they_were_set_last() -> None:
    modes = TerminalModes()
    modes.feed(b"\x1b[?1049h\x1b[?25l\x1b[?1000;1006htext\x1b[?25h\x1b[31m")
    assert modes.again() == b"\x1b[?1049h\x1b[?1000h\x1b[?1006h\x1b[?25h"


@given(st.data())
def test_modes_are_found_however_the_output_is_cut(data: st.DataObject) -> None:
    drawn = b"a\x1b[?1049hb\x1b[?25lc\x1b\x1b[?1006h\x1b[Hd\x1b[?25h"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(drawn)), max_size=6)))
    modes = TerminalModes()
    for begin, end in zip([0, *cuts], [*cuts, len(drawn)], strict=True):
        modes.feed(drawn[begin:end])
    assert modes.again() == b"\x1b[?1049h\x1b[?1006h\x1b[?25h"


def test_a_screen_cannot_make_the_door_remember_without_end() -> None:
    modes = TerminalModes()
    modes.feed(b"".join(b"\x1b[?%dh" % number for number in range(1000)))
    modes.feed(b"\x1b[?" + b"1;" * 1000)
    assert modes.again().count(b"\x1b") == MAX_MODES
    assert len(modes._rest) <= 50
