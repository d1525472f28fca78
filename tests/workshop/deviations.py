"""The list of what changed programs try: `deviations.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LIST: Final = Path(__file__).with_name("deviations.toml")


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
