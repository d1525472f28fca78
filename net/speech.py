"""What bots say at a table: the occasions on which they do, and the claim that comes of each.

Knows a seat's view, and puts what `engine.bots.claims` makes of it as people put their claims.
When there is an occasion the room decides (`net.room.cues`).
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, assert_never

from msgspec import Meta

from engine import View
from engine.board import GOAL_CELLS
from engine.bots import claims
from engine.cards import Tool
from net.codec.fields import Seat, Wire
from net.lobby import Claim, Topic


class Looked(Wire, frozen=True, tag=1):
    """The bot has looked at a goal, from north to south."""

    goal: Annotated[int, Meta(ge=0, lt=len(GOAL_CELLS))]


class Blamed(Wire, frozen=True, tag=2):
    """This seat said that the bot digs against us, or doubted its word."""

    by: Seat


class Hindered(Wire, frozen=True, tag=3):
    """A tool of the bot's was broken."""


Occasion: TypeAlias = Looked | Blamed | Hindered


def says(view: View, occasion: Occasion) -> Claim | None:
    """What a bot says of it, `None` where that is nothing any more; that much all can see."""
    said: claims.Claim | None
    match occasion:
        case Looked(goal):
            said = claims.after_map(view, GOAL_CELLS[goal])
        case Blamed(by):
            said = claims.when_blamed(view, by)
        case Hindered():
            said = claims.when_broken(view)
        case _:
            assert_never(occasion)
    return None if said is None else _put(said)


def _put(said: claims.Claim) -> Claim:
    """A claim of the engine's as people make it."""
    match said:
        case claims.GoldAt(cell):
            return Claim(Topic.GOLD_AT, GOAL_CELLS.index(cell))
        case claims.StoneAt(cell):
            return Claim(Topic.STONE_AT, GOAL_CELLS.index(cell))
        case claims.DigsAgainstUs(seat):
            return Claim(Topic.DIGS_AGAINST_US, seat)
        case claims.DigsForUs(seat):
            return Claim(Topic.DIGS_FOR_US, seat)
        case claims.HelpMe(tool):
            return Claim(Topic.HELP_ME, tuple(Tool).index(tool))
        case claims.WhoMe():
            return Claim(Topic.WHO_ME)
        case _:
            assert_never(said)
