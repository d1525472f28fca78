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
from sabtui.screen.mine.picture import lying_cells
from sabtui.screen.mine.tiles import Size
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

    `window` is `None` before the first layout, `cells` is where cards lie in the mine. `size` is
    that of the tiles once the player chose one, else the largest that shows all of the mine.

    `back` is how many lines of the log were gone back, `about` whom quick claims are about while
    their list is open, at its `claims_page`. `unveiled` counts the dwarves that are unveiled at the
    end of a round, one after the other, and is `None` once all are.
    """

    glyphs: Glyphs
    layout: Layout = Layout.of(80, 24)  # noqa: RUF009 - it is frozen
    window: Window | None = None
    cells: frozenset[Cell] = frozenset(HOME)
    size: Size | None = None
    desk: Desk = Desk()  # noqa: RUF009 - it is frozen
    pane: Pane = Pane.LOG
    back: int = 0
    veiled: bool = False
    notes: Mapping[str, Note] = field(default_factory=dict)
    about: int | None = None
    claims_page: int = 0
    unveiled: int | None = None

    def resized(self, columns: int, rows: int) -> Seen:
        """In a terminal of another size: the tiles that fit it, and what was in the middle."""
        layout = Layout.of(columns, rows)
        seen = replace(self, layout=layout, size=None)
        fresh = seen.whole()
        if self.window is not None and not self.window.shows_all(HOME):
            here = self.window.middle
            if not fresh.shows_all((*self.cells, self.desk.cell)):
                fresh = fresh.around([here])
        return _with_cursor(replace(seen, window=fresh))

    def settled(self) -> Seen:
        """With all of the mine in sight if it fits, else the way to the goals, else the cursor."""
        return self if self.window is None else _with_cursor(replace(self, window=self.whole()))

    def over(self, cells: frozenset[Cell]) -> Window:
        """Return a window over cells, in tiles of the size that was chosen or as large as fit."""
        layout = self.layout
        fitting = Window.over(cells, layout.mine, layout.body)
        return fitting if self.size is None else replace(fitting, size=self.size).around(cells)

    def whole(self) -> Window:
        """Return the window over all of the mine, or else over as much of it as matters most."""
        for wanted in (self.cells, frozenset(HOME)):
            window = self.over(wanted)
            if window.shows_all(wanted):
                return window
        return self.over(frozenset((self.desk.cell,)))

    def at(self, place: Place) -> Seen:
        """With the cursor at a place, and the place in sight."""
        return self.with_desk(self.desk.moved_to(place))

    def with_desk(self, desk: Desk) -> Seen:
        """With another desk; where its cursor went is in sight."""
        moved = desk.place != self.desk.place
        seen = replace(self, desk=desk)
        return _with_cursor(seen) if moved else seen

    def newest(self, cell: Cell) -> Seen:
        """With a new card in sight, and all of the mine with it or the way to the gold, if it fits.

        The cursor is not left behind: who is at work out there goes on seeing it.
        """
        seen, window = replace(self, cells=self.cells | {cell}), self.window
        if window is None:
            return self
        if window.shows_all(seen.cells):
            return seen
        at_work = {seen.desk.cell} if window.shows(seen.desk.cell) else set[Cell]()
        for wanted in (seen.cells, frozenset((*HOME, cell))):
            fitting = seen.over(wanted | at_work)
            if fitting.shows_all(wanted | at_work):
                return replace(seen, window=fitting)
        return replace(seen, window=window.following(cell))

    def panned(self, east: int, south: int) -> Seen:
        """With another part of the mine in sight."""
        if self.window is None:
            return self
        return replace(self, window=self.window.panned(east, south))

    def zoomed(self, steps: int) -> Seen:
        """With larger or smaller tiles, and all of the mine in sight if it fits so."""
        if self.window is None:
            return self
        near = self.window.zoomed(steps, self.desk.cell)
        whole = near.around(self.cells)
        window = whole if whole.shows_all(self.cells) else near
        best = Window.over(self.cells, near.columns, near.rows).size
        size = None if window.size is best else window.size
        return _with_cursor(replace(self, window=window, size=size))

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
            return replace(seen, about=None, unveiled=None, cells=frozenset(HOME))
        seen = replace(seen, cells=lying_cells(view))
        if before is None or before.score.number != view.score.number:
            seen = seen.settled()
        return seen if view.table.end is not None else replace(seen, unveiled=None)


def _with_cursor(seen: Seen) -> Seen:
    """With the cursor's cell in sight; where it was not, some around it too."""
    window, cell = seen.window, seen.desk.cell
    if window is None or seen.desk.seat is not None or window.shows(cell):
        return seen
    return replace(seen, window=window.following(cell, MARGIN))
