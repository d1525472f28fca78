"""Limits on what others may cost us: token buckets, quotas, and admission of untrusted connections.

Pure counting: no socket, and times are seconds of a clock that the caller owns, and are passed in.
A clock that jumps back counts as one that stands still.

The listener asks for admission when it has accepted a TCP connection, before any byte of TLS.
Trusted connections do not count there; the room limits those. When all places are taken, a new
connection evicts the oldest one of the address that holds the most; when one address has all places
that one may have, its own oldest. A stranger who fills the places with idle connections therefore
evicts only his own: a player's handshake takes a tenth of a second, and needs a place only for that
long.

TLS costs the host about a millisecond per connection, during which the table stands still. So no
more than TLS_STARTS_PER_S begin in a second; the others wait for their turn, which goes round by
address. An address with a connection that was trusted is known: a whole party may share it, even
with a stranger who connects without end. Known addresses alternate with the others, and
count for places as if each player of a party had an address of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeVar

MAX_PENDING: Final = 64
"""Connections at once that are not trusted yet, over all addresses; each holds a TLS buffer."""

MAX_PENDING_PER_ADDRESS: Final = 32
"""The same for one address: ten players on one SSH server, or a benchmark's spectators."""

TLS_STARTS_PER_S: Final = 50.0
"""Connections a second that begin TLS: they take a twentieth to a tenth of the host's time."""

TLS_START_BURST: Final = 40.0
"""Connections that may begin TLS at once, so that a whole table reconnects to its host."""

KNOWN_PER_STRANGER: Final = 20
"""Connections of a known address that weigh as one of a stranger: ten players dialing twice."""

MAX_REMEMBERED_ADDRESSES: Final = 1024
"""Most addresses remembered; beyond that the oldest entry is forgotten."""


class TokenBucket:
    """A store of tokens, full at first, that refills by `rate` a second up to `burst`."""

    __slots__ = ("_at", "_level", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self._level = burst
        self._at = now

    def take(self, amount: float, now: float) -> bool:
        """Take `amount` tokens and return True, or none and return False if there are fewer."""
        self._level = min(self.burst, self._level + max(0.0, now - self._at) * self.rate)
        self._at = now
        if amount > self._level:
            return False
        self._level -= amount
        return True


K = TypeVar("K")
V = TypeVar("V")


def keep_last(kept: dict[K, V], key: K, value: V, most: int) -> K | None:
    """Put an entry at the end; if there are too many then, drop the first and return its key."""
    kept.pop(key, None)
    kept[key] = value
    if len(kept) <= most:
        return None
    oldest = next(iter(kept))
    del kept[oldest]
    return oldest


class SourceLimits:
    """Limits on answers by UDP, whose sources can be forged: for each source, and for all together.

    Rates are answers a second; `burst_s` is how many seconds' worth may be saved up. Only the
    `known` most recent sources are remembered.
    """

    def __init__(self, *, rate: float, total: float, burst_s: float, known: int = 1024) -> None:
        self._rate = rate
        self._burst_s = burst_s
        self._known = known
        self._all = TokenBucket(total, total * burst_s, now=0.0)
        self._each: dict[str, TokenBucket] = {}

    def take(self, source: str, now: float) -> bool:
        """Count an answer to a source; return False if it would be one too many."""
        fresh = TokenBucket(self._rate, self._rate * self._burst_s, now)
        bucket = self._each.get(source, fresh)
        keep_last(self._each, source, bucket, self._known)
        return bucket.take(1, now) and self._all.take(1, now)


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits on what a connection may send us: rates per second, and bursts at once."""

    frames: float
    frames_burst: float
    bytes: float
    bytes_burst: float


STRANGER_QUOTA: Final = Quota(frames=4, frames_burst=8, bytes=2048, bytes_burst=4096)
"""Quota of a connection not trusted yet; a handshake takes three frames of 260 bytes."""

GUEST_QUOTA: Final = Quota(frames=20, frames_burst=60, bytes=32 * 1024, bytes_burst=64 * 1024)
"""Quota of a trusted client: a person's moves, chat and heartbeat, with room to spare."""

HOST_QUOTA: Final = Quota(
    frames=500, frames_burst=2000, bytes=4 * 1024 * 1024, bytes_burst=8 * 1024 * 1024
)
"""Quota of a host at its client: a table of bots playing at full speed, and snapshots."""


class ConnectionQuota:
    """The quota of one connection, and what it has spent of it.

    `deadline` is the time by which the connection has to be trusted.
    """

    def __init__(self, allowance: Quota, now: float, *, join_seconds: float = 10.0) -> None:
        self.deadline = now + join_seconds
        self._frames = TokenBucket(allowance.frames, allowance.frames_burst, now)
        self._bytes = TokenBucket(allowance.bytes, allowance.bytes_burst, now)

    def spend(self, *, frames: int, size: int, now: float) -> bool:
        """Count frames and bytes that came in; return False if they are more than it may send."""
        return self._bytes.take(size, now) and self._frames.take(frames, now)

    def trust(self, allowance: Quota, now: float) -> None:
        """Set the quota of a connection that has become trusted, and lift its deadline."""
        self._frames = TokenBucket(allowance.frames, allowance.frames_burst, now)
        self._bytes = TokenBucket(allowance.bytes, allowance.bytes_burst, now)
        self.deadline = float("inf")


@dataclass(frozen=True, slots=True)
class Admitted:
    """A place for a connection, numbered `entry`; the caller aborts the entry `evicted`, if any."""

    entry: int
    evicted: int | None = None


class AdmissionControl:
    """The connections that are not trusted yet, oldest first."""

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
        self._waiting: dict[int, None] = {}  # entries that wait for their turn, oldest first
        self._budget = TokenBucket(rate, burst, now=0.0)
        self._known: dict[str, None] = {}
        self._known_began = False  # True if the last entry to begin came from a known address
        self._began: dict[str, None] = {}  # addresses, the one that began last at the end
        self._next = 0

    def __len__(self) -> int:
        return len(self._address_of)

    @property
    def crowded(self) -> bool:
        """True while any connection waits for its turn."""
        return bool(self._waiting)

    def enter(self, address: str) -> Admitted:
        """Give a new connection from this address a place; it then waits for its turn."""
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
        """Return the entry whose turn it is, counted as begun; None if none may begin now."""
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
        keep_last(self._began, address, None, MAX_REMEMBERED_ADDRESSES)
        return entry

    def trust(self, entry: int) -> None:
        """Forget a connection that is trusted now, and remember its address as known."""
        if entry in self._address_of:
            keep_last(self._known, self._address_of[entry], None, MAX_REMEMBERED_ADDRESSES)
            self.leave(entry)

    def leave(self, entry: int) -> None:
        """Forget a connection that is gone; a second call, or one after eviction, does nothing."""
        self._address_of.pop(entry, None)
        self._waiting.pop(entry, None)

    def _oldest(self, addresses: AbstractSet[str]) -> int:
        return next(entry for entry, held_by in self._address_of.items() if held_by in addresses)

    def _share(self, address: str, count: int) -> float:
        return count / KNOWN_PER_STRANGER if address in self._known else count
