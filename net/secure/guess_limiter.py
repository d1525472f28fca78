"""Rate limit on room-code guesses at one table, fair to friends while others guess.

Each address has ADDRESS_TRIES that are served at once, from a budget that is enough for a thousand
guessing addresses. So a friend who knows the code never waits for strangers, be it one of
them or a thousand, and may mistype the code once.

An address that has used them up waits in a fair queue: one place for an address, one guess in
GUESS_INTERVAL_S for the whole queue. The order is by time of arrival, where each earlier try counts
as RETRY_HANDICAP_S of later arrival: few tries overtake many, and no address is overtaken for ever.
An address that does not come back in time loses its place, and the try counts. Players who share an
address share its tries and its place.

Addresses are cheap on a LAN, above all those of IPv6. So both budgets are one for the whole table,
and one network (a /24, or a /64 of IPv6) has no more than NETWORK_TRIES of them.

The strength of that: a code is two different words of 1,026, so there are 1,051,650 codes. At most
TABLE_TRIES + FREE_GUESSES = 2,051 guesses are made at once, which takes a thousand addresses of
several networks; from then on 300 an hour by new addresses and 720 by the queue, 1,020 in all. In
an evening of five hours that is 7,151 guesses, which hit with a probability of 0.68%; the host is
warned long before. A single address makes 5 guesses at once and 720 an hour: 0.34% in five hours.

A guess is paid for when the host sends its share of the key exchange, and refunded when the proof
is right. So guesses that run in parallel or are never finished count too, and the host does the
slow work of the exchange no more often than that.

Times are seconds of the caller's clock.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final

from net.secure.limits import keep_last

ADDRESS_TRIES: Final = 2
"""First tries of one address: the code, and a second try if it was mistyped."""

TABLE_TRIES: Final = 2048
"""First tries of all addresses together that are served at once: two for each of 1,024."""

FIRST_TRY_INTERVAL_S: Final = 12.0
"""Seconds in which the budgets of first tries (the table's, a network's) regain one."""

NETWORK_TRIES: Final = 512  # first tries of one network: two for each of the 256 addresses of a /24

FREE_GUESSES: Final = 3
"""Guesses that the queue may make at once, until the first ALARM_WRONG_CODES (then one)."""

GUESS_INTERVAL_S: Final = 5.0
"""Seconds between two guesses of the queue, once its free guesses are used up."""

RETRY_HANDICAP_S: Final = 10 * GUESS_INTERVAL_S
"""Seconds by which each earlier try moves an address back in the queue."""

MAX_WAIT_S: Final = 60.0  # longest wait in seconds that a client is given; it then asks again
LATE_GRACE_S: Final = 3.0  # seconds that a place in the queue is kept after its wait is over

ALARM_WRONG_CODES: Final = 5
"""Number of wrong codes at which the host is warned first; then at each doubling."""

MAX_GUESS_ADDRESSES: Final = 4096
"""Most addresses remembered, and most networks; beyond that the oldest entry is forgotten."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in the queue, ordered by `turn`, smallest first; it is lost at the time `until`."""

    turn: tuple[float, int]
    until: float


class GuessLimiter:
    """The guesses at one table, counted by address and by network."""

    def __init__(self) -> None:
        self.wrong_codes = 0
        self._tell_at = ALARM_WRONG_CODES
        self._first = float(TABLE_TRIES)
        self._credit = float(FREE_GUESSES)
        self._now = 0.0  # advances with the caller's clock, never back
        self._at = float("inf")
        self._asked = 0
        self._tries: dict[str, int] = {}
        self._networks: dict[str, tuple[float, float]] = {}  # tries left, and at what time
        self._line: dict[str, _Place] = {}

    def admit(self, address: str, now: float) -> float:
        """Pay for one guess; return 0.0 if it may be made, else the seconds until to ask again."""
        self._refill(now)
        if self._tries.get(address, 0) < ADDRESS_TRIES and self._has_first_try(address):
            self._line.pop(address, None)
            self._note_try(address)
            return 0.0
        turn = self._turn(address)
        ahead = sum(place.turn < turn for place in self._line.values())
        missing = ahead + 1 - self._credit
        if missing < 1e-6:
            self._line.pop(address, None)
            self._credit -= 1
            return 0.0
        wait = min(missing * GUESS_INTERVAL_S, MAX_WAIT_S)
        self._line[address] = _Place(turn, self._now + wait + LATE_GRACE_S)
        return wait

    def right(self, address: str, now: float) -> None:
        """Refund a guess that was right, so that friends do not slow each other down."""
        self._refill(now)
        if self._tries.pop(address, 0) > ADDRESS_TRIES:
            self._credit = min(self._most, self._credit + 1)
            return
        network = network_of(address)
        left, at = self._networks.get(network, (float(NETWORK_TRIES), self._now))
        self._networks[network] = min(float(NETWORK_TRIES), left + 1), at
        self._first = min(float(TABLE_TRIES), self._first + 1)

    def wrong(self) -> int:
        """Count a wrong code; return their number at the 5th, 10th, 20th, 40th and so on, else 0.

        Of that number the host is to be warned.
        """
        self.wrong_codes += 1
        if self.wrong_codes < self._tell_at:
            return 0
        self._tell_at *= 2
        return self.wrong_codes

    @property
    def _most(self) -> float:
        return 1.0 if self.wrong_codes >= ALARM_WRONG_CODES else float(FREE_GUESSES)

    def _has_first_try(self, address: str) -> bool:
        """Take a first try, and return True, if both the table and the network have one left."""
        network = network_of(address)
        left, at = self._networks.get(network, (float(NETWORK_TRIES), self._now))
        left = min(float(NETWORK_TRIES), left + (self._now - at) / FIRST_TRY_INTERVAL_S)
        has_one = left >= 1 and self._first >= 1
        keep_last(self._networks, network, (left - has_one, self._now), MAX_GUESS_ADDRESSES)
        self._first -= has_one
        return has_one

    def _turn(self, address: str) -> tuple[float, int]:
        """Return an address's sort key in the queue; coming to the queue counts as a try."""
        if address in self._line:
            return self._line[address].turn
        tries = self._note_try(address)
        self._asked += 1
        return self._now + (tries - 1) * RETRY_HANDICAP_S, self._asked

    def _note_try(self, address: str) -> int:
        """Count one more try of an address, and return how many it has made."""
        tries = self._tries.get(address, 0) + 1
        keep_last(self._tries, address, tries, MAX_GUESS_ADDRESSES)
        return tries

    def _refill(self, now: float) -> None:
        """Refill the budgets and drop late places; ignore a clock that jumps back."""
        passed = max(0.0, now - self._at)
        self._at = now
        self._now += passed
        self._first = min(float(TABLE_TRIES), self._first + passed / FIRST_TRY_INTERVAL_S)
        self._credit = min(self._most, self._credit + passed / GUESS_INTERVAL_S)
        late = [address for address, place in self._line.items() if place.until <= self._now]
        for address in late:
            del self._line[address]


def home_of(address: str) -> str:
    """Return the household of an address: an IPv6 address's /64, any other address itself."""
    return network_of(address) if ":" in address else address


def network_of(address: str) -> str:
    """Return the network of an address: its /24, or its /64; text that is no address is its own."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    ip = mapped or ip
    bits = 24 if ip.version == 4 else 64
    return str(ipaddress.ip_network((ip, bits), strict=False))
