"""The end of an evening: dwarves on a podium, a picture of them to keep, the standings below."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final

from textual.content import Content

from net.protocol.cleaning import sanitise
from net.protocol.lobby import Lobby
from sabtui.app.preferences import records_folder
from sabtui.app.records import keep_picture
from sabtui.art.catalogue import find_dwarf
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines
from sabtui.text.lobby import table_name
from sabtui.tui.command import Command
from sabtui.tui.screens.pages import PageScreen
from sabtui.tui.table.moments import Winner, draw_evening, draw_podiums, rank_gold
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import assemble
from sabtui.tui.widgets.text import TextPage

MAX_ON_PODIUM: Final = 5  # maximum number of people on the podium, which has no room for hundreds
ROWS_BESIDE: Final = 4  # rows of a page besides its lines: its title, the footer, and what is blank


class PodiumScreen(PageScreen):
    """Page with a podium, and lines below it; `kept` is the title of its picture."""

    def __init__(
        self, title: str, kept: str, ranked: Sequence[Winner], lines: Sequence[str]
    ) -> None:
        self.title_kept: Final = kept
        self.ranked: Final = ranked
        self.below: Final = lines
        super().__init__(TextPage(title, self.page_lines))

    def commands(self) -> Iterable[Command]:
        label, text = _("save picture"), _("save a picture of the result")
        yield Command("picture", ("I",), label, text, self._save, concerns=self._can_save)
        yield from super().commands()

    def _can_save(self) -> bool:
        return bool(self.ranked) and not self.context.is_guest

    def _save(self) -> None:
        picture = draw_evening(self.title_kept, self.ranked, time.strftime("%Y-%m-%d"))
        self.say(keep_picture(picture, self.title_kept, records_folder()))

    def page_lines(self, columns: int) -> list[Content]:
        """Return the lines of the page, the podium first if it has room."""
        below = confine_lines(map(sanitise, self.below), columns, 2)
        rows = self.app.size.height - ROWS_BESIDE - len(below)
        drawn = draw_winners(self.ranked, columns, rows, self.context.glyphs)
        return [*drawn, *map(Content, below)]


class EveningScreen(PodiumScreen):
    """Page with the winners of an evening, shown after its table was closed."""

    def __init__(self, lobby: Lobby, lines: Sequence[str]) -> None:
        first = [row.name for row in lobby.evening.first]
        gold = [(row.name, row.gold) for row in lobby.evening.rows]
        looks = {lobby.name_at(seat): dwarf for seat, dwarf in enumerate(lobby.dwarves)}
        ranked = [
            winner._replace(dwarf=find_dwarf(dwarf.face, dwarf.colour))
            if (dwarf := looks.get(winner.name))
            else winner
            for winner in rank_people(gold, first)
        ]
        super().__init__(_("The end of the evening"), table_name(lobby), ranked, lines)


def rank_people(gold: Sequence[tuple[str, int]], first: Sequence[str]) -> list[Winner]:
    """Return those on the podium, by names with their gold, the most first; `first` have won."""
    most = [count for _name, count in gold]
    return [
        Winner(name, find_dwarf(at, at), count, rank_gold(count, most), name in first)
        for at, (name, count) in enumerate(gold[:MAX_ON_PODIUM])
    ]


def draw_winners(
    ranked: Sequence[Winner], columns: int, rows: int, glyphs: Glyphs
) -> list[Content]:
    """Return the largest podium that fits, and a blank line; nothing if none does."""
    for podium in draw_podiums(ranked, columns, glyphs):
        if len(podium) < rows:
            return [*map(assemble, podium), Content("")]
    return []
