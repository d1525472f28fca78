"""Claims that bots make at the table, true or not as suits their side (T6).

Each is a pure function of a view and the talk so far, and returns a value. Wording and sending a
claim are left to others, and at a table so is deciding when to make one.
"""

from __future__ import annotations

from typing import Final

from engine.actions import Broke, Collapsed
from engine.board import GOAL_CELLS, Cell
from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs, infer_public_beliefs
from engine.bots.fast_board import find_possible_gold
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
from engine.events import Laid
from engine.state import check_seat
from engine.view import View

ACCUSE_PROBABILITY: Final = 0.6
"""Accuse a player whose saboteur probability is above this."""

REPENT_PROBABILITY: Final = 0.4
"""Take an accusation back once the saboteur probability of the accused is below this."""

MIN_HARMS: Final = 2
"""Harms that a seat has done in a round before a bot may accuse it of its own accord."""

MAX_CLAIMS_PER_ROUND: Final = 6
"""Most claims that a bot makes in a round."""


def claim_after_map(view: View, cell: Cell) -> Claim | None:
    """Return a bot's claim about a goal that it has looked at, or None if it has not.

    A miner tells the truth, and so does a saboteur where somebody else has looked, too, and would
    find out a lie. Elsewhere a saboteur calls the treasure a stone. About a stone it tells the
    truth, so that it is believed, unless that would leave a single goal for the treasure.
    """
    seen = view.peeks[GOAL_CELLS.index(cell)]
    if seen is None:
        return None
    others = [looks for seat, looks in enumerate(view.table.looks) if seat != view.seat]
    says_gold = seen is Goal.TREASURE
    if view.role is Role.SABOTEUR and not any(cell in looks for looks in others):
        says_gold = Goal.TREASURE not in view.peeks and len(find_possible_gold(view)) == 1
    return GoldAt(cell) if says_gold else StoneAt(cell)


def claim_when_blamed(view: View, by: int, talk: Talk = SILENCE) -> Claim:
    """Return a bot's answer to the seat `by` that called it a saboteur.

    A miner accuses the seat it suspects most. A saboteur accuses the other seat that everybody
    suspects most, because that may be believed. If nobody is suspected enough, both deny. Raises
    `ValueError` if there is no such seat.
    """
    check_seat(by, view.table.players)
    doubts = _find_doubts(view, talk)
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    most = max(others, key=doubts.__getitem__)
    return DigsAgainstUs(most) if doubts[most] > ACCUSE_PROBABILITY else WhoMe()


def claim_when_harmed(view: View, by: int, talk: Talk = SILENCE) -> Claim | None:
    """Return a bot's accusation of the seat `by`, which did harm, or None if it is not suspected.

    Raises `ValueError` if there is no such seat.
    """
    check_seat(by, view.table.players)
    is_suspected = by != view.seat and _find_doubts(view, talk)[by] > ACCUSE_PROBABILITY
    return DigsAgainstUs(by) if is_suspected else None


def claim_when_helped(view: View, by: int, talk: Talk = SILENCE) -> Claim | None:
    """Return a bot's thanks to the seat `by` for a repair, or None if it is suspected.

    Raises `ValueError` if there is no such seat.
    """
    check_seat(by, view.table.players)
    return DigsForUs(by) if _find_doubts(view, talk)[by] <= ACCUSE_PROBABILITY else None


def claim_when_redeemed(view: View, accused: int, talk: Talk = SILENCE) -> Claim | None:
    """Return what a bot says of a seat that it had accused, and that has helped another since.

    It takes the accusation back, or says nothing (None) if it still suspects the seat. Raises
    `ValueError` if there is no such seat.
    """
    check_seat(accused, view.table.players)
    return DigsForUs(accused) if _find_doubts(view, talk)[accused] < REPENT_PROBABILITY else None


def find_harm_doer(event: object) -> int | None:
    """Return the seat that broke a tool, laid a dead end or brought a tunnel down, if any did."""
    match event:
        case Broke(seat):
            return seat
        case Laid(seat, path) if not path.through:
            return seat
        case Collapsed(seat, _, path) if path.through:
            return seat
        case _:
            return None


def _find_doubts(view: View, talk: Talk) -> tuple[float, ...]:
    """Return each seat's saboteur probability as a bot's claims go by it.

    A miner's claims follow its own beliefs; a saboteur's follow those of the table, because such
    claims may be believed.
    """
    observed = observe(view, talk)
    if view.role is Role.SABOTEUR:
        return infer_public_beliefs(observed).saboteur
    return infer_beliefs(observed).saboteur


def claim_when_broken(view: View) -> Claim | None:
    """Return a bot's request to repair its broken tool, or None if it has none broken."""
    if view.seat is None:
        return None
    tools = Tool.within(view.table.broken[view.seat])
    return HelpMe(tools[0]) if tools else None
