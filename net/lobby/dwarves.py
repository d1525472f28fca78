"""What bots are called, each by an initial of its own."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

DWARVES: Final = (
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


def dwarves(count: int, taken: Container[str]) -> tuple[str, ...]:
    """So many names for bots, none of them in `taken`, which holds names case-folded."""
    found: list[str] = []
    number = 1
    while len(found) < count:
        names = DWARVES if number == 1 else [f"{name} {number}" for name in DWARVES]
        found += [name for name in names if name.casefold() not in taken]
        number += 1
    return tuple(found[:count])
