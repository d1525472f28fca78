"""The mine in words: goals, tunnel ends, dead ends, cards cut off. It draws nothing.

Cells are named as in the notation, except for those who see them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from engine.board import GOAL_CELLS, START, Board, CardState, Cell, neighbours
from engine.bots.talk import Talk
from engine.cards import Goal
from engine.events import Laid, Looked, TurnEvent
from engine.tokens import format_cell
from engine.view import View
from sabtui.text.cards import cell_words, goal_name, goal_words, path_words, side
from sabtui.text.i18n import _, capitalise, join_words, ngettext, pgettext, phrases
from sabtui.text.names import PlayerNames


def rank_by_treasure(cell: Cell, view: View) -> tuple[int, int]:
    """Return a sort key for cells: distance to a possible treasure, then the eastmost first."""
    goals = [goal for goal in GOAL_CELLS if view.goal_on(goal) in (None, Goal.TREASURE)]
    x, y = cell
    return min(abs(x - east) + abs(y - south) for east, south in goals or GOAL_CELLS), -x


def goal_known(cell: Cell, view: View) -> str:
    """Return the phrase on what this seat knows of a goal."""
    goal = view.goal_on(cell)
    if goal is None:
        return _("unknown")
    is_up = cell in view.table.board.cards or view.table.end is not None
    if is_up or view.seat is None:  # who watches a finished game again knows all, without a map
        return goal_words(goal)
    return _("{goal} on your map").format(goal=goal_words(goal))


def mine_words(view: View) -> list[str]:
    """Return the mine as lines: goals, open ends, then path cards by state."""
    board = view.table.board
    goals = (
        _("{goal} ({cell}) {known}").format(
            goal=goal_name(cell), cell=format_cell(cell), known=goal_known(cell, view)
        )
        for cell in GOAL_CELLS
    )
    lines = [_("Goals: {goals}.").format(goals=", ".join(goals))]
    openings = sorted(
        (cell for cell, _asked in board.openings), key=lambda c: rank_by_treasure(c, view)
    )
    ends = [_opening(cell, board) for cell in openings]
    lines.append(
        _("Tunnels open onto: {cells}.").format(cells=phrases(ends) or pgettext("openings", "none"))
    )
    by_state: dict[CardState, list[Cell]] = {kind: [] for kind in CardState}
    for cell in sorted(board.tunnels()):
        by_state[board.state_of(cell)].append(cell)
    for kind, cells in by_state.items():
        if cells:
            lines.append(_of_state(kind, cells, board))
    return lines


def cell_sentence(cell: Cell, view: View, *, spelt: bool = False) -> str:
    """Return what lies on a cell; the start and the goals are their own names for the place."""
    what = _lies(cell, view)
    if not spelt and (cell == START or cell in GOAL_CELLS):
        return f"{capitalise(what)}."
    # Translators: what lies on a cell, as in: At 3n1: bend north, east.
    text = _("At {cell}: {what}.")
    return text.format(cell=cell_words(cell, spelt=spelt), what=what)


def around_words(cell: Cell, view: View) -> list[str]:
    """Return what lies on a cell and on its four neighbours, for exploring cell by cell."""
    return [
        cell_sentence(cell, view, spelt=True),
        *(
            _("{side}, {cell}: {what}.").format(
                side=side(edge), cell=format_cell(beside), what=_lies(beside, view)
            )
            for edge, _back, beside in neighbours(cell)
        ),
    ]


def history_words(cell: Cell, view: View, talk: Talk, names: PlayerNames) -> list[str]:
    """Return who laid the card on a cell and when, or who looked at a goal and what is claimed."""
    if cell in GOAL_CELLS:
        return _goal_claims(cell, view, talk, names)
    turns = 0
    for event in reversed(view.history):
        if isinstance(event, Laid) and event.cell == cell and cell in view.table.board.cards:
            return [_who_laid(event.seat, turns, names)]
        turns += isinstance(event, TurnEvent)
    return []


def _who_laid(seat: int, turns: int, names: PlayerNames) -> str:
    """Return who laid a card, and how many turns ago."""
    if not turns:
        return names.say(seat, _("You laid it just now."), _("{name} laid it just now."))
    mine = ngettext("You laid it {count} turn ago.", "You laid it {count} turns ago.", turns)
    theirs = ngettext(
        "{name} laid it {count} turn ago.", "{name} laid it {count} turns ago.", turns
    )
    return names.say(seat, mine, theirs, count=turns)


def _goal_claims(cell: Cell, view: View, talk: Talk, names: PlayerNames) -> list[str]:
    """Return who claims what of a goal, and who looked at it."""
    at, reports = GOAL_CELLS.index(cell), talk.reports()
    says = {
        is_gold: [seat for seat in range(view.table.players) if reports.get((seat, at)) is is_gold]
        for is_gold in (True, False)
    }
    looked = dict.fromkeys(
        event.seat for event in view.history if isinstance(event, Looked) and event.cell == cell
    )
    return [
        text.format(names=names.call_all(seats))
        for text, seats in (
            # Translators: who claims that the goal under the cursor is gold.
            (_("Gold, according to {names}."), says[True]),
            # Translators: who claims that the goal under the cursor is stone.
            (_("Stone, according to {names}."), says[False]),
            # Translators: who looked at the goal under the cursor with a map.
            (_("Looked at by {names}."), [*looked]),
        )
        if seats
    ]


def _lies(cell: Cell, view: View) -> str:
    board = view.table.board
    if cell in board.hidden:
        return _("{goal}, face down, {known}").format(
            goal=goal_name(cell), known=goal_known(cell, view)
        )
    if cell not in board.cards:
        # Translators: a cell where no card lies.
        return _("empty")
    path = path_words(board.cards[cell])
    if cell == START:
        return _("the start, {path}").format(path=path)
    if cell in GOAL_CELLS:
        return _("{goal}, {path}").format(goal=goal_known(cell, view), path=path)
    match board.state_of(cell):
        case CardState.REACHED | CardState.DEAD:
            return path
        case CardState.CUT_OFF:
            return _("{path}, cut off").format(path=path)
        case never:
            assert_never(never)


def _opening(cell: Cell, board: Board) -> str:
    """Return an empty cell that tunnels lead to, with the sides from which they come."""
    from_sides = [
        side(edge)
        for edge, back, beside in neighbours(cell)
        if beside in board.reached and board.cards[beside].edges & back
    ]
    return _("{cell} from {sides}").format(cell=format_cell(cell), sides=join_words(from_sides))


def _of_state(kind: CardState, cells: Iterable[Cell], board: Board) -> str:
    text = ", ".join(f"{format_cell(cell)} {board.cards[cell].text}" for cell in cells)
    match kind:
        case CardState.REACHED:
            return _("Connected tunnels: {cells}.").format(cells=text)
        case CardState.DEAD:
            return _("Dead ends: {cells}.").format(cells=text)
        case CardState.CUT_OFF:
            return _("Cut off: {cells}.").format(cells=text)
        case _:
            assert_never(kind)
