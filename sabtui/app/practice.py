"""The one practice game that was left unfinished, in a journal that nothing else reads."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

import msgspec

from net.client.local import LeftGame
from net.room.steps import read_founding, write
from net.server.journal import Journal, read_contents, remove_journal
from net.server.journal_format import Damage, JournalBroken, JournalError
from sabtui.app import Speed, launcher
from sabtui.app.requests import PracticeRequest, ResumableTable, TableHandle, practise
from sabtui.text.i18n import _

_log = logging.getLogger(__name__)

PRACTICE_ID: Final = "practice"
"""Id of the game among the tables to resume."""


def _path() -> Path:
    return launcher.state_folder() / "practice" / "game.table"


def keep_practice(left: LeftGame | None, speed: Speed) -> None:
    """Save an unfinished game over the previous one; `None` deletes the file."""
    path = _path()
    try:
        if path.exists():
            remove_journal(path)
        if left is not None:
            meta = {"founding": write(left.created), "speed": speed.encode()}
            steps = left.steps
            Journal.create(path, table=PRACTICE_ID, name="", meta=meta, steps=steps).close()
    except (JournalError, OSError) as error:
        _log.warning("the practice game is not kept: %s", error)


def find_practice() -> ResumableTable | None:
    """Return the unfinished game, `None` if there is none."""
    try:
        when = _path().stat().st_mtime
    except OSError:
        return None
    return ResumableTable(PRACTICE_ID, _("Practice"), when, is_host=False, is_practice=True)


def resume_practice() -> TableHandle:
    contents = read_contents(_path())
    try:
        created = read_founding(contents.kept["founding"])
        speed = Speed(contents.kept["speed"].decode())
    except (msgspec.DecodeError, LookupError, ValueError) as error:
        raise JournalBroken(_path(), Damage.DAMAGED) from error
    begun = LeftGame(created, tuple(step.payload for step in contents.steps))
    return practise(
        PracticeRequest("", speed=speed),
        begun=begun,
        keep=lambda left: keep_practice(left, speed),
    )
