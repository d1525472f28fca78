"""Opening a club, a new one or the one of that name, from all that its folder keeps.

A club is one file, with its certificate, code and the names of its people, and a folder with a
journal for each table. The file is in the form of a journal without steps, so it has a journal's
lock, its care for the disk and its digests.
"""

from __future__ import annotations

import time
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
"""What the key of a person's row begins with; their seat key follows, in hexadecimal digits."""


@dataclass(frozen=True, slots=True, repr=False)
class HostedClub:
    """A club whose file this process holds. `names` are those of its people, by seat key.

    `port` is the last port that it was served on, 0 for none; `tables` is the folder of journals.
    """

    journal: Journal
    certificate: TableCertificate
    code: RoomCode
    port: int
    names: dict[bytes, str]
    tables: Path

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
            "code": str(code).encode(),
            "port": b"0",
        },
    )


def _read(journal: Journal, code: RoomCode | None) -> HostedClub:
    kept = journal.read_kept()
    try:
        return HostedClub(
            journal,
            TableCertificate(kept["certificate"], kept["private key"]),
            code or RoomCode.parse(kept["code"].decode()),
            int(kept["port"]),
            {
                bytes.fromhex(row.removeprefix(_NAME)): name.decode()
                for row, name in kept.items()
                if row.startswith(_NAME) and name
            },
            journal.path.with_suffix(""),
        )
    except (LookupError, ValueError) as error:
        raise JournalBroken(journal.path, Damage.DAMAGED) from error
