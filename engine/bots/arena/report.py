"""The tables of figures in Markdown, and the page that they are put into."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from engine.bots.arena import statistics
from engine.bots.arena.matches import ARENA_SEED
from engine.bots.arena.statistics import LIFT_COLUMNS, PAIRING_COLUMNS, ReportRow, Scale, lifts


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of figures: its header, and the function that measures its rows."""

    head: tuple[str, ...]
    rows: Callable[[Scale], Iterable[ReportRow]]


_DOUBTS: Final = (
    "saboteurs",
    "when",
    "miners asked",
    "a saboteur was the most suspected",
    "how sure all were of a saboteur",
)
"""The header of the table of suspicions."""

REPORT_TABLES: Final[Mapping[str, ReportTable]] = {
    "sides": ReportTable(PAIRING_COLUMNS, statistics.sides),
    "sizes": ReportTable(PAIRING_COLUMNS, statistics.sizes),
    "editions": ReportTable(PAIRING_COLUMNS, statistics.editions),
    "gold": ReportTable(("level", "games", "nuggets a seat and game"), statistics.gold),
    "doubts": ReportTable(_DOUBTS, statistics.doubts),
    "lifts": ReportTable(LIFT_COLUMNS, lifts),
    "deeds": ReportTable(("deed", "miners, %", "saboteurs, %"), statistics.deeds),
}
"""The tables by name, in the order in which they are measured."""


def measured_table(name: str, scale: Scale) -> str:
    """Measure a table, and return it in Markdown with the version and seed that repeat it."""
    table = REPORT_TABLES[name]
    rows = [table.head, ("---",) * len(table.head), *table.rows(scale)]
    lines = [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    python = ".".join(str(part) for part in sys.version_info[:3])
    lines += ["", f"Sabtui {version('sabtui')}, Python {python}, seed {ARENA_SEED}."]
    return "\n".join(lines)


def page_with(page: str, name: str, text: str) -> str:
    """Return the page with a table put between its marks.

    Raises `ValueError` if the page has no marks for the table.
    """
    begin, end = f"<!-- arena {name} -->\n", f"<!-- end {name} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no marks for the table {name}")
    return f"{before}{begin}{text}\n{end}{after}"
