"""Pictures of the real thing for the README: screens as SVG, in whatever fixed font there is.

`python -m tests.sabtui.tui.readme_pictures` draws them all anew into `docs/pictures`. They name no
font but the system's own, and are the same each time.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from textual.app import App

from net.protocol.requests import SetReady
from sabtui.app.requests import HostRequest, Invitation, TableHandle, ssh_line
from sabtui.tui.theme import ASCII, DARK, LIGHT, PAINTED, Glyphs
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import PreparedTables, opened
from tests.sabtui.tui.redraw import command
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.sabtui.tui.svg import svg

FOLDER: Final = Path(__file__).parents[3] / "docs" / "pictures"
SIZE: Final = (100, 30)

FACTS: Final = Invitation(
    "Gold Rush",
    "amber-tulip",
    ("192.168.1.20:7341",),
    ssh_line("ana", "192.168.1.20", 7341),
)


def portrait(app: App[None]) -> str:
    """What an app shows, drawn."""
    return svg(app.screen._compositor.render_strips(), *SIZE)


async def table(theme: str, glyphs: Glyphs = PAINTED) -> str:
    """Draw a table at which it is our turn."""
    app = TableApp(glyphs)
    async with app.run_test(size=SIZE) as pilot:
        for known in (DARK, LIGHT):
            app.register_theme(known)
        app.theme = theme
        await app.show(IdleSession(scenes.now()))
        await pilot.pause()
        await pilot.press("2")
        await pilot.pause()
        return portrait(app)


class Doorkeeper(PreparedTables):
    """Opens a table whose host can tell others where it is."""

    async def host(self, request: HostRequest) -> TableHandle:
        """The inn, and the facts that a real table would have."""
        return replace(await super().host(request), invitation=FACTS)


async def welcome_and_lobby() -> tuple[str, str]:
    """Draw how it begins, and a table at which others have come in."""
    with TemporaryDirectory() as folder:
        async with opened(Path(folder), SIZE, Doorkeeper()) as front:
            welcome = portrait(front.app)
            await front.press("h", "enter")
            await front.sees("you, host")
            for name in ("Bruno", "Chiara"):
                front.service.inn.guest(name).request(SetReady(ready=True))
            await front.sees("Chiara")
            await front.pilot.pause()
            return welcome, portrait(front.app)


async def drawn_all() -> dict[str, str]:
    """All of them, as files."""
    welcome, lobby = await welcome_and_lobby()
    return {
        "welcome.svg": welcome,
        "lobby.svg": lobby,
        "table.svg": await table(DARK.name),
        "light.svg": await table(LIGHT.name),
        "ascii.svg": await table(DARK.name, ASCII),
    }


if __name__ == "__main__":
    command(drawn_all, FOLDER, "*.svg")
