"""Claims that bots make at the table, true or not as suits their side (T6).

Each is a pure function of a view and the talk so far, and returns a value. Wording and sending a
claim are left to others, and at a table so is deciding when to make one.
"""

from __future__ import annotations

from typing import Final

from engine.board import GOAL_CELLS, Cell
from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs, public_beliefs
from engine.bots.distance import where_gold_may_be
from engine.bots.talk import (
    SILENCE,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    HelpMe,
    StoneAt,
    Talk,
    WhoMe,
)
from engine.cards import Goal, Role, Tool
from engine.state import check_seat
from engine.view import View

ACCUSE_PROBABILITY: Final = 0.6
"""Accuse a player whose saboteur probability is above this."""

VOUCH_PROBABILITY: Final = 0.25
"""Vouch for an accuser whose saboteur probability is below this."""


MAX_CLAIMS_PER_ROUND: Final = 6
"""Most claims that a bot makes in a round."""


def claim_after_map(view: View, cell: Cell) -> Claim | None:
    """Return a bot's claim about a goal that it has looked at, or None if it has not.

    A miner tells the truth, and so does a saboteur where somebody else has looked, too, and would
    find out a lie. Elsewhere a saboteur calls the treasure a stone. It calls a stone the treasure
    only if the truth would leave no other goal for the treasure: as truth about stones is what
    makes it believed, and the tunnel proves such a lie.
    """
    seen = view.peeks[GOAL_CELLS.index(cell)]
    if seen is None:
        return None
    others = [looks for seat, looks in enumerate(view.table.looks) if seat != view.seat]
    says_gold = seen is Goal.TREASURE
    if view.role is Role.SABOTEUR and not any(cell in looks for looks in others):
        says_gold = Goal.TREASURE not in view.peeks and len(where_gold_may_be(view)) == 1
    return GoldAt(cell) if says_gold else StoneAt(cell)


def claim_when_blamed(view: View, by: int, talk: Talk = SILENCE) -> Claim:
    """Return a bot's answer to the seat `by` that called it a saboteur.

    A miner accuses the seat it suspects most. A saboteur accuses the other seat that everybody
    suspects most, because that may be believed. If nobody is suspected enough, both vouch for the
    accuser or deny. Raises `ValueError` if there is no such seat.
    """
    check_seat(by, view.table.players)
    if view.role is Role.SABOTEUR:
        return _answer_accuser(view, public_beliefs(observe(view, talk)).saboteur, by)
    return _answer_accuser(view, infer_beliefs(observe(view, talk)).saboteur, by)


def claim_when_broken(view: View) -> Claim | None:
    """Return a bot's request to repair its broken tool, or None if it has none broken."""
    if view.seat is None:
        return None
    tools = Tool.within(view.table.broken[view.seat])
    return HelpMe(tools[0]) if tools else None


def _answer_accuser(view: View, doubts: tuple[float, ...], by: int) -> Claim:
    """Accuse the most suspected other seat; else vouch for the accuser `by`; else deny."""
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    most = max(others, key=doubts.__getitem__)
    if doubts[most] > ACCUSE_PROBABILITY:
        return DigsAgainstUs(most)
    return DigsForUs(by) if doubts[by] < VOUCH_PROBABILITY else WhoMe()
