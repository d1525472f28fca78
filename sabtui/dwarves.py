"""What bots are called, and how good they are unless one chooses."""

from __future__ import annotations

from typing import Final

from net.lobby.dwarves import DWARVES, dwarves

__all__ = ["DWARVES", "LEVEL", "dwarves"]

LEVEL: Final = "fair"
"""How good a bot is where nobody says, one of `engine.bots.LEVELS`."""
