"""Pictures of the real thing for the README: screens as SVG, in whatever fixed font there is.

`python -m tests.sabtui.tui.readme_pictures` draws them all anew into `docs/pictures`. They name no
font but the system's own, and are the same each time.
"""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Final

from textual.app import App

from sabtui.app.requests import HostRequest, Invitation, TableHandle
from sabtui.tui.theme import DARK, PICTURED
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import PreparedTables
from tests.sabtui.tui.pictures import command
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.sabtui.tui.svg import svg

FOLDER: Final = Path(__file__).parents[3] / "docs" / "pictures"
SIZE: Final = (100, 30)

PAGE: Final = FOLDER / "page.png"
"""The page of the browser door on a phone, as `test_web_browser` plays on it."""

CASE, GAP = 14, 40
"""Units around a phone's page, and between it and a terminal's screen."""

FACTS: Final = Invitation("Gold Rush", "amber-tulip", ("192.168.1.20:7341",))


def portrait(app: App[None]) -> str:
    """What an app shows, drawn."""
    return svg(app.screen._compositor.render_strips(), *app.size)


async def draw_table() -> str:
    """Draw a table at which it is our turn."""
    app = TableApp(PICTURED)
    async with app.run_test(size=SIZE) as pilot:
        app.register_theme(DARK)
        app.theme = DARK.name
        await app.show(IdleSession(scenes.now()))
        await pilot.pause()
        await pilot.press("2")
        await pilot.pause()
        return portrait(app)


def beside(terminal: str, page: bytes) -> str:
    """Return a terminal's picture with a phone's page beside it, as high, in a phone's case."""
    found = re.search(r'viewBox="0 0 (\d+) (\d+)"', terminal)
    assert found is not None
    wide, high = int(found[1]), int(found[2])
    narrow, tall = struct.unpack(">II", page[16:24])  # of a PNG
    case = high * narrow // tall + 2 * CASE
    x, y = wide + GAP, -CASE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {y} {x + case} {high + 2 * CASE}">\n'
        f"{terminal.replace('<svg ', f'<svg width={chr(34)}{wide}{chr(34)} ', 1)}"
        f'<rect x="{x}" y="{y}" width="{case}" height="{high + 2 * CASE}" rx="{2 * CASE}" '
        f'fill="#000" stroke="#777" stroke-width="2"/>\n'
        f'<image x="{x + CASE}" width="{case - 2 * CASE}" height="{high}" '
        f'href="data:image/png;base64,{b64encode(page).decode()}"/></svg>\n'
    )


class Doorkeeper(PreparedTables):
    """Opens a table whose host can tell others where it is."""

    async def host(self, request: HostRequest) -> TableHandle:
        """The inn, and the facts that a real table would have."""
        return replace(await super().host(request), invitation=FACTS)


async def draw_all() -> dict[str, str]:
    """All of them, as files."""
    return {"phone.svg": beside(await draw_table(), PAGE.read_bytes())}


if __name__ == "__main__":
    command(draw_all, FOLDER, "*.svg")
