"""Opening a table: a new one, or one that was open before, with all that its journal keeps."""

from __future__ import annotations

import secrets
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec

from engine import IllegalMove
from engine.deal import SEED_BYTES
from net.discovery.advert import new_id
from net.journal import Damage, Journal, JournalBroken, path_of
from net.lobby import BotChair, Settings
from net.protocol.text import clean_name
from net.room import Room, TableCreated, write
from net.security.code import RoomCode
from net.security.keys import TableCertificate


@dataclass(frozen=True, slots=True, repr=False)
class HostedTable:
    """A table whose journal this process holds, until it is closed.

    `first_code` is the one that it was opened with. `port` is where the table was last.
    """

    journal: Journal
    room: Room
    certificate: TableCertificate
    first_code: RoomCode
    port: int

    @property
    def id(self) -> str:
        """The table's own for life, told to everybody."""
        return self.journal.header.table

    @property
    def code(self) -> RoomCode:
        """The code that is asked for while the table is not open."""
        renewed = self.room.state.code
        return RoomCode.parse(renewed) if renewed else self.first_code

    @property
    def host_key(self) -> bytes:
        """The seat key of its host, who may come without the code."""
        return self.room.state.host_key

    @property
    def is_resumed(self) -> bool:
        """Whether the table was open before."""
        return self.journal.header.incarnation > 1


def create(  # noqa: PLR0913 - this is what a table is opened with
    folder: Path,
    *,
    name: str,
    host_key: bytes,
    settings: Settings,
    port: int,
    code: RoomCode | None = None,
    bots: tuple[BotChair, ...] = (),
) -> HostedTable:
    """Make a table, with a new code if none is given, and its journal in this folder.

    Raises:
        JournalUnwritable: the folder or the disk does not take it.
    """
    created = TableCreated(clean_name(name), host_key, settings, bots)
    certificate = TableCertificate.new()
    table = new_id()
    journal = Journal.create(
        path_of(table, folder),
        table=table,
        name=created.name,
        created=time.time(),
        meta={
            "founding": write(created),
            "certificate": certificate.certificate,
            "private key": certificate.private_key,
            "code": str(code or RoomCode.new()).encode(),
            "port": b"%d" % port,
        },
    )
    return _read(journal)


def resume(path: Path) -> HostedTable:
    """Take up the table of a journal.

    Raises:
        JournalError: see `Journal.open`. It is JournalBroken too where what is kept is none of
            what this version writes.
    """
    return _read(Journal.open(path))


def _read(journal: Journal) -> HostedTable:
    """Make a table of its journal, which is closed if that cannot be done."""
    with ExitStack() as undoing:
        undoing.callback(journal.close)
        try:
            meta = journal.kept()
            table = HostedTable(
                journal,
                Room.resume(
                    meta["founding"],
                    [step.payload for step in journal.steps()],
                    journal.header.incarnation,
                    lambda: secrets.token_bytes(SEED_BYTES),
                    time.monotonic(),
                ),
                TableCertificate(meta["certificate"], meta["private key"]),
                RoomCode.parse(meta["code"].decode()),
                int(meta["port"]),
            )
        except (msgspec.DecodeError, LookupError, ValueError, IllegalMove) as error:
            raise JournalBroken(journal.path, Damage.DAMAGED) from error
        undoing.pop_all()
    return table
