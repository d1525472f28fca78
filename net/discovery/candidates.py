"""The bookkeeping per table and per address: the mutable parts of `net.discovery.catalog`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from net.discovery.advert import NOT_HEARD, Advert, AdvertStanding
from net.secure.address import Address

NEVER: Final = float("-inf")  # the time of what has not happened

BEST_ADDRESS_INTERVAL_S: Final = 0.5
"""Seconds between questions to the first address of a table that answers.

A change has to be in the list within 1 s: mDNS announces it at once, and if that is lost, asking
twice a second leaves room for one lost packet of 128 bytes.
"""

OTHER_ADDRESS_INTERVAL_S: Final = 1.0
"""Seconds between questions to a table's other addresses that have answered before."""

FIRST_RETRY_S: Final = 0.25
"""Seconds until an address that has never answered is asked again; doubles each time, up to 8 s."""

MAX_RETRY_DOUBLINGS: Final = 5  # number of doublings of `FIRST_RETRY_S`
MIN_QUERY_INTERVAL_S: Final = 0.05  # shortest time between questions to one address, in seconds

LOST_AFTER_S: Final = 4.0
"""Seconds without an answer after which an address counts as lost: seven questions at least."""

DOUBT_S: Final = 0.5
"""Seconds in which the other addresses of a table have to answer when it says goodbye at one."""

PORT_CHECK_AFTER_S: Final = 0.5
"""Seconds of silence after which the table's TCP port is tried instead."""

PORT_CHECK_INTERVAL_S: Final = 10.0  # seconds between two tries of the TCP port at one address

FORGET_AFTER_S: Final = 60.0
"""Seconds of silence after which a table is forgotten, unless mDNS names it, or an address of a
table that answers at another."""

HINT_LIFETIME_S: Final = 35.0
"""Seconds that a hint counts: mDNS names all tables again every 15 s, and may miss one twice."""

CHECK_TIMEOUT_S: Final = 1.0  # seconds that a game has to answer before it is listed as unreachable

GOODBYE_LINGER_S: Final = 3.0
"""Seconds that a game is still asked after its goodbye, in case the goodbye was forged."""


@dataclass(slots=True)
class AddressCandidate:
    """An address of a table, with the times it was last asked and answered, in seconds.

    `near` is True if it is on one of our networks; `unanswered` counts the questions since the last
    answer; `port_checked_at` is the time its TCP port was last tried, and `is_open` the result.
    `standing` is the one that was last answered.
    """

    near: bool = True
    asked_at: float = NEVER
    answered_at: float = NEVER
    unanswered: int = 0
    hurried: bool = False
    port_checked_at: float = NEVER
    is_open: bool = False
    standing: AdvertStanding = NOT_HEARD

    def ask(self, now: float) -> None:
        """Note that the address is asked now."""
        self.asked_at = now
        self.unanswered += 1
        self.hurried = False

    def answer(self, now: float, standing: AdvertStanding) -> None:
        """Note that the address has answered now, for a table of this standing."""
        self.answered_at = now
        self.standing = standing
        self.unanswered = 0

    def hurry(self) -> None:
        """Make the next question due at once, if the address has ever answered: there is news."""
        self.hurried = self.has_answered

    def doubt(self, now: float) -> None:
        """Count the address as lost unless it answers within `DOUBT_S`."""
        self.answered_at = min(self.answered_at, now - LOST_AFTER_S + DOUBT_S)
        self.hurry()

    def begin(self) -> None:
        """Treat the address as never asked, since the network has changed."""
        self.asked_at = self.port_checked_at = NEVER
        self.unanswered = 0

    @property
    def has_answered(self) -> bool:
        """True if the address has ever answered."""
        return self.answered_at > NEVER

    @property
    def is_odd(self) -> bool:
        """True if the address is off our networks and has never answered."""
        return not self.near and not self.has_answered

    def live(self, now: float) -> bool:
        """Return True if the address has answered within `LOST_AFTER_S`."""
        return now < self.answered_at + LOST_AFTER_S

    @property
    def falters(self) -> bool:
        """True if three questions or more are unanswered: another address may be better."""
        return self.unanswered > 2

    def next_question(self, *, best: bool) -> float:
        """Return the time of the next question; minus infinity if the address was never asked."""
        if self.hurried:
            return self.asked_at + MIN_QUERY_INTERVAL_S
        if self.has_answered:
            return self.asked_at + (BEST_ADDRESS_INTERVAL_S if best else OTHER_ADDRESS_INTERVAL_S)
        return self.asked_at + FIRST_RETRY_S * 2.0 ** min(self.unanswered - 1, MAX_RETRY_DOUBLINGS)


@dataclass(slots=True)
class TableCandidate:
    """A table: its last advert, since when it is known, and when mDNS last named it.

    `never_heard` is True if there were only hints so far; `left` is the time of its goodbye.
    """

    advert: Advert
    since: float
    named: float = NEVER
    never_heard: bool = True
    left: float | None = None
    candidates: dict[Address, AddressCandidate] = field(default_factory=dict)

    def begin(self, now: float) -> None:
        """Treat the table as seen for the first time: it is announced again after its goodbye."""
        self.since = now
        self.left = None
        self.never_heard = True

    def leave(self, now: float) -> None:
        """Note a goodbye; only an answer to a question asked from now on undoes it."""
        self.named = NEVER
        self.left = now
        for address, candidate in self.candidates.items():
            self.candidates[address] = AddressCandidate(candidate.near)

    def live(self, now: float) -> bool:
        """Return True if the table has answered lately, from any address."""
        return bool(self.live_addresses(now))

    def live_addresses(self, now: float) -> list[Address]:
        """Return the addresses that have answered lately."""
        return [address for address, candidate in self.candidates.items() if candidate.live(now)]

    def standing(self, now: float) -> AdvertStanding:
        """Return the greatest standing that was answered lately, `NOT_HEARD` if none was."""
        answered = (one.standing for one in self.candidates.values() if one.live(now))
        return max(answered, default=NOT_HEARD)

    def hosts(self, now: float) -> tuple[tuple[Address, AdvertStanding], ...]:
        """Return the addresses that have answered lately, each with the standing of its table."""
        return tuple((at, one.standing) for at, one in self.candidates.items() if one.live(now))

    def is_elsewhere(self, now: float, term: int) -> bool:
        """Return True if a host of another term has answered lately."""
        return any(one.live(now) and one.standing[2] != term for one in self.candidates.values())

    def forget_silent(self, now: float) -> None:
        """Drop the addresses that fell silent long ago, if the table answers at others."""
        if self.live(now):
            self.candidates = {
                address: candidate
                for address, candidate in self.candidates.items()
                if not candidate.has_answered or now < candidate.answered_at + FORGET_AFTER_S
            }

    def is_hinted(self, now: float) -> bool:
        """Return True if mDNS has named the table within `HINT_LIFETIME_S`."""
        return now < self.named + HINT_LIFETIME_S

    def open(self, now: float) -> bool:
        """Return True if an announced table has an open TCP port, but never answered a question."""
        named = self.never_heard and self.is_hinted(now)
        return named and any(candidate.is_open for candidate in self.candidates.values())

    def suspect(self, now: float) -> bool:
        """Return True if an announced table has never answered, though it had `CHECK_TIMEOUT_S`."""
        patient = now >= self.since + CHECK_TIMEOUT_S
        return self.is_hinted(now) and self.never_heard and bool(self.candidates) and patient

    def over(self, now: float) -> bool:
        """Return True if the table can be forgotten."""
        if self.left is not None:
            return now >= self.left + GOODBYE_LINGER_S
        last_sign = max([self.since, *(one.answered_at for one in self.candidates.values())])
        return not self.is_hinted(now) and now >= last_sign + FORGET_AFTER_S

    def addresses(self, now: float) -> tuple[Address, ...]:
        """Return the addresses in the order to try them.

        Live ones come first, those of the table that stands before others, then those that do not
        falter, then open ones, then near ones.
        """
        best = self.standing(now)

        def order(address: Address) -> tuple[bool, bool, bool, bool, bool, tuple[int, str, int]]:
            candidate = self.candidates[address]
            return (
                not candidate.live(now),
                candidate.standing < best,
                candidate.falters,
                not candidate.is_open,
                not candidate.near,
                address.rank,
            )

        return tuple(sorted(self.candidates, key=order))
