"""Per-table and per-address bookkeeping, probe schedule.

What a list keeps in mind of one table, and of each address it may be at.

These two are the changing parts of `net.discovery.catalog`, and nobody else's.

Whom to ask next, and how many at once: what keeps forged hints from making us a nuisance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import Advert
from net.transport.rate_limit import TokenBucket

BEST_ADDRESS_INTERVAL_S: Final = 0.5
"""Seconds between questions to the first address of a table that answers.

A list is to be true within 1 s of a change: mDNS tells of it at once, and where that is lost,
twice a second leaves room for one lost packet of 128 bytes.
"""

OTHER_ADDRESS_INTERVAL_S: Final = 1.0
"""Seconds between questions to its other addresses that have answered before."""

FIRST_RETRY_S: Final = 0.25
"""Seconds until an address that has never answered is asked again; then twice that, to 8 s."""

MAX_RETRY_DOUBLINGS: Final = 5
"""How often that doubles."""

MIN_QUERY_INTERVAL_S: Final = 0.05
"""Seconds between questions at the least."""

LOST_AFTER_S: Final = 4.0
"""Seconds without an answer after which an address counts as lost: seven questions at least."""

KNOCK_AFTER_S: Final = 0.5
"""Seconds of silence after which it is tried whether the table's TCP port is open instead."""

KNOCK_INTERVAL_S: Final = 10.0
"""Seconds between two such tries at one address."""

FORGET_AFTER_S: Final = 60.0
"""Seconds of silence after which a table, or an address of one that answers elsewhere, is
forgotten unless mDNS names it."""

HINT_LIFETIME_S: Final = 35.0
"""Seconds that a hint counts: mDNS names all tables anew every 15, and may miss one twice."""


@dataclass(slots=True)
class AddressCandidate:
    """An address of a table: when it was last asked and heard, in seconds.

    `near` is whether it is on a network of ours; `knocked` when its TCP port was last tried, and
    `is_open` whether it was open.
    """

    near: bool = True
    asked_at: float | None = None
    answered_at: float | None = None
    unanswered: int = 0
    hurried: bool = False
    knocked: float | None = None
    is_open: bool = False

    def ask(self, now: float) -> None:
        """It is asked."""
        self.asked_at = now
        self.unanswered += 1
        self.hurried = False

    def answer(self, now: float) -> None:
        """It answers."""
        self.answered_at = now
        self.unanswered = 0

    def hurry(self) -> None:
        """There is news: ask at once, if anybody ever answered there."""
        self.hurried = self.answered_at is not None

    def begin(self) -> None:
        """The network is another one: as if never asked."""
        self.asked_at = self.knocked = None
        self.unanswered = 0

    def knock(self, now: float) -> None:
        """Its TCP port is tried."""
        self.knocked = now

    def knocked_again(self) -> float:
        """When its TCP port is to be tried next; long ago if it never was."""
        return float("-inf") if self.knocked is None else self.knocked + KNOCK_INTERVAL_S

    @property
    def is_odd(self) -> bool:
        """Whether it is off our networks, and nobody has ever answered there."""
        return not self.near and self.answered_at is None

    def live(self, now: float) -> bool:
        """Whether it has answered lately."""
        return self.answered_at is not None and now < self.silent_at

    @property
    def falters(self) -> bool:
        """Whether the last questions were not answered, so that another address may be better."""
        return self.unanswered > 2

    @property
    def silent_at(self) -> float:
        """When it counts as lost, if no answer comes."""
        assert self.answered_at is not None
        return self.answered_at + LOST_AFTER_S

    def asked_again(self, *, best: bool) -> float:
        """When it is to be asked next; long ago if it never was."""
        if self.asked_at is None:
            return float("-inf")
        if self.hurried:
            return self.asked_at + MIN_QUERY_INTERVAL_S
        if self.answered_at is not None:
            return self.asked_at + (BEST_ADDRESS_INTERVAL_S if best else OTHER_ADDRESS_INTERVAL_S)
        return self.asked_at + FIRST_RETRY_S * 2.0 ** min(self.unanswered - 1, MAX_RETRY_DOUBLINGS)


@dataclass(slots=True)
class TableCandidate:
    """A table: what it told last, since when we know, and when mDNS named it last.

    `never_heard` is whether all we have is hints; `left` is when it said goodbye.
    """

    advert: Advert
    since: float
    named: float | None = None
    never_heard: bool = True
    left: float | None = None
    candidates: dict[Address, AddressCandidate] = field(default_factory=dict)

    def begin(self, now: float) -> None:
        """It is announced again after its goodbye: as if seen for the first time."""
        self.since = now
        self.left = None
        self.never_heard = True

    def leave(self, now: float) -> None:
        """It says goodbye: only an answer to a question asked from now on undoes that."""
        self.named = None
        self.left = now
        for address, candidate in self.candidates.items():
            self.candidates[address] = AddressCandidate(candidate.near)

    def live(self, now: float) -> bool:
        """Whether it has answered lately, from anywhere."""
        return any(candidate.live(now) for candidate in self.candidates.values())

    def shed(self, now: float) -> None:
        """Forget addresses that fell silent long ago, if it answers at others."""
        if self.live(now):
            self.candidates = {
                address: candidate
                for address, candidate in self.candidates.items()
                if candidate.answered_at is None or now < candidate.answered_at + FORGET_AFTER_S
            }

    def hinted(self, now: float) -> bool:
        """Whether mDNS has named it lately."""
        return self.named is not None and now < self.named + HINT_LIFETIME_S

    def last_sign(self) -> float:
        """When anything was last heard of it, its first hint included."""
        return max(
            [
                self.since,
                *(
                    candidate.answered_at
                    for candidate in self.candidates.values()
                    if candidate.answered_at is not None
                ),
            ]
        )

    def addresses(self, now: float) -> tuple[Address, ...]:
        """Its addresses, those that answer first, then those that are open or near."""

        def order(address: Address) -> tuple[bool, bool, bool, bool, tuple[int, str, int]]:
            candidate = self.candidates[address]
            return (
                not candidate.live(now),
                candidate.falters,
                not candidate.is_open,
                not candidate.near,
                address.rank,
            )

        return tuple(sorted(self.candidates, key=order))


QUERIES_PER_S: Final = 200.0
"""The most questions a second, whatever is forged; the others are due right after."""

QUERY_BURST_S: Final = 2.0
"""Seconds' worth of questions that may be saved up."""

FAR_QUERIES_PER_S: Final = 2.0
"""The most questions a second to addresses off our own networks that have never answered."""

FAR_QUERY_BURST_S: Final = 4.0

KNOCKS_PER_S: Final = 4.0
"""The most TCP ports that are tried a second, and at once."""


class ProbeSchedule:
    """The turns to be asked, and to be knocked at."""

    __slots__ = ("_all", "_far", "_far_again", "_knocks")

    def __init__(self) -> None:
        self._all = TokenBucket(QUERIES_PER_S, QUERIES_PER_S * QUERY_BURST_S, now=0.0)
        self._far = TokenBucket(FAR_QUERIES_PER_S, FAR_QUERIES_PER_S * FAR_QUERY_BURST_S, now=0.0)
        self._far_again = float("-inf")
        self._knocks = TokenBucket(KNOCKS_PER_S, KNOCKS_PER_S, now=0.0)

    def ask(
        self, candidates: Iterable[tuple[Address, AddressCandidate, bool]], now: float
    ) -> tuple[Address, ...]:
        """Of addresses, their ways and whether each is a table's best, those to ask now.

        They are counted as asked; those waiting longest come first.
        """
        waiting = sorted(
            (
                (candidate.asked_again(best=best), address, candidate)
                for address, candidate, best in candidates
            ),
            key=lambda entry: entry[0],
        )
        asked: list[Address] = []
        for when, address, way in waiting:
            if when > now:
                break
            if way.is_odd and not self._far.take(1, now):
                self._far_again = now + 1 / FAR_QUERIES_PER_S
            elif self._all.take(1, now):
                way.ask(now)
                asked.append(address)
            else:
                break
        return tuple(asked)

    def asked_again(self, candidate: AddressCandidate, *, best: bool) -> float:
        """When a way has its next turn."""
        again = candidate.asked_again(best=best)
        return max(again, self._far_again) if candidate.is_odd else again

    def knock(
        self, closed: Iterable[tuple[float, Address, AddressCandidate]], now: float
    ) -> tuple[Address, ...]:
        """Of addresses, with when to knock there, those to knock at now, counted as knocked at."""
        knocked: list[Address] = []
        for when, address, candidate in closed:
            if when <= now and self._knocks.take(1, now):
                candidate.knock(now)
                knocked.append(address)
        return tuple(knocked)
