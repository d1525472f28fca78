"""Finished games are kept: each record goes into the player's own folder.

The file gets tags of its own: when and at which table it was played, and the players' colours. Its
name ends in the first digits of the game's id, so a game is kept once, however often its end is
seen.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from engine.events import GameEnded
from engine.notation import NotationError, format_record, parse_record
from engine.notation.record_parser import parse_summary
from net.client.session import Update
from net.client.trail import GameState
from net.files import create, private_folder
from net.protocol.lobby_events import RecordPublished
from net.protocol.text import sanitise
from sabtui.app.errors import UserError
from sabtui.app.files import RECORD_SUFFIX, make_name, record_files
from sabtui.app.preferences import records_folder
from sabtui.text.colours import COLOURS_TAG, table_colours, write_colours
from sabtui.text.errors import system_words
from sabtui.text.i18n import _
from sabtui.text.lobby import table_name

ID_CHARACTERS: Final = 8  # characters of a game's id that end the name of its file

MAX_KEPT_BYTES: Final = 1 << 24
"""Most bytes (16 MiB) of records that are kept within `KEPT_WITHIN_S`: no evening has as many, and
a changed host could send them until the disk is full."""

KEPT_WITHIN_S: Final = 3600.0
OWN_TAGS: Final = ("Date", "Table", COLOURS_TAG)
"""Tags that are written when a game is kept."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """The outcome of keeping a game: its file, `None` if it failed, and a sentence about it."""

    path: Path | None
    text: str


def ends_game(update: Update) -> bool:
    """Return True if a finished game comes to this program with an update.

    It comes with its last step, or with a snapshot for a player who was not there then.
    """
    received, held = update.received, update.status.game_state
    if received is None or held is None or not held.record:
        return False
    is_told = any(isinstance(one, RecordPublished) for one in received.news)
    is_ours = any(isinstance(event, GameEnded) for event in received.events)
    return received.renewed or is_told or is_ours


def keep_finished(update: Update) -> Keeping:
    """Save the record of the game that ends with an update."""
    held = update.status.game_state
    assert held is not None
    return keep_game(held, records_folder())


def keep_game(held: GameState, where: Path) -> Keeping:
    """Save the record of a finished game in a folder, unless it is there already."""
    try:
        private_folder(where)
        game = _id(held.record)[:ID_CHARACTERS]
        there = next(where.glob(f"*-{game}{RECORD_SUFFIX}"), None) if game else None
        if there is not None:
            return Keeping(there, kept_sentence())
        text = add_tags(held)
        if _bytes_of_late(where) + len(text.encode()) > MAX_KEPT_BYTES:
            return _not_saved(where, _("too many games within an hour"))
        name = make_name(table_name(held.lobby)) + (f"-{game}" if game else "")
        path = where / f"{name}{RECORD_SUFFIX}"
        create(path, text.encode())
    except OSError as error:
        return _not_saved(where, system_words(error))
    return Keeping(path, kept_sentence())


def _not_saved(where: Path, why: str) -> Keeping:
    text = _("This game could not be saved in {folder} ({problem}).")
    return Keeping(None, text.format(folder=where, problem=why))


def _bytes_of_late(where: Path) -> int:
    """Return the bytes of the records in a folder that were kept within `KEPT_WITHIN_S`.

    Their names say when that was; older ones may have been copied here just now.
    """
    now = time.time()
    since = make_name("", now - KEPT_WITHIN_S)
    late = make_name("", now)
    return sum(
        size for name, (size, _changed) in record_files(where) if since <= name[: len(late)] <= late
    )


def kept_sentence() -> str:
    """Return the sentence on a game that is kept."""
    return _("Game saved: watch it again under Past games, or with sabtui replay.")


def newest_kept() -> Path:
    """Return the file of the game that was kept last.

    Raises UserError: there is none.
    """
    files = [path for path in records_folder().glob(f"*{RECORD_SUFFIX}") if path.is_file()]
    if not files:
        raise UserError(_("No game saved yet: play one to the end, or name a file."))
    return max(files, key=lambda path: path.stat().st_mtime)


def add_tags(held: GameState) -> str:
    """Return a record with tags of where it was played; as it is, if it is not a valid record.

    A host that plays false may show any text in place of a record. It is kept, as it may be wanted,
    and refused wherever it is read.
    """
    date = datetime.now().astimezone().isoformat(timespec="seconds")
    own = (
        ("Date", date),
        ("Table", sanitise(held.lobby.name)),
        (COLOURS_TAG, write_colours(table_colours(held.lobby))),
    )
    named = tuple(tag for tag in own if tag[1])  # a practice table has no name
    try:
        record = parse_record(held.record)
        others = tuple(tag for tag in record.extra if tag[0] not in OWN_TAGS)
        return format_record(replace(record, extra=(*others, *named)))
    except ValueError:  # it is no record, or has as many tags as there may be
        return held.record


def _id(record: str) -> str:
    """Return a game's id, empty if the text is no record."""
    try:
        return parse_summary(record).id
    except NotationError:
        return ""
