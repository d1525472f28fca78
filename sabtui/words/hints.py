"""Advice in one sentence: a move that may be good, and why.

Knows hints, which come of a seat's own view alone, and names.
"""

from __future__ import annotations

from typing import assert_never

from engine.bots.hints import (
    Blocks,
    Clears,
    CutsOff,
    FindsOut,
    Frees,
    FreesYou,
    Hint,
    LeadsAway,
    MostNuggets,
    Nearer,
    OpensWay,
    Reaches,
    Sheds,
    Stops,
    Why,
)
from engine.notation import format_cell, format_move
from sabtui.words.cards import card_words
from sabtui.words.cast import Cast
from sabtui.words.tongue import _, ngettext


def hint_words(hint: Hint, cast: Cast) -> str:
    """Say what could be done, and why."""
    return _("{move}: {reason}.").format(move=format_move(hint.move), reason=_why(hint.why, cast))


def _why(why: Why, cast: Cast) -> str:
    match why:
        case Reaches(cell):
            return _("it opens onto the goal at {cell}").format(cell=format_cell(cell))
        case Nearer(by, ahead):
            return _nearer(by, ahead)
        case OpensWay():
            return _("it opens another way on")
        case LeadsAway():
            return _("it leads where there is no gold")
        case Blocks(cell):
            return _("nobody digs on at {cell}").format(cell=format_cell(cell))
        case Clears(cell):
            return _("it clears what stands in the way at {cell}").format(cell=format_cell(cell))
        case CutsOff(cell):
            return _("it cuts the tunnel at {cell}").format(cell=format_cell(cell))
        case FreesYou():
            return _("it mends a tool of yours")
        case Frees(seat, trust):
            told = _("{name} digs again, most likely a miner")
            if trust < 0.5:
                told = _("{name} digs again, and may be a saboteur")
            return told.format(name=cast.names[seat])
        case Stops(seat, _doubt, most):
            told = _("it stops {name}")
            if most:
                told = _("it stops {name}, the most suspected")
            return told.format(name=cast.names[seat])
        case FindsOut(cell):
            return _("it tells what lies at {cell}").format(cell=format_cell(cell))
        case Sheds(card):
            return _("you can best do without {card}").format(card=card_words(card))
        case MostNuggets():
            return _("no card on offer has more nuggets")
        case _:
            assert_never(why)


def _nearer(by: int, ahead: int) -> str:
    told = ngettext("{by} card nearer to the gold", "{by} cards nearer to the gold", by).format(
        by=by
    )
    then = ngettext("{ahead} more to go", "{ahead} more to go", ahead).format(ahead=ahead)
    return f"{told}, {then}"
