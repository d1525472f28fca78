"""Positions as seats see them, and the cast that plays there."""

from __future__ import annotations

from dataclasses import replace

from engine.edition import INTERNATIONAL
from engine.notation import parse_position
from engine.view import View
from sabtui.text.names import PlayerNames

CAST = PlayerNames.of(("Ana", "Bruno", "Chiara"), 0)


def view_of(line: str, seat: int | None = 0) -> View:
    """What a seat, Ana unless told otherwise, knows in a position."""
    return parse_position(line, INTERNATIONAL).view(seat)


DIG = view_of("EW@1/NEW@2 ?/(NE)/? 1 -,PL,- NES/NW/ns/-L/+LC/R/M,3,2 9 m??+?")
"""Ana's turn: a tunnel of two cards, one map looked at, Bruno's pick and lantern broken."""

BETWEEN = DIG._replace(table=DIG.table._replace(turn=None))
OVER = BETWEEN._replace(score=replace(DIG.score, gold=((), (), ())))
"""The same once no turn is left, and once the gold of the last round is shared."""
