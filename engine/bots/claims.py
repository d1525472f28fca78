"""Claims that bots make at the table, true or not as suits their side (T6).

Each is a pure function of a view and returns a value. Wording and sending a claim, and deciding
when to make one, are left to others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.board import GOAL_CELLS, Cell
from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs, public_beliefs
from engine.cards import Goal, Role, Tool
from engine.state import check_seat
from engine.view import View

ACCUSE_PROBABILITY: Final = 0.6
"""Accuse a player whose saboteur probability is above this."""

VOUCH_PROBABILITY: Final = 0.25
"""Vouch for an accuser whose saboteur probability is below this."""


@dataclass(frozen=True, slots=True)
class GoldAt:
    """The claim that the treasure lies on this cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class StoneAt:
    """The claim that a stone lies on this cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class DigsAgainstUs:
    """The claim that this seat is a saboteur."""

    seat: int


@dataclass(frozen=True, slots=True)
class DigsForUs:
    """The claim that this seat is a miner."""

    seat: int


@dataclass(frozen=True, slots=True)
class HelpMe:
    """The request that somebody repair this tool of the speaker."""

    tool: Tool


@dataclass(frozen=True, slots=True)
class WhoMe:
    """The claim of the speaker to be no saboteur."""


BotClaim = GoldAt | StoneAt | DigsAgainstUs | DigsForUs | HelpMe | WhoMe


def claim_after_map(view: View, cell: Cell) -> BotClaim | None:
    """Return a bot's claim about a goal that it has looked at, or None if it has not.

    A miner tells the truth. A saboteur calls the treasure a stone; it calls a stone the treasure as
    long as it has not seen where the treasure is.
    """
    seen = view.peeks[GOAL_CELLS.index(cell)]
    if seen is None:
        return None
    is_gold = seen is Goal.TREASURE
    if view.role is Role.SABOTEUR:
        is_gold = not is_gold and Goal.TREASURE not in view.peeks
    return GoldAt(cell) if is_gold else StoneAt(cell)


def claim_when_blamed(view: View, by: int) -> BotClaim:
    """Return a bot's answer to the seat `by` that called it a saboteur.

    A miner accuses the seat it suspects most. A saboteur accuses the other seat that everybody
    suspects most, because that may be believed. If nobody is suspected enough, both vouch for the
    accuser or deny. Raises `ValueError` if there is no such seat.
    """
    check_seat(by, view.table.players)
    if view.role is Role.SABOTEUR:
        return _against(view, public_beliefs(observe(view)).of, by)
    return _against(view, infer_beliefs(observe(view)).of, by)


def claim_when_broken(view: View) -> BotClaim | None:
    """Return a bot's request to repair its broken tool, or None if it has none broken."""
    if view.seat is None:
        return None
    tools = Tool.within(view.table.broken[view.seat])
    return HelpMe(tools[0]) if tools else None


def _against(view: View, of: tuple[float, ...], by: int) -> BotClaim:
    """Accuse the most suspected other seat; else vouch for the accuser `by`; else deny."""
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    most = max(others, key=lambda seat: of[seat])
    if of[most] > ACCUSE_PROBABILITY:
        return DigsAgainstUs(most)
    return DigsForUs(by) if of[by] < VOUCH_PROBABILITY else WhoMe()
