"""Whose move it is, in a round as in the sharing of gold (RULES S8, D1).

Asked before anybody's cards are looked at, of what lies face up and nothing else.
"""

from __future__ import annotations

from engine.moves import Keep, Move
from engine.reasons import (
    DealAwaited,
    GameOver,
    GoldBeingShared,
    NotOnOffer,
    Reason,
)
from engine.table import Score, Table


def to_act(table: Table, score: Score) -> int | None:
    """The seat that is to play or to choose gold, `None` where nobody is."""
    return table.turn if score.chooser is None else score.chooser


def not_now(table: Table, score: Score, move: Move) -> Reason | None:
    """What forbids everybody a move of that kind now, `None` where nothing does."""
    if score.chooser is not None:
        return None if isinstance(move, Keep) else GoldBeingShared(score.chooser)
    if table.turn is None:
        return DealAwaited() if score.gold is None else GameOver()
    return NotOnOffer(move.nuggets) if isinstance(move, Keep) else None
