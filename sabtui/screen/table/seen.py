"""What a player looks at, and how: the desk, the window onto the mine, which pane, their notes.

A value; keys and clicks make another of it. Knows a view where it has to, and no widget.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from engine.board import GOAL_CELLS, Cell
from engine.view import View
from sabtui.screen.glyphs import Glyphs
from sabtui.screen.mine.window import HOME, Window
from sabtui.screen.table.choice import Place
from sabtui.screen.table.desk import Desk
from sabtui.screen.table.layout import Layout
from sabtui.screen.table.seats import Note

MARGIN = 1
"""Cells to bring into sight around the cursor."""


class Pane(Enum):
    """What the side shows below the players."""

    LOG = auto()
    KNOWN = auto()


@dataclass(frozen=True, slots=True)
class Seen:
    """What is looked at.

    `window` is `None` before the first layout. `back` is how many lines of the log were gone back,
    `about` whom quick claims are about while their list is open. `unveiled` counts the dwarves that
    are unveiled at the end of a round, one after the other, and is `None` once all are.
    """

    glyphs: Glyphs
    layout: Layout = Layout.of(80, 24)  # noqa: RUF009 - it is frozen
    window: Window | None = None
    desk: Desk = Desk()  # noqa: RUF009 - it is frozen
    pane: Pane = Pane.LOG
    back: int = 0
    veiled: bool = False
    notes: Mapping[str, Note] = field(default_factory=dict)
    about: int | None = None
    unveiled: int | None = None

    def resized(self, columns: int, rows: int) -> Seen:
        """In a terminal of another size: the tiles that fit it, and what was in the middle."""
        layout = Layout.of(columns, rows)
        fresh = Window.over(HOME, layout.mine, layout.body)
        if self.window is not None and not self._is_home:
            middle = self.window.middle
            fresh = fresh.around([middle])
        return _with_cursor(replace(self, layout=layout, window=fresh))

    @property
    def _is_home(self) -> bool:
        """Whether the start and the goals are all in sight."""
        return self.window is None or all(self.window.shows(cell) for cell in HOME)

    def at(self, place: Place) -> Seen:
        """With the cursor at a place, and the place in sight."""
        return self.with_desk(self.desk.moved_to(place))

    def with_desk(self, desk: Desk) -> Seen:
        """With another desk; where its cursor went is in sight."""
        moved = desk.place != self.desk.place
        seen = replace(self, desk=desk)
        return _with_cursor(seen) if moved else seen

    def newest(self, cell: Cell) -> Seen:
        """With a new card in sight, and if there is room the cursor and the way to the goals."""
        if self.window is None:
            return self
        home = self.window.around(HOME)
        if all(home.shows(shown) for shown in (*HOME, cell, self.desk.cell)):
            return replace(self, window=home)
        return replace(self, window=self.window.following(cell))

    def panned(self, east: int, south: int) -> Seen:
        """With another part of the mine in sight."""
        if self.window is None:
            return self
        return replace(self, window=self.window.panned(east, south))

    def zoomed(self, steps: int) -> Seen:
        """With larger or smaller tiles."""
        if self.window is None:
            return self
        return replace(self, window=self.window.zoomed(steps, self.desk.cell))

    def next_goal(self) -> Cell:
        """The goal after the one under the cursor."""
        cell = self.desk.place
        if cell in GOAL_CELLS:
            return GOAL_CELLS[(GOAL_CELLS.index(cell) + 1) % len(GOAL_CELLS)]
        return GOAL_CELLS[0]

    def marked(self, name: str) -> Seen:
        """With the next note on a player."""
        note = self.notes.get(name, Note.NONE).next
        return replace(self, notes={**self.notes, name: note})

    def followed(self, before: View | None, view: View | None) -> Seen:
        """As the game goes on: the desk, and the lists that are about it."""
        seen = replace(self, desk=self.desk.follow(before, view))
        if view is None:
            return replace(seen, about=None, unveiled=None)
        return seen if view.table.end is not None else replace(seen, unveiled=None)


def _with_cursor(seen: Seen) -> Seen:
    """With the cursor's cell in sight; where it was not, some around it too."""
    window, cell = seen.window, seen.desk.cell
    if window is None or seen.desk.seat is not None or window.shows(cell):
        return seen
    return replace(seen, window=window.following(cell, MARGIN))
