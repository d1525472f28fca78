"""What can be said with two keys and is shown in each player's own language (UX, T6).

Codes, true or false: nobody checks what is claimed, only that there is such a seat, goal or tool.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, assert_never

from msgspec import Meta

from engine.board import GOAL_CELLS
from engine.cards import Tool
from net.codec.fields import MOST_SEATS, Wire


class Topic(IntEnum):
    """What a claim says, and what its `about` counts: goals, tools or seats from 0, or nothing."""

    GOLD_AT = 0  # a goal from north to south
    STONE_AT = 1
    DIGS_FOR_US = 2  # a seat
    DIGS_AGAINST_US = 3
    HELP_ME = 4  # a tool in the order of engine.cards.Tool
    BLUFF = 5  # a seat whose word is doubted
    WHO_ME = 6  # nothing


class Claim(Wire, frozen=True):
    """A topic, and the goal, seat or tool it is about, 0 where there is none."""

    topic: Topic
    about: Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)] = 0

    def fits(self, seats: int) -> bool:
        """Whether there is what it is about, at a table of so many seats."""
        match self.topic:
            case Topic.GOLD_AT | Topic.STONE_AT:
                return self.about < len(GOAL_CELLS)
            case Topic.DIGS_FOR_US | Topic.DIGS_AGAINST_US | Topic.BLUFF:
                return self.about < seats
            case Topic.HELP_ME:
                return self.about < len(Tool)
            case Topic.WHO_ME:
                return self.about == 0
            case _:
                assert_never(self.topic)
