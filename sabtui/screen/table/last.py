"""The last card, in the notation, and who played it; which cell it changed.

Knows what a seat heard in this round.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Cell
from engine.events import Broke, Collapsed, Event, Laid, Looked, Passed, Repaired
from engine.moves import Break, Lay, Map, Repair, Rockfall
from engine.notation import format_move
from engine.view import View
from sabtui.words.tongue import _


@dataclass(frozen=True, slots=True)
class Last:
    """A card that was played: by whom, what in notation, and the cell, if it was in the mine."""

    seat: int
    text: str
    cell: Cell | None = None


def last_card(view: View) -> Last | None:
    """The last card of the round, `None` before the first."""
    for event in reversed(view.history):
        last = _last(event)
        if last is not None:
            return last
    return None


def _last(event: Event) -> Last | None:
    match event:
        case Laid(seat, path, cell):
            return Last(seat, format_move(Lay(path, cell)), cell)
        case Broke(seat, tool, target):
            return Last(seat, format_move(Break(tool, target)))
        case Repaired(seat, card, target, tool):
            return Last(seat, format_move(Repair(card, target, tool)))
        case Collapsed(seat, cell):
            return Last(seat, format_move(Rockfall(cell)), cell)
        case Looked(seat, cell):
            return Last(seat, format_move(Map(cell)), cell)
        case Passed(seat):
            # Translators: in the header: last Anna passed.
            return Last(seat, _("passed"))
        case _:
            return None
