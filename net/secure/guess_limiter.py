"""Rate limit on room-code guesses at one table, fair to friends while others guess.

Each address has ADDRESS_TRIES that are served at once, of which there are enough for a thousand
guessing addresses. So a friend who knows the code never waits for strangers, be it one of
them or a thousand, and may mistype the code once. Later tries are few, for one address and for all
addresses together. Players who share an address share its tries.

Addresses are cheap on a LAN, above all those of IPv6. So both kinds are limited for the whole
table, and one network (a /24, or a /64 of IPv6) has no more than NETWORK_TRIES of the first.

The strength of that: a code is two different words of 1,026, so there are 1,051,650 codes. At most
TABLE_TRIES + LATER_TRIES = 2,051 guesses are made at once, which takes a thousand addresses of
several networks; from then on 300 an hour by new addresses and 720 later tries, 1,020 in all. In
an evening of five hours that is 7,151 guesses, which hit with a probability of 0.68%; the host is
warned long before. A single address makes 5 guesses at once and 360 an hour: 0.17% in five hours.

A guess is paid for when the host sends its share of the key exchange, and refunded when the proof
is right. So guesses that run in parallel or are never finished count too, and the host does the
slow work of the exchange no more often than that.

Times are seconds of the caller's clock.
"""

from __future__ import annotations

import ipaddress
from typing import Final, TypeAlias

from net.secure.limits import Limit, Limiter

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
"""Most addresses and networks remembered; beyond that the oldest entry is forgotten."""

_Tries: TypeAlias = tuple[tuple[Limit, str], ...]


def _first_tries(address: str) -> _Tries:
    return (ADDRESS_TRIES, address), (NETWORK_TRIES, network_of(address)), (TABLE_TRIES, "")


def _later_tries(address: str) -> _Tries:
    return (ADDRESS_LATER_TRIES, address), (LATER_TRIES, "")


class GuessLimiter:
    """The guesses at one table, counted by address and by network."""

    def __init__(self) -> None:
        self.wrong_codes = 0
        self._tell_at = ALARM_WRONG_CODES
        self._limiter = Limiter(MAX_GUESS_ADDRESSES)

    def admit(self, address: str, now: float) -> float:
        """Pay for one guess; return 0.0 if it may be made, else the seconds until to ask again."""
        wait = 0.0
        for tries in (_first_tries(address), _later_tries(address)):
            wait = max(self._limiter.wait(limit, now, key) for limit, key in tries)
            if not wait:
                for limit, key in tries:
                    self._limiter.take(limit, now, key)
                break
        return wait

    def right(self, address: str, now: float) -> None:
        """Refund a guess that was right, so that friends do not slow each other down.

        The address has all its first tries again.
        """
        has_paid_later = self._limiter.wait(
            ADDRESS_LATER_TRIES, now, address, ADDRESS_LATER_TRIES.burst
        )
        tries = _later_tries(address) if has_paid_later else _first_tries(address)
        for limit, key in tries:
            self._limiter.give_back(limit, now, key)
        self._limiter.give_back(ADDRESS_TRIES, now, address, ADDRESS_TRIES.burst)

    def wrong(self) -> int:
        """Count a wrong code; return their number at the 5th, 10th, 20th, 40th and so on, else 0.

        Of that number the host is to be warned.
        """
        self.wrong_codes += 1
        if self.wrong_codes < self._tell_at:
            return 0
        self._tell_at *= 2
        return self.wrong_codes


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
