"""Names for bots, each with its own initial."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

BOT_NAMES: Final = (
    "Borin",
    "Dagna",
    "Eitri",
    "Frida",
    "Gromm",
    "Hulda",
    "Ivald",
    "Kelda",
    "Norri",
)


def bot_names(count: int, taken: Container[str]) -> tuple[str, ...]:
    """Return `count` names for bots, none of them in `taken`, which holds names case-folded."""
    found: list[str] = []
    number = 1
    while len(found) < count:
        names = BOT_NAMES if number == 1 else [f"{name} {number}" for name in BOT_NAMES]
        found += [name for name in names if name.casefold() not in taken]
        number += 1
    return tuple(found[:count])
