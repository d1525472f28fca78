"""What a line asks of whoever drives a face: to make a move, to want something of the table.

Knows nothing of how it is done.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.moves import Move
from net.messages import Want


@dataclass(frozen=True, slots=True)
class Play:
    """Make a move, which the view allows."""

    move: Move


@dataclass(frozen=True, slots=True)
class Ask:
    """Want these of the table, one after the other."""

    wants: tuple[Want, ...]


@dataclass(frozen=True, slots=True)
class Save:
    """Write the record of the game that is over into a file."""

    path: str


@dataclass(frozen=True, slots=True)
class LetGo:
    """End the link; a seat may be kept."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on at a table that has gone back."""


@dataclass(frozen=True, slots=True)
class KeepAndLetGo:
    """Keep the record of what was seen before the table went back, and end the link."""


Wish = Play | Ask | Save | LetGo | GoOn | KeepAndLetGo
