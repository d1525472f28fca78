"""What a bot says at the table, true or not as suits its side (RULES T6).

A pure function of a view. A claim is a value of the engine's; how it is said and sent is for
others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.board import GOAL_CELLS, Cell
from engine.bots.beliefs import infer_beliefs, public_beliefs
from engine.cards import Goal, Role, Tool
from engine.state import check_seat
from engine.view import View

ACCUSE_PROBABILITY: Final = 0.6
"""Whom a miner suspects so much, it names."""

VOUCH_PROBABILITY: Final = 0.25
"""Whom a miner suspects no more, it speaks for."""


@dataclass(frozen=True, slots=True)
class GoldAt:
    """The treasure lies there."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class StoneAt:
    """A stone lies there."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class DigsAgainstUs:
    """That seat is a saboteur."""

    seat: int


@dataclass(frozen=True, slots=True)
class DigsForUs:
    """That seat is a miner."""

    seat: int


@dataclass(frozen=True, slots=True)
class HelpMe:
    """Somebody repair this tool of mine."""

    tool: Tool


@dataclass(frozen=True, slots=True)
class WhoMe:
    """I am no saboteur."""


BotClaim = GoldAt | StoneAt | DigsAgainstUs | DigsForUs | HelpMe | WhoMe


def claim_after_map(view: View, cell: Cell) -> BotClaim | None:
    """What a bot says of a goal that it has looked at, `None` where it has not.

    A miner tells the truth. A saboteur says stone of the treasure; and of a stone it says treasure,
    as long as it has not seen where that is.
    """
    seen = view.peeks[GOAL_CELLS.index(cell)]
    if seen is None:
        return None
    is_gold = seen is Goal.TREASURE
    if view.role is Role.SABOTEUR:
        is_gold = not is_gold and Goal.TREASURE not in view.peeks
    return GoldAt(cell) if is_gold else StoneAt(cell)


def claim_when_blamed(view: View, by: int) -> BotClaim:
    """What a bot answers the seat that called it a saboteur.

    A miner names whom it suspects. A saboteur names the other seat that all suspect most: that
    may be believed. Where there is nobody worth naming, both deny. Raises `ValueError` for a seat
    that is not there.
    """
    check_seat(by, view.table.players)
    if view.role is Role.SABOTEUR:
        return _against(view, public_beliefs(view).of, by)
    return _against(view, infer_beliefs(view).of, by)


def claim_when_broken(view: View) -> BotClaim | None:
    """What a bot says whose tool was broken, `None` where none of its own is."""
    if view.seat is None:
        return None
    tools = Tool.within(view.table.broken[view.seat])
    return HelpMe(tools[0]) if tools else None


def _against(view: View, of: tuple[float, ...], by: int) -> BotClaim:
    """Blame the most suspected other seat, or speak for the one that blames; else deny."""
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    most = max(others, key=lambda seat: of[seat])
    if of[most] > ACCUSE_PROBABILITY:
        return DigsAgainstUs(most)
    return DigsForUs(by) if of[by] < VOUCH_PROBABILITY else WhoMe()
