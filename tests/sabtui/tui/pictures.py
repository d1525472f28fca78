"""Screens as text: what a terminal would show, line by line, in files to be read in a diff.

`python -m tests.sabtui.tui.pictures` redraws all of them: first all is drawn, and only then put in
place of the old, so that where drawing fails nothing has been touched. Main screens are kept at
every size and in every set of signs: one app for each is made larger step by step, so that it is
also seen that a larger terminal is laid out again.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from textual.app import App
from textual.pilot import Pilot

from net.client.session import Status
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import ASCII, BOX, DRAWN, PAINTED, Glyphs
from tests.sabtui.tui import scenes
from tests.sabtui.tui.run_app import IdleSession, TableApp

FOLDER = Path(__file__).parents[2] / "data" / "screens"
SIZES = ((60, 18), (80, 24), (120, 40), (200, 60))


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene, the keys that are pressed in it, and the terminal it is seen on."""

    name: str
    status: Status
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (80, 24)
    glyphs: Glyphs = BOX

    @property
    def file(self) -> Path:
        """Where it is kept."""
        columns, rows = self.size
        return FOLDER / f"table_{self.name}_{columns}x{rows}_{self.glyphs.name}.txt"


def text_of(app: App[None]) -> str:
    """What is on the screen; blanks at the ends of lines are left out."""
    strips = app.screen._compositor.render_strips()
    return "".join(f"{strip.text.rstrip()}\n" for strip in strips)


class TimelessTable(TableScreen, inherit_bindings=False):
    """A table at which no time passes: how long a turn lasts would be seen from 15 seconds on."""

    def _pass_time(self) -> None:
        pass


async def show_scene(pilot: Pilot[None], status: Status, keys: Iterable[str]) -> None:
    """Show a table, and press keys there."""
    await pilot.app.push_screen(TimelessTable(IdleSession(status), status))
    await pilot.pause()
    await pilot.press(*keys)


async def draw_picture(picture: Picture) -> str:
    """Draw a picture."""
    app = TableApp(picture.glyphs)
    async with app.run_test(size=picture.size) as pilot:
        await show_scene(pilot, picture.status, picture.keys)
        return await wait_for_rest(pilot)


def pictures() -> list[Picture]:
    """All that are kept, beside those of 80x24 that are kept with each language (`tour`)."""
    turn, names = scenes.now(), scenes.hostile()
    return [
        Picture("lay_wrong", turn, ("1", "left")),
        Picture("lay_small", turn, ("2", "minus", "minus")),
        Picture("lay_compact", turn, ("2", "minus")),
        Picture("lay_compact", turn, ("2", "minus"), glyphs=DRAWN),
        Picture("lay_small", turn, ("2", "minus", "minus"), glyphs=DRAWN),
        Picture("lay", turn, ("2",), glyphs=PAINTED),
        Picture("lay_wide", turn, ("2", "plus")),
        Picture("rockfall", turn, ("6",), glyphs=ASCII),
        Picture("claims", turn, ("c",), (60, 18)),
        Picture("role", turn, ("u",)),
        Picture("waiting", scenes.now(scenes.view(turn=4))),
        Picture("gold", scenes.now(scenes.choosing()), ("3",), (60, 18), ASCII),
        Picture("game_over_crowd", scenes.crowd_finished()),
        Picture("hostile", names),
        Picture("hostile", names, (), (60, 18), ASCII),
        Picture("too_small", turn, (), (50, 12)),
    ]


Drawn = Mapping[str, str] | Mapping[str, str | bytes]
"""What files of a folder hold, by their path in it."""


def put(drawn: Drawn, folder: Path, *olds: str) -> None:
    """Put what was drawn in place of all that matches."""
    for pattern in olds:
        for old in folder.glob(pattern):
            if old.is_dir():
                shutil.rmtree(old)
            else:
                old.unlink()
    for name, held in drawn.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(held if isinstance(held, bytes) else held.encode())


def command(draw: Callable[[], Awaitable[Drawn]], folder: Path, *olds: str) -> None:
    """Draw all again; there is nothing to choose, so arguments are a mistake."""
    if sys.argv[1:]:
        sys.stderr.write(f"{Path(sys.argv[0]).stem} takes no arguments: it draws all again.\n")
        raise SystemExit(2)

    async def draw_again() -> Drawn:
        return await draw()

    put(asyncio.run(draw_again()), folder, *olds)


SETS: Final = (BOX, ASCII)

AtTable = tuple[Callable[[], Status], tuple[str, ...]]
TABLES: Final[Mapping[str, AtTable]] = {
    "lay": (scenes.now, ("2",)),
    "round_over": (scenes.round_over, ()),
    "game_over": (scenes.finished_status, ()),
}
"""Moments at a table, and the keys that are pressed there."""


def file_name(kind: str, scene: str, size: tuple[int, int], glyphs: Glyphs) -> str:
    """Return the name of the file that keeps a screen."""
    return f"{kind}_{scene}_{size[0]}x{size[1]}_{glyphs.name}.txt"


LAYOUT_S: Final = 1.5 / 60
"""Seconds after which what Textual had to lay out is laid out: it does so once per frame."""


async def wait_for_rest(pilot: Pilot[None]) -> str:
    """Return what a terminal shows once nothing of it changes any more."""
    before, now = "", text_of(pilot.app)
    while now != before:
        await pilot.pause(LAYOUT_S)
        await pilot.pause()  # what the frame's timers set off
        before, now = now, text_of(pilot.app)
    return now


async def resize_to(pilot: Pilot[None], size: tuple[int, int]) -> str:
    """Return what a terminal of another size shows, once nothing of it changes any more."""
    await pilot.resize_terminal(*size)
    now = await wait_for_rest(pilot)
    while pilot.app.screen.size != size:
        now = await wait_for_rest(pilot)
    return now


async def at_table(scene: str, glyphs: Glyphs) -> dict[str, str]:
    """Return a moment at the table at each size, by file."""
    status, keys = TABLES[scene]
    app, texts = TableApp(glyphs), dict[str, str]()
    async with app.run_test(size=SIZES[0]) as pilot:
        await show_scene(pilot, status(), keys)
        for size in SIZES:
            texts[file_name("table", scene, size, glyphs)] = await resize_to(pilot, size)
    return texts


def check(texts: dict[str, str], glyphs: Glyphs) -> None:
    """See that screens are as they are kept, and no wider than their terminals."""
    for file, text in texts.items():
        assert text == (FOLDER / file).read_text(encoding="utf-8"), file
        columns, rows = map(int, file.split("_")[-2].split("x"))
        assert max(map(len, text.splitlines())) <= columns
        assert len(text.splitlines()) == rows
        assert text.isascii() or glyphs is not ASCII


def name_of(value: str | Glyphs) -> str:
    """Name a scene, or signs."""
    return value if isinstance(value, str) else value.name


async def draw_all() -> dict[str, str]:
    """All that are kept, those at every size and in each finished language too, as files."""
    from tests.sabtui.text.test_catalogues import FINISHED  # noqa: PLC0415 - as below
    from tests.sabtui.tui.tour import draw_kept  # noqa: PLC0415 - it builds on this module

    texts = {picture.file.name: await draw_picture(picture) for picture in pictures()}
    for scene, glyphs in product(TABLES, SETS):
        texts |= await at_table(scene, glyphs)
    for language in FINISHED:
        async for view in draw_kept(language):
            texts[f"{language}/{view.name}.txt"] = view.text
    return texts


if __name__ == "__main__":
    command(draw_all, FOLDER, "table_*.txt", "*/")
