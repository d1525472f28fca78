"""The end of an evening: dwarves on a podium, and the standings below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.content import Content

from net.protocol.lobby import Evening
from net.protocol.text import sanitise
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines
from sabtui.tui.screens.pages import PageScreen
from sabtui.tui.table.moments import Winner, draw_podiums
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import assemble
from sabtui.tui.widgets.text import TextPage

MOST_ON_PODIUM: Final = 5  # most who stand on the podium: of hundreds it has room for some
ROWS_BESIDE: Final = 4  # rows of a page beside its lines: its title, the footer, and what is blank


class PodiumScreen(PageScreen):
    """Page with a podium, and lines below it."""

    def __init__(self, title: str, ranked: Sequence[Winner], lines: Sequence[str]) -> None:
        self.ranked: Final = ranked
        self.below: Final = lines
        super().__init__(TextPage(title, self.tell))

    def tell(self, columns: int) -> list[Content]:
        """Return the lines of the page, the podium first if it has room."""
        below = confine_lines(map(sanitise, self.below), columns, 2)
        rows = self.app.size.height - ROWS_BESIDE - len(below)
        drawn = draw_winners(self.ranked, columns, rows, self.context.glyphs)
        return [*drawn, *map(Content, below)]


class EveningScreen(PodiumScreen):
    """Page with the winners of an evening, shown after its table was closed."""

    def __init__(self, evening: Evening, lines: Sequence[str]) -> None:
        first = [row.name for row in evening.first]
        gold = [(row.name, row.gold) for row in evening.rows]
        super().__init__(_("The end of the evening"), rank_people(gold, first), lines)


def rank_people(gold: Sequence[tuple[str, int]], first: Sequence[str]) -> list[Winner]:
    """Return those on the podium, by names with their gold, the most first; `first` have won."""
    most = [count for _name, count in gold]
    return [
        Winner(name, at, count, sum(more > count for more in most), name in first)
        for at, (name, count) in enumerate(gold[:MOST_ON_PODIUM])
    ]


def draw_winners(
    ranked: Sequence[Winner], columns: int, rows: int, glyphs: Glyphs
) -> list[Content]:
    """Return the largest podium that fits, and a blank line; nothing if none does."""
    for podium in draw_podiums(ranked, columns, glyphs):
        if len(podium) < rows:
            return [*map(assemble, podium), Content("")]
    return []
