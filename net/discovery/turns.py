"""Whom to ask next, and how many at once: what keeps forged hints from making us a nuisance.

Knows ways, and times in seconds, which are passed in. Must not know adverts, nor what is listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from net.bucket import Bucket
from net.discovery.address import Address
from net.discovery.table import Way

QUESTIONS: Final = 200.0
"""The most questions a second, whatever is forged; the others are due right after."""

BURST: Final = 2.0
"""Seconds' worth of questions that may be saved up."""

FAR: Final = 2.0
"""The most questions a second to addresses off our own networks that have never answered."""

FAR_BURST: Final = 4.0

KNOCKS: Final = 4.0
"""The most TCP ports that are tried a second, and at once."""


class Turns:
    """The turns to be asked, and to be knocked at."""

    __slots__ = ("_all", "_far", "_far_again", "_knocks")

    def __init__(self) -> None:
        self._all = Bucket(QUESTIONS, QUESTIONS * BURST, now=0.0)
        self._far = Bucket(FAR, FAR * FAR_BURST, now=0.0)
        self._far_again = float("-inf")
        self._knocks = Bucket(KNOCKS, KNOCKS, now=0.0)

    def ask(self, ways: Iterable[tuple[Address, Way, bool]], now: float) -> tuple[Address, ...]:
        """Of addresses, their ways and whether each is a table's best, those to ask now.

        They are counted as asked; those waiting longest come first.
        """
        waiting = sorted(
            ((way.asked_again(best=best), address, way) for address, way, best in ways),
            key=lambda entry: entry[0],
        )
        asked: list[Address] = []
        for when, address, way in waiting:
            if when > now:
                break
            if way.is_odd and not self._far.take(1, now):
                self._far_again = now + 1 / FAR
            elif self._all.take(1, now):
                way.ask(now)
                asked.append(address)
            else:
                break
        return tuple(asked)

    def asked_again(self, way: Way, *, best: bool) -> float:
        """When a way has its next turn."""
        again = way.asked_again(best=best)
        return max(again, self._far_again) if way.is_odd else again

    def knock(
        self, closed: Iterable[tuple[float, Address, Way]], now: float
    ) -> tuple[Address, ...]:
        """Of addresses, with when to knock there, those to knock at now, counted as knocked at."""
        knocked: list[Address] = []
        for when, address, way in closed:
            if when <= now and self._knocks.take(1, now):
                way.knock(now)
                knocked.append(address)
        return tuple(knocked)
