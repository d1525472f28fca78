"""Occasions for a claim of a bot, and the claim that it makes."""

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


class Harmed(Wire, frozen=True, tag=4):
    """Occasion for a claim: seat `by` did harm again, and the bot is the next to have seen it."""

    by: SeatNumber


class Helped(Wire, frozen=True, tag=5):
    """Occasion for a claim: seat `by` repaired a tool of the bot."""

    by: SeatNumber


class Redeemed(Wire, frozen=True, tag=6):
    """Occasion for a claim: a seat that the bot had `accused` repaired somebody else's tool."""

    accused: SeatNumber


Occasion: TypeAlias = MapUsed | Blamed | Hindered | Harmed | Helped | Redeemed


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
        case Harmed(by):
            claim = claims.claim_when_harmed(view, by, talk)
        case Helped(by):
            claim = claims.claim_when_helped(view, by, talk)
        case Redeemed(accused):
            claim = claims.claim_when_redeemed(view, accused, talk)
        case _:
            assert_never(occasion)
    return None if claim is None else table_claim(claim)
