"""How many links may be in the making at once, in all and from one address, and how many begin.

Asked when a TCP connection is accepted, before a byte of TLS is spent on it. Pure counting: knows
no socket, and times are seconds of a clock that the caller owns. Trusted links are not its
business; the room bounds those.

When all places are taken, the oldest link of the address that holds the most has to go for the
new one, and where one address has all that one may have, its own oldest. A stranger who fills the
gate with idle links therefore only pushes out his own: a player's handshake takes a tenth of a
second, and needs one of the places just for that.

TLS costs the host a millisecond for each link, in which the table stands still. So no more than
RATE begin in a second; the others wait for their turn, which goes round by address. An address
from which somebody has been trusted is known: behind it may be a whole party, be it one at which
a stranger knocks without end. The known take turns with all others, and hold places as if each of
a party had their own address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from net.transport.rate_limit import TokenBucket

MAX_PENDING: Final = 64
"""Each costs about 300 KiB while it lasts: asyncio gives every TLS link a buffer of 256 KiB."""

MAX_PENDING_PER_ADDRESS: Final = 32
"""Ten players on one SSH box, and the watchers of a benchmark, all come from one address."""

TLS_STARTS_PER_S: Final = 50.0
"""Links a second that begin TLS: they take a twentieth of the host's time, or a tenth."""

TLS_START_BURST: Final = 40.0
"""Links that begin it at once: all that a table has are back as soon as their host is."""

KNOWN_PER_STRANGER: Final = 20
"""How many known links of one address count as much as one of a stranger: ten that dial twice."""

MAX_REMEMBERED_ADDRESSES: Final = 1024
"""How many addresses are kept in mind; then the one that came first is forgotten."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """The link may go on as `entry`; the one called `evicted`, if any, is to be aborted now."""

    entry: int
    evicted: int | None = None


class AdmissionControl:
    """The links that are not trusted yet, oldest first."""

    __slots__ = (
        "_address_of",
        "_began",
        "_budget",
        "_known",
        "_known_began",
        "_next",
        "_waiting",
        "places",
        "places_of_one",
    )

    def __init__(
        self,
        places: int = MAX_PENDING,
        places_of_one: int = MAX_PENDING_PER_ADDRESS,
        rate: float = TLS_STARTS_PER_S,
        burst: float = TLS_START_BURST,
    ) -> None:
        self.places = places
        self.places_of_one = places_of_one
        self._address_of: dict[int, str] = {}
        self._waiting: dict[int, None] = {}  # for their turn, oldest first
        self._budget = TokenBucket(rate, burst, now=0.0)
        self._known: dict[str, None] = {}
        self._known_began = False  # whether the last to begin was known
        self._began: dict[str, None] = {}  # by address, who began last is last
        self._next = 0

    def __len__(self) -> int:
        return len(self._address_of)

    @property
    def crowded(self) -> bool:
        """Whether anybody still waits for their turn."""
        return bool(self._waiting)

    def enter(self, address: str) -> Admitted:
        """Let a new connection from this address in; it waits for its turn."""
        held = Counter(self._address_of.values())
        evicted: int | None = None
        if held[address] >= self.places_of_one:
            evicted = self._oldest({address})
        elif len(self._address_of) >= self.places:
            shares = {other: self._share(other, count) for other, count in held.items()}
            most = max(shares.values())
            evicted = self._oldest({other for other, share in shares.items() if share == most})
        if evicted is not None:
            self.leave(evicted)
        self._next += 1
        self._address_of[self._next] = address
        self._waiting[self._next] = None
        return Admitted(self._next, evicted)

    def turn(self, now: float) -> int | None:
        """Whose turn it is to begin, counted as begun; `None` where nobody's is now."""
        if not self._waiting or not self._budget.take(1, now):
            return None
        began = {address: number for number, address in enumerate(self._began)}

        def order(entry: int) -> tuple[bool, int]:
            address = self._address_of[entry]
            return (address in self._known) is self._known_began, began.get(address, -1)

        entry = min(self._waiting, key=order)
        address = self._address_of[entry]
        del self._waiting[entry]
        self._known_began = address in self._known
        _note(self._began, address)
        return entry

    def trust(self, entry: int) -> None:
        """Forget a link that is trusted, and know its address from now on."""
        if entry in self._address_of:
            _note(self._known, self._address_of[entry])
            self.leave(entry)

    def leave(self, entry: int) -> None:
        """Forget a link that is gone; again, or after it was evicted, does nothing."""
        self._address_of.pop(entry, None)
        self._waiting.pop(entry, None)

    def _oldest(self, addresses: AbstractSet[str]) -> int:
        return next(entry for entry, held_by in self._address_of.items() if held_by in addresses)

    def _share(self, address: str, count: int) -> float:
        return count / KNOWN_PER_STRANGER if address in self._known else count


def _note(addresses: dict[str, None], address: str) -> None:
    """Put an address last, and forget the first where there are too many."""
    addresses.pop(address, None)
    addresses[address] = None
    if len(addresses) > MAX_REMEMBERED_ADDRESSES:
        del addresses[next(iter(addresses))]
