"""The folder of a club's journals: how much it takes, and what may be removed from it."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from net.server.journal import remove_finished, remove_journal
from net.server.journal_errors import JournalError

KEPT_S: Final = 30 * 24 * 3600.0
"""Seconds (30 days) for which a closed table's journal is kept, and a table that was put away."""

MAX_TABLES_BYTES: Final = 512 * 1024 * 1024
"""Bytes on the disk that a club's tables take at most: a game takes half a megabyte."""

_log = logging.getLogger(__name__)


def count_bytes(folder: Path) -> int:
    """Return the bytes that the files of a folder take; 0 if there is none."""
    total = 0
    for file in folder.glob("*"):
        try:
            total += file.stat().st_size
        except FileNotFoundError:  # the journal of a table that closes now
            continue
    return total


def has_room(folder: Path) -> bool:
    """Return True if there is room for one more table, once closed ones have made it."""
    if count_bytes(folder) > MAX_TABLES_BYTES:
        _clear(folder, time.time())
    return count_bytes(folder) <= MAX_TABLES_BYTES


def clear(folder: Path, away: Iterable[Path]) -> list[Path]:
    """Remove journals of tables that were closed `KEPT_S` ago.

    Return those of the tables put `away` that nobody has come to for as long.
    """
    before = time.time() - KEPT_S
    _clear(folder, before)
    return [path for path in away if _is_older(path, before)]


def remove(path: Path) -> None:
    """Remove the journal of a table, which nobody has open."""
    try:
        remove_journal(path)
    except OSError as error:
        _log.warning("the journal of a closed table cannot be removed: %s", error)


def _clear(folder: Path, before: float) -> None:
    """Remove journals of tables that were closed before a time, in seconds since 1970."""
    try:
        remove_finished(folder, before)
    except JournalError as error:
        _log.warning("the journals of closed tables cannot be removed: %s", error)


def _is_older(path: Path, before: float) -> bool:
    try:
        return path.stat().st_mtime < before
    except OSError:
        return False
