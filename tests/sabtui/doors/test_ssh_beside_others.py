"""One table with every way in at once: a browser, OpenSSH, Sabtui on a screen, and in lines."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Protocol

import pytest

from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from net.protocol.requests import Start
from net.secure.keys import SeatKey
from sabtui.text.i18n import load_locale
from tests.net.server.served_table import CODE, HERE, new_table, until
from tests.sabtui.doors.browser import LAPTOP, LOOPBACK_ONLY, NAMES, Page, browsing
from tests.sabtui.doors.open_doors import beside, names
from tests.sabtui.doors.own_terminal import OWN_TERMINAL
from tests.sabtui.doors.ssh_table import Door, Typist, plays, typed_ssh
from tests.sabtui.doors.web_guest import VisitingBrowser, WebGuest
from tests.terminal import Terminal

pytestmark = pytest.mark.level("broad")

LANGUAGES = ("en", "fr", "es_AR", "it", "pt_BR")
needs_ssh = pytest.mark.skipif(shutil.which("ssh") is None, reason="OpenSSH's ssh is not here")
WHOLE_GAME_S = 400
PAGE_ENDS = (
    "Round {number} went to the miners.",
    "Round {number} went to the saboteurs.",
    "Nobody won round {number}.",
    "The game is over.",
)
"""What a page shows at the end of a game: a sheet, or what stands at its top without that."""
UNSAVED = "Nothing can be saved here: this screen runs on the host's computer."


class Seated(Typist, Protocol):
    """A guest who looks at a screen of the table."""

    async def sees(self, pattern: str) -> object:
        """Wait until this is to be seen."""


class AtPage:
    """A guest at a real browser, whose keys are typed one after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._typed: asyncio.Task[None] | None = None

    def type(self, keys: str) -> None:
        if self._typed is not None and self._typed.done():
            self._typed.result()  # a page that takes no keys any more ends the game, and says why
        self._typed = asyncio.create_task(self._type(keys, self._typed))

    async def sees(self, pattern: str) -> object:
        return await self.page.sees(pattern)

    async def _type(self, keys: str, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before
        await self.page.type(keys)


def in_words(language: str, text: str) -> str:
    """Return a pattern for a sentence in a language, wherever its lines are broken."""
    said = load_locale(language).catalogue.gettext(text).format(number=1)
    return r"\s+".join(map(re.escape, said.split()))


class InLines:
    """A guest who speaks as the page does, where there is no browser."""

    def __init__(self, guest: WebGuest) -> None:
        self.guest = guest
        self._typing = set[asyncio.Task[None]]()

    def type(self, keys: str) -> None:
        """Send what the keys of a page would: a discard, or a gold card."""
        line = {"\r": "", "1x": "x1"}.get(keys, keys)
        task = asyncio.create_task(self.guest.do(line))
        self._typing.add(task)
        task.add_done_callback(self._typing.discard)

    async def sees(self, pattern: str) -> object:
        return await self.guest.sees_text(pattern)


@asynccontextmanager
async def at_browser(port: int, name: str, language: str, folder: Path) -> AsyncIterator[Seated]:
    """A guest in Chromium, or where that is missing, one who speaks as the page does."""
    if not any(map(shutil.which, NAMES)):
        browser = VisitingBrowser(language=language)
        guest = await WebGuest.enter(port, name, browser=browser)
        yield InLines(guest)
        guest.link.transport.abort()
        return
    async with browsing(folder, LOOPBACK_ONLY) as chromium:
        page = await chromium.open(LAPTOP)
        headers = {"Accept-Language": language.replace("_", "-")}
        await page.command("Network.setExtraHTTPHeaders", headers=headers)
        await page.go(f"http://{HERE}:{port}/")
        await page.sees(in_words(language, "Your name"))
        await page.fill(name=name, code=str(CODE))
        yield AtPage(page)


def joining(port: int, name: str, *more: str) -> tuple[str, ...]:
    """What somebody types who has Sabtui."""
    join = ("-m", "sabtui", "join", f"{HERE}:{port}", "--code", str(CODE), "--name", name)
    return (sys.executable, *join, *more)


def home_of(folder: Path, language: str) -> dict[str, str]:
    """The environment of somebody with a home of their own, who speaks this language."""
    places = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("STATE", "CONFIG", "DATA")}
    home = {"HOME": str(folder), "LANG": f"{language}.UTF-8", "TERM": "xterm-256color"}
    return {**os.environ, **places, **home}


@asynccontextmanager
async def in_lines(port: int, name: str, language: str, folder: Path) -> AsyncIterator[list[str]]:
    """A guest with `--plain`, for whom the autopilot plays; all lines that they read so far."""
    said = list[str]()
    process = await asyncio.create_subprocess_exec(
        *joining(port, name, "--plain", "--autopilot"),
        env=home_of(folder, language),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )

    async def read() -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            said.append(line.decode())

    reading = asyncio.create_task(read())
    try:
        yield said
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        await reading


@needs_ssh
@pytest.mark.level("soak")
@pytest.mark.parametrize("shift", range(len(LANGUAGES)))
async def test_every_way_in_plays_a_whole_game_at_one_table_each_in_another_language(
    shift: int, where: Path, tmp_path: Path
) -> None:
    by_web, by_ssh, on_screen, plain, _nobody = LANGUAGES[shift:] + LANGUAGES[:shift]
    key = SeatKey.new()
    table = new_table(where, key, Settings(seats=5, rounds=1))
    kinds = (DoorKind.SSH, DoorKind.WEB)
    async with beside(table, key, tmp_path / "doors", *kinds) as hosted, AsyncExitStack() as stack:
        ann = await hosted.guest("Ann").join(CODE)
        port = hosted.host.entrance.doors.now[DoorKind.WEB].port
        opened = Door(hosted, tmp_path / "doors")
        line = (sys.executable, "-c", OWN_TERMINAL, *joining(hosted.port, "Cleo"))
        seated: dict[str, tuple[Seated, str]] = {
            "Bea": (
                await stack.enter_async_context(at_browser(port, "Bea", by_web, tmp_path)),
                by_web,
            ),
            "eva": (
                await stack.enter_async_context(
                    await typed_ssh(opened, "eva", tmp_path / "eva", lang=f"{by_ssh}.UTF-8")
                ),
                by_ssh,
            ),
            "Cleo": (
                await stack.enter_async_context(
                    await Terminal.start(*line, env=home_of(tmp_path / "cleo", on_screen))
                ),
                on_screen,
            ),
        }
        read = await stack.enter_async_context(
            in_lines(hosted.port, "Dan", plain, tmp_path / "dan")
        )
        for guest, language in seated.values():
            is_page = isinstance(guest, AtPage | InLines)
            seated_as = "Waiting for the game to start." if is_page else "You are in."
            await guest.sees(in_words(language, seated_as))
        await until(lambda: sum(one.ready for one, _ in hosted.state.lobby.sitting) == 5, 60)
        assert sorted(names(hosted)) == ["Ann", "Bea", "Cleo", "Dan", "eva"]
        assert await ann.wants(Start()) is None
        ann.plays = True
        ann.move()
        async with asyncio.timeout(WHOLE_GAME_S):
            await asyncio.gather(*(plays(one, opened, name) for name, (one, _) in seated.items()))
        for guest, language in seated.values():
            is_page = isinstance(guest, AtPage | InLines)
            told = PAGE_ENDS if is_page else ("game over",)
            if is_page:
                guest.type("\r")  # a sheet tells of the end of the round first
            await guest.sees("|".join(in_words(language, one) for one in told))
        guest, language = seated["eva"]
        guest.type("I")
        await guest.sees(in_words(language, UNSAVED))
        over = in_words(plain, "The game is over.")
        await until(lambda: any(re.search(over, line) for line in read), 60)
