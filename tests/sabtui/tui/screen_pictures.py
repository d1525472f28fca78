"""Pictures of the main screens for the page on screens: sizes, sets of signs, dark and light.

`python -m tests.sabtui.tui.screen_pictures` draws them anew into `docs/pictures/screens`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from textual.app import App

from net.client.session import Status
from sabtui.app.preferences import Theme
from sabtui.tui.theme import (
    ASCII,
    BOX,
    DARK,
    DRAWN,
    DRAWN_ON_LIGHT,
    LIGHT,
    PAINTED,
    PICTURED,
    PICTURED_ON_LIGHT,
    Glyphs,
)
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.front_pictures import FRONTS
from tests.sabtui.tui.pictures import TABLES, AtTable, command, resize_to
from tests.sabtui.tui.readme_pictures import FOLDER as README_FOLDER
from tests.sabtui.tui.readme_pictures import Doorkeeper
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.sabtui.tui.svg import svg

FOLDER: Final = README_FOLDER / "screens"
WORKED: Final = scenes.MINE.replace(
    " ", "/NS@3n2/ESW@3n3/NW@4n3/NESW@0s1/NES@0s2/NW@1s2/NESW@5s2/NW@5s3 "
)
TALL: Final = WORKED.replace("ESW@3n3/NW@4n3", "NSW@3n3/SW@3n4").replace(
    "NW@5s3", "NESW@5s3/NS@5s4/NW@5s5"
)
"""Mines of seven rows and of ten."""

SMALLEST, USUAL, WIDE, LARGE = (60, 18), (80, 24), (120, 40), (200, 60)


MINES: Final[Mapping[str, AtTable]] = {
    "worked": (lambda: scenes.now(scenes.view(WORKED)), ("2",)),
    "tall": (lambda: scenes.now(scenes.view(TALL)), ("2",)),
}


@dataclass(frozen=True, slots=True)
class ScreenPicture:
    """A kept scene, the terminal's size, the signs, and the theme: dark or light."""

    scene: str
    size: tuple[int, int]
    glyphs: Glyphs = PICTURED
    is_light: bool = False

    @property
    def file(self) -> str:
        """The name of the picture."""
        columns, rows = self.size
        theme = "light" if self.is_light else "dark"
        return f"{self.scene}_{columns}x{rows}_{self.glyphs.name}_{theme}.svg"


SCREENS: Final = (
    *(
        ScreenPicture("lay", WIDE, glyphs, light)
        for glyphs in (PICTURED, BOX, ASCII)
        for light in (False, True)
    ),
    *(ScreenPicture("lay", USUAL, PAINTED, light) for light in (False, True)),
    ScreenPicture("worked", USUAL, DRAWN),
    ScreenPicture("tall", USUAL, DRAWN, is_light=True),
    ScreenPicture("lay", SMALLEST),
    ScreenPicture("lay", USUAL, is_light=True),
    ScreenPicture("lay", LARGE),
    ScreenPicture("round_over", WIDE),
    ScreenPicture("game_over", USUAL),
    ScreenPicture("game_over", WIDE, is_light=True),
    ScreenPicture("welcome", USUAL, BOX),
    ScreenPicture("practise", WIDE, BOX),
    ScreenPicture("lobby", WIDE, BOX),
)


def _picture(app: App[None], size: tuple[int, int]) -> str:
    return svg(app.screen._compositor.render_strips(), *size)


async def draw_picture(picture: ScreenPicture) -> str:
    """Draw a picture."""
    if picture.scene in (at_tables := {**TABLES, **MINES}):
        return await _at_table(picture, *at_tables[picture.scene])
    theme = Theme.LIGHT if picture.is_light else Theme.DARK
    with TemporaryDirectory() as folder:
        async with open_app(Path(folder), picture.size, Doorkeeper()) as front:
            front.app.prefer(replace(front.app.preferences, theme=theme))
            await FRONTS[picture.scene](front)
            await resize_to(front.pilot, picture.size)
            return _picture(front.app, picture.size)


async def _at_table(
    picture: ScreenPicture, status: Callable[[], Status], keys: tuple[str, ...]
) -> str:
    on_light = {PICTURED: PICTURED_ON_LIGHT, DRAWN: DRAWN_ON_LIGHT} if picture.is_light else {}
    app = TableApp(on_light.get(picture.glyphs, picture.glyphs))
    async with app.run_test(size=picture.size) as pilot:
        for known in (DARK, LIGHT):
            app.register_theme(known)
        app.theme = LIGHT.name if picture.is_light else DARK.name
        await app.show(IdleSession(status()))
        await pilot.pause()
        await pilot.press(*keys)
        await resize_to(pilot, picture.size)
        return _picture(app, picture.size)


async def draw_all() -> dict[str, str]:
    """All of them, as files."""
    return {picture.file: await draw_picture(picture) for picture in SCREENS}


if __name__ == "__main__":
    command(draw_all, FOLDER, "*.svg")
