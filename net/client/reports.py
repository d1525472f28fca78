"""Texts about a table that a client holds: the record of what a seat saw, and bug reports.

A player who leaves before the end keeps the record; it holds nothing that the seat did not see. A
report tells developers where host and client differed. The number and size of reports are bounded,
whatever a host sends.
"""

from __future__ import annotations

import os
import platform
import time
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from engine.events import Event, RoundBegan
from engine.notation import ObservedRecord, format_position, format_record
from engine.view import View
from net.client.state import Disagreement
from net.client.trail import GameState
from net.discovery.advert import OURS
from net.lobby import Lobby

MOST_REPORTS: Final = 10
"""Reports kept in the folder (the newest), and reports that one client writes at most."""

MOST_BYTES: Final = 8 * 1024
"""Characters that one report holds at most."""


class Reports:
    """Writes the reports of one client to a folder, which is created with the first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = 0

    def write(self, disagreement: Disagreement) -> str:
        """Write a report and return its path; empty if the limit is reached or the disk refuses."""
        if self._written == MOST_REPORTS:
            return ""
        self._written += 1
        name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{self._written}.txt"
        path = self._folder / name
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(path, "w", encoding="utf-8", opener=_owner_only) as sheet:
                sheet.write(text_of(disagreement)[:MOST_BYTES])
        except OSError:
            return ""
        self._drop_oldest()
        return str(path)

    def _drop_oldest(self) -> None:
        """Delete the oldest reports beyond `MOST_REPORTS`."""
        for path in sorted(self._folder.glob("*.txt"))[:-MOST_REPORTS]:
            with suppress(OSError):
                path.unlink()


def text_of(disagreement: Disagreement) -> str:
    """Return the text of a report."""
    try:
        ours = version("sabtui")
    except PackageNotFoundError:
        ours = "not installed"
    view = disagreement.view
    position = "no game" if view is None else format_position(view)
    lines = [
        f"Sabtui {ours}, protocol {OURS.low} to {OURS.high}, Python {platform.python_version()}",
        f"incarnation {disagreement.incarnation}, step {disagreement.step}",
        f"hash told {disagreement.told.hex()}, hash held {disagreement.held.hex() or 'none'}",
        f"news {' '.join(disagreement.news) or '-'}",
        f"events {' '.join(disagreement.events) or '-'}",
        f"before the step {position}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def seen_record(held: GameState | None) -> str:
    """Return the record of the game held, as the text of a `.sab` file.

    It is the complete record if the game is over, and empty if there is no game. A player who was
    not there for the earlier rounds gets a record of the present round alone, as the first of a
    game; a `Round` tag gives its real number.
    """
    if held is None or held.view is None:
        return ""
    if held.record:
        return held.record
    if held.past is None:
        return format_record(_of_this_round(held.lobby, held.view))
    return format_record(_record(held.lobby, held.view).heard(*held.past, *held.view.history))


def _record(lobby: Lobby, view: View) -> ObservedRecord:
    names = tuple(lobby.name_at(seat) for seat in range(len(lobby.chairs)))
    return ObservedRecord(names, view.seat, view.table.edition, view.score.rounds)


def _of_this_round(lobby: Lobby, view: View) -> ObservedRecord:
    record = replace(_record(lobby, view), extra=(("Round", str(view.score.number)),))
    return record.heard(*map(_as_the_first, view.history))


def _as_the_first(event: Event) -> Event:
    return replace(event, number=1) if isinstance(event, RoundBegan) else event
