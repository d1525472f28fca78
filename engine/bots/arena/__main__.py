"""Command that measures the bots and writes the tables."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from engine.bots.arena.report import REPORT_TABLES, measured_table, page_with
from engine.bots.arena.statistics import Scale

REPORT_PAGE: Final = Path("docs") / "bots.md"
"""The page that `--write` updates, relative to the current directory."""


def main(words: Sequence[str], scale: Scale, page: Path = REPORT_PAGE) -> None:
    """Measure and print the tables named, or all; with `--write` put them into the page too."""
    parser = argparse.ArgumentParser(
        prog="python -m engine.bots.arena",
        description="Measure how well the bots play. All tables take an hour or two.",
    )
    parser.add_argument(
        "table",
        nargs="*",
        help=f"what to measure, everything if not told: {', '.join(REPORT_TABLES)}",
    )
    parser.add_argument("--write", action="store_true", help=f"put the tables into {page}, too")
    parser.add_argument(
        "--jobs", type=int, default=scale.jobs, metavar="N", help="play in so many processes"
    )
    told = parser.parse_args(words)
    names = told.table or [*REPORT_TABLES]
    if unknown := set(names).difference(REPORT_TABLES):
        parser.error(f"no such table: {', '.join(sorted(unknown))}; {', '.join(REPORT_TABLES)}")
    for name in names:
        text = measured_table(name, replace(scale, jobs=told.jobs))
        sys.stdout.write(f"{name}\n\n{text}\n\n")
        sys.stdout.flush()
        if told.write:
            page.write_text(
                page_with(page.read_text(encoding="utf-8"), name, text), encoding="utf-8"
            )


if __name__ == "__main__":
    main(sys.argv[1:], Scale())
