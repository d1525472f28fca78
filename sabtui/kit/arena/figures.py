"""Win rates and gains with their intervals, and tables of them in Markdown."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from math import sqrt
from typing import Final

from engine.bots.estimates import STANDARD_ERRORS, wilson

ARENA_SEED: Final = 7341
"""The number that all deals of the arena come from."""

ReportRow = tuple[object, ...]
"""The cells of one row."""


def percent(won: int, played: int) -> str:
    """Return a share and its interval as text for a table, in percent."""
    low, high = wilson(won, played)
    return f"{100 * won / played:.1f}% ({100 * low:.0f} to {100 * high:.0f})"


def gain(won: Sequence[tuple[bool, bool]]) -> str:
    """Return by how many percentage points more often the second of two is won, and the interval.

    Both play the same deals, so it is the 95% interval of paired shares.
    """
    rounds = len(won)
    more = sum(second and not first for first, second in won)
    less = sum(first and not second for first, second in won)
    mean = (more - less) / rounds
    variance = max((more + less) / rounds - mean * mean, 0)
    spread = STANDARD_ERRORS * sqrt(variance / rounds)
    return f"{100 * mean:+.1f} ({100 * (mean - spread):+.1f} to {100 * (mean + spread):+.1f})"


def in_markdown(head: Sequence[str], rows: Iterable[ReportRow]) -> Iterator[str]:
    """Yield the lines of a table as its rows come, and a line that says what repeats it."""
    for row in (head, ("---",) * len(head)):
        yield f"| {' | '.join(row)} |"
    for cells in rows:
        yield f"| {' | '.join(map(str, cells))} |"
    python = ".".join(map(str, sys.version_info[:3]))
    yield ""
    yield f"Sabtui {version('sabtui')}, Python {python}, seed {ARENA_SEED}."
