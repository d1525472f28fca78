"""Highlights in the mine: the cursor, the places of the chosen card, and the effect of laying it.

A lay lights the cards that it would join and the cells that it would open, with arrows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.board import Board, Cell, neighbours
from engine.cards import E, N, Path, S, W
from engine.moves import Lay
from engine.view import View
from sabtui.text.i18n import _
from sabtui.tui.mine.picture import Highlights
from sabtui.tui.mine.tiles import CellMark, place_text
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
    marked = _places(choice, selection)
    lay = None if cursor is None else choice.play_at(cursor, selection.turned)
    if not isinstance(lay, Lay):
        return Highlights(cursor, marked.marks, None, newest, marked.labels)
    target = choice.at(lay.cell)
    fits = target is not None and lay in target.ways
    if fits:
        effect = _effect(view.table.board, lay)
        marked = _Marked({**effect.marks, **marked.marks}, {**effect.labels, **marked.labels})
    return Highlights(cursor, marked.marks, (lay.path, fits), newest, marked.labels)


def _places(choice: Choice, selection: Selection) -> _Marked:
    """Return the places where a card can be played, numbered as far as there are digits."""
    marks: dict[Cell, CellMark] = {}
    for target in choice.targets:
        if isinstance(target.place, int):
            continue
        marks[target.place] = CellMark.HERE
        if choice.card.ways:
            upright = choice.card.ways[selection.turned % len(choice.card.ways)]
            fits = Lay(upright, target.place) in target.ways
            both = CellMark.BOTH if len(target.ways) > 1 else CellMark.FITS
            marks[target.place] = both if fits else CellMark.TURNED
    numbered = choice.number_places.items()
    return _Marked(
        marks, {place: str(digit) for digit, place in numbered if not isinstance(place, int)}
    )


def turned_legend(choice: Choice, selection: Selection) -> str:
    """Return the meaning of an r at places, by an example of each, "" if none is in sight.

    Under the cursor the card itself is shown in place of its sign.
    """
    marks, labels = _places(choice, selection)
    examples: dict[CellMark, str] = {}
    for cell, mark in marks.items():
        if cell != selection.place:
            examples.setdefault(mark, place_text(mark, labels.get(cell, "")))
    texts = {
        # Translators: explains {sign}, such as 2r, at a place where the chosen card (feminine)
        # would lie turned; very short.
        CellMark.TURNED: _("{sign}: turned"),
        # Translators: explains {sign}, such as 2/r, at a place where the chosen card fits both as
        # it is and turned; very short.
        CellMark.BOTH: _("{sign}: either way"),
    }
    return ", ".join(
        text.format(sign=examples[mark]) for mark, text in texts.items() if mark in examples
    )


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
