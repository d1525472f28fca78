"""Deeds that speak against a player, or for one, as everybody at the table saw them.

They are the reasons of bots for their claims: what a bot says follows from what it knows, but the
deed it points to is public, so each reader's own client can name it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.board import Board
from engine.bots.actions import ActionKind, observe
from engine.events import TurnEvent
from engine.view import View

AGAINST: Final = (
    ActionKind.RUINED,
    ActionKind.BLOCKED,
    ActionKind.BROKE,
    ActionKind.TURNED_AWAY,
)
"""The kinds of action that speak against a player, the worst first."""

IN_FAVOUR: Final = (ActionKind.MENDED, ActionKind.CLEARED)
"""The kinds of action that speak for a player, the best first."""


class SeenDeed(NamedTuple):
    """A player's action: the event, its kind, and the mine before it."""

    event: TurnEvent
    kind: ActionKind
    board: Board

    @property
    def ways(self) -> int:
        """The number of places where the tunnel could be continued before the action."""
        return len({cell for cell, _ in self.board.openings})


def find_deed(
    view: View, seat: int, kinds: Sequence[ActionKind], unplayed: int | None = None
) -> SeenDeed | None:
    """Return the last action of a seat in this round that is of the first of these kinds, if any.

    It is sought among the actions made while this many cards or more were `unplayed` after them; in
    the whole round if that is `None`. An action whose kind depends on where the gold is counts only
    if it is of the kind for each goal.
    """
    events = [event for event in view.history if isinstance(event, TurnEvent)]
    later = 0 if unplayed is None else max(unplayed - view.table.unplayed, 0)
    known = range(len(events) - later)
    found: dict[ActionKind, SeenDeed] = {}
    for at, action in zip(known, observe(view).actions, strict=False):
        if action.seat == seat and len(set(action.kinds)) == 1:
            found[action.kinds[0]] = SeenDeed(events[at], action.kinds[0], action.board)
    return next((found[kind] for kind in kinds if kind in found), None)
