"""What a list keeps in mind of one table, and of each address it may be at.

Knows times of questions and answers. Must not know other tables, nor what is shown. These two are
the changing parts of `net.discovery.games`, and nobody else's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import Advert

BEST_EVERY: Final = 0.5
"""Seconds between questions to the first address of a table that answers.

A list is to be true within 1 s of a change: mDNS tells of it at once, and where that is lost,
twice a second leaves room for one lost packet of 128 bytes.
"""

OTHERS_EVERY: Final = 1.0
"""Seconds between questions to its other addresses that have answered before."""

FIRST_AGAIN: Final = 0.25
"""Seconds until an address that has never answered is asked again; then twice that, to 8 s."""

SLOWEST: Final = 5
"""How often that doubles."""

SOON: Final = 0.05
"""Seconds between questions at the least."""

LOST_AFTER: Final = 4.0
"""Seconds without an answer after which an address counts as lost: seven questions at least."""

KNOCK_AFTER: Final = 0.5
"""Seconds of silence after which it is tried whether the table's TCP port is open instead."""

KNOCK_EVERY: Final = 10.0
"""Seconds between two such tries at one address."""

FORGET: Final = 60.0
"""Seconds of silence after which a table, or an address of one that answers elsewhere, is
forgotten unless mDNS names it."""

NAMED_FOR: Final = 35.0
"""Seconds that a hint counts: mDNS names all tables anew every 15, and may miss one twice."""


@dataclass(slots=True)
class Way:
    """An address of a table: when it was last asked and heard, in seconds.

    `near` is whether it is on a network of ours; `knocked` when its TCP port was last tried, and
    `is_open` whether it was open.
    """

    near: bool = True
    asked: float | None = None
    heard: float | None = None
    unanswered: int = 0
    hurried: bool = False
    knocked: float | None = None
    is_open: bool = False

    def ask(self, now: float) -> None:
        """It is asked."""
        self.asked = now
        self.unanswered += 1
        self.hurried = False

    def hear(self, now: float) -> None:
        """It answers."""
        self.heard = now
        self.unanswered = 0

    def hurry(self) -> None:
        """There is news: ask at once, if anybody ever answered there."""
        self.hurried = self.heard is not None

    def begin(self) -> None:
        """The network is another one: as if never asked."""
        self.asked = self.knocked = None
        self.unanswered = 0

    def knock(self, now: float) -> None:
        """Its TCP port is tried."""
        self.knocked = now

    def knocked_again(self) -> float:
        """When its TCP port is to be tried next; long ago if it never was."""
        return float("-inf") if self.knocked is None else self.knocked + KNOCK_EVERY

    @property
    def is_odd(self) -> bool:
        """Whether it is off our networks, and nobody has ever answered there."""
        return not self.near and self.heard is None

    def live(self, now: float) -> bool:
        """Whether it has answered lately."""
        return self.heard is not None and now < self.silent_at

    @property
    def falters(self) -> bool:
        """Whether the last questions were not answered, so that another address may be better."""
        return self.unanswered > 2

    @property
    def silent_at(self) -> float:
        """When it counts as lost, if no answer comes."""
        assert self.heard is not None
        return self.heard + LOST_AFTER

    def asked_again(self, *, best: bool) -> float:
        """When it is to be asked next; long ago if it never was."""
        if self.asked is None:
            return float("-inf")
        if self.hurried:
            return self.asked + SOON
        if self.heard is not None:
            return self.asked + (BEST_EVERY if best else OTHERS_EVERY)
        return self.asked + FIRST_AGAIN * 2.0 ** min(self.unanswered - 1, SLOWEST)


@dataclass(slots=True)
class Table:
    """A table: what it told last, since when we know, and when mDNS named it last.

    `never_heard` is whether all we have is hints; `left` is when it said goodbye.
    """

    advert: Advert
    since: float
    named: float | None = None
    never_heard: bool = True
    left: float | None = None
    ways: dict[Address, Way] = field(default_factory=dict)

    def begin(self, now: float) -> None:
        """It is announced again after its goodbye: as if seen for the first time."""
        self.since = now
        self.left = None
        self.never_heard = True

    def leave(self, now: float) -> None:
        """It says goodbye: only an answer to a question asked from now on undoes that."""
        self.named = None
        self.left = now
        for address, way in self.ways.items():
            self.ways[address] = Way(way.near)

    def live(self, now: float) -> bool:
        """Whether it has answered lately, from anywhere."""
        return any(way.live(now) for way in self.ways.values())

    def shed(self, now: float) -> None:
        """Forget addresses that fell silent long ago, if it answers at others."""
        if self.live(now):
            self.ways = {
                address: way
                for address, way in self.ways.items()
                if way.heard is None or now < way.heard + FORGET
            }

    def hinted(self, now: float) -> bool:
        """Whether mDNS has named it lately."""
        return self.named is not None and now < self.named + NAMED_FOR

    def last_sign(self) -> float:
        """When anything was last heard of it, its first hint included."""
        return max(
            [self.since, *(way.heard for way in self.ways.values() if way.heard is not None)]
        )

    def addresses(self, now: float) -> tuple[Address, ...]:
        """Its addresses, those that answer first, then those that are open or near."""

        def order(address: Address) -> tuple[bool, bool, bool, bool, tuple[int, str, int]]:
            way = self.ways[address]
            return not way.live(now), way.falters, not way.is_open, not way.near, address.rank

        return tuple(sorted(self.ways, key=order))
