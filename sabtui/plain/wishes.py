"""What a line asks of whoever drives a face: to make a move, to leave, and the like.

Knows nothing of how it is done: by a game in this process, or by a client of a table elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.moves import Move


class Power(Enum):
    """What the driver of a face can do beyond playing; who has no such power is not offered it."""

    DEAL = "deal"
    AGAIN = "again"
    SAVE = "save"


@dataclass(frozen=True, slots=True)
class Play:
    """Make a move, which the view allows."""

    move: Move


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next round."""


@dataclass(frozen=True, slots=True)
class Again:
    """Begin a new game with the same players."""


@dataclass(frozen=True, slots=True)
class Save:
    """Write the game's record into a file."""

    path: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table."""


Wish = Play | Deal | Again | Save | Leave
