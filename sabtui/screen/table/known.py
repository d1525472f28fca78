"""What a player knows that the mine does not show: their dwarf, gold, discards, what is left.

Knows a view and words that are there already.
"""

from __future__ import annotations

from engine.view import View
from sabtui.plain.looking import own_lines, pile_lines
from sabtui.plain.wrap import confined
from sabtui.screen.rows import Row, Span


def known(view: View, columns: int, *, veiled: bool) -> list[Row]:
    """The rows."""
    lines = [] if veiled or view.seat is None else own_lines(view)
    return [(Span(line),) for line in confined([*lines, *pile_lines(view)], columns, 2)]
