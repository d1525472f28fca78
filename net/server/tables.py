"""Creating a table, or resuming one from all that its journal keeps."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from engine.deal import SEED_BYTES
from engine.reasons import IllegalMove
from net.discovery.advert import new_id
from net.protocol.lobby import BotChair, Settings
from net.protocol.requests import DoorKind
from net.protocol.text import clean_name
from net.room import inputs
from net.room.commands import seat_steps
from net.room.room import Room
from net.room.state import TableCreated, write
from net.room.succession import incarnation_in
from net.secure.code import RoomCode
from net.secure.keys import TableCertificate
from net.server.journal import Journal, path_of
from net.server.journal_errors import Damage, JournalBroken
from net.server.journal_format import PutMeta


@dataclass(frozen=True, slots=True, repr=False)
class HostedTable:
    """A table whose journal this process holds until the journal is closed.

    `first_code` is the room code it was created with. `port` is the last port that it was served
    on, 0 for none, and `doors` are those that were open beside it then.
    """

    journal: Journal
    room: Room
    certificate: TableCertificate
    first_code: RoomCode
    port: int
    doors: tuple[DoorKind, ...] = ()
    starts_with: int = 0
    """People with whom its game begins by itself, 0 if somebody begins it (`Room.starts_with`)."""

    @property
    def id(self) -> str:
        """The table's id, public and never changed."""
        return self.journal.founded.table

    @property
    def code(self) -> RoomCode:
        """The current room code, needed to join while the table is not open."""
        renewed = self.room.state.code
        return RoomCode.parse(renewed) if renewed else self.first_code

    @property
    def host_key(self) -> bytes:
        """The public seat key of the host player, who joins without the code."""
        return self.room.state.host_key

    @property
    def is_resumed(self) -> bool:
        """True if the table was hosted before: it was resumed, not created."""
        return self.journal.last > 0 or self.journal.incarnation > 1


def create(  # noqa: PLR0913 - this is what a table is opened with
    folder: Path,
    *,
    name: str,
    host_key: bytes,
    settings: Settings,
    port: int,
    code: RoomCode | None = None,
    bots: tuple[BotChair, ...] = (),
    doors: tuple[DoorKind, ...] = (),
    certificate: TableCertificate | None = None,
    people: Sequence[tuple[bytes, str]] = (),
) -> HostedTable:
    """Create a table, with a code and a certificate, new unless given, and its journal.

    The first seats are those of `people`, by seat key and name, who come later.

    Raises JournalUnwritable: the journal cannot be written to this folder or disk.
    """
    created = TableCreated(clean_name(name), host_key, settings, bots)
    certificate = certificate or TableCertificate.new()
    table = new_id()
    journal = Journal.create(
        path_of(table, folder),
        table=table,
        name=created.name,
        meta={
            "founding": write(created),
            "certificate": certificate.certificate,
            "private key": certificate.private_key,
            "code": str(code or RoomCode.new()).encode(),
            "port": b"%d" % port,
            "doors": " ".join(doors).encode(),
        },
        steps=[*map(write, seat_steps(people, host_key))],
    )
    return _read(journal)


def resume(path: Path) -> HostedTable:
    """Resume the table of a journal.

    Raises JournalError: see `Journal.open`; also JournalBroken if the values or steps are not what
    this version writes.
    """
    return _read(Journal.open(path))


def keep_start(table: HostedTable, people: int) -> HostedTable:
    """Return a table whose game begins by itself with so many people, also when it is resumed.

    Raises JournalUnwritable: the disk does not take it.
    """
    table.journal.commit((PutMeta("starts_with", b"%d" % people),))
    return replace(table, starts_with=people)


def _read(journal: Journal) -> HostedTable:
    """Make a table from its journal; close the journal if that fails."""
    with ExitStack() as undoing:
        undoing.callback(journal.close)
        try:
            meta = journal.kept
            table = HostedTable(
                journal,
                inputs.resume(
                    meta["founding"],
                    [step.payload for step in journal.steps],
                    incarnation_in(0, journal.incarnation),
                    lambda: secrets.token_bytes(SEED_BYTES),
                    time.monotonic(),
                ),
                TableCertificate(meta["certificate"], meta["private key"]),
                RoomCode.parse(meta["code"].decode()),
                int(meta["port"]),
                _doors(meta.get("doors", b"")),
                int(meta.get("starts_with", b"0")),
            )
        except (msgspec.DecodeError, LookupError, ValueError, IllegalMove) as error:
            raise JournalBroken(journal.path, Damage.DAMAGED) from error
        undoing.pop_all()
    return table


def _doors(written: bytes) -> tuple[DoorKind, ...]:
    """Return the kinds of doors in a journal; those that only later versions know are left out."""
    kinds = written.decode().split()
    return tuple(kind for kind in DoorKind if kind in kinds)
