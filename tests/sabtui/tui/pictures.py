"""Screens as text: what a terminal would show, line by line, in files to be read in a diff.

`python -m tests.sabtui.tui.pictures` redraws all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from textual.app import App

from net.client.session import Status
from sabtui.tui.theme import ASCII, BOX, DRAWN, PAINTED, Glyphs
from tests.sabtui.tui import scenes
from tests.sabtui.tui.redraw import command
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


async def draw_picture(picture: Picture) -> str:
    """Draw a picture."""
    app = TableApp(picture.glyphs)
    async with app.run_test(size=picture.size) as pilot:
        await app.show(IdleSession(picture.status))
        await pilot.pause()
        await pilot.press(*picture.keys)
        await pilot.pause()
        return text_of(app)


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
        Picture("veiled", turn, ("v",)),
        Picture("waiting", scenes.now(scenes.view(turn=4))),
        Picture("gold", scenes.now(scenes.choosing()), ("3",), (60, 18), ASCII),
        Picture("game_over_crowd", scenes.crowd_finished()),
        Picture("hostile", names),
        Picture("hostile", names, (), (60, 18), ASCII),
        Picture("too_small", turn, (), (50, 12)),
    ]


async def draw_all() -> dict[str, str]:
    """All that are kept, those at every size and in each finished language too, as files."""
    from tests.sabtui.text.test_catalogues import FINISHED  # noqa: PLC0415 - as above
    from tests.sabtui.tui.gallery import draw_tables  # noqa: PLC0415 - it builds on this module
    from tests.sabtui.tui.tour import draw_kept  # noqa: PLC0415 - as above

    texts = {picture.file.name: await draw_picture(picture) for picture in pictures()}
    texts |= await draw_tables()
    for language in FINISHED:
        async for view in draw_kept(language):
            texts[f"{language}/{view.name}.txt"] = view.text
    return texts


if __name__ == "__main__":
    command(draw_all, FOLDER, "table_*.txt", "*/")
