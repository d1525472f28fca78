"""Pictures of the main screens for the page on screens: sizes, sets of signs, dark and light.

`python -m tests.sabtui.tui.screen_pictures` draws them anew into `docs/pictures/screens`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from textual.app import App

from sabtui.app.preferences import Theme
from sabtui.tui.theme import (
    ASCII,
    BOX,
    DARK,
    LIGHT,
    PICTURED,
    PICTURED_ON_LIGHT,
    Glyphs,
)
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.gallery import FRONTS, TABLES, resize_to
from tests.sabtui.tui.readme_pictures import FOLDER as README_FOLDER
from tests.sabtui.tui.readme_pictures import Doorkeeper
from tests.sabtui.tui.redraw import command
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.sabtui.tui.svg import svg

FOLDER: Final = README_FOLDER / "screens"
SMALLEST, USUAL, WIDE, LARGE = (60, 18), (80, 24), (120, 40), (200, 60)


@dataclass(frozen=True, slots=True)
class ScreenPicture:
    """A scene of the gallery, the terminal's size, the signs, and the theme: dark or light."""

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
    if picture.scene in TABLES:
        return await _at_table(picture)
    theme = Theme.LIGHT if picture.is_light else Theme.DARK
    with TemporaryDirectory() as folder:
        async with open_app(Path(folder), picture.size, Doorkeeper()) as front:
            front.app.prefer(replace(front.app.preferences, theme=theme))
            await FRONTS[picture.scene](front)
            await resize_to(front.pilot, picture.size)
            return _picture(front.app, picture.size)


async def _at_table(picture: ScreenPicture) -> str:
    status, keys = TABLES[picture.scene]
    on_light = {PICTURED: PICTURED_ON_LIGHT} if picture.is_light else {}
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
