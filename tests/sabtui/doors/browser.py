"""A real browser, headless Chromium, driven over its DevTools protocol.

Nothing of it reaches the internet: it has a profile of its own, and is told to ask nobody. One runs
for all tests of a process, each of which has windows and storage of its own.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, cast

import pytest
from websockets.asyncio.client import ClientConnection, connect

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS: Final = (
    *("--headless", "--no-sandbox", "--no-first-run", "--no-startup-window"),
    *("--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-default-apps"),
    *("--disable-extensions", "--disable-site-isolation-trials"),
    *("--disable-features=SpareRendererForSitePerProcess", "--renderer-process-limit=1"),
    *("--in-process-gpu", "--remote-debugging-port=0"),
)
LOOPBACK_ONLY: Final = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
"""Option with which no other address can be reached."""

PATIENCE_S: Final = 120.0
LOOK_S: Final = 0.05
"""Seconds between two looks at a page, which tells nobody what it shows."""

Told: TypeAlias = dict[str, object]
Place: TypeAlias = tuple[float, float]
"""A place in a window, in pixels from its left and its top."""


@dataclass(frozen=True, slots=True)
class Device:
    """A window's size, in pixels, and whether it is touched with fingers."""

    width: int
    height: int
    is_phone: bool = False


PHONE = Device(390, 664, is_phone=True)  # between the bars of its browser
SMALL_PHONE = Device(360, 560, is_phone=True)
LYING = Device(844, 340, is_phone=True)
LAPTOP = Device(1366, 768)
PROJECTOR = Device(1440, 900)

HURRY = "const later = setTimeout; window.setTimeout = (what, ms) => later(what, ms / 10)"
"""A script with which a page waits for a tenth of the time."""


def chromium() -> str:
    """Return Chromium's program; where there is none, the test is passed over."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no chromium: none of {', '.join(NAMES)} is on PATH")
    return found


class Page:
    """A page in a window of its own; `asked` are the addresses that it has asked for anything."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Told]] = {}
        self._reading = asyncio.create_task(self._read())
        self.asked: list[str] = []
        self.troubles: list[str] = []

    @classmethod
    async def link(cls, address: str) -> Page:
        """Begin to speak with what a browser has at an address."""
        return cls(await connect(address, max_size=None, ping_interval=None))

    async def command(self, method: str, **parameters: object) -> Told:
        """Give a command, and return what it returns."""
        self._number += 1
        waiting: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        number = self._number
        said = {"id": number, "method": method, "params": parameters}
        self._waiting[number] = waiting
        try:
            await self._socket.send(json.dumps(said))
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.wait((waiting, self._reading), return_when=asyncio.FIRST_COMPLETED)
            assert waiting.done(), f"the browser has gone: {method}"
            told = waiting.result()
        finally:  # an answer that nobody waits for any more must not end the reading
            del self._waiting[number]
        assert "error" not in told, (method, told)
        return cast("Told", told["result"])

    async def run(self, script: str) -> object:
        """Run a script in the page, and return its value."""
        told = await self.command(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in told, told
        return cast("Told", told["result"]).get("value")

    async def go(self, address: str) -> None:
        await self.command("Page.navigate", url=address)
        await self.until("document.readyState === 'complete'")

    async def text(self) -> str:
        """Return what is to be seen."""
        return str(await self.run("document.body?.innerText ?? ''")).replace("\xa0", " ")

    async def until(self, condition: str) -> None:
        """Wait until a script, or what it promises, is true; not for ever."""
        script = f"(async () => !!(await ({condition})))()"
        async with asyncio.timeout(PATIENCE_S):
            while not await self.run(script):  # noqa: ASYNC110 - see LOOK_S
                await asyncio.sleep(LOOK_S)

    async def sees(self, pattern: str) -> str:
        """Wait for a text; return all that is to be seen then."""
        text = ""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not re.search(pattern, text := await self.text()):  # noqa: ASYNC110 - see LOOK_S
                    await asyncio.sleep(LOOK_S)
        except TimeoutError as error:
            raise AssertionError(f"waited for {pattern}:\n{text}\n{self.troubles}") from error
        return text

    async def fill(self, **fields: str) -> None:
        """Fill in the form, and send it."""
        for name, text in fields.items():
            await self.run(f"document.getElementById('{name}').value = {json.dumps(text)}")
        await self.run("document.getElementById('enter').click()")

    async def type(self, text: str) -> None:
        for key in text:
            name, code = ("Enter", 13) if key == "\r" else (key, 0)
            event = {"key": name, "text": key, "windowsVirtualKeyCode": code}
            await self.command("Input.dispatchKeyEvent", type="keyDown", **event)
            await self.command("Input.dispatchKeyEvent", type="keyUp", key=name)

    async def tap(self, element: str) -> bool:
        """Touch the first element of a selector in its middle; False if there is none to touch.

        It is scrolled into sight, as a finger would do that.
        """
        script = f"""(() => {{
            const one = [...document.querySelectorAll({json.dumps(element)})]
                .find((one) => one.checkVisibility() && !one.disabled);
            if (!one) return [];
            one.scrollIntoView({{ block: 'nearest', inline: 'nearest' }});
            const at = one.getBoundingClientRect();
            return [at.left + at.width / 2, at.top + at.height / 2]; }})()"""
        place = cast("list[float]", await self.run(script))
        if place:
            await self.touch("touchStart", (place[0], place[1]))
            await self.touch("touchEnd")
        return bool(place)

    async def tap_once_there(self, element: str) -> None:
        """Touch the first element of a selector as soon as there is one to touch."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self.tap(element):  # noqa: ASYNC110 - see LOOK_S
                await asyncio.sleep(LOOK_S)

    async def touch(self, kind: str, *places: Place) -> None:
        """Put fingers down, move them, or take them away."""
        points = [{"x": x, "y": y} for x, y in places]
        await self.command("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    async def drag(self, *fingers: tuple[Place, Place]) -> None:
        """Move fingers across the mine, each from one place to another."""
        for part in (0, 0.25, 0.5, 0.75, 1):
            places = [(a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in fingers]
            await self.touch("touchMove" if part else "touchStart", *places)
        await self.touch("touchEnd")

    async def picture(self, path: Path) -> None:
        """Save what the window shows; one that lies behind another may draw nothing for long."""
        await self.command("Page.bringToFront")
        told = await self.command("Page.captureScreenshot")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(str(told["data"])))

    async def close(self) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        await self._socket.close()

    async def _read(self) -> None:
        async for message in self._socket:
            told = cast("Told", json.loads(message))
            number = told.get("id")
            if isinstance(number, int):
                if (waiting := self._waiting.get(number)) is not None:
                    waiting.set_result(told)
                continue
            details = cast("Told", told.get("params", {}))
            match told.get("method"):
                case "Network.requestWillBeSent":
                    address = str(cast("Told", details["request"])["url"])
                    if not address.startswith("blob:"):  # what the page has made itself
                        self.asked.append(address)
                case "Network.webSocketCreated":
                    self.asked.append(str(details["url"]))
                case "Runtime.exceptionThrown" | "Log.entryAdded":
                    self.troubles.append(json.dumps(details))
                case _:
                    pass


class Browser:
    """What one test has of a browser."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._pages: list[Page] = []
        self._contexts: list[object] = []

    async def open(self, device: Device) -> Page:
        """Open a window, with storage of its own."""
        control = await Page.link(self._address)
        context = (await control.command("Target.createBrowserContext"))["browserContextId"]
        self._contexts.append(context)
        target = await control.command(
            "Target.createTarget", url="about:blank", browserContextId=context
        )
        await control.close()
        host = self._address.partition("/devtools")[0]
        page = await Page.link(f"{host}/devtools/page/{target['targetId']}")
        self._pages.append(page)
        for domain in ("Page", "Runtime", "Network", "Log"):
            await page.command(f"{domain}.enable")
        await page.command(
            "Emulation.setDeviceMetricsOverride",
            width=device.width,
            height=device.height,
            deviceScaleFactor=1,
            mobile=device.is_phone,
        )
        if device.is_phone:
            await page.command("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
            await page.command("Emulation.setEmitTouchEventsForMouse", enabled=False)
        return page

    async def close(self) -> None:
        for page in self._pages:
            await page.close()
        control = await Page.link(self._address)
        for context in self._contexts:
            await control.command("Target.disposeBrowserContext", browserContextId=context)
        await control.close()


@asynccontextmanager
async def browsing(folder: Path, *options: str) -> AsyncIterator[Browser]:
    """Browse with the browser of this process that has these options.

    The first to ask for it starts it, with its profile in a folder of theirs.
    """
    running = _running.get(options)
    if running is None or running.process.poll() is not None:
        running = _running[options] = _Chromium(folder, options)
    browser = Browser(await running.address())
    try:
        yield browser
    finally:
        await browser.close()


def end_browsers() -> None:
    """End all browsers of this process."""
    while _running:
        _options, running = _running.popitem()
        running.process.kill()
        running.process.wait()


class _Chromium:
    """A browser that runs."""

    def __init__(self, folder: Path, options: tuple[str, ...]) -> None:
        profile = folder / "chromium"
        self.process = subprocess.Popen(  # noqa: S603 - what is found on PATH
            (chromium(), *OPTIONS, *options, f"--user-data-dir={profile}"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder)},
            start_new_session=True,
        )
        self._told = profile / "DevToolsActivePort"

    async def address(self) -> str:
        """Wait until it has told its port and path, a line each, and return where it listens."""
        async with asyncio.timeout(PATIENCE_S):
            while not (self._told.exists() and self._told.read_text().count("\n")):
                assert self.process.poll() is None, "Chromium has ended"
                await asyncio.sleep(LOOK_S)
        port, path = self._told.read_text().splitlines()
        return f"ws://127.0.0.1:{port}{path}"


_running: Final[dict[tuple[str, ...], _Chromium]] = {}
