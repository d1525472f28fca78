"""How fast a whole table can be guessed at, and how fast a friend gets in meanwhile.

Who has hardly tried is served at once: each address has GOES first goes, from a budget that is
large enough for a thousand addresses that guess. So a friend who knows the code never waits for
strangers, be there one of them or a thousand, and may mistype it once. Whoever has used them up
stands in a line, one place for an address, which goes on by one guess in PACE seconds. It goes by
when one came to stand in it, and counts each earlier try as HANDICAP later: whoever has tried often
is overtaken by who has not, and nobody is overtaken for ever. Who does not come in time loses the
place, and has tried. Who shares an address shares its goes and its place.

Addresses are free on a LAN, above all those of IPv6. So both budgets are one for the whole table,
and one network (a /24, or a /64 of IPv6) has no more than NETWORK_GOES of the first goes.

What that is worth. A code is two different words of 1,026: 1,051,650 of them. At most
FIRST_GOES + FREE = 2,051 guesses are made at once, which takes a thousand addresses of several
networks, and from then on 300 an hour by new addresses and 720 by the line: 1,020. In an evening of
five hours that is 7,151 guesses, which hit with a probability of 0.68 %; the host is told long
before. One address alone makes 5 at once and 720 an hour: 0.34 % in five hours.

A guess is paid for when the host gives its share of the exchange, and given back when the proof is
right: so guesses that run side by side or are never finished count too, and cost the host its work
only that often.

Times are seconds of the caller's clock.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final

GOES: Final = 2
"""First goes of one address: the code, and once more where it was mistyped."""

FIRST_GOES: Final = 2048
"""First goes of all addresses that are served at once: a thousand of them."""

FIRST_PACE_S: Final = 12.0
"""Seconds until one more of them is there."""

NETWORK_GOES: Final = 512
"""First goes of one network: all addresses of a /24. There is one more in FIRST_PACE_S, too."""

FREE_GUESSES: Final = 3
"""Guesses that the line begins with."""

GUESS_INTERVAL_S: Final = 5.0
"""Seconds between two guesses of the line once those were wrong."""

RETRY_HANDICAP_S: Final = 10 * GUESS_INTERVAL_S
"""Seconds by which an address stands further back in the line for each earlier try."""

MAX_WAIT_S: Final = 60.0
"""The most seconds that anybody is told to wait; then they are told anew."""

LATE_GRACE_S: Final = 3.0
"""Seconds that a place in the line is kept for who is late."""

ALARM: Final = 5
"""The host is told of so many wrong codes, and whenever there are twice as many."""

MAX_GUESS_ADDRESSES: Final = 4096
"""How many addresses are kept in mind, and networks; then the one that came first is forgotten."""


@dataclass(frozen=True, slots=True)
class WrongCodes:
    """Tell the host: so many wrong codes have been tried at this table since it was opened."""

    tried: int


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in the line, by `turn`, the least first."""

    turn: tuple[float, int]
    until: float


class GuessLimiter:
    """The account of one table."""

    __slots__ = (
        "_asked",
        "_at",
        "_credit",
        "_first",
        "_line",
        "_networks",
        "_now",
        "_tell_at",
        "_tries",
        "wrong_codes",
    )

    def __init__(self) -> None:
        self.wrong_codes = 0
        self._tell_at = ALARM
        self._first = float(FIRST_GOES)
        self._credit = float(FREE_GUESSES)
        self._now = 0.0  # goes on with the caller's clock, and never back
        self._at = float("inf")
        self._asked = 0
        self._tries: dict[str, int] = {}
        self._networks: dict[str, tuple[float, float]] = {}  # goes that are left, and when that was
        self._line: dict[str, _Place] = {}

    def admit(self, address: str, now: float) -> float:
        """Pay for one guess: 0.0 if it may be made, else the seconds until to ask again."""
        self._refill(now)
        if self._tries.get(address, 0) < GOES and self._has_first_go(address):
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
        """Give back what a guess cost that was the code: friends do not slow each other down."""
        self._refill(now)
        if self._tries.pop(address, 0) > GOES:
            self._credit = min(self._most, self._credit + 1)
            return
        network = network_of(address)
        left, at = self._networks.get(network, (float(NETWORK_GOES), self._now))
        self._networks[network] = min(float(NETWORK_GOES), left + 1), at
        self._first = min(float(FIRST_GOES), self._first + 1)

    def wrong(self) -> WrongCodes | None:
        """Count a wrong code; the host is told of the 5th, 10th, 20th, 40th and so on."""
        self.wrong_codes += 1
        if self.wrong_codes < self._tell_at:
            return None
        self._tell_at *= 2
        return WrongCodes(self.wrong_codes)

    @property
    def _most(self) -> float:
        return 1.0 if self.wrong_codes >= ALARM else float(FREE_GUESSES)

    def _has_first_go(self, address: str) -> bool:
        """Take one of the first goes, if the table and the address's network have one left."""
        network = network_of(address)
        left, at = self._networks.pop(network, (float(NETWORK_GOES), self._now))
        left = min(float(NETWORK_GOES), left + (self._now - at) / FIRST_PACE_S)
        has_one = left >= 1 and self._first >= 1
        self._networks[network] = left - has_one, self._now
        if len(self._networks) > MAX_GUESS_ADDRESSES:
            del self._networks[next(iter(self._networks))]
        self._first -= has_one
        return has_one

    def _turn(self, address: str) -> tuple[float, int]:
        """When it is whose turn: who stands in the line keeps it, and whoever comes has tried."""
        if address in self._line:
            return self._line[address].turn
        tries = self._note_try(address)
        self._asked += 1
        return self._now + (tries - 1) * RETRY_HANDICAP_S, self._asked

    def _note_try(self, address: str) -> int:
        """Count one more try of an address, and return how many it has made."""
        tries = self._tries.pop(address, 0) + 1
        self._tries[address] = tries
        if len(self._tries) > MAX_GUESS_ADDRESSES:
            del self._tries[next(iter(self._tries))]
        return tries

    def _refill(self, now: float) -> None:
        """Take the time; a clock that jumps back counts as one that stood still."""
        passed = max(0.0, now - self._at)
        self._at = now
        self._now += passed
        self._first = min(float(FIRST_GOES), self._first + passed / FIRST_PACE_S)
        self._credit = min(self._most, self._credit + passed / GUESS_INTERVAL_S)
        late = [address for address, place in self._line.items() if place.until <= self._now]
        for address in late:
            del self._line[address]


def home_of(address: str) -> str:
    """Return whom an address stands for: itself, and of IPv6 its whole /64, which is one home."""
    return network_of(address) if ":" in address else address


def network_of(address: str) -> str:
    """Return the network of an address: its /24, or its /64; what is no address is its own."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    ip = mapped or ip
    bits = 24 if ip.version == 4 else 64
    return str(ipaddress.ip_network((ip, bits), strict=False))
