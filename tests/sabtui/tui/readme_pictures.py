"""Pictures of the real thing for the README: screens as SVG, in whatever fixed font there is.

`python -m tests.sabtui.tui.readme_pictures` draws them all anew into `docs/pictures`. They name no
font but the system's own, and are the same each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from xml.sax.saxutils import escape

from rich.segment import Segment
from rich.style import Style
from textual.app import App

from net.protocol.messages import SetReady
from sabtui.app.requests import HostRequest, Invitation, TableHandle
from sabtui.app.tables import ssh_line
from sabtui.tui.theme import ASCII, DARK, LIGHT, PAINTED, Glyphs
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Porter, opened
from tests.sabtui.tui.redraw import command
from tests.sabtui.tui.run_app import Parlour, Still

FOLDER: Final = Path(__file__).parents[3] / "docs" / "pictures"
SIZE: Final = (100, 30)

FACTS: Final = Invitation(
    "Gold Rush",
    "amber-tulip",
    ("192.168.1.20:7341",),
    ssh_line("ana", "192.168.1.20", 7341),
)

CELL: Final = (9, 18)
"""How wide and how high a cell is drawn."""

HEAD: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<rect width="{width}" height="{height}" rx="6" fill="{ground}"/>
<g font-family="monospace" font-size="15">
"""
WORDS: Final = re.compile(r"[^\s▀▄█▌▐░▒▓]+(?: [^\s▀▄█▌▐░▒▓]+)*")
"""What can be drawn in one: blanks in a row are not kept everywhere."""

BLOCKS: Final = {
    "█": (0, 0, 2, 2, 1),
    "▀": (0, 0, 2, 1, 1),
    "▄": (0, 1, 2, 1, 1),
    "▌": (0, 0, 1, 2, 1),
    "▐": (1, 0, 1, 2, 1),
    "░": (0, 0, 2, 2, 0.25),
    "▒": (0, 0, 2, 2, 0.5),
    "▓": (0, 0, 2, 2, 0.75),
}
"""Blocks, which fonts leave gaps between: column, row, width and height in half cells, opacity."""
RUNS: Final = re.compile(r"█+|▀+|▄+|▌|▐|░+|▒+|▓+")


def svg(lines: Iterable[Iterable[Segment]], columns: int, rows: int) -> str:
    """Lines of a screen as a picture, on the ground that its first cell has."""
    (across, down), drawn = CELL, [list(Segment.simplify(line)) for line in lines]
    ground = _colours(drawn[0][0].style)[1]
    parts = [HEAD.format(width=across * columns, height=down * rows, ground=ground)]
    for row, line in enumerate(drawn):
        column = 0
        for segment in line:
            parts += _drawn(segment, column * across, row * down, ground)
            column += segment.cell_length
    return "".join([*parts, "</g>\n</svg>\n"])


def _drawn(segment: Segment, x: int, y: int, ground: str) -> Iterator[str]:
    """A piece of a line: what is behind it, and its words, each held to its place."""
    (across, down), (colour, behind) = CELL, _colours(segment.style)
    if behind != ground:
        wide = segment.cell_length * across
        yield f'<rect x="{x}" y="{y}" width="{wide}" height="{down}" fill="{behind}"/>\n'
    bold = ' font-weight="bold"' if segment.style and segment.style.bold else ""
    for run in RUNS.finditer(segment.text):
        left, top, wide, high, opacity = BLOCKS[run[0][0]]
        solid = "" if opacity == 1 else f' fill-opacity="{opacity}"'
        yield (
            f'<rect x="{x + run.start() * across + left * across / 2:g}" y="{y + top * down // 2}" '
            f'width="{len(run[0]) * wide * across / 2:g}" height="{high * down // 2}" '
            f'fill="{colour}"{solid}/>\n'
        )
    for words in WORDS.finditer(segment.text):
        left, wide = x + words.start() * across, len(words[0]) * across
        yield (
            f'<text x="{left}" y="{y + down - 5}" textLength="{wide}"{bold} fill="{colour}">'
            f"{escape(words[0])}</text>\n"
        )


def _colours(style: Style | None) -> tuple[str, str]:
    """What a piece is drawn in, and on. A blank may be drawn in nothing."""
    assert style is not None
    assert style.bgcolor is not None
    behind = style.bgcolor.get_truecolor().hex
    colour = behind if style.color is None else style.color.get_truecolor().hex
    return (behind, colour) if style.reverse else (colour, behind)


def portrait(app: App[None]) -> str:
    """What an app shows, drawn."""
    return svg(app.screen._compositor.render_strips(), *SIZE)


async def table(theme: str, glyphs: Glyphs = PAINTED) -> str:
    """Draw a table at which it is our turn."""
    app = Parlour(glyphs)
    async with app.run_test(size=SIZE) as pilot:
        for known in (DARK, LIGHT):
            app.register_theme(known)
        app.theme = theme
        await app.show(Still(scenes.now()))
        await pilot.pause()
        await pilot.press("2")
        await pilot.pause()
        return portrait(app)


class Doorkeeper(Porter):
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
