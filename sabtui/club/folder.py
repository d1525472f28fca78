"""A club's folder: opening a club, the rows that it keeps, and the journals of its tables.

A club is one file, with its certificate, code and the names of its people, and a folder with a
journal for each table. The file is in the form of a journal without steps, so it has a journal's
lock, its care for the disk and its digests.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from net.discovery.advert import new_id
from net.protocol.lobby import Person, Presence
from net.protocol.messages import DiskStatus
from net.protocol.text import clean_name
from net.secure.code import RoomCode
from net.secure.keys import TableCertificate
from net.server.journal import (
    Journal,
    JournalInfo,
    JournalWriter,
    list_journals,
    path_of,
    remove_finished,
    remove_journal,
)
from net.server.journal_format import Damage, JournalBroken, JournalError, PutMeta

_PERSON: Final = "person "
_ORGANISER: Final = "organiser "
"""What the keys of a person's rows begin with; their seat key follows, in hexadecimal digits."""

_NIGHT, _CODE, _WORD, _PORT = "night", "code", "word", "port"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, repr=False)
class HostedClub:
    """A club whose file this process holds, and the `people` whom it knows.

    `port` is the last port that it was served on, 0 for none; `tables` is the folder of journals.
    Who knows the `word` is an organiser, as are those of the seat keys `organisers`. `night` is as
    the hall keeps it, empty if there was none.
    """

    journal: Journal
    certificate: TableCertificate
    code: RoomCode
    port: int
    people: tuple[Person, ...]
    tables: Path
    word: str
    organisers: frozenset[bytes]
    night: bytes

    @property
    def id(self) -> str:
        """The club's id, public and never changed."""
        return self.journal.founded.table

    @property
    def name(self) -> str:
        """The club's name."""
        return self.journal.founded.name


class ClubRows:
    """Writes what a club keeps in its file; the club goes on while that cannot be written."""

    def __init__(self, journal: Journal) -> None:
        self._writer = JournalWriter(journal, self._note_disk)
        self._disk = DiskStatus.OK
        self._untold: list[Callable[[], None]] = []

    async def close(self) -> None:
        """Write what is waiting, and let go of the file."""
        await self._writer.close()

    def keep_start(self, port: int, code: RoomCode, word: str) -> None:
        """Keep the port, the code and the organisers' word with which the club runs."""
        self._keep(_PORT, b"%d" % port)
        self.keep_code(code)
        self._keep(_WORD, word.encode())

    def keep_code(self, code: RoomCode) -> None:
        """Keep the room code."""
        self._keep(_CODE, str(code).encode())

    def keep_person(self, person: Person) -> None:
        """Keep a person's number and name."""
        self._keep(f"{_PERSON}{person.key.hex()}", f"{person.member} {person.name}".encode())

    def forget_person(self, key: bytes) -> None:
        """Forget the person of a seat key."""
        self._keep(f"{_PERSON}{key.hex()}", b"")

    def keep_organiser(self, key: bytes) -> None:
        """Keep that the person of a seat key is an organiser."""
        self._keep(f"{_ORGANISER}{key.hex()}", b"1")

    def keep_night(self, row: bytes, tried: Callable[[], None]) -> None:
        """Keep the night; `tried` is called once it is on the disk, or cannot be now."""

        def go_on() -> None:
            if go_on in self._untold:
                self._untold.remove(go_on)
                tried()

        self._untold.append(go_on)
        self._keep(_NIGHT, row, go_on)
        self._note_disk(self._disk)

    def _note_disk(self, disk: DiskStatus) -> None:
        self._disk = disk
        if disk is DiskStatus.FULL:
            for go_on in tuple(self._untold):
                go_on()

    def _keep(self, row: str, value: bytes, then: Callable[[], None] = lambda: None) -> None:
        self._writer.write([PutMeta(row, value)], then)


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
        journal
        for journal in list_journals(folder)
        if isinstance(journal, JournalInfo) and journal.name.casefold() == name.casefold()
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
        meta={
            "certificate": certificate.certificate,
            "private key": certificate.private_key,
            _CODE: str(code).encode(),
            _PORT: b"0",
            _WORD: _new_word().encode(),
        },
    )


def _read(journal: Journal, code: RoomCode | None) -> HostedClub:
    kept = journal.kept
    try:
        return HostedClub(
            journal,
            TableCertificate(kept["certificate"], kept["private key"]),
            code or RoomCode.parse(kept[_CODE].decode()),
            int(kept[_PORT]),
            tuple(_person(key, row) for key, row in _rows(kept, _PERSON)),
            journal.path.with_suffix(""),
            kept.get(_WORD, b"").decode() or _new_word(),
            frozenset(key for key, _yes in _rows(kept, _ORGANISER)),
            kept.get(_NIGHT, b""),
        )
    except (LookupError, ValueError) as error:
        raise JournalBroken(journal.path, Damage.DAMAGED) from error


def _person(key: bytes, row: bytes) -> Person:
    member, _blank, name = row.decode().partition(" ")
    return Person(int(member), name, Presence.GONE, key=key)


def _rows(kept: Mapping[str, bytes], kind: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the seat keys and values of the rows of people that begin with this."""
    for row, value in kept.items():
        if row.startswith(kind) and value:
            yield bytes.fromhex(row.removeprefix(kind)), value


KEPT_S: Final = 30 * 24 * 3600.0
"""Seconds (30 days) for which a closed table's journal is kept, or a game to which nobody comes."""

MAX_TABLES_BYTES: Final = 512 * 1024 * 1024
"""Bytes on the disk that a club's tables take at most: a game takes half a megabyte."""


def count_bytes(folder: Path) -> int:
    """Return the bytes that the files of a folder take; 0 if there is none."""
    total = 0
    for file in folder.glob("*"):
        try:
            total += file.stat().st_size
        except FileNotFoundError:  # the journal of a table that closes now
            continue
    return total


def has_room(folder: Path) -> bool:
    """Return True if there is room for one more table, once closed ones have made it."""
    if count_bytes(folder) > MAX_TABLES_BYTES:
        clear(folder, time.time())
    return count_bytes(folder) <= MAX_TABLES_BYTES


def remove(path: Path) -> None:
    """Remove the journal of a table, which nobody has open."""
    try:
        remove_journal(path)
    except OSError as error:
        _log.warning("the journal of a closed table cannot be removed: %s", error)


def clear(folder: Path, before: float) -> None:
    """Remove journals of tables that were closed before a time, in seconds since 1970."""
    try:
        remove_finished(folder, before)
    except JournalError as error:
        _log.warning("the journals of closed tables cannot be removed: %s", error)
