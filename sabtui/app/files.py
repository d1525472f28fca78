"""Files that the program reads and writes for the user, and what can go wrong with them."""

from __future__ import annotations

import time
from pathlib import Path

from engine.notation import NotationError, ObservedRecord, Record, parse_record
from sabtui.app.errors import UserError
from sabtui.app.library_files import record_bytes
from sabtui.text.errors import not_written, system_words
from sabtui.text.i18n import _


def read_record(path: Path) -> tuple[Record | ObservedRecord, str]:
    """Return the record in a file and its text, once all of it is checked.

    Raises UserError: the file cannot be read, or is not a valid record.
    """
    try:
        data = record_bytes(path)
        return parse_record(data), data.decode()
    except OSError as error:
        text = _("Cannot read {path}: {problem}; give the path of a .sab file")
        raise UserError(text.format(path=path, problem=system_words(error))) from error
    except NotationError as error:
        raise UserError(f"{not_a_record(path)}: {error}") from error


def not_a_record(file: Path | str) -> str:
    """Return the phrase that a file, or what a host showed, is no record."""
    return _("{file}: not a valid record").format(file=file)


def write_new(path: Path, text: str) -> None:
    """Write a text into a file that is not there yet.

    Raises UserError: there is one, or it cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8", newline="\n") as sheet:
            sheet.write(text)
    except FileExistsError:
        raise UserError(already_there(path)) from None
    except OSError as error:
        raise UserError(not_written(path, error)) from error


def make_folder(folder: Path) -> str:
    """Create a folder unless it exists; return why it cannot be created, "" if it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return not_written(folder, error)
    return ""


def already_there(path: Path | str) -> str:
    """Return the sentence that a file exists."""
    return _("{path} already exists: choose another name.").format(path=path)


def export_sentence(path: Path) -> str:
    """Return the sentence that a file was written."""
    return _("Saved: {path}").format(path=path)


def make_name(table: str) -> str:
    """Return the name of a file about a table, by date and time, without its suffix."""
    return "-".join([time.strftime("%Y-%m-%d-%H%M%S"), *name_words(table)])


def name_words(title: str) -> list[str]:
    """Return the words of a title that may be part of a file's name."""
    return "".join(letter if letter.isalnum() else " " for letter in title).split()
