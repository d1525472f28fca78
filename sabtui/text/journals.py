"""Tables brought back from a journal: why one cannot be, and the moves that one has lost.

Moves are lost where the journal is an older copy. Those who saw them are told, and the interfaces
ask each player what to do about it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from net.client.trail import Rollback
from net.protocol.events import read_event
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import Lobby
from net.protocol.lobby_events import MovesMissing
from net.server.journal_errors import (
    Damage,
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
)
from sabtui.text.events import event_sentence
from sabtui.text.i18n import _, ngettext
from sabtui.text.names import PlayerNames


def why_no_journal(error: JournalError) -> str:
    """Return the sentence that says why a journal cannot be opened."""
    match error:
        case JournalBusy():
            text = _("That table is already running: sabtui join takes you there.")
        case JournalFinished():
            text = _("That table was closed for good and cannot be brought back.")
        case JournalMissing():
            text = no_table()
        case JournalBroken():
            text = _damage_sentence(error.damage)
        case JournalUnwritable():
            text = _("Cannot write {path}: make room there, or give this user permission.")
        case _:
            text = _("{path} cannot be used.")
    return text.format(path=error.path)


def no_table() -> str:
    """Return the sentence that there is no table to resume."""
    return _("There is no table to bring back: sabtui host opens a new one.")


def _damage_sentence(damage: Damage) -> str:
    match damage:
        case Damage.NEWER_FORMAT:
            return _("{path} is from a newer Sabtui: update this one, then bring the table back.")
        case Damage.OLDER_FORMAT:
            return _(
                "{path} is from an older Sabtui, and only that one can read it. Open a new table."
            )
        case Damage.NOT_A_JOURNAL:
            return _("{path} is not a Sabtui table: move it to another folder.")
        case Damage.DAMAGED | Damage.STEPS_MISSING:
            return _("{path} is damaged; nothing in it was changed. Open a new table.")
        case _:
            assert_never(damage)


def loss_sentence(undone: Rollback) -> str:
    """Return the sentence that the table has gone back, and how much is missing."""
    count = len(undone.moves)
    if undone.held is None:
        return _(
            "This table was brought back from an older copy. It has lost what you saw last, "
            "but this Sabtui has been restarted since and cannot say which moves are missing."
        )
    if not count and undone.is_whole:
        return _(
            "This table was brought back from an older copy. No move is missing, but some "
            "talk or settings are."
        )
    if not undone.is_whole:
        return _(
            "This table was brought back from an older copy. It has lost moves that you saw, "
            "and perhaps more than these:"
        )
    return ngettext(
        "This table was brought back from an older copy. It has lost {count} move that you saw:",
        "This table was brought back from an older copy. It has lost {count} moves that you saw:",
        count,
    ).format(count=count)


def lost_question() -> str:
    """Return the sentence that offers the two ways to go on in plain-text mode."""
    return _("yes goes on from where the table is now; no leaves, and keeps what you saw.")


def lost_moves(undone: Rollback, me: int, *, spelt: bool = False) -> list[str]:
    """Return the missing moves as sentences to a member, with the players' names at the time.

    With `spelt`, cards and places are also named in notation.
    """
    if undone.held is None:
        return []
    lobby = undone.held.lobby
    casts = (_cast_then(lobby, seen.move.seat, seen.name, me) for seen in undone.moves)
    return [
        event_sentence(seen.move, replace(names, spelt=spelt))
        for seen, names in zip(undone.moves, casts, strict=True)
    ]


def report_of_missing(news: MovesMissing, lobby: Lobby, me: int) -> str | None:
    """Return the sentence that another member saw lost moves, `None` if the reader reported it."""
    person = lobby.person(news.member)
    if news.member == me or person is None:
        return None
    names = _cast_then(lobby, news.seat, news.name, me)
    moves = [event_sentence(read_event(move), names) for move in news.moves]
    if news.more:
        more = ngettext(
            "And {count} more move of {name}.", "And {count} more moves of {name}.", news.more
        )
        moves.append(more.format(count=news.more, name=names.names[news.seat]))
    text = _("{name} saw moves that this table has lost: {moves}")
    return text.format(name=person.name, moves=" ".join(moves))


def _cast_then(lobby: Lobby, seat: int, name: str, me: int) -> PlayerNames:
    """Return the names by seat, with one seat's player named as at the time of the move.

    That player is the reader only if the reader has that seat now and the same name. The table may
    have had more seats at the time, so the list is as long as that of the largest table.
    """
    mine = lobby.seat_of(me)
    is_other = mine == seat and lobby.name_at(mine) != name
    names = [lobby.name_at(at) for at in range(len(lobby.chairs))]
    names += [""] * (MAX_SEATS - len(names))
    names[seat] = name
    return PlayerNames.of(names, None if is_other else mine)
