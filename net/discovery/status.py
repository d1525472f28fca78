"""What can be done about a table, by what is kept of it.

Knows one table and our version. Must not know how it is said, nor other tables.
"""

from __future__ import annotations

from typing import Final

from net.discovery.game import Status
from net.discovery.table import Table
from net.secure.versions import Outdated, Versions, agree

CHECKING: Final = 1.0
"""Seconds that a game has to answer before it is listed as one that cannot be reached."""


def status_of(table: Table, ours: Versions, now: float) -> Status | None:
    """The status of a table for a player who speaks `ours`, `None` where it is not to be listed."""
    reached = table.live(now) or _is_open(table, now)
    if not reached and not _suspect(table, now):
        return None
    match agree(client=ours, host=table.advert.versions):
        case Outdated.CLIENT:
            return Status.UPDATE_OURS
        case Outdated.HOST:
            return Status.UPDATE_THEIRS
        case _ if reached:
            return Status.JOINABLE
        case _ if any(way.near for way in table.ways.values()):
            return Status.UNREACHABLE
        case _:
            return Status.ELSEWHERE


def _is_open(table: Table, now: float) -> bool:
    """Whether a table is announced, and can be joined though questions never get through."""
    named = table.never_heard and table.hinted(now)
    return named and any(way.is_open for way in table.ways.values())


def _suspect(table: Table, now: float) -> bool:
    """Whether a table is announced, and had time enough to answer."""
    patient = now >= table.since + CHECKING
    return table.hinted(now) and table.never_heard and bool(table.ways) and patient
