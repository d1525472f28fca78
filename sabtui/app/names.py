"""Default names: the usual bot level, the placeholder for any table, the user's login name.

The names of bots are in `net.lobby.bot_names`.
"""

from __future__ import annotations

from typing import Final

DEFAULT_BOT_LEVEL: Final = "fair"
"""Level of a bot unless another is chosen, one of `engine.bots.LEVELS`."""

ANY_TABLE: Final = "*"
"""Value of `--resume` without a name. No table has this name: a star alone is not a valid one."""


def login_name() -> str:
    """Return the user's login name, "" if the system does not tell it."""
    import getpass  # noqa: PLC0415 - not at start

    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return ""
