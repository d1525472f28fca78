"""Limits on the resources that others may use: `Limiter`, quotas, guesses of codes, admission.

A `Limit` allows its `burst` at once, and then `rate` a second; the numbers are where they belong.
There is no socket here and no clock: times are seconds of a clock that the caller owns. One that
jumps back counts as stopped.

The listener asks for admission before any byte of TLS. When all places are taken, a new connection
evicts the oldest of the address that holds the most: a stranger with idle connections evicts only
their own. TLS costs the host about a millisecond, during which the table waits. So no more than
TLS_STARTS begin, and the turn goes round by address. An address with a connection that was trusted
is known: a whole party may share it, even with a stranger who connects endlessly. Known addresses
alternate with the others, and places are counted as if each player there had an address.

Each address has ADDRESS_TRIES guesses of a room code that are served at once: a friend never waits
for strangers, and may mistype once. Later tries are few. Addresses are cheap on a LAN, so both
kinds are limited for the whole table, and the first for each network. A guess is paid for when the
host sends its share of the key exchange, and refunded when the proof is right, so guesses in
parallel count, and those never finished.

There are 1,051,650 codes: two different words of 1,026. In five hours at most 7,151 are tried:
2,051 at once, then 300 an hour by new addresses and 720 later tries. They hit with a probability of
0.68%; the host is warned long before. A single address hits with 0.17%.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Hashable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

MAX_PENDING: Final = 64
"""Connections at once that are not trusted yet, over all addresses; each holds a TLS buffer."""

MAX_PENDING_PER_ADDRESS: Final = 32
"""The same for one address: ten players on one SSH server, or a benchmark's spectators."""

KNOWN_PER_STRANGER: Final = 20
"""Connections of a known address that count as one of a stranger: ten players dialing twice."""

MAX_REMEMBERED: Final = 1024
"""Maximum number of keys, or addresses, remembered; beyond that the oldest entry is forgotten."""


K = TypeVar("K")
V = TypeVar("V")
_ROUNDING: Final = 1e-6  # part of a token that may be missing because of rounding


def keep_last(kept: dict[K, V], key: K, value: V, most: int) -> K | None:
    """Put an entry at the end; if there are too many then, drop the first and return its key."""
    kept.pop(key, None)
    kept[key] = value
    if len(kept) <= most:
        return None
    oldest = next(iter(kept))
    del kept[oldest]
    return oldest


@dataclass(frozen=True, slots=True, eq=False)
class Limit:
    """A `burst` at once, and then `rate` a second; limits with equal figures are distinct."""

    rate: float
    burst: float


class Limiter:
    """Token buckets: for each limit and key, such as an address, `burst` at first, and at most.

    An amount is taken whole or not at all. Only the `most` buckets used last are remembered, and a
    forgotten one is full again. So where keys can be forged, an amount is also taken from a limit
    on all of them together, without a key.
    """

    __slots__ = ("_buckets", "_most")

    def __init__(self, most: int = MAX_REMEMBERED) -> None:
        self._most = most
        self._buckets: dict[tuple[Limit, Hashable], tuple[float, float]] = {}  # level, and when

    def take(self, limit: Limit, now: float, key: Hashable = "", amount: float = 1.0) -> bool:
        """Take an amount and return True, or nothing and return False if there is less."""
        if self._add(limit, now, key, -amount) > -_ROUNDING:
            return True
        self._add(limit, now, key, amount)
        return False

    def wait(self, limit: Limit, now: float, key: Hashable = "", amount: float = 1.0) -> float:
        """Return the seconds until an amount can be taken, 0.0 if it can be now."""
        missing = amount - self._add(limit, now, key, 0.0)
        if missing < _ROUNDING:
            return 0.0
        return missing / limit.rate if limit.rate else float("inf")

    def refund(self, limit: Limit, now: float, key: Hashable = "", amount: float = 1.0) -> None:
        self._add(limit, now, key, amount)

    def _add(self, limit: Limit, now: float, key: Hashable, amount: float) -> float:
        """Refill a bucket, add an amount, and return its level; a full one need not be kept."""
        level, at = self._buckets.pop((limit, key), (limit.burst, now))
        level = min(limit.burst, level + max(0.0, now - at) * limit.rate)
        level = min(limit.burst, level + amount)
        if level < limit.burst:
            keep_last(self._buckets, (limit, key), (level, now), self._most)
        return level


TLS_STARTS: Final = Limit(rate=50, burst=40)
"""Connections that begin TLS: this rate takes a twentieth to a tenth of the host's time, and
this burst lets a whole table reconnect to its host."""


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits on what a connection may send us."""

    frames: Limit
    bytes: Limit

    def take(self, limiter: Limiter, size: int, now: float) -> bool:
        """Count a frame of this many bytes; return False if it is more than may be sent."""
        return limiter.take(self.bytes, now, amount=size) and limiter.take(self.frames, now)


STRANGER_QUOTA: Final = Quota(frames=Limit(4, 8), bytes=Limit(2048, 4096))
"""Quota of a connection not trusted yet; a handshake takes three frames of 260 bytes."""

GUEST_QUOTA: Final = Quota(frames=Limit(20, 60), bytes=Limit(32 * 1024, 64 * 1024))
"""Quota of a trusted client: a person's moves, chat and heartbeat, with room to spare."""

HOST_QUOTA: Final = Quota(frames=Limit(500, 2000), bytes=Limit(4 * 1024 * 1024, 8 * 1024 * 1024))
"""Quota of a host at its client: a table of bots playing at full speed, and snapshots."""


class AdmissionControl:
    """The connections that are not trusted yet, oldest first."""

    def __init__(
        self,
        places: int = MAX_PENDING,
        places_of_one: int = MAX_PENDING_PER_ADDRESS,
        starts: Limit = TLS_STARTS,
    ) -> None:
        self.places = places
        self.places_of_one = places_of_one
        self._address_of: dict[int, str] = {}
        self._waiting: dict[int, None] = {}  # entries that wait for their turn, oldest first
        self._starts = starts
        self._limiter = Limiter()
        self._known: dict[str, None] = {}
        self._known_began = False  # True if the last entry to begin came from a known address
        self._began: dict[str, None] = {}  # addresses, the one that began last at the end
        self._next = 0

    def __len__(self) -> int:
        return len(self._address_of)

    @property
    def crowded(self) -> bool:
        return bool(self._waiting)

    def enter(self, address: str) -> tuple[int, int | None]:
        """Give a new connection from this address a place, where it waits for its turn.

        Returns the number of its entry, and the number of the entry to abort for it, if any.
        """
        held = Counter(self._address_of.values())
        evicted: int | None = None
        if held[address] >= self.places_of_one:
            evicted = self._oldest({address})
        elif len(self._address_of) >= self.places:
            shares = {other: self._weigh(other, count) for other, count in held.items()}
            most = max(shares.values())
            evicted = self._oldest({other for other, share in shares.items() if share == most})
        if evicted is not None:
            self.leave(evicted)
        self._next += 1
        self._address_of[self._next] = address
        self._waiting[self._next] = None
        return self._next, evicted

    def turn(self, now: float) -> int | None:
        """Return the entry whose turn it is, counted as begun; None if none may begin now."""
        if not self._waiting or not self._limiter.take(self._starts, now):
            return None
        began = {address: number for number, address in enumerate(self._began)}

        def order(entry: int) -> tuple[bool, int]:
            address = self._address_of[entry]
            return (address in self._known) is self._known_began, began.get(address, -1)

        entry = min(self._waiting, key=order)
        address = self._address_of[entry]
        del self._waiting[entry]
        self._known_began = address in self._known
        keep_last(self._began, address, None, MAX_REMEMBERED)
        return entry

    def trust(self, entry: int) -> None:
        if entry in self._address_of:
            keep_last(self._known, self._address_of[entry], None, MAX_REMEMBERED)
            self.leave(entry)

    def leave(self, entry: int) -> None:
        """Forget a connection that is gone; a second call, or one after eviction, does nothing."""
        self._address_of.pop(entry, None)
        self._waiting.pop(entry, None)

    def _oldest(self, addresses: AbstractSet[str]) -> int:
        return next(entry for entry, held_by in self._address_of.items() if held_by in addresses)

    def _weigh(self, address: str, count: int) -> float:
        return count / KNOWN_PER_STRANGER if address in self._known else count


ADDRESS_TRIES: Final = Limit(rate=0, burst=2)
"""First tries of one address: the code, and a second try if it was mistyped."""

NETWORK_TRIES: Final = Limit(rate=1 / 12, burst=512)
"""First tries of one network: two for each of the 256 addresses of a /24."""

TABLE_TRIES: Final = Limit(rate=1 / 12, burst=2048)
"""First tries of all addresses together: two for each of 1,024."""

ADDRESS_LATER_TRIES: Final = Limit(rate=1 / 10, burst=3)
"""Later tries of one address: half of all, so that one stranger leaves the others some."""

LATER_TRIES: Final = Limit(rate=1 / 5, burst=3)  # later tries of all addresses together

ALARM_WRONG_CODES: Final = 5
"""Number of wrong codes at which the host is warned first; then at each doubling."""

MAX_GUESS_ADDRESSES: Final = 4096
"""Maximum number of addresses and networks remembered; beyond that the oldest entry is
forgotten."""

_Tries: TypeAlias = tuple[tuple[Limit, str], ...]


def _first_tries(address: str) -> _Tries:
    return (ADDRESS_TRIES, address), (NETWORK_TRIES, network_of(address)), (TABLE_TRIES, "")


def _later_tries(address: str) -> _Tries:
    return (ADDRESS_LATER_TRIES, address), (LATER_TRIES, "")


class GuessLimiter:
    """The guesses at one table, counted by address and by network."""

    def __init__(self) -> None:
        self.wrong_codes = 0
        self._warn_at = ALARM_WRONG_CODES
        self._limiter = Limiter(MAX_GUESS_ADDRESSES)

    def admit(self, address: str, now: float) -> float:
        """Pay for one guess; return 0.0 if it may be made, else the seconds to wait before it."""
        wait = 0.0
        for tries in (_first_tries(address), _later_tries(address)):
            wait = max(self._limiter.wait(limit, now, key) for limit, key in tries)
            if not wait:
                for limit, key in tries:
                    self._limiter.take(limit, now, key)
                break
        return wait

    def note_right(self, address: str, now: float) -> None:
        """Refund a right guess, since friends may share an address or a network.

        All first tries of the address are refunded too.
        """
        # A later try was paid for if its bucket is not full.
        was_later_try = self._limiter.wait(
            ADDRESS_LATER_TRIES, now, address, ADDRESS_LATER_TRIES.burst
        )
        tries = _later_tries(address) if was_later_try else _first_tries(address)
        for limit, key in tries:
            self._limiter.refund(limit, now, key)
        self._limiter.refund(ADDRESS_TRIES, now, address, ADDRESS_TRIES.burst)

    def note_wrong(self) -> int:
        """Count a wrong code; return their number if the host is to be warned of it, else 0."""
        self.wrong_codes += 1
        if self.wrong_codes < self._warn_at:
            return 0
        self._warn_at *= 2
        return self.wrong_codes


def home_of(address: str) -> str:
    """Return the household of an address: an IPv6 address's /64, any other address itself."""
    return network_of(address) if ":" in address else address


def network_of(address: str) -> str:
    """Return the network of an address: its /24, or its /64; any other text is its own network."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    ip = mapped or ip
    bits = 24 if ip.version == 4 else 64
    return str(ipaddress.ip_network((ip, bits), strict=False))
