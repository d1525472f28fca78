"""Opening a club, a new one or the one of that name, from all that its folder keeps.

A club is one file, with its certificate, code and the names of its people, and a folder with a
journal for each table. The file is in the form of a journal without steps, so it has a journal's
lock, its care for the disk and its digests.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from net.discovery.advert import new_id
from net.protocol.text import clean_name
from net.secure.code import RoomCode
from net.secure.keys import TableCertificate
from net.server.journal import Journal
from net.server.journal_errors import Damage, JournalBroken
from net.server.journal_listing import JournalInfo, list_journals, path_of

_NAME: Final = "name "
_ORGANISER: Final = "organiser "
"""What the keys of a person's rows begin with; their seat key follows, in hexadecimal digits."""

NIGHT_ROW, CODE_ROW, WORD_ROW = "night", "code", "word"


@dataclass(frozen=True, slots=True, repr=False)
class HostedClub:
    """A club whose file this process holds. `names` are those of its people, by seat key.

    `port` is the last port that it was served on, 0 for none; `tables` is the folder of journals.
    Who knows the `word` is an organiser, as are those of the seat keys `organisers`. `night` is as
    the hall keeps it, empty if there was none.
    """

    journal: Journal
    certificate: TableCertificate
    code: RoomCode
    port: int
    names: dict[bytes, str]
    tables: Path
    word: str
    organisers: frozenset[bytes]
    night: bytes

    @property
    def id(self) -> str:
        """The club's id, public and never changed."""
        return self.journal.header.table

    @property
    def name(self) -> str:
        """The club's name."""
        return self.journal.header.name


def name_row(key: bytes) -> str:
    """Return the key of the row with a person's name."""
    return f"{_NAME}{key.hex()}"


def organiser_row(key: bytes) -> str:
    """Return the key of the row that says that a person is an organiser."""
    return f"{_ORGANISER}{key.hex()}"


def _new_word() -> str:
    """Draw a word for organisers: four of those of room codes, 40 bits."""
    return f"{RoomCode.new()}-{RoomCode.new()}"


def open_club(folder: Path, name: str, code: RoomCode | None = None) -> HostedClub:
    """Open the club of a name in a folder of clubs, a new one if there is none.

    A `code` replaces the club's own.

    Raises JournalError: see `Journal.open` and `Journal.create`.
    """
    name = clean_name(name)
    known = [
        one
        for one in list_journals(folder)
        if isinstance(one, JournalInfo) and one.name.casefold() == name.casefold()
    ]
    if not known:
        journal = _create(folder, name, code or RoomCode.new())
    else:
        journal = Journal.open(known[0].path)
    with ExitStack() as undoing:
        undoing.callback(journal.close)
        club = _read(journal, code)
        undoing.pop_all()
    return club


def _create(folder: Path, name: str, code: RoomCode) -> Journal:
    certificate, club = TableCertificate.new(), new_id()
    return Journal.create(
        path_of(club, folder),
        table=club,
        name=name,
        created=time.time(),
        meta={
            "certificate": certificate.certificate,
            "private key": certificate.private_key,
            CODE_ROW: str(code).encode(),
            "port": b"0",
            WORD_ROW: _new_word().encode(),
        },
    )


def _read(journal: Journal, code: RoomCode | None) -> HostedClub:
    kept = journal.read_kept()
    try:
        return HostedClub(
            journal,
            TableCertificate(kept["certificate"], kept["private key"]),
            code or RoomCode.parse(kept[CODE_ROW].decode()),
            int(kept["port"]),
            {key: name.decode() for key, name in _rows(kept, _NAME)},
            journal.path.with_suffix(""),
            kept.get(WORD_ROW, b"").decode() or _new_word(),
            frozenset(key for key, _yes in _rows(kept, _ORGANISER)),
            kept.get(NIGHT_ROW, b""),
        )
    except (LookupError, ValueError) as error:
        raise JournalBroken(journal.path, Damage.DAMAGED) from error


def _rows(kept: Mapping[str, bytes], kind: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the seat keys and values of the rows of people that begin with this."""
    for row, value in kept.items():
        if row.startswith(kind) and value:
            yield bytes.fromhex(row.removeprefix(kind)), value
