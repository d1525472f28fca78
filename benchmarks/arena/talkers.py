"""Talkers that lie, accuse, repeat or flood, to measure how bots listen."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from engine.actions import Looked
from engine.board import GOAL_CELLS
from engine.bots.occasions import ClaimCause
from engine.bots.talk import (
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    Statement,
    StoneAt,
    Talk,
)
from engine.view import View
from sabtui.kit.arena import Talker, own, silent


def liar(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return the opposite of what a bot would say, on either side."""
    return tuple(map(_opposite, own(view, cause, talk, rng)))


def half(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return a claim that is a lie as often as not, on either side."""
    return (liar if rng.random() < 0.5 else own)(view, cause, talk, rng)


def accuser(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Accuse any other seat whenever a bot would say something of itself."""
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    return tuple(DigsAgainstUs(rng.choice(others)) for _ in own(view, cause, talk, rng))


def parrot(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Repeat the claims of others, each claim once.

    After looking at a goal it repeats the last report of any goal, or a random one if there is
    none.
    """
    told = [
        type(statement.claim)
        for statement in talk.said
        if isinstance(statement.claim, GoldAt | StoneAt)
    ]
    if isinstance(cause, Looked) and cause.seat == view.seat:
        return ((told[-1] if told else rng.choice((GoldAt, StoneAt)))(cause.cell),)
    if not isinstance(cause, Statement) or cause.seat == view.seat:
        return ()
    said = {statement.claim for statement in talk.said if statement.seat == view.seat}
    return () if cause.claim in said else (cause.claim,)


def flooder(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Say everything of every goal and seat, in any order, when anybody looks at a goal."""
    del talk  # It listens to nobody.
    if not isinstance(cause, Looked):
        return ()
    goals = [claim(cell) for cell in GOAL_CELLS for claim in (GoldAt, StoneAt)]
    seats = [seat for seat in range(view.table.players) if seat != view.seat]
    opinions = [claim(seat) for seat in seats for claim in (DigsForUs, DigsAgainstUs)]
    claims: list[Claim] = [*goals, *opinions]
    rng.shuffle(claims)
    return tuple(claims)


def _opposite(claim: Claim) -> Claim:
    """Return the claim that says the opposite, if there is one."""
    match claim:
        case GoldAt(cell):
            return StoneAt(cell)
        case StoneAt(cell):
            return GoldAt(cell)
        case DigsForUs(seat):
            return DigsAgainstUs(seat)
        case DigsAgainstUs(seat):
            return DigsForUs(seat)
        case _:
            return claim


TALKERS: Final[Mapping[str, Talker]] = MappingProxyType(
    {talker.__name__: talker for talker in (silent, own, liar, half, accuser, parrot, flooder)}
)
"""All talkers by name."""


def name_talker(talker: Talker) -> str:
    """Return the name of a talker in tables."""
    return next(name for name, item in TALKERS.items() if item is talker)
