"""Whether a position that was read can be played on: its goals, and whose turn it is.

Knows the rules that tie the fields of a position together, and not how they are spelt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.board import GOAL_CELLS
from engine.cards import BREAK, CROSSROADS, DECK, Card, Tool
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
    elif not _may_go_on(position):
        raise piece.wrong("nobody holds a card that could be played: the round is over (R3)")


def _undealt(position: Position) -> bool:
    """Whether nothing lies on the table, and nothing is known."""
    known = (*position.laid, *position.goals, *position.roles, position.spare)
    cards = (position.pile, *position.hands, *position.broken)
    return not any(cards) and all(one is None for one in known)


def _may_go_on(position: Position) -> bool:
    """Whether somebody may hold a card that could be played now, where R3 asks for one."""
    if position.pile or position.edition.dead_table is DeadTable.PLAYED_OUT:
        return True
    table, unseen = position.table, tuple(_unseen(position))
    return any(
        can_play(table, seat, hand if isinstance(hand, tuple) else unseen)
        for seat, hand in enumerate(position.hands)
        if hand
    )


def _is_over(position: Position) -> bool:
    """Whether the round may be over, as far as the hands are known (R1 to R3)."""
    if CROSSROADS in position.goals:
        return True
    if position.pile:
        return False
    if position.edition.dead_table is DeadTable.PLAYED_OUT:
        return not any(position.hands)
    return _may_be_dead(position)


def _may_be_dead(position: Position) -> bool:
    """Whether it may be that nobody holds a card that could be played now (R3).

    With a broken tool one can play less: so who has sound tools needs the dead cards that are
    dead for all, and they are not enough for all others unless they are for these.
    """
    table, unseen = position.table, list(_unseen(position))
    needed = 0
    for seat, hand in sorted(enumerate(position.hands), key=lambda held: table.broken[held[0]] > 0):
        if isinstance(hand, tuple):
            if can_play(table, seat, hand):
                return False
        else:
            needed += hand
            if needed > sum(not can_play(table, seat, (card,)) for card in unseen):
                return False
    return True


def _unseen(position: Position) -> Iterator[Card]:
    """The cards of the deck that the position does not name."""
    named = Counter(path.card for _, path in position.laid)
    named.update(BREAK[tool] for broken in position.broken for tool in Tool.within(broken))
    for cards in (position.pile, *position.hands):
        named.update(cards if isinstance(cards, tuple) else ())
    return (Counter(DECK) - named).elements()
