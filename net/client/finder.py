"""Where a table may be, followed while it is looked for: addresses change, and hosts move.

What the network says of a table is a hint, and costs nothing if it lies: whoever answers there
has to prove to be the table.
"""

from __future__ import annotations

import asyncio
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import OURS
from net.discovery.browser import Browser

PATIENCE: Final = 1.0
"""Seconds for which only the addresses known are tried: most tables are where they were."""

MOST: Final = 16


class Finder:
    """The addresses of the table of this id; without an id, only those known."""

    def __init__(self, table: str, known: tuple[Address, ...]) -> None:
        self.addresses = known
        self._table = table

    async def follow(self) -> None:
        """Look for the table until cancelled."""
        if not self._table:
            return
        await asyncio.sleep(PATIENCE)
        async with Browser(OURS) as browser:
            async for games in browser:
                for game in games:
                    if game.advert.id == self._table:
                        self._add(game.addresses)

    def _add(self, found: tuple[Address, ...]) -> None:
        known = self.addresses
        self.addresses = tuple(dict.fromkeys((*known[:1], *found, *known[1:])))[:MOST]
