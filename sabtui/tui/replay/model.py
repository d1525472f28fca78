"""State of the replay as a value: where one is, from whose side, and how the table is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.events import visible_to
from sabtui.app.replays import SPEEDS_PER_S, ReplayPosition
from sabtui.app.review import GameReview
from sabtui.text.events import CARD_SIGN, log_lines
from sabtui.text.replays import chat_line, open_lines, said_words
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.table.header import newest_cell
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.theme import Glyphs

USUAL_SPEED: Final = SPEEDS_PER_S.index(1.0)
"""Index of the speed with which a game is played at first."""


@dataclass(frozen=True, slots=True)
class ReplayModel:
    """ReplayPosition in a game, and the table's model for it.

    `speed` is an index of `SPEEDS_PER_S`. `message` is shown in place of what happened. `review` is
    that of the game once the reader has asked for it.
    """

    position: ReplayPosition
    table: TableModel
    speed: int = USUAL_SPEED
    is_playing: bool = False
    message: str = ""
    review: GameReview | None = None

    @staticmethod
    def of(position: ReplayPosition, glyphs: Glyphs) -> ReplayModel:
        """Return the model of a position, in a terminal of 80x24 until its size is known."""
        return ReplayModel(position, TableModel(glyphs).resize(80, 24)).settle()

    def at(self, position: ReplayPosition) -> ReplayModel:
        """Return the model at another position, without a message."""
        return replace(self, position=position, message="").settle()

    def resize(self, columns: int, rows: int) -> ReplayModel:
        """Return the model for a terminal of another size."""
        return replace(self, table=self.table.resize(columns, rows)).settle()

    def faster(self, by: int) -> ReplayModel:
        """Return the model with another speed."""
        return replace(self, speed=max(0, min(self.speed + by, len(SPEEDS_PER_S) - 1)))

    def turn_to(self, pane: SidePanel) -> ReplayModel:
        """Return the model with another page of the side."""
        return replace(self, table=self.table.turn_to(pane)).settle()

    def settle(self) -> ReplayModel:
        """Return the model with the log of the position, and with its mine in sight.

        Where the whole mine does not fit, the window shows the newest card.
        """
        view = self.position.view
        table = replace(self.table, cells=lying_cells(view), log=log_at(self.position))
        whole = table.whole()
        newest = newest_cell(view)
        if newest is not None and not whole.shows(newest):
            whole = whole.following(newest, 1)
        return replace(self, table=replace(table, window=whole))


def log_at(position: ReplayPosition) -> TableLog:
    """Return the log of the round up to a position, as its point of view shows it."""
    seen_from, view, names = position.seen_from, position.view, position.names
    log = TableLog()
    for step, said in position.round_so_far():
        if seen_from.is_open:
            for event, line in open_lines(step, names, CARD_SIGN):
                log = log.with_event(event, [line], view, names)
        else:
            for event in visible_to(step.events, seen_from.seat):
                lines = log_lines([event], view, names, CARD_SIGN)
                log = log.with_event(event, lines, view, names)
        for one in said:
            words = said_words(one, names, position.truth(step, one))
            log = log.with_chat(chat_line(one, names), names, words)
    return log
