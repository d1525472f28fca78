"""Command that measures the bots and writes the tables of figures, in Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from benchmarks.arena import counts, judging, listening, nerve, seats, statistics
from benchmarks.arena.judging import JUDGING_COLUMNS
from benchmarks.arena.listening import HEARING_COLUMNS, TEAM_COLUMNS
from benchmarks.arena.statistics import BUDGET_COLUMNS, PAIRING_COLUMNS, Scale
from sabtui.kit.arena import LEAGUE_COLUMNS, ReportRow, in_markdown

REPORT_PAGE: Final = Path("benchmarks") / "bots.md"
"""The page that `--write` updates, relative to the current directory."""

PLAYERS_PAGE: Final = Path("docs") / "bots.md"
"""The page for players: `--write` updates its tables of levels, of seats and of speed."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of figures: its header, the function that measures its rows, and its page."""

    head: tuple[str, ...]
    rows: Callable[[Scale], Iterable[ReportRow]]
    page: Path = REPORT_PAGE


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
    "budgets": ReportTable(BUDGET_COLUMNS, statistics.budgets),
    "sizes": ReportTable(PAIRING_COLUMNS, statistics.sizes),
    "league": ReportTable(LEAGUE_COLUMNS, statistics.league),
    "editions": ReportTable(PAIRING_COLUMNS, statistics.editions),
    "gold": ReportTable(("level", "games", "nuggets a seat and game"), statistics.gold),
    "doubts": ReportTable(_DOUBTS, statistics.doubts),
    "levels": ReportTable(("players", *LEAGUE_COLUMNS), statistics.levels, PLAYERS_PAGE),
    "seats": ReportTable(seats.SEAT_COLUMNS, seats.seats, PLAYERS_PAGE),
    "speed": ReportTable(statistics.SPEED_COLUMNS, statistics.speed, PLAYERS_PAGE),
    "beginner": ReportTable(seats.BEGINNER_COLUMNS, seats.beginner),
    "nerve": ReportTable(nerve.NERVE_COLUMNS, nerve.nerve),
    "passes": ReportTable(nerve.PASS_COLUMNS, nerve.passes),
    "beliefs": ReportTable(JUDGING_COLUMNS, judging.judge),
    "lifts": ReportTable(counts.LIFT_COLUMNS, counts.lifts),
    "talk": ReportTable(HEARING_COLUMNS, listening.hearing),
    "teams": ReportTable(TEAM_COLUMNS, listening.teams),
    "words": ReportTable(("talk", "role", "what they say", "times", "true"), listening.words),
    "actions": ReportTable(("action", "miners, %", "saboteurs, %"), counts.actions),
}
"""The tables by name, in the order in which they are measured."""


def measured_table(name: str, scale: Scale) -> str:
    """Measure a table, and return it in Markdown with the version and seed that repeat it."""
    table = REPORT_TABLES[name]
    return "\n".join(in_markdown(table.head, table.rows(scale)))


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


def main(words: Sequence[str], scale: Scale, root: Path = Path()) -> None:
    """Measure and print the tables named, or all; with `--write` put them into their pages too.

    The pages are found from `root`.
    """
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.arena",
        description="Measure how well the bots play. All tables take an hour or two.",
    )
    parser.add_argument(
        "table",
        nargs="*",
        help=f"tables to measure (default: all): {', '.join(REPORT_TABLES)}",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help=f"also put the tables into {REPORT_PAGE} and {PLAYERS_PAGE}",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=scale.jobs,
        metavar="N",
        help="processes to play in (default: %(default)s)",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=scale.rounds,
        metavar="N",
        help="rounds to play for each row of most tables (default: %(default)s)",
    )
    parser.add_argument(
        "--beliefs",
        metavar="MODULE:NAME",
        help=f"measure a function beliefs(view) beside ours, over the rounds in {judging.RECORDS}",
    )
    told = parser.parse_args(words)
    scale = replace(scale, jobs=told.jobs, rounds=told.rounds)
    if told.beliefs is not None:
        rows = judging.judge(scale, also=told.beliefs)
        try:
            sys.stdout.writelines(f"{line}\n" for line in in_markdown(JUDGING_COLUMNS, rows))
        except ValueError as error:
            parser.error(str(error))
        return
    names = told.table or [*REPORT_TABLES]
    if unknown := set(names).difference(REPORT_TABLES):
        parser.error(f"no such table: {', '.join(sorted(unknown))}; {', '.join(REPORT_TABLES)}")
    for name in names:
        text = measured_table(name, scale)
        sys.stdout.write(f"{name}\n\n{text}\n\n")
        sys.stdout.flush()
        if told.write:
            page = root / REPORT_TABLES[name].page
            page.write_text(
                page_with(page.read_text(encoding="utf-8"), name, text), encoding="utf-8"
            )


if __name__ == "__main__":
    main(sys.argv[1:], Scale())
