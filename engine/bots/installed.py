"""Bots of other packages, found by their entry points in the group `sabtui.bots`.

Finding them reads what packages say of themselves and imports nothing of theirs. Their code runs
only where `bot_named` is called: in the process that plays such a bot, and in the arena.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine.bots import BOTS, LEVELS, Bot

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BOT_ENTRY_POINTS: Final = "sabtui.bots"
"""The group of entry points by which packages offer bots."""

MAX_BOT_NAME_LETTERS: Final = 16
"""Most letters of a bot's name: as many as have a place on the screens of a lobby."""

_NAME: Final = re.compile(rf"[a-z0-9][a-z0-9._-]{{0,{MAX_BOT_NAME_LETTERS - 1}}}")
"""A name that everybody can type and every terminal can show."""


@cache
def installed_bots() -> Mapping[str, EntryPoint]:
    """Return the entry points of other packages' bots by name, in the order of the alphabet.

    The names of our own bots stay ours, and names that not everybody could type are left out. They
    are looked for once: a package that is installed later is found by the next program.
    """
    # Every start of the program and of a bot's process would wait for it, and few ever need it.
    from importlib.metadata import entry_points  # noqa: PLC0415 - see above

    found = {
        point.name: point
        for point in entry_points(group=BOT_ENTRY_POINTS)
        if _NAME.fullmatch(point.name) and point.name not in BOTS
    }
    return MappingProxyType(dict(sorted(found.items())))


def is_bot(name: str) -> bool:
    """Return True if a bot of this name is ours or installed here."""
    return name in BOTS or name in installed_bots()


def offered_bots() -> tuple[str, ...]:
    """Return the bots that people choose from: our levels, weakest first, then installed ones."""
    return (*LEVELS, *installed_bots())


@cache
def bot_named(name: str) -> Bot:
    """Return one of our bots, or the installed one of that name, and nothing else.

    A name may come from a stranger, with a table that was handed over. Raises `ValueError` if there
    is no such bot; its module may raise anything when it is imported.
    """
    if name in BOTS:
        return BOTS[name]
    if name not in installed_bots():
        raise ValueError(f"no bot {name}: none of that name is installed")
    try:
        bot: Bot = installed_bots()[name].load()
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"no bot {name}: {error}") from None
    return bot
