"""What a player looks at, and how: the desk, the window onto the mine, which pane, their notes.

A value; keys and clicks make another of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from engine.board import GOAL_CELLS, Cell
from engine.view import View
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.mine.window import HOME, Viewport
from sabtui.tui.table.layout import Layout
from sabtui.tui.table.players import PlayerNote
from sabtui.tui.table.selection import Selection, TargetPlace
from sabtui.tui.theme import Glyphs

CURSOR_MARGIN_CELLS = 1
"""Cells to bring into sight around the cursor."""


class SidePanel(Enum):
    """What the side shows below the players."""

    LOG = auto()
    KNOWN = auto()


@dataclass(frozen=True, slots=True)
class TableModel:
    """What is looked at.

    `window` is `None` before the first layout, `cells` is where cards lie in the mine. `size` is
    that of the tiles once the player chose one, else the largest that shows all of the mine.

    `back` is how many lines of the log were gone back, `about` whom quick claims are about while
    their list is open, at its `claims_page`. `unveiled` counts the dwarves that are unveiled at the
    end of a round, one after the other, and is `None` once all are.
    """

    glyphs: Glyphs
    layout: Layout = Layout.of(80, 24)  # noqa: RUF009 - it is frozen
    window: Viewport | None = None
    cells: frozenset[Cell] = frozenset(HOME)
    size: TileSize | None = None
    selection: Selection = Selection()  # noqa: RUF009 - it is frozen
    pane: SidePanel = SidePanel.LOG
    back: int = 0
    veiled: bool = False
    notes: Mapping[str, PlayerNote] = field(default_factory=dict)
    about: int | None = None
    claims_page: int = 0
    unveiled: int | None = None

    def resized(self, columns: int, rows: int) -> TableModel:
        """In a terminal of another size: the tiles that fit it, and what was in the middle."""
        layout = Layout.of(columns, rows)
        model = replace(self, layout=layout, size=None)
        fresh = model.whole()
        if self.window is not None and not self.window.shows_all(HOME):
            here = self.window.middle
            if not fresh.shows_all((*self.cells, self.selection.cell)):
                fresh = fresh.around([here])
        return _with_cursor(replace(model, window=fresh))

    def settled(self) -> TableModel:
        """With all of the mine in sight if it fits, else the way to the goals, else the cursor."""
        return self if self.window is None else _with_cursor(replace(self, window=self.whole()))

    def over(self, cells: frozenset[Cell]) -> Viewport:
        """Return a window over cells, in tiles of the size that was chosen or as large as fit."""
        layout = self.layout
        fitting = Viewport.over(cells, layout.mine, layout.body)
        return fitting if self.size is None else replace(fitting, size=self.size).around(cells)

    def whole(self) -> Viewport:
        """Return the window over all of the mine, or else over as much of it as matters most."""
        for wanted in (self.cells, frozenset(HOME)):
            window = self.over(wanted)
            if window.shows_all(wanted):
                return window
        return self.over(frozenset((self.selection.cell,)))

    def at(self, place: TargetPlace) -> TableModel:
        """With the cursor at a place, and the place in sight."""
        return self.with_desk(self.selection.moved_to(place))

    def with_desk(self, selection: Selection) -> TableModel:
        """With another desk; where its cursor went is in sight."""
        moved = selection.place != self.selection.place
        model = replace(self, selection=selection)
        return _with_cursor(model) if moved else model

    def newest(self, cell: Cell) -> TableModel:
        """With a new card in sight, and all of the mine with it or the way to the gold, if it fits.

        The cursor is not left behind: who is at work out there goes on seeing it.
        """
        model, window = replace(self, cells=self.cells | {cell}), self.window
        if window is None:
            return self
        if window.shows_all(model.cells):
            return model
        at_work = {model.selection.cell} if window.shows(model.selection.cell) else set[Cell]()
        for wanted in (model.cells, frozenset((*HOME, cell))):
            fitting = model.over(wanted | at_work)
            if fitting.shows_all(wanted | at_work):
                return replace(model, window=fitting)
        return replace(model, window=window.following(cell))

    def panned(self, east: int, south: int) -> TableModel:
        """With another part of the mine in sight."""
        if self.window is None:
            return self
        return replace(self, window=self.window.panned(east, south))

    def zoomed(self, steps: int) -> TableModel:
        """With larger or smaller tiles, and all of the mine in sight if it fits so."""
        if self.window is None:
            return self
        near = self.window.zoomed(steps, self.selection.cell)
        whole = near.around(self.cells)
        window = whole if whole.shows_all(self.cells) else near
        best = Viewport.over(self.cells, near.columns, near.rows).size
        size = None if window.size is best else window.size
        return _with_cursor(replace(self, window=window, size=size))

    def next_goal(self) -> Cell:
        """The goal after the one under the cursor."""
        cell = self.selection.place
        if cell in GOAL_CELLS:
            return GOAL_CELLS[(GOAL_CELLS.index(cell) + 1) % len(GOAL_CELLS)]
        return GOAL_CELLS[0]

    def marked(self, name: str) -> TableModel:
        """With the next note on a player."""
        note = self.notes.get(name, PlayerNote.NONE).next
        return replace(self, notes={**self.notes, name: note})

    def followed(self, before: View | None, view: View | None) -> TableModel:
        """As the game goes on: the desk, and the lists that are about it."""
        model = replace(self, selection=self.selection.follow(before, view))
        if view is None:
            return replace(model, about=None, unveiled=None, cells=frozenset(HOME))
        model = replace(model, cells=lying_cells(view))
        if before is None or before.score.number != view.score.number:
            model = model.settled()
        return model if view.table.end is not None else replace(model, unveiled=None)


def _with_cursor(model: TableModel) -> TableModel:
    """With the cursor's cell in sight; where it was not, some around it too."""
    window, cell = model.window, model.selection.cell
    if window is None or model.selection.seat is not None or window.shows(cell):
        return model
    return replace(model, window=window.following(cell, CURSOR_MARGIN_CELLS))
