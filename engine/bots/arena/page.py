"""The tables of figures, in Markdown, and the page that they are put into."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from engine.bots.arena import figures
from engine.bots.arena.figures import Scale
from engine.bots.arena.lifts import LIFTS, lifts
from engine.bots.arena.matches import SEED
from engine.bots.arena.pairing import PAIRING, Row


@dataclass(frozen=True, slots=True)
class Table:
    """A table of figures: its head, and what measures its rows."""

    head: tuple[str, ...]
    rows: Callable[[Scale], Iterable[Row]]


_DOUBTS: Final = (
    "saboteurs",
    "when",
    "miners asked",
    "a saboteur was the most suspected",
    "how sure all were of a saboteur",
)

TABLES: Final[Mapping[str, Table]] = {
    "sides": Table(PAIRING, figures.sides),
    "sizes": Table(PAIRING, figures.sizes),
    "editions": Table(PAIRING, figures.editions),
    "gold": Table(("level", "games", "nuggets a seat and game"), figures.gold),
    "doubts": Table(_DOUBTS, figures.doubts),
    "lifts": Table(LIFTS, lifts),
    "deeds": Table(("deed", "miners, %", "saboteurs, %"), figures.deeds),
}


def measured(name: str, scale: Scale) -> str:
    """A table in Markdown, with what repeats it."""
    table = TABLES[name]
    rows = [table.head, ("---",) * len(table.head), *table.rows(scale)]
    lines = [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    python = ".".join(str(part) for part in sys.version_info[:3])
    lines += ["", f"Sabtui {version('sabtui')}, Python {python}, seed {SEED}."]
    return "\n".join(lines)


def written(page: str, name: str, text: str) -> str:
    """A page with a table put between its marks. Raises `ValueError` where they are missing."""
    begin, end = f"<!-- arena {name} -->\n", f"<!-- end {name} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no marks for the table {name}")
    return f"{before}{begin}{text}\n{end}{after}"
