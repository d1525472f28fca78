"""Listing the journals in a folder, and removing those of finished tables.

A header is read as if nobody could be writing (SQLite's `immutable`), with no lock and without the
log: a running host locks all others out, and the name and the date are in the file from the
beginning. `Journal.commit` folds the log into the file when a table finishes.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from net.server import journal_database as database
from net.server.journal import remove_journal
from net.server.journal_errors import JournalBroken, JournalError, translate_errors
from net.server.journal_format import JournalHeader

_SUFFIX = ".table"
DAMAGE_RECHECK_S: Final = 0.1  # seconds to retry a running table's file that seems damaged


@dataclass(frozen=True, slots=True)
class JournalInfo:
    """A table that has a journal. Times are in seconds since 1970.

    `busy`: a host runs the table now. `changed`: time of the last write to its journal.
    """

    path: Path
    table: str
    name: str
    created: float
    changed: float
    finished: bool
    busy: bool


@dataclass(frozen=True, slots=True)
class UnreadableJournal:
    """A file that is named as a journal but cannot be read, with the error."""

    path: Path
    changed: float
    error: JournalError


def path_of(table: str, folder: Path) -> Path:
    """Return the path of a table's journal; `table` is its id, of letters and digits only."""
    assert table.isalnum(), table
    return folder / f"{table}{_SUFFIX}"


def list_journals(folder: Path) -> list[JournalInfo | UnreadableJournal]:
    """Return the journals in a folder, last changed first; none if there is no folder."""
    return sorted(_look(folder), key=lambda entry: entry.changed, reverse=True)


def remove_finished(folder: Path, before: float) -> list[Path]:
    """Remove the journals of finished tables last changed before a time; return their paths.

    No host can open one of them meanwhile, as a finished table is not resumed.

    Args:
        folder: the folder of journals.
        before: seconds since 1970.

    Raises JournalUnwritable: a file cannot be removed.
    """
    removed = []
    for entry in list_journals(folder):
        if isinstance(entry, UnreadableJournal) or entry.busy:
            continue
        if entry.finished and entry.changed < before:
            with translate_errors(entry.path):
                remove_journal(entry.path)
            removed.append(entry.path)
    return removed


def _look(folder: Path) -> Iterator[JournalInfo | UnreadableJournal]:
    """Yield an entry for each journal of a folder."""
    for path in folder.glob(f"*{_SUFFIX}"):
        with translate_errors(path):
            try:
                changed = _find_last_write(path)
            except FileNotFoundError:  # removed meanwhile
                continue
        try:
            with translate_errors(path):
                header, busy = _peek(path)
        except JournalError as error:
            yield UnreadableJournal(path, changed, error)
        else:
            yield JournalInfo(
                path=path,
                table=header.table,
                name=header.name,
                created=header.created,
                changed=changed,
                finished=header.finished,
                busy=busy,
            )


def _find_last_write(path: Path) -> float:
    """Return the time of the last write to a journal or its log, in seconds since 1970."""
    newest = path.stat().st_mtime
    for side in path.parent.glob(f"{path.name}-wal"):
        newest = max(newest, side.stat().st_mtime)
    return newest


def _peek(path: Path) -> tuple[JournalHeader, bool]:
    """Return a header, read without a lock, and True if a host holds the file.

    While a host folds its log into the file, the file may look damaged for an instant; hence the
    retries.
    """
    until = time.monotonic() + DAMAGE_RECHECK_S
    while True:
        held = database.is_locked(path)
        try:
            with (
                translate_errors(path),
                closing(database.connect(path, "mode=ro&immutable=1")) as connection,
            ):
                return database.read_header(connection, path), held
        except JournalBroken:
            if not held or time.monotonic() > until:
                raise
        time.sleep(0.001)
