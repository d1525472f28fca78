"""What a move would do, in a few words: for lists to choose from.

Knows a move and the view of who may make it. The move itself is in notation beside these words, so
they say what that does not: whom it hits, and what a laid card joins.
"""

from __future__ import annotations

from typing import assert_never

from engine.board import Cell, around
from engine.cards import Tool
from engine.moves import Break, Discard, Keep, Lay, Map, Move, Repair, Rockfall
from engine.notation import format_cell
from engine.view import View
from sabtui.words.cards import card_words, nuggets_counted, path_words, side, tool_of
from sabtui.words.cast import Cast
from sabtui.words.mine import goal_known
from sabtui.words.tongue import _, listed


def would(move: Move, view: View, cast: Cast) -> str:
    """Say what a legal move would do."""
    match move:
        case Lay():
            return _would_lay(move, view)
        case Break(tool, target):
            told = tool_of(tool, target, cast)
            broken = [other for other in Tool if view.table.broken[target] & other.bit]
            if not broken:
                return told
            others = listed([tool_of(other, target, cast) for other in broken])
            return _("{tool}; broken already: {others}").format(tool=told, others=others)
        case Repair(_card, target, tool):
            return tool_of(tool, target, cast)
        case Rockfall(cell):
            return path_words(view.table.board.cards[cell])
        case Map(cell):
            return goal_known(cell, view)
        case Discard(card):
            return card_words(card)
        case Keep(nuggets):
            return nuggets_counted(nuggets)
        case _:
            assert_never(move)


def _would_lay(move: Lay, view: View) -> str:
    """From where a card would go on, and to where."""
    board = view.table.board
    comes = [
        edge
        for edge, _b, beside in around(move.cell)
        if move.path.edges & edge and beside in board.cards
    ]
    goes = [
        _onto(edge, beside, view)
        for edge, _b, beside in around(move.cell)
        if move.path.edges & edge and beside not in board.cards
    ]
    come, go = listed([side(edge) for edge in comes]), listed(goes)
    if not comes:
        return _("joins nothing, open to {goes}").format(goes=go)
    if not move.path.through:
        return _("ends the way from {come}").format(come=come)
    if not goes:
        return _("joins {come}").format(come=come)
    return _("from {come} to {goes}").format(come=come, goes=go)


def _onto(edge: int, beside: Cell, view: View) -> str:
    """A side that a card would open, and the goal that it would turn up."""
    if beside in view.table.board.hidden:
        return _("{side} (goal {cell}!)").format(side=side(edge), cell=format_cell(beside))
    return side(edge)
