"""Whether a position that was read can be played on: its goals, and whose turn it is.

Knows the rules that tie the fields of a position together, and not how they are spelt.
"""

from __future__ import annotations

from engine.board import GOAL_CELLS
from engine.cards import CROSSROADS
from engine.edition import DeadTable
from engine.notation.position import Position
from engine.notation.text import Piece
from engine.rules import can_play


def check_goals(position: Position, piece: Piece) -> None:
    """Refuse goals that would have been turned up before (G1)."""
    if position.turn is not None:
        for cell in position.table.board.opened_goals():
            part = piece.split("/")[GOAL_CELLS.index(cell)]
            raise part.wrong("a tunnel from the start opens onto this goal: it lies face up (G1)")


def check_turn(position: Position, piece: Piece) -> None:
    """Refuse a turn of somebody who cannot have it, or nobody's in mid-round."""
    turn = position.turn
    if turn is None:
        if position.end is None:
            if not _undealt(position):
                raise piece.wrong("it is nobody's turn, so all dwarves and goals are known (R4)")
        elif not _is_over(position):
            raise piece.wrong("it is nobody's turn, though the round is not over (R1 to R3)")
    elif turn >= position.players:
        raise piece.wrong("{players} seats are taken", players=position.players)
    elif CROSSROADS in position.goals:
        raise piece.wrong("the treasure is reached: it is nobody's turn any more (R1)")
    elif not position.hands[turn]:
        raise piece.wrong("this seat has no card to play or discard (T4)")


def _undealt(position: Position) -> bool:
    """Whether nothing lies on the table, and nothing is known."""
    known = (*position.laid, *position.goals, *position.roles, position.spare)
    cards = (position.pile, *position.hands, *position.broken)
    return not any(cards) and all(one is None for one in known)


def _is_over(position: Position) -> bool:
    """Whether the round may be over, as far as the hands are known (R1 to R3)."""
    if CROSSROADS in position.goals:
        return True
    if position.pile:
        return False
    if position.edition.dead_table is DeadTable.PLAYED_OUT:
        return not any(position.hands)
    table = position.table
    return not any(
        can_play(table, seat, hand)
        for seat, hand in enumerate(position.hands)
        if isinstance(hand, tuple)
    )
