"""Highlights in the mine: the cursor, the places of the chosen card, and the effect of laying it.

A lay lights the cards that it would join and the cells that it would open, with arrows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.board import Board, Cell, neighbours
from engine.cards import E, N, Path, S, W
from engine.moves import Lay
from engine.view import View
from sabtui.tui.mine.picture import Highlights
from sabtui.tui.mine.tiles import CellMark
from sabtui.tui.table.header import newest_cell
from sabtui.tui.table.selection import Choice, Selection

ARROWS: Final = {N: "^", E: ">", S: "v", W: "<"}
"""Characters for the direction in which a tunnel opens."""


class _Marked(NamedTuple):
    """Marks of cells, and characters for some of them."""

    marks: dict[Cell, CellMark]
    labels: dict[Cell, str]


def highlights(view: View, selection: Selection) -> Highlights:
    """Return the highlights in the mine while it rests."""
    newest = newest_cell(view)
    cursor = selection.cell if selection.seat is None else None
    choice = selection.choice(view)
    if choice is None or selection.discarding:
        return Highlights(cursor, new=newest)
    places = _places(choice)
    lay = None if cursor is None else choice.play_at(cursor, selection.turned)
    if not isinstance(lay, Lay):
        return Highlights(cursor, places, None, newest)
    target = choice.at(lay.cell)
    fits = target is not None and lay in target.ways
    effect = _effect(view.table.board, lay) if fits else _Marked({}, {})
    marks = {**effect.marks, **places}
    return Highlights(cursor, marks, (lay.path, fits), newest, effect.labels)


def _places(choice: Choice) -> dict[Cell, CellMark]:
    """Return the marks of the places where a card can be played."""
    mark = CellMark.FITS if choice.card.ways else CellMark.HERE
    return {one.place: mark for one in choice.targets if not isinstance(one.place, int)}


def _effect(board: Board, lay: Lay) -> _Marked:
    """Return the cards that a lay would join, and the cells that it would open."""
    after = board.with_card(lay.cell, lay.path)
    connected = _neighbours_met(board, lay.cell, lay.path)
    if lay.cell not in after.reached:  # a dead end opens nothing
        return _Marked(dict.fromkeys(connected, CellMark.JOINED), {})
    newly = after.reached - board.reached
    marks = dict.fromkeys(connected | newly - {lay.cell}, CellMark.JOINED)
    before = {cell for cell, _asked in board.openings} | {*board.opened_goals()}
    labels: dict[Cell, str] = {}
    for cell in {*(cell for cell, _asked in after.openings), *after.opened_goals()} - before:
        marks[cell] = CellMark.OPENED
        labels[cell] = next(
            ARROWS[back]
            for _side, back, beside in neighbours(cell)
            if beside in newly and after.cards[beside].edges & back
        )
    return _Marked(marks, labels)


def _neighbours_met(board: Board, cell: Cell, path: Path) -> set[Cell]:
    """Return the cells of the cards that a card would lead into."""
    return {
        beside
        for side, back, beside in neighbours(cell)
        if path.edges & side and beside in board.cards and board.cards[beside].edges & back
    }
