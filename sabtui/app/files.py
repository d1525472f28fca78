"""Files that the program reads and writes for the user: records of games, and pictures of them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from engine.notation import NotationError, ObservedRecord, Record, parse_record
from engine.notation.record_parser import MAX_RECORD_CHARACTERS
from net.files import create, private_folder
from sabtui.app.errors import UserError
from sabtui.text.errors import not_written, system_words
from sabtui.text.i18n import _

RECORD_SUFFIX: Final = ".sab"  # suffix of record files
PICTURE_SUFFIX: Final = ".png"  # suffix of pictures of finished games

MAX_RECORD_BYTES: Final = 4 * MAX_RECORD_CHARACTERS
"""Bytes of a file that are read: no valid record is longer."""


def record_files(folder: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the names of record files, each with its size and time. Raises `OSError`."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.endswith(RECORD_SUFFIX) or not _is_text(entry.name):
                continue
            with suppress(OSError):
                known = entry.stat()
                if entry.is_file():
                    yield entry.name, (known.st_size, known.st_mtime_ns)


def _is_text(name: str) -> bool:
    """Return True if a file's name can be written as UTF-8."""
    with suppress(UnicodeEncodeError):
        return bool(name.encode())
    return False


def record_bytes(path: Path) -> bytes:
    """Return the bytes of a file, at most a few more than those of the longest record."""
    with path.open("rb") as file:
        return file.read(MAX_RECORD_BYTES + 1)


def seconds_of(date: str, otherwise: float) -> float:
    """Return the time of a tag `Date` in seconds since 1970, `otherwise` if it is none."""
    try:
        return datetime.fromisoformat(date).timestamp()
    except (ValueError, OverflowError, OSError):
        return otherwise


def read_record(path: Path) -> tuple[Record | ObservedRecord, str]:
    """Return the record in a file and its text, once all of it is checked.

    Raises UserError: the file cannot be read, or is not a valid record.
    """
    try:
        data = record_bytes(path)
    except OSError as error:
        text = _("Cannot read {path}: {problem}; give the path of a .sab file")
        raise UserError(text.format(path=path, problem=system_words(error))) from error
    try:
        return parse_record(data), data.decode()
    except NotationError as error:
        if not data.lstrip().startswith(b"["):  # every record begins with a tag
            raise UserError(_("{file} is not a record of Sabtui.").format(file=path)) from error
        raise UserError(f"{not_a_record(path)}: {error}") from error


def not_a_record(file: Path | str) -> str:
    """Return the phrase that a file, or what a host showed, is no record."""
    return _("{file}: not a valid record").format(file=file)


def make_name(table: str, seconds: float | None = None) -> str:
    """Return the name of a file about a table, by date and time, without its suffix.

    The time is that of now, or so many `seconds` since 1970.
    """
    words = "".join(letter if letter.isalnum() else " " for letter in table).split()
    return "-".join([time.strftime("%Y-%m-%d-%H%M%S", time.localtime(seconds)), *words])


def keep_picture(picture: bytes, table: str, where: Path) -> str:
    """Save a picture beside the records, named as they are; return a sentence on the result."""
    file = where / f"{make_name(table)}{PICTURE_SUFFIX}"
    try:
        private_folder(where)
        with suppress(FileExistsError):  # it was saved within this second
            create(file, picture)
    except OSError as error:
        return not_written(file, error)
    return _("Saved: {path}").format(path=file)
