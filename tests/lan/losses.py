"""Hosts that were lost, how soon their tables went on, and the table of counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

LOST_HOST = "lost host"
"""The name under which a test tells what it measured."""

GOES_ON = 5.0
GATHERED = 21.0
"""Seconds from the key to a move possible, if all come, and if one of them does not."""

HOWS = ("killed", "cable", "lid", "own cable")
"""A host's program is killed, its cable pulled or its lid closed; or it is a guest's own cable."""

WHENS = ("lobby", "draw", "middle", "gold", "between")
"""When a table loses its hosts: in this order, and with a guest at a door from a later one on.

The guest is lost with the first of them.
"""


class Measured(NamedTuple):
    """Seconds from the key to a move possible, or from the own cable's, and the machine's load."""

    how: str
    when: str
    missing: bool
    seconds: float
    load: float

    @property
    def bound(self) -> float:
        """Seconds within which it should be."""
        return GATHERED if self.missing else GOES_ON


def count_losses(losses: Iterable[Measured]) -> Iterator[str]:
    """Yield the lines of a table that counts lost hosts: in time of all, and the slowest."""
    found = sorted(losses)
    for title, chosen in (
        *(
            (f"{how}, {when}", [one for one in found if one[:2] == (how, when)])
            for how in HOWS
            for when in WHENS
        ),
        (f"all came ({GOES_ON:.0f} s)", [one for one in found if not one.missing]),
        (f"one did not ({GATHERED:.0f} s)", [one for one in found if one.missing]),
    ):
        in_time = [one for one in chosen if one.seconds <= one.bound]
        slowest = max(chosen, key=lambda one: one.seconds, default=None)
        if slowest is not None:
            told = f"{slowest.seconds:5.1f} s at load {slowest.load:.1f}"
            yield f"{title:20} in time {len(in_time):2} of {len(chosen):2}, slowest {told}"


def are_in_time(losses: Iterable[Measured], factor: float) -> bool:
    """Whether all are in time, or 19 of 20 of those where all came, with so much more time."""
    late = [one for one in losses if one.seconds > one.bound * factor]
    came = [one for one in losses if not one.missing]
    return not any(one.missing for one in late) and len(late) * 20 <= len(came)
