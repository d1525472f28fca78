"""How good bots are unless one chooses. What they are called is in `net.lobby.bot_names`."""

from __future__ import annotations

from typing import Final

DEFAULT_BOT_LEVEL: Final = "fair"
"""How good a bot is where nobody says, one of `engine.bots.LEVELS`."""

ANY_TABLE: Final = "*"
"""What --resume without a name stands for: no table is called that, as none has only a star."""


def login_name() -> str:
    """What the system calls the player."""
    import getpass  # noqa: PLC0415 - not at start

    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return ""
