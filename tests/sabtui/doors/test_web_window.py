"""A page's window that changes its size, and what is pasted into it, in headless Chromium."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection

from sabtui.doors.web_channel import MAX_FROM_PAGE_BYTES
from sabtui.doors.web_login import LetIn, WebLogin
from tests.sabtui.doors.browser import LAPTOP, LOOPBACK_ONLY, Page, browsing
from tests.sabtui.doors.web_guest import HERE, WORDS, EchoScreen, Gate, OpenDoor, open_door

pytestmark = [pytest.mark.broad, pytest.mark.thorough]
"""In each run, `test_web_browser` has a page, and `test_web_server` what it says to the door."""

TALLER = 900  # pixels of a window that has room for more rows than that of a laptop

CANVAS_FITS = """(() => {
  const canvas = document.querySelector('#terminal canvas.pictures');
  const screen = document.querySelector('.xterm-screen').getBoundingClientRect();
  return canvas.height === Math.round(screen.height * devicePixelRatio);
})()"""
"""A script that is true if pictures have as many points as the terminal that they lie over."""

PASTE = """(() => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', 'y'.repeat(%d) + ' the end');
  const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true });
  document.querySelector('.xterm-helper-textarea').dispatchEvent(paste);
})()"""
"""A script that pastes so many letters, and a few words behind them."""


@asynccontextmanager
async def at_door(tmp_path: Path) -> AsyncIterator[tuple[OpenDoor, Page]]:
    """A door whose screens show what is typed, and the page of somebody who has not entered."""
    async with (
        open_door(tmp_path, Gate()) as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        yield opened, await browser.open(LAPTOP)


async def enter(opened: OpenDoor, page: Page) -> None:
    """Go to the page, and through its form."""
    await page.go(f"http://{HERE}:{opened.port}/")
    await page.sees("Your name")
    await page.fill(name="Zoe", code=WORDS.decode())
    await page.sees("hello")


async def test_a_page_says_that_the_mine_opens_until_there_is_something_to_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EchoScreen, "first", b"\x1b[?1049h")
    async with at_door(tmp_path) as (opened, page):
        await page.go(f"http://{HERE}:{opened.port}/")
        await page.sees("Your name")
        await page.fill(name="Zoe", code=WORDS.decode())
        assert "^L" not in await page.sees("Opening the mine...")
        opened.screens[0].draw(b"hello")
        await page.sees("hello")
        await page.until("document.getElementById('notice').hidden")


async def make_taller(page: Page) -> int:
    """Make the window taller, and return how many rows its terminal has then."""
    before = await page.rows()
    size = {"width": LAPTOP.width, "height": TALLER, "deviceScaleFactor": 1, "mobile": False}
    await page.command("Emulation.setDeviceMetricsOverride", **size)
    await page.until(f"document.querySelectorAll('.xterm-rows > div').length > {before}")
    return await page.rows()


async def test_pictures_keep_their_places_in_a_window_that_gets_taller(tmp_path: Path) -> None:
    async with at_door(tmp_path) as (opened, page):
        await enter(opened, page)
        await page.until(CANVAS_FITS)
        await make_taller(page)
        await page.until(CANVAS_FITS)


async def test_a_window_that_changes_while_its_page_comes_in_has_a_screen_of_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_door(tmp_path) as (opened, page):
        await enter(opened, page)
        has_come, may_enter = asyncio.Event(), asyncio.Event()

        async def wait(*_who: object) -> None:
            has_come.set()
            await may_enter.wait()

        monkeypatch.setattr(opened.guests, "make_room", wait)
        await page.go(f"http://{HERE}:{opened.port}/")
        async with asyncio.timeout(60):
            await has_come.wait()
        rows = await make_taller(page)
        may_enter.set()
        await page.sees("REDRAWN")
        await page.type("x")
        await page.sees("X")
        assert opened.screens[-1].size[1] == rows


async def test_a_long_text_is_pasted_in_pieces_that_the_door_takes(tmp_path: Path) -> None:
    async with at_door(tmp_path) as (opened, page):
        await enter(opened, page)
        await page.run(PASTE % (2 * MAX_FROM_PAGE_BYTES))
        await page.sees("THE END")
        assert len(opened.screens) == 1


async def test_who_has_left_comes_back_by_a_key_too(tmp_path: Path) -> None:
    async with at_door(tmp_path) as (opened, page):
        await enter(opened, page)
        await page.type("q")  # the screen ends
        await page.sees("You have left the table")
        await page.type("x\r")
        await page.until("document.querySelector('.linked')")
        await page.type("y")
        await page.sees("Y")
        assert len(opened.screens) == 2


async def test_an_address_with_an_odd_end_shows_the_form(tmp_path: Path) -> None:
    async with at_door(tmp_path) as (opened, page):
        await page.go(f"http://{HERE}:{opened.port}/#50%")
        await page.sees("Your name")
        assert page.troubles == []


async def test_a_page_that_took_too_long_to_come_in_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_door(tmp_path) as (opened, page):
        let_in, tried = WebLogin.let_in, list[ServerConnection]()

        async def come_late(login: WebLogin, connection: ServerConnection) -> LetIn:
            tried.append(connection)
            if len(tried) == 1:
                raise TimeoutError
            return await let_in(login, connection)

        monkeypatch.setattr(WebLogin, "let_in", come_late)
        await enter(opened, page)
        assert len(tried) == 2
