"""How good bots are unless one chooses. What they are called is in `net.lobby.dwarves`."""

from __future__ import annotations

from typing import Final

LEVEL: Final = "fair"
"""How good a bot is where nobody says, one of `engine.bots.LEVELS`."""
