"""Shares and differences that were estimated from a sample, each with its 95% interval.

The intervals are valid for small samples too: Wilson's of one share, Agresti and Caffo's of the
difference of two, and Bonett and Price's of two that were counted in the same cases.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

STANDARD_ERRORS: Final = 1.96
"""Half the width of a 95% interval, in standard errors."""


def find_wilson_interval(won: int, played: int) -> tuple[float, float]:
    """Return the 95% confidence interval of a share (Wilson's interval)."""
    z, share = STANDARD_ERRORS, won / played
    middle = share + z * z / (2 * played)
    spread = z * sqrt(share * (1 - share) / played + (z / (2 * played)) ** 2)
    return (middle - spread) / (1 + z * z / played), (middle + spread) / (1 + z * z / played)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share, or a difference of two shares, with its 95% interval.

    A share is of `hits` among `cases`. A difference has no hits, and a value that is certain has
    neither.
    """

    value: float
    low: float
    high: float
    hits: int = 0
    cases: int = 0

    @property
    def margin(self) -> float:
        """The larger distance from the value to an end of the interval."""
        return max(self.high - self.value, self.value - self.low)

    @staticmethod
    def certain(value: float) -> Estimate:
        """Return a value that is known."""
        return Estimate(value, value, value)

    @staticmethod
    def share(hits: int, cases: int) -> Estimate:
        """Return the share of hits among a number of cases, which must not be 0."""
        low, high = find_wilson_interval(hits, cases)
        return Estimate(hits / cases, low, high, hits, cases)


def estimate_change(before: Estimate, after: Estimate) -> Estimate:
    """Return the rise of a share between two samples (Agresti and Caffo's interval).

    The interval is a little wider around 0 than around the plain difference, so that few cases
    never look certain. If both shares are certain, so is the difference.
    """
    value = after.value - before.value
    (share_before, variance_before), (share_after, variance_after) = map(
        _with_one_of_each, (before, after)
    )
    middle = share_after - share_before
    return _make_around(value, middle, variance_before + variance_after, before.cases + after.cases)


def _with_one_of_each(estimate: Estimate) -> tuple[float, float]:
    """Return a share and its variance with one hit and one miss added, unless it is certain."""
    if not estimate.cases:
        return estimate.value, 0.0
    share = (estimate.hits + 1) / (estimate.cases + 2)
    return share, share * (1 - share) / (estimate.cases + 2)


def estimate_paired_change(pairs: Iterable[tuple[bool, bool]]) -> Estimate:
    """Return by how much the second of two shares is higher, counted in the same cases.

    The interval is Bonett and Price's. There must be at least one case.
    """
    both = list(pairs)
    lost = sum(first and not second for first, second in both)
    gained = sum(second and not first for first, second in both)
    cases = len(both)
    down, up = (lost + 1) / (cases + 2), (gained + 1) / (cases + 2)
    variance = (down + up - (up - down) ** 2) / (cases + 2)
    return _make_around((gained - lost) / cases, up - down, variance, cases)


def _make_around(value: float, middle: float, variance: float, cases: int) -> Estimate:
    """Return an estimate whose interval is centred on `middle` and contains the value."""
    spread = STANDARD_ERRORS * sqrt(variance)
    low, high = max(middle - spread, -1.0), min(middle + spread, 1.0)
    return Estimate(value, min(low, value), max(high, value), 0, cases)
