"""How a saboteur hides: what a move would give away, and until when it pays to dig like a miner.

Knows what its seat knows, and judges it with the eyes of all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from engine.bots.suspicion import in_public
from engine.events import Broke, Collapsed, Laid, Looked, Passed, Public, Repaired
from engine.moves import Break, Discard, Lay, Map, Play, Repair, Rockfall
from engine.view import View

PLAIN: Final = 0.6
"""Who is a saboteur with this likelihood in the eyes of all is plainly one."""

NEAR: Final = 6
"""So many cards from the gold they turn: the longer they wait, the more rounds it costs."""


def hides(view: View, ahead: int) -> bool:
    """Whether a saboteur does as miners do, where the tunnel needs so many more cards.

    Not where the gold is near, or who it is plain.
    """
    assert view.seat is not None
    return ahead > NEAR and in_public(view).of[view.seat] < PLAIN


def exposed(view: View, move: Play) -> float:
    """How likely a saboteur the seat to play is in the eyes of all, once it has made a move."""
    assert view.seat is not None
    return in_public(view, _told(view, view.seat, move)).of[view.seat]


def innocent(view: View, moves: Iterable[Play]) -> Play:
    """The first of its legal moves that gives the seat to play no more away than a pass."""
    passing = exposed(view, Discard(view.hand[0]))
    return next(move for move in moves if exposed(view, move) <= passing)


def _told(view: View, seat: int, move: Play) -> Public:
    """What everybody is told of a move (RULES K)."""
    match move:
        case Lay():
            return Laid(seat, move.path, move.cell)
        case Break():
            return Broke(seat, move.tool, move.target)
        case Repair():
            return Repaired(seat, move.card, move.target, move.tool)
        case Rockfall():
            return Collapsed(seat, move.cell, view.table.board.cards[move.cell])
        case Map():
            return Looked(seat, move.cell)
        case Discard():
            return Passed(seat)
        case _:
            assert_never(move)
