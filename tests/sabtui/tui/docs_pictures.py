"""Pictures for the pages: of the table and of cards for the README, of screens in all sizes.

`python -m tests.sabtui.tui.docs_pictures` draws all of them into `docs/pictures`. Screens are SVG
that names no font but the system's own, and are the same each time; cards are PNG.
"""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Final

from textual.app import App

from engine.cards import Card, Goal, Path, Role
from net.client.session import Status
from sabtui.app.preferences import Theme
from sabtui.art import catalogue
from sabtui.art.catalogue import Drawing, Thing
from sabtui.art.colours import Colour
from sabtui.art.pixels import Canvas
from sabtui.tui import theme
from sabtui.tui.theme import ASCII, BOX, DRAWN, PAINTED, PICTURED, Glyphs
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.front_pictures import FRONTS, prepare_tables
from tests.sabtui.tui.pictures import TABLES, AtTable, command, resize_to
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.sabtui.tui.svg import svg

FOLDER: Final = FilePath(__file__).parents[3] / "docs" / "pictures"
SCREENS_FOLDER: Final = FOLDER / "screens"

PAGE: Final = FOLDER / "page.png"
"""The page of the browser door on a phone, as `test_web_browser` plays on it."""

CASE, GAP = 14, 40
"""Units around a phone's page, and between it and a terminal's screen."""

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
        ground = "light" if self.is_light else "dark"
        return f"{self.scene}_{columns}x{rows}_{self.glyphs.name}_{ground}.svg"


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


def portrait(app: App[None]) -> str:
    """What an app shows, drawn."""
    return svg(app.screen._compositor.render_strips(), *app.size)


async def draw_screen(picture: ScreenPicture) -> str:
    """Draw a screen."""
    if picture.scene in (at_tables := {**TABLES, **MINES}):
        return await draw_table(picture, *at_tables[picture.scene])
    ground = Theme.LIGHT if picture.is_light else Theme.DARK
    with TemporaryDirectory() as folder:
        async with open_app(FilePath(folder), picture.size, prepare_tables()) as front:
            front.app.save_preferences(replace(front.app.preferences, theme=ground))
            await FRONTS[picture.scene](front)
            await resize_to(front.pilot, picture.size)
            return portrait(front.app)


async def draw_table(
    picture: ScreenPicture, status: Callable[[], Status], keys: tuple[str, ...]
) -> str:
    """Draw a moment at the table."""
    light = {PICTURED: theme.PICTURED_ON_LIGHT, DRAWN: theme.DRAWN_ON_LIGHT}
    on_light = light if picture.is_light else {}
    app = TableApp(on_light.get(picture.glyphs, picture.glyphs))
    async with app.run_test(size=picture.size) as pilot:
        for known in (theme.DARK, theme.LIGHT):
            app.register_theme(known)
        app.theme = (theme.LIGHT if picture.is_light else theme.DARK).name
        await app.show(IdleSession(status()))
        await pilot.pause()
        await pilot.press(*keys)
        await resize_to(pilot, picture.size)
        return portrait(app)


async def draw_phone() -> str:
    """Draw a table at which it is our turn, and a phone beside it."""
    terminal = await draw_table(ScreenPicture("lay", (100, 30)), *TABLES["lay"])
    return beside(terminal, PAGE.read_bytes())


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


CARD_GAP: Final = 12
CARD_GROUND: Final = Colour(23, 21, 18)


def _path(text: str, thing: Thing = Thing.NONE) -> Drawing:
    return catalogue.find_ground(Path.read(text), is_lit=True, thing=thing)


def _cards(texts: str) -> list[Drawing]:
    return [catalogue.find_card(Card.read(text)) for text in texts.split()]


TUNNEL_SIZE, GOAL_SIZE, CARD_SIZE = (90, 100), (108, 96), (90, 120)
GOALS: Final = ((Thing.of(Goal.TREASURE), "NESW"), (Thing.of(Goal.STONE_NE), "NE"))

CARDS: Final[Mapping[str, tuple[tuple[int, int], int, Sequence[Drawing | None]]]] = {
    "mine.png": (
        GOAL_SIZE,
        0,
        (
            _path("NESW", Thing.START),
            *map(_path, ("EW", "NEW", "SW")),
            *(None, None, catalogue.find_goal_back(None)),
        ),
    ),
    "dwarves.png": ((108, 144), CARD_GAP, [*map(catalogue.find_role, Role)]),
    "tunnels.png": (
        TUNNEL_SIZE,
        CARD_GAP,
        [*map(_path, ["EW", "NS", "NE", "NW", "NES", "NEW", "NESW"])],
    ),
    "dead-ends.png": (TUNNEL_SIZE, CARD_GAP, [*map(_path, ["e", "ew", "ne", "nes", "nesw"])]),
    "actions.png": (CARD_SIZE, CARD_GAP, _cards("-P -L -C +P +LC R M")),
    "goals.png": (
        GOAL_SIZE,
        CARD_GAP,
        (catalogue.find_goal_back(None), *(_path(path, thing) for thing, path in GOALS)),
    ),
    "gold.png": (CARD_SIZE, CARD_GAP, [*map(catalogue.find_gold_card, (1, 2, 3))]),
}
"""Each picture: the size of a card, the gap between two in pixels, its cards and empty places."""


def draw_row(size: tuple[int, int], gap: int, cards: Sequence[Drawing | None]) -> bytes:
    """Return cards side by side as a PNG file."""
    width, height = size
    canvas = Canvas((len(cards) * (width + gap) + gap, height + 2 * gap), CARD_GROUND)
    for at, card in enumerate(cards):
        if card is not None:
            canvas.paste(card, gap + at * (width + gap), gap, size)
    return canvas.encode()


async def draw_all() -> dict[str, str | bytes]:
    """All of them, as files."""
    screens = {f"screens/{picture.file}": await draw_screen(picture) for picture in SCREENS}
    cards = {f"cards/{name}": draw_row(*row) for name, row in CARDS.items()}
    return {"phone.svg": await draw_phone(), **screens, **cards}


if __name__ == "__main__":
    command(draw_all, FOLDER, "*.svg", "screens/*.svg")
