"""What the door's page is sent of pictures tells by its length nothing of what they show."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Tint
from sabtui.art.kitty import draw_placeholders
from sabtui.art.store import Size, list_sizes, number_names
from sabtui.doors.padding import fill_up
from sabtui.tui.output import ON_PAGE, PlacedStrip, ShortUpdate, shorten
from sabtui.tui.theme import DARK, PICTURED
from tests.sabtui.tui import scenes
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.samples import each_in_turn, first

CONSOLE = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
SIZES = sorted({size for name in number_names() for size in list_sizes(name)})


@pytest.mark.parametrize(("size", "tint"), each_in_turn(SIZES, Tint))
def test_all_pictures_of_a_size_cost_the_same(size: Size, tint: Tint) -> None:
    costs = set()
    for name in (name for name in number_names() if size in list_sizes(name)):
        for drawing in (Drawing(name), Drawing(name, across=True, down=True)):
            rows = draw_placeholders(drawing, size, tint)
            cells = [[Segment(cell.glyph, Style(color=cell.front)) for cell in row] for row in rows]
            update = LayoutUpdate([[Strip(row)] for row in cells], Region(0, 0, *size))
            costs.add(len(shorten(update, ON_PAGE).render_segments(CONSOLE).encode()))
    assert len(costs) == 1


TWINS = [
    ("m", "NE/NES/ew/-L/+PC/R", "?/?/?"),
    ("s", "NS/EW/NESW/NES/NEW/NE", "(NESW)/?/?"),
    ("m", "M/M/R/-P/-L/-C", "?/(NE)/?"),
    ("s", "+P/+L/+C/+PL/M/R", "?/?/?"),
]
"""Secrets of one player: role, hand, and the goals, of which a map has shown gold or stone."""


async def draw_table(size: Size, role: str, hand: str, goals: str) -> bytes:
    """A table's first screen as a page is sent it, for a player with these secrets."""
    app = TableApp(PICTURED)
    mine = f"{scenes.MINE.split()[0]} {goals}"
    async with app.run_test(size=size) as pilot:
        app.register_theme(DARK)
        app.theme = DARK.name
        await app.show(IdleSession(scenes.now(scenes.view(mine, hand, role=role))))
        await pilot.pause()
        lines = app.screen._compositor.render_strips()
    pieces = (PlacedStrip(0, row, line) for row, line in enumerate(lines))
    return ShortUpdate(pieces, ON_PAGE).render_segments(CONSOLE).encode()


@pytest.mark.parametrize(
    "size", first(1, [((45, 28),), ((80, 24),), ((45, 43),), ((133, 37),)], thorough=4)
)
async def test_twin_tables_with_other_secrets_are_sent_in_pieces_of_one_length(size: Size) -> None:
    drawn = [await draw_table(size, *twin) for twin in TWINS]
    assert len(set(drawn)) == len(TWINS)
    lengths = [len(screen) for screen in drawn]
    assert len({len(fill_up(screen)) for screen in drawn}) == 1, lengths
    assert max(lengths) - min(lengths) < 1_000, "names of cards and roles, but no pictures"
