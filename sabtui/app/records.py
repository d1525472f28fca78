"""Records of finished games, in the player's own folder, and pictures of them.

A finished game is saved automatically, with tags: when and at which table it was played, the
players' colours, and which of them are bots. The name of its file ends in the game's id, so that a
game is saved once however often its end is seen.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from engine.events import GameEnded
from engine.notation import NotationError, ObservedRecord, Record, format_record, parse_record
from engine.notation.record_parser import MAX_RECORD_CHARACTERS, parse_summary
from net.client.session import Update
from net.client.trail import GameState
from net.files import create, private_folder
from net.protocol.cleaning import sanitise
from net.protocol.lobby_events import RecordPublished
from sabtui.app.errors import UserError
from sabtui.app.preferences import records_folder
from sabtui.text import errors, lobby, names
from sabtui.text.i18n import _, lazy

RECORD_SUFFIX: Final = ".sab"  # suffix of record files
PICTURE_SUFFIX: Final = ".png"  # suffix of pictures of finished games

MAX_RECORD_BYTES: Final = 4 * MAX_RECORD_CHARACTERS
"""Bytes of a file that are read: no valid record is longer."""


def record_files(folder: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the names of record files, each with its size and time. Raises `OSError`."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.endswith(RECORD_SUFFIX):
                continue
            with suppress(OSError, UnicodeEncodeError):  # a name may not be UTF-8
                entry.name.encode()
                known = entry.stat()
                if entry.is_file():
                    yield entry.name, (known.st_size, known.st_mtime_ns)


def record_bytes(path: Path) -> bytes:
    """Return the bytes of a file, at most a few more than the longest record has."""
    with path.open("rb") as file:
        return file.read(MAX_RECORD_BYTES + 1)


def seconds_of(date: str, otherwise: float) -> float:
    """Return the time of a `Date` tag in seconds since 1970, or `otherwise` if it is not a date."""
    try:
        return datetime.fromisoformat(date).timestamp()
    except (ValueError, OverflowError, OSError):
        return otherwise


def read_record(path: Path) -> tuple[Record | ObservedRecord, str]:
    try:
        data = record_bytes(path)
    except OSError as error:
        text = _("Cannot read {path}: {problem}; give the path of a .sab file")
        raise UserError(text.format(path=path, problem=errors.system_words(error))) from error
    try:
        return parse_record(data), data.decode()
    except NotationError as error:
        if not data.lstrip().startswith(b"["):  # every record begins with a tag
            raise UserError(not_a_record(path)) from error
        raise UserError(f"{not_a_record(path)}: {error}") from error


def not_a_record(file: Path | str) -> str:
    """Say that a file, or a text shown by a host, is not a valid record."""
    return _("{file}: not a valid record").format(file=file)


def make_name(table: str, seconds: float | None = None) -> str:
    """Return the name of a file about a table, without suffix; `seconds` since 1970, or now."""
    words = "".join(letter if letter.isalnum() else " " for letter in table).split()
    return "-".join([time.strftime("%Y-%m-%d-%H%M%S", time.localtime(seconds)), *words])


def keep_picture(picture: bytes, table: str, where: Path) -> str:
    """Save a picture beside the records, named like them; return a sentence about the result."""
    file = where / f"{make_name(table)}{PICTURE_SUFFIX}"
    try:
        private_folder(where)
        with suppress(FileExistsError):  # it was saved within this second
            create(file, picture)
    except OSError as error:
        return errors.not_written(file, error)
    return _("Saved: {path}").format(path=file)


ID_CHARACTERS: Final = 8  # characters of a game's id at the end of its file's name

MAX_KEPT_BYTES: Final = 1 << 24
"""Maximum bytes (16 MiB) of records that are kept within `KEPT_WITHIN_S`: no evening has as many,
and a changed host could send them until the disk is full."""

KEPT_WITHIN_S: Final = 3600.0
OWN_TAGS: Final = ("Date", "Table", names.COLOURS_TAG, names.FACES_TAG, names.BOTS_TAG)
"""Tags that are written when a game is kept."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """The outcome of keeping a game: its file, `None` if it failed, and a sentence about it."""

    path: Path | None
    text: str


def ends_game(update: Update) -> bool:
    """Return True if a finished game comes with an update, as its last step or a snapshot."""
    received, held = update.received, update.status.game_state
    if received is None or held is None or not held.record:
        return False
    is_published = any(isinstance(event, RecordPublished) for event in received.news)
    # No record is published for a game that moved to another computer: each seat has its own.
    has_ended = any(isinstance(event, GameEnded) for event in received.events)
    return received.renewed or is_published or has_ended


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
        # Go by the times in the names: a file's own time may be when it was copied.
        now = time.time()
        since, late = make_name("", now - KEPT_WITHIN_S), make_name("", now)
        kept = sum(
            size
            for name, (size, _changed) in record_files(where)
            if since <= name[: len(late)] <= late
        )
        if kept + len(text.encode()) > MAX_KEPT_BYTES:
            why = UserError(_("too many games within an hour"))
            return Keeping(None, errors.not_written(where, why))
        name = make_name(lobby.table_name(held.lobby)) + (f"-{game}" if game else "")
        path = where / f"{name}{RECORD_SUFFIX}"
        create(path, text.encode())
    except OSError as error:
        return Keeping(None, errors.not_written(where, error))
    return Keeping(path, kept_sentence())


kept_sentence: Final = lazy("Game saved: watch it again under Past games, or with sabtui replay.")


def no_games() -> str:
    """Say that no game is kept, and name the folder for games."""
    text = _("No saved games yet. Finished games are saved in {folder}.")
    return text.format(folder=records_folder())


def newest_kept() -> Path:
    """Return the file of the game that was kept last. Raises `UserError`: there is none."""
    files = [path for path in records_folder().glob(f"*{RECORD_SUFFIX}") if path.is_file()]
    if not files:
        raise UserError(no_games())
    return max(files, key=lambda path: path.stat().st_mtime)


def add_tags(held: GameState) -> str:
    """Return a record with tags that say where it was played.

    A false record from a cheating host is kept as it is, and refused when it is read.
    """
    date = datetime.now().astimezone().isoformat(timespec="seconds")
    own = (
        ("Date", date),
        ("Table", sanitise(held.lobby.name)),
        *names.write_dwarves(held.lobby.dwarves),
        (names.BOTS_TAG, names.write_bots(held.lobby)),
    )
    named = tuple(tag for tag in own if tag[1])
    try:
        record = parse_record(held.record)
        others = tuple(tag for tag in record.extra if tag[0] not in OWN_TAGS)
        return format_record(replace(record, extra=(*others, *named)))
    except ValueError:  # it is not a record, or has as many tags as it may have
        return held.record


def _id(record: str) -> str:
    """Return a game's id, empty if the text is not a record."""
    try:
        return parse_summary(record).id
    except NotationError:
        return ""
