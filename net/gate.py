"""How many links may be in the making at once, in all and from one address.

Asked when a TCP connection is accepted, before a byte of TLS is spent on it. Pure counting: knows
no socket and no clock. Trusted links are not its business; the room bounds those.

When all places are taken, the oldest link of the address that holds the most has to go for the
new one, and where one address has all that one may have, its own oldest. A stranger who fills the
gate with idle links therefore only pushes out his own: a player's handshake takes a tenth of a
second, and needs one of the places just for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

PLACES: Final = 64
"""Each costs about 300 KiB while it lasts: asyncio gives every TLS link a buffer of 256 KiB."""

PLACES_OF_ONE: Final = 32
"""Ten players on one SSH box, and the watchers of a benchmark, all come from one address."""


@dataclass(frozen=True, slots=True)
class Entered:
    """The link may go on as `entry`; the one called `evicted`, if any, is to be aborted now."""

    entry: int
    evicted: int | None = None


class Gate:
    """The links that are not trusted yet, oldest first."""

    __slots__ = ("_address_of", "_next", "places", "places_of_one")

    def __init__(self, places: int = PLACES, places_of_one: int = PLACES_OF_ONE) -> None:
        self.places = places
        self.places_of_one = places_of_one
        self._address_of: dict[int, str] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._address_of)

    def enter(self, address: str) -> Entered:
        """Let a new connection from this address in."""
        held = Counter(self._address_of.values())
        evicted: int | None = None
        if held[address] >= self.places_of_one:
            evicted = self._oldest({address})
        elif len(self._address_of) >= self.places:
            most = max(held.values())
            evicted = self._oldest({other for other, count in held.items() if count == most})
        if evicted is not None:
            del self._address_of[evicted]
        self._next += 1
        self._address_of[self._next] = address
        return Entered(self._next, evicted)

    def _oldest(self, addresses: AbstractSet[str]) -> int:
        return next(entry for entry, held_by in self._address_of.items() if held_by in addresses)

    def leave(self, entry: int) -> None:
        """Forget a link that is trusted or gone; again, or after it was evicted, does nothing."""
        self._address_of.pop(entry, None)
