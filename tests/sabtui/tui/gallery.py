"""The main screens at every size that is drawn for and in every set of signs.

One app for each scene and set is made larger step by step, so that its screens also show that a
larger terminal is laid out anew. Drawn with those of the table (`pictures`) and before it
(`front_pictures`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from textual.pilot import Pilot

from net.client.session import Status
from net.protocol.requests import Chat, SetReady
from sabtui.art import Art
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.host import PractiseScreen
from sabtui.tui.theme import ASCII, BOX, Glyphs
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Front, open_app
from tests.sabtui.tui.pictures import SIZES, text_of
from tests.sabtui.tui.readme_pictures import Doorkeeper
from tests.sabtui.tui.run_app import IdleSession, TableApp

SETS: Final = (BOX, ASCII)

AtTable = tuple[Callable[[], Status], tuple[str, ...]]
TABLES: Final[Mapping[str, AtTable]] = {
    "lay": (scenes.now, ("2",)),
    "round_over": (scenes.round_over, ()),
    "game_over": (scenes.finished_status, ()),
}
"""Moments at a table, and the keys that are pressed there."""


async def _welcome(front: Front) -> None:
    await front.sees("leave Sabtui")


async def _practise(front: Front) -> None:
    await front.press("p")
    await front.is_on(PractiseScreen)
    await front.sees("At most 2 of you are saboteurs.")


async def _lobby(front: Front) -> None:
    await front.press("h", "enter")
    await front.is_on(LobbyScreen)
    await front.sees("you, host")
    bruno = front.service.inn.guest("Bruno")
    await front.sees("2 Bruno")
    bruno.request(SetReady(ready=True))
    bruno.request(Chat("I am ready, are you?"))
    await front.sees("am ready, are")
    await front.press("end", "b")
    await front.sees("medium bot")


FRONTS: Final[Mapping[str, Callable[[Front], Awaitable[None]]]] = {
    "welcome": _welcome,
    "practise": _practise,
    "lobby": _lobby,
}
"""Screens before a table, and the way there."""


def file_name(kind: str, scene: str, size: tuple[int, int], glyphs: Glyphs) -> str:
    """Return the name of the file that keeps a screen."""
    return f"{kind}_{scene}_{size[0]}x{size[1]}_{glyphs.name}.txt"


LAYOUT_S: Final = 1.5 / 60
"""Seconds after which what Textual had to lay out is laid out: it does so once per frame."""


async def resize_to(pilot: Pilot[None], size: tuple[int, int]) -> str:
    """Return what a terminal of another size shows, once nothing of it changes any more."""
    app, before, now = pilot.app, "", text_of(pilot.app)
    await pilot.resize_terminal(*size)
    while app.screen.size != size or now != before:
        await pilot.pause(LAYOUT_S)
        await pilot.pause()  # what the frame's timers set off
        before, now = now, text_of(app)
    return now


async def at_table(scene: str, glyphs: Glyphs) -> dict[str, str]:
    """Return a moment at the table at each size, by file."""
    status, keys = TABLES[scene]
    app, texts = TableApp(glyphs), dict[str, str]()
    async with app.run_test(size=SIZES[0]) as pilot:
        await app.show(IdleSession(status()))
        await pilot.pause()
        await pilot.press(*keys)
        for size in SIZES:
            texts[file_name("table", scene, size, glyphs)] = await resize_to(pilot, size)
    return texts


async def before_table(scene: str, glyphs: Glyphs) -> dict[str, str]:
    """Return a screen before a table at each size, by file."""
    texts = dict[str, str]()
    with TemporaryDirectory() as folder:
        async with open_app(
            Path(folder), SIZES[0], Doorkeeper(), art=Art.ASCII if glyphs is ASCII else None
        ) as front:
            await FRONTS[scene](front)
            for size in SIZES:
                texts[file_name("front", scene, size, glyphs)] = await resize_to(front.pilot, size)
    return texts


AT_TABLE: Final = tuple(product(TABLES, SETS))
BEFORE_TABLE: Final = tuple(product(FRONTS, SETS))
"""Scenes, each with the signs it is drawn in."""


async def draw_tables() -> dict[str, str]:
    """Return all moments at the table, by file."""
    return {
        file: text
        for scene, glyphs in AT_TABLE
        for file, text in (await at_table(scene, glyphs)).items()
    }


async def draw_fronts() -> dict[str, str]:
    """Return all screens before a table, by file."""
    return {
        file: text
        for scene, glyphs in BEFORE_TABLE
        for file, text in (await before_table(scene, glyphs)).items()
    }


def files(kind: str) -> set[str]:
    """Return the names of all files of a kind: `table` or `front`."""
    scenes = AT_TABLE if kind == "table" else BEFORE_TABLE
    return {file_name(kind, scene, size, glyphs) for scene, glyphs in scenes for size in SIZES}
