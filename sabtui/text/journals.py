"""Reasons why a table cannot be resumed from its journal, one sentence each with advice."""

from __future__ import annotations

from typing import assert_never

from net.journal import (
    Damage,
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
)
from sabtui.text.i18n import _


def unopened(error: JournalError) -> str:
    """Return the sentence that says why a journal cannot be opened."""
    match error:
        case JournalBusy():
            text = _("That table is running: sabtui join brings you to it.")
        case JournalFinished():
            text = _("That table was closed for good, and is not brought back.")
        case JournalMissing():
            text = _("There is no table to bring back: sabtui host opens one.")
        case JournalBroken():
            text = _broken(error.damage)
        case JournalUnwritable():
            text = _("{path} cannot be written: make room there, or let this user write there.")
        case _:
            text = _("{path} cannot be used.")
    return text.format(path=error.path)


def _broken(damage: Damage) -> str:
    match damage:
        case Damage.NEWER_FORMAT:
            return _("{path} is of a newer Sabtui: update this one, then bring the table back.")
        case Damage.NOT_A_JOURNAL:
            return _("{path} is no table of Sabtui's: move it to another folder.")
        case Damage.DAMAGED | Damage.STEPS_MISSING:
            return _("{path} is damaged, and nothing was changed in it: open a new table.")
        case _:
            assert_never(damage)
