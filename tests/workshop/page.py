"""The table of deviations in docs/security.md, made of `deviations.toml`.

`python -m tests.workshop.page` brings the page up to date.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LIST: Final = Path(__file__).with_name("deviations.toml")
PAGE: Final = Path(__file__).parents[2] / "docs" / "security.md"
BEGINS: Final = "<!-- deviations -->\n"
ENDS: Final = "<!-- end of deviations -->\n"


@dataclass(frozen=True, slots=True)
class Deviation:
    """What somebody's program `tries`, what comes of it, and the test that plays it."""

    id: str
    who: str
    tries: str
    then: str
    test: str


def list_rows(kind: str) -> list[Deviation]:
    """Return the rows of a kind: `deviation`, or `possible` for what nobody is told of."""
    rows = tomllib.loads(LIST.read_text(encoding="utf-8"))[kind]
    return [Deviation(**row) for row in rows]


def table() -> str:
    """Return all rows as they stand in the page."""
    return (
        f"{_rows(list_rows('deviation'))}\n"
        "What remains possible, tried in the same way:\n\n"
        f"{_rows(list_rows('possible'))}"
    )


def _rows(deviations: Sequence[Deviation]) -> str:
    head = "| who | what is tried | what comes of it |\n|---|---|---|\n"
    return head + "".join(f"| {one.who} | {one.tries} | {one.then} |\n" for one in deviations)


def renew_page(page: str) -> str:
    """Return the page with the table as it is to be."""
    before, _, rest = page.partition(BEGINS)
    _, mark, after = rest.partition(ENDS)
    assert mark, "the page has no place for the table"
    return f"{before}{BEGINS}\n{table()}\n{ENDS}{after}"


if __name__ == "__main__":
    PAGE.write_text(renew_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
