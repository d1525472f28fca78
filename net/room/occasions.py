"""Occasions for a claim of a bot, and the claim that it makes.

They are apart from `bots` so that the process in which bots think need not load all of a room.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, assert_never

from msgspec import Meta

from engine.board import GOAL_CELLS
from engine.bots import claims
from engine.bots.talk import SILENCE, Claim, Talk
from engine.view import View
from net.protocol.chat import table_claim
from net.protocol.fields import SeatNumber, Wire
from net.protocol.lobby import TableClaim


class MapUsed(Wire, frozen=True, tag=1):
    """Occasion for a claim: the bot has looked at a goal, counted from north to south."""

    goal: Annotated[int, Meta(ge=0, lt=len(GOAL_CELLS))]


class Blamed(Wire, frozen=True, tag=2):
    """Occasion for a claim: seat `by` accused the bot, or doubted its claims."""

    by: SeatNumber


class Hindered(Wire, frozen=True, tag=3):
    """Occasion for a claim: a tool of the bot was broken."""


Occasion: TypeAlias = MapUsed | Blamed | Hindered


def bot_claim(view: View, occasion: Occasion, talk: Talk = SILENCE) -> TableClaim | None:
    """Return the claim that a bot makes on an occasion, `None` if it makes none.

    Its silence is public, too.
    """
    claim: Claim | None
    match occasion:
        case MapUsed(goal):
            claim = claims.claim_after_map(view, GOAL_CELLS[goal])
        case Blamed(by):
            claim = claims.claim_when_blamed(view, by, talk)
        case Hindered():
            claim = claims.claim_when_broken(view)
        case _:
            assert_never(occasion)
    return None if claim is None else table_claim(claim)
