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
    """Yield lines that count lost hosts: in time of all, and the slowest."""
    found = sorted(losses)
    for title, chosen in (
        (f"all came ({GOES_ON:.0f} s)", [item for item in found if not item.missing]),
        (f"one did not ({GATHERED:.0f} s)", [item for item in found if item.missing]),
    ):
        in_time = [loss for loss in chosen if loss.seconds <= loss.bound]
        slowest = max(chosen, key=lambda loss: loss.seconds, default=None)
        if slowest is not None:
            told = f"{slowest.seconds:5.1f} s at load {slowest.load:.1f}"
            yield f"{title:20} in time {len(in_time):2} of {len(chosen):2}, slowest {told}"


def are_in_time(losses: Iterable[Measured], factor: float) -> bool:
    """Whether all are in time, or 19 of 20 of those where all came, with so much more time."""
    late = [loss for loss in losses if loss.seconds > loss.bound * factor]
    came = [loss for loss in losses if not loss.missing]
    return not any(loss.missing for loss in late) and len(late) * 20 <= len(came)
