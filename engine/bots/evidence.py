"""Actions of each seat in the present round, classified as evidence of its role.

`observe` replays the history of a view, once for each decision of a bot; the `Observations` are
passed to all that infer something from them. The history of a view may begin mid-round; the state
before it is then reconstructed from the view's table.

`find_action` finds the reason that a client shows beside a bot's claim: the public action that
speaks most against a player, or for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from engine.actions import Broke, Collapsed, Looked, Repaired, TurnEvent
from engine.board import EMPTY, GOAL_CELLS, Board
from engine.bots.fast_board import SITE_DISTANCES, TargetSet, targets_of
from engine.bots.talk import SILENCE, Talk
from engine.events import Drew, Event, Laid, Passed, Revealed, RoundBegan
from engine.readonly import with_item
from engine.view import View


class ActionKind(StrEnum):
    """A kind of action that a seat can take with its turn."""

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


class Observation(NamedTuple):
    """One observed action."""

    kinds: tuple[ActionKind, ...]
    """The kind of the action if the gold is at the first goal, at the second, at the third."""
    seat: int
    target: int
    """The seat that the action was aimed at; the acting seat itself if there is none."""
    board: Board
    """The board before the action."""
    broken: tuple[int, ...]
    """The set of broken tools of each seat before the action."""
    drew: bool = False
    """True if the seat drew a card after the action."""


_GOLD: Final = tuple(1 << goal for goal in range(len(GOAL_CELLS)))
"""One bit per goal, from north to south."""


@dataclass(frozen=True, slots=True)
class Observations:
    """The actions of the present round in order, as a view shows them."""

    view: View
    actions: tuple[Observation, ...]
    board: Board
    """The board after the last event."""
    broken: tuple[int, ...]
    """The set of broken tools of each seat after the last event."""
    looks: tuple[TargetSet, ...]
    """The goals that each seat has looked at."""
    talk: Talk = SILENCE

    def public(self) -> Observations:
        """Return the same observations as a watcher of the table makes them."""
        view = self.view
        return replace(self, view=View(None, view.table, view.score, history=view.history))

    def after(self, events: Iterable[Event]) -> Observations:
        """Return these observations with further events added; the view stays as it is."""
        board, broken = self.board, self.broken
        found, looks = list(self.actions), list(self.looks)

        for event in events:
            if not isinstance(event, TurnEvent):
                if isinstance(event, Revealed):
                    board = board.with_card(event.cell, event.path)
                elif isinstance(event, Drew) and found:
                    found[-1] = found[-1]._replace(drew=True)
                continue
            seat = target = event.seat
            match event:
                case Laid():
                    kinds = _classify_lay(board, event, looks[seat])
                case Collapsed(_, cell, path):
                    ruined = path.through and cell in board.reached
                    kinds = _repeat_kind(ActionKind.RUINED if ruined else ActionKind.CLEARED)
                case Broke(_, _, target):
                    kinds = _repeat_kind(ActionKind.BROKE)
                case Repaired(_, _, target):
                    own = target == seat
                    kinds = _repeat_kind(ActionKind.MENDED_OWN if own else ActionKind.MENDED)
                case Looked(_, cell):
                    kinds = _repeat_kind(ActionKind.LOOKED)
                    looks[seat] |= targets_of((cell,))
                case _:  # a pass, and any play that says nothing about its seat
                    kinds = _repeat_kind(ActionKind.WAITED if broken[seat] else ActionKind.IDLED)
            found.append(Observation(kinds, seat, target, board, broken))
            if isinstance(event, Laid):
                board = board.with_card(event.cell, event.path)
            elif not isinstance(event, Passed):
                board, broken, _, _ = event.change((board, broken, self.view.table.looks, ()))
        return Observations(self.view, tuple(found), board, broken, tuple(looks), self.talk)


def observe(view: View, talk: Talk = SILENCE) -> Observations:
    """Return the actions of the present round as a view shows them, with the talk beside it."""
    board, broken, looks = _undo_history(view)
    return Observations(view, (), board, broken, tuple(looks), talk).after(view.history)


def _undo_history(view: View) -> tuple[Board, tuple[int, ...], list[TargetSet]]:
    """Return board, broken tools and goals looked at, by seat, from before the view's history.

    They are found by undoing the history backwards, because the history may begin mid-round: a view
    of a position has only the events since that position.
    """
    table, history = view.table, view.history
    if history and isinstance(history[0], RoundBegan):
        return EMPTY, (0,) * table.players, [0] * table.players
    tunnels, hidden, broken = dict(table.board.cards), {*table.board.hidden}, table.broken
    looks = [targets_of(cells) for cells in table.looks]
    for event in reversed(history):
        if isinstance(event, Revealed):
            tunnels.pop(event.cell, None)
            hidden.add(event.cell)
        if not isinstance(event, TurnEvent):
            continue
        match event:
            case Laid(_, _, cell):
                tunnels.pop(cell, None)
            case Collapsed(_, cell, path):
                tunnels[cell] = path
            case Broke(_, tool, target):
                broken = with_item(broken, target, broken[target] & ~tool.bit)
            case Repaired(_, _, target, tool):
                broken = with_item(broken, target, broken[target] | tool.bit)
            case Looked(seat, cell):
                looks[seat] &= ~targets_of((cell,))
            case _:
                pass
    board = Board.of(tunnels, tuple(sorted(hidden))) if history else table.board
    return board, broken, looks


def _repeat_kind(kind: ActionKind) -> tuple[ActionKind, ...]:
    """Return the `kinds` of an action whose kind does not depend on where the gold is."""
    return (kind,) * len(_GOLD)


def _classify_lay(board: Board, event: Laid, looked: TargetSet) -> tuple[ActionKind, ...]:
    """Return the kind of a laid card for each place of the gold.

    A seat that has looked at the gold (`looked`) digs towards that goal. A seat that has not digs
    towards any of the goals that it has not looked at.
    """
    hidden = targets_of(board.hidden)
    # Where all were looked at, no place of the gold needs this kind; it only has to exist.
    unsure = _classify_towards(board, event, hidden & ~looked or hidden)
    return tuple(
        _classify_towards(board, event, gold) if gold & looked & hidden else unsure
        for gold in _GOLD
    )


def _classify_towards(board: Board, event: Laid, targets: TargetSet) -> ActionKind:
    """Return the kind of a laid card if its seat digs towards these targets."""
    sites = SITE_DISTANCES[targets]
    ahead = sites.count_needed(board)
    if not event.path.through:
        return ActionKind.BLOCKED if sites.distance[event.cell] <= ahead + 2 else ActionKind.STRAYED
    nearer = ahead - sites.count_after(board, event.cell, event.path)
    if nearer > 0:
        return ActionKind.DUG
    return ActionKind.STRAYED if nearer > -2 else ActionKind.TURNED_AWAY


AGAINST: Final = (
    ActionKind.RUINED,
    ActionKind.BLOCKED,
    ActionKind.BROKE,
    ActionKind.TURNED_AWAY,
)
"""The kinds of action that speak against a player, the worst first."""

IN_FAVOUR: Final = (ActionKind.MENDED, ActionKind.CLEARED)
"""The kinds of action that speak for a player, the best first."""


class SeenAction(NamedTuple):
    """A player's action: the event, its kind, and the mine before it."""

    event: TurnEvent
    kind: ActionKind
    board: Board

    @property
    def ways(self) -> int:
        """The number of places where the tunnel could be continued before the action."""
        return len({cell for cell, _ in self.board.openings})


def find_action(
    view: View, seat: int, kinds: Sequence[ActionKind], unplayed: int | None = None
) -> SeenAction | None:
    """Return the last action of a seat in this round of the first of these kinds that it took.

    `unplayed` limits the search to the actions that had been made when that many cards were still
    unplayed. An action whose kind depends on where the gold is does not count.
    """
    events = [event for event in view.history if isinstance(event, TurnEvent)]
    later = 0 if unplayed is None else max(unplayed - view.table.unplayed, 0)
    earlier = range(len(events) - later)
    found: dict[ActionKind, SeenAction] = {}
    for at, action in zip(earlier, observe(view).actions, strict=False):
        if action.seat == seat and len(set(action.kinds)) == 1:
            found[action.kinds[0]] = SeenAction(events[at], action.kinds[0], action.board)
    return next((found[kind] for kind in kinds if kind in found), None)
