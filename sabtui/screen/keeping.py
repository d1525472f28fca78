"""Where this player's records are kept, and keeping one more there."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sabtui.saving import saved
from sabtui.words.system import system_words
from sabtui.words.tongue import _

SUFFIX: Final = ".sab"


@dataclass(frozen=True, slots=True)
class Kept:
    """A record's file, and when it was written, in seconds since 1970."""

    path: Path
    when: float


def folder() -> Path:
    """Where this user's records are kept."""
    from platformdirs import user_data_path  # noqa: PLC0415 - 5 ms, and only records need it

    return user_data_path("sabtui", appauthor=False) / "records"


def records(where: Path) -> tuple[Kept, ...]:
    """The records of a folder, the newest first; none where it cannot be read."""
    try:
        found = [Kept(path, path.stat().st_mtime) for path in where.glob(f"*{SUFFIX}")]
    except OSError:
        return ()
    return tuple(sorted(found, key=lambda kept: kept.when, reverse=True))


def keep(record: str, table: str, where: Path) -> str:
    """Keep the text of a record, named by day, time and table, and say how that went."""
    plain = "".join(letter if letter.isalnum() else " " for letter in table)
    named = "-".join([time.strftime("%Y-%m-%d-%H%M%S"), *plain.split()])
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        told = _("{folder} cannot be made ({problem}).")
        return told.format(folder=where, problem=system_words(error))
    return saved(record, str(where / f"{named}{SUFFIX}"))
