"""What the seats of a table did in the present round, as far as it tells of them.

Knows what everybody saw, and nothing that a seat alone was told.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from engine.board import EMPTY, GOAL_CELLS, Board
from engine.bots.sites import SITES, Targets, targets_of
from engine.events import Broke, Collapsed, Laid, Looked, Passed, Repaired, Revealed
from engine.view import View


class Deed(StrEnum):
    """A kind of thing to do with a turn."""

    DUG = "dug nearer"
    STRAYED = "dug aside"
    TURNED_AWAY = "dug away"
    BLOCKED = "blocked the road"
    CLEARED = "cleared the road"
    RUINED = "brought the road down"
    LOOKED = "looked at a goal"
    MENDED_OWN = "repaired their own"
    IDLED = "passed, tools sound"
    WAITED = "passed, tools broken"
    BROKE = "broke a tool"
    MENDED = "repaired another's"


class Done(NamedTuple):
    """What a seat did, and to whom: the doer where to nobody.

    It may depend on where the gold is; so there is one deed for each goal, from north to south.
    """

    deeds: tuple[Deed, ...]
    seat: int
    target: int


_GOLD: Final = tuple(1 << goal for goal in range(len(GOAL_CELLS)))


def done(view: View) -> Iterator[Done]:
    """All that was done in the present round, in order."""
    board = EMPTY
    broken = [0] * view.table.players
    looked: list[Targets] = [0] * view.table.players
    for event in view.history:
        match event:
            case Laid(seat, path, cell):
                yield Done(_laid(board, event, looked[seat]), seat, seat)
                board = board.with_card(cell, path)
            case Revealed(cell, path):
                board = board.with_card(cell, path)
            case Collapsed(seat, cell, path):
                ruined = path.through and cell in board.reached
                yield _plain(Deed.RUINED if ruined else Deed.CLEARED, seat, seat)
                board = board.without_card(cell)
            case Broke(seat, tool, target):
                broken[target] |= tool.bit
                yield _plain(Deed.BROKE, seat, target)
            case Repaired(seat, _, target, tool):
                broken[target] &= ~tool.bit
                yield _plain(Deed.MENDED_OWN if target == seat else Deed.MENDED, seat, target)
            case Looked(seat, cell):
                looked[seat] |= targets_of((cell,))
                yield _plain(Deed.LOOKED, seat, seat)
            case Passed(seat):
                yield _plain(Deed.WAITED if broken[seat] else Deed.IDLED, seat, seat)
            case _:
                pass


def _plain(deed: Deed, seat: int, target: int) -> Done:
    return Done((deed,) * len(_GOLD), seat, target)


def _laid(board: Board, event: Laid, looked: Targets) -> tuple[Deed, ...]:
    """What it was to lay that card, wherever the gold is, by the goals that its seat had seen."""
    hidden = targets_of(board.hidden)
    unsure = _towards(board, event, hidden & ~looked or hidden)
    return tuple(
        _towards(board, event, gold) if gold & looked & hidden else unsure for gold in _GOLD
    )


def _towards(board: Board, event: Laid, targets: Targets) -> Deed:
    sites = SITES[targets]
    ahead = sites.ahead(board)
    if not event.path.through:
        return Deed.BLOCKED if sites.away(event.cell) <= ahead + 2 else Deed.STRAYED
    nearer = ahead - sites.then(event.path, (event.cell, board.sites[event.cell]))
    if nearer > 0:
        return Deed.DUG
    return Deed.STRAYED if nearer > -2 else Deed.TURNED_AWAY
