"""Tables brought back from a journal: why one cannot be, and what one has lost."""

from __future__ import annotations

from typing import assert_never

from net.server.journal_errors import (
    Damage,
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
)
from sabtui.text.i18n import _, ngettext


def why_no_journal(error: JournalError) -> str:
    """Return the sentence that says why a journal cannot be opened."""
    match error:
        case JournalBusy():
            text = _("That table is already running: sabtui join takes you there.")
        case JournalFinished() | JournalMissing():
            text = no_table()
        case JournalBroken():
            text = _damage_sentence(error.damage)
        case JournalUnwritable():
            text = _("Cannot write {path}: make room there, or give this user permission.")
        case _:
            text = _damage_sentence(Damage.DAMAGED)
    return text.format(path=error.path)


def no_table() -> str:
    """Return the sentence that there is no table to resume."""
    return _("There is no table to bring back: sabtui host opens a new one.")


def _damage_sentence(damage: Damage) -> str:
    match damage:
        case Damage.NEWER_FORMAT:
            return _("{path} is from another version of Sabtui: only that version can read it.")
        case Damage.NOT_A_JOURNAL | Damage.DAMAGED:
            return _("{path} is damaged; nothing in it was changed. Open a new table.")
        case _:
            assert_never(damage)


def loss_sentence(gone: int) -> str:
    """Return the sentence that the table has gone back, and by how many steps."""
    text = ngettext(
        "This table was brought back from an older copy: {count} step that you saw is gone.",
        "This table was brought back from an older copy: {count} steps that you saw are gone.",
        gone,
    )
    return text.format(count=gone)
