"""Files that the program reads and writes for the user, those of the library among them.

The tag `Kept` of a record has the seat of the player who kept it, a word that says nothing any
more, and a proof that only their library can make: an HMAC of the game's id under the secret in the
file `keeper` of the folder. So a game that this user's own programs saw can be told from one that
somebody made up, though both are well-formed; sharing a record shares the proof, not the secret.
"""

from __future__ import annotations

import hmac
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from engine.notation import NotationError, ObservedRecord, Record, parse_record
from engine.notation.record_parser import MAX_RECORD_CHARACTERS
from net.files import BY_UMASK, create, private_folder
from sabtui.app.errors import UserError
from sabtui.text.errors import not_written, system_words
from sabtui.text.i18n import _

RECORD_SUFFIX: Final = ".sab"  # suffix of record files
PICTURE_SUFFIX: Final = ".png"  # suffix of pictures of finished games

KEEPER_NAME: Final = "keeper"
"""Name of the file in the folder that holds the secret of this user's library."""

KEEPER_BYTES: Final = 16  # bytes of that secret
PROOF_CHARACTERS: Final = 16  # characters of a proof: 8 bytes in hexadecimal digits

_FORMULA: Final = frozenset("=+-@\t\r\uff1d\uff0b\uff0d\uff20")
"""First characters by which spreadsheets tell a formula, the last four by those of East Asia."""

MAX_RECORD_BYTES: Final = 4 * MAX_RECORD_CHARACTERS
"""Bytes of a file that are read: no valid record is longer."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Keeper of a file: seat, and the proof of their library."""

    seat: int | None
    proof: str

    @staticmethod
    def by(keeper: str | None, game: str, seat: int | None, *, agrees: bool = True) -> Kept:
        """Return the mark of the library with this secret for the game with this id.

        The record `agrees` if it fits what the program saw of the game. Without a secret there is
        no proof.
        """
        return Kept(seat, "" if keeper is None else _proof(keeper, game, agrees=agrees))

    def is_by(self, keeper: str | None, game: str, *, agrees: bool) -> bool:
        """Return True if the library with this secret kept this game, as agreeing or not."""
        return keeper is not None and hmac.compare_digest(
            self.proof.encode(), _proof(keeper, game, agrees=agrees).encode()
        )

    @property
    def text(self) -> str:
        """The text of the tag `Kept`."""
        seat = "-" if self.seat is None else str(self.seat + 1)
        return f"{seat} - {self.proof}"

    @staticmethod
    def read(text: str, players: int) -> Kept | None:
        """Return what a tag `Kept` says, `None` if it says nothing."""
        seat, _word, proof, *more = (*text.split(" "), "", "", "")
        seats = {str(number + 1): number for number in range(players)}
        if any(more) or (seat != "-" and seat not in seats):
            return None
        return Kept(seats.get(seat), proof)


def _proof(keeper: str, game: str, *, agrees: bool) -> str:
    said = f"{'kept' if agrees else 'disputed'} {game}".encode()
    return hmac.new(keeper.encode(), said, "sha256").hexdigest()[:PROOF_CHARACTERS]


def keeper_of(folder: Path) -> str | None:
    """Return the secret of the library in a folder, made up if it has none.

    `None` if its file cannot be read, or holds no secret: the file stays as it is, since all games
    that were kept so far are proven by it.

    Raises OSError: there is none, and the folder cannot be written.
    """
    path = folder / KEEPER_NAME
    with suppress(FileExistsError):
        if not path.exists():
            create(path, f"{os.urandom(KEEPER_BYTES).hex()}\n".encode())
    with suppress(OSError, UnicodeDecodeError), path.open("rb") as file:
        text = file.read(MAX_RECORD_BYTES).decode("ascii").strip()
        if len(text) == 2 * KEEPER_BYTES and text.isalnum():
            return text
    return None


def keeper_trouble(folder: Path) -> str:
    """Return the sentence that the secret of a library cannot be read, "" if it can."""
    with suppress(OSError):
        if keeper_of(folder) is not None:
            return ""
    text = _(
        "New games do not count in the standings: {file} cannot be read. Restore that file; if "
        "you delete it, only games from then on count."
    )
    return text.format(file=folder / KEEPER_NAME)


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


def write_new(path: Path, text: str) -> None:
    """Write a text into a file that is not there yet.

    Raises UserError: there is one, or it cannot be written.
    """
    try:
        create(path, text.encode(), mode=BY_UMASK)
    except FileExistsError:
        raise UserError(already_there(path)) from None
    except OSError as error:
        raise UserError(not_written(path, error)) from error


def make_folder(folder: Path) -> str:
    """Create a folder unless it exists; return why it cannot be created, "" if it is there."""
    try:
        private_folder(folder)
    except OSError as error:
        return not_written(folder, error)
    return ""


def already_there(path: Path | str) -> str:
    """Return the sentence that a file exists."""
    return _("{path} already exists: choose another name.").format(path=path)


def export_sentence(path: Path) -> str:
    """Return the sentence that a file was written."""
    return _("Saved: {path}").format(path=path)


def make_name(table: str, seconds: float | None = None) -> str:
    """Return the name of a file about a table, by date and time, without its suffix.

    The time is that of now, or so many `seconds` since 1970.
    """
    return "-".join([time.strftime("%Y-%m-%d-%H%M%S", time.localtime(seconds)), *name_words(table)])


def name_words(title: str) -> list[str]:
    """Return the words of a title that may be part of a file's name."""
    return "".join(letter if letter.isalnum() else " " for letter in title).split()


def keep_picture(picture: bytes, table: str, where: Path) -> str:
    """Save a picture beside the records, named as they are; return a sentence on the result."""
    file = where / f"{make_name(table)}{PICTURE_SUFFIX}"
    trouble = make_folder(where)
    if trouble:
        return trouble
    try:
        with suppress(FileExistsError):  # it was saved within this second
            create(file, picture)
    except OSError as error:
        return not_written(file, error)
    return export_sentence(file)


def defuse_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in _FORMULA else text
