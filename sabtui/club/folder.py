"""A club on the disk: a file with its data, and a folder with a journal for each table.

The file is a journal without steps: its values are the certificate, code and port, the organisers'
password, the night, and a row for each person. So it has a journal's lock, digests and handling of
disk errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from net.discovery.advert import new_id
from net.protocol.cleaning import clean_name
from net.protocol.lobby import Person, Presence
from net.secure.code import RoomCode
from net.secure.keys import TableCertificate
from net.server.journal import (
    Journal,
    JournalInfo,
    JournalWriter,
    UnreadableJournal,
    list_journals,
    path_of,
)
from net.server.journal_format import Damage, JournalBroken, PutMeta, read_name

_PERSON: Final = "person "
_ORGANISER: Final = "organiser "
"""Beginnings of the keys of a person's rows; their seat key follows, in hexadecimal digits."""

_NIGHT, _CODE, _PASSWORD, _PORT = "night", "code", "word", "port"


@dataclass(frozen=True, slots=True, repr=False)
class HostedClub:
    """A club whose file this process holds, as it was when the file was opened."""

    journal: Journal  # the file
    certificate: TableCertificate
    code: RoomCode
    port: int  # on which it was served last, 0 for none
    people: tuple[Person, ...]  # everybody whom it knows
    tables: Path  # the folder of the tables' journals
    password: str  # makes a person who types it an organiser
    organisers: frozenset[bytes]  # seat keys
    night: bytes  # a `sabtui.club.night.NightRow`, empty if there was none

    @property
    def id(self) -> str:
        return self.journal.founded.table

    @property
    def name(self) -> str:
        return self.journal.founded.name


class ClubRows:
    """Writes what a club keeps into its file; the club continues if that cannot be written."""

    def __init__(self, journal: Journal) -> None:
        self._writer = JournalWriter(journal, lambda _disk: None)

    async def close(self) -> None:
        """Write the pending rows, and release the file."""
        await self._writer.close()

    def keep_start(self, port: int, code: RoomCode) -> None:
        self._keep(_PORT, b"%d" % port)
        self.keep_code(code)

    def keep_code(self, code: RoomCode) -> None:
        self._keep(_CODE, str(code).encode())

    def keep_person(self, person: Person) -> None:
        self._keep(f"{_PERSON}{person.key.hex()}", f"{person.member} {person.name}".encode())

    def forget_person(self, key: bytes) -> None:
        self._keep(f"{_PERSON}{key.hex()}", b"")

    def keep_organiser(self, key: bytes) -> None:
        self._keep(f"{_ORGANISER}{key.hex()}", b"1")

    def keep_night(self, row: bytes) -> None:
        self._keep(_NIGHT, row)

    def _keep(self, row: str, value: bytes) -> None:
        self._writer.write([PutMeta(row, value)])


def open_club(folder: Path, name: str, code: RoomCode | None = None) -> HostedClub:
    """Open the club of this name in a folder of clubs, a new one if there is none.

    A `code` replaces the club's own. No new club takes the place of one that cannot be read.

    Raises JournalError: see `Journal.open` and `Journal.create`.
    """
    name = clean_name(name)
    listed = list_journals(folder)
    known = [
        found.path
        for found in listed
        if isinstance(found, JournalInfo) and found.name.casefold() == name.casefold()
    ]
    if known:
        journal = Journal.open(known[0])
    else:
        for found in listed:
            if isinstance(found, UnreadableJournal) and _may_be(found.path, name):
                raise found.error
        journal = _create(folder, name, code or RoomCode.new())
    try:
        return _read(journal, code)
    except JournalBroken:
        journal.close()
        raise


def _mark_of(name: str) -> str:
    """Return the part of a file name that identifies the club of a damaged file."""
    return blake2b(name.casefold().encode(), digest_size=6).hexdigest()


def _may_be(path: Path, name: str) -> bool:
    """Return True unless an unreadable file belongs to a club with another name."""
    mark, has_mark, _id = path.stem.partition("-")
    if has_mark:
        return mark == _mark_of(name)
    try:  # a file of an earlier version
        title = read_name(path.read_bytes())
    except OSError:
        return True
    return title is None or title.casefold() == name.casefold()


def _create(folder: Path, name: str, code: RoomCode) -> Journal:
    certificate, club = TableCertificate.new(), new_id()
    return Journal.create(
        folder / f"{_mark_of(name)}-{path_of(club, folder).name}",
        table=club,
        name=name,
        meta={
            "certificate": certificate.certificate,
            "private key": certificate.private_key,
            _CODE: str(code).encode(),
            _PORT: b"0",
            _PASSWORD: f"{RoomCode.new()}-{RoomCode.new()}".encode(),  # 40 bits: nobody guesses it
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
            kept[_PASSWORD].decode(),
            frozenset(key for key, _yes in _rows(kept, _ORGANISER)),
            kept.get(_NIGHT, b""),
        )
    except (LookupError, ValueError) as error:
        raise JournalBroken(journal.path, Damage.DAMAGED) from error


def _person(key: bytes, row: bytes) -> Person:
    member, _blank, name = row.decode().partition(" ")
    return Person(int(member), name, Presence.GONE, key=key)


def _rows(kept: Mapping[str, bytes], kind: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the seat key and value of each row about a person whose row key begins with `kind`."""
    for row, value in kept.items():
        if row.startswith(kind) and value:
            yield bytes.fromhex(row.removeprefix(kind)), value
