"""Creating a table by its options, or resuming one from its journal."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from engine.dealing import SEED_BYTES
from engine.events import Private
from engine.facts import secrets_of
from engine.moves import IllegalMove
from net.clock import boot_time
from net.discovery.advert import new_id
from net.protocol.chat import ChatHistory
from net.protocol.cleaning import clean_name
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import THE_TABLE, BotChair, Settings
from net.protocol.messages import Mark
from net.room import inputs
from net.room.handlers import seat_steps
from net.room.permissions import incarnation_in
from net.room.room import Room
from net.room.steps import (
    PublicState,
    RoomState,
    TableCreated,
    Takeover,
    apply_step,
    read_founding,
    read_step,
    write,
)
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.handshake import HostClaim, host_statement
from net.secure.keys import SeatKey, TableCertificate
from net.server.bots import BotPace
from net.server.doors import ServeDoor
from net.server.journal import Journal, path_of, read_contents, remove_journal
from net.server.journal_format import Damage, JournalBroken, JournalFinished, PutMeta


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Choices for how a server runs its tables, and callbacks for what happens there."""

    announce: bool = True  # True if the table is advertised on the network
    idle_seconds: float = math.inf
    """Time without any connection after which a table stops; it can be resumed."""
    over_seconds: float = 60.0  # `idle_seconds` once the game is over, if that is less
    pace: BotPace = field(default_factory=BotPace)
    doors: Mapping[DoorKind, ServeDoor] = field(default_factory=dict)
    """The function that serves each kind of door that is available."""
    on_door: Callable[[DoorNow, RoomCode | None], None] = lambda _door, _code: None
    """Called with the state of a door, which the host is sent as well, and the room code."""
    on_code: Callable[[RoomCode | None], None] = lambda _code: None
    """Called with a new room code, `None` once nobody needs one; then `on_door` for open doors."""
    on_moved: Callable[[Address], None] = lambda _: None
    """Called before the table ends because it has moved to this address."""


@dataclass(frozen=True, slots=True, repr=False)
class HostedTable:
    """A table whose journal this process holds until the journal is closed.

    `first_code` is the room code it was created with. `port` is the last port that it was served
    on, 0 for none, and `doors` are those that were open then.
    """

    journal: Journal
    room: Room
    certificate: TableCertificate
    first_code: RoomCode
    port: int
    doors: tuple[DoorKind, ...] = ()
    starts_with: int = 0
    """People needed for an automatic start, 0 if the host starts the game (`Room.starts_with`)."""

    @property
    def id(self) -> str:
        return self.journal.founded.table

    @property
    def code(self) -> RoomCode:
        renewed = self.room.state.code
        return RoomCode.parse(renewed) if renewed else self.first_code

    @property
    def host_key(self) -> bytes:
        return self.room.state.host_key

    @property
    def claim(self) -> HostClaim | None:
        """The host's statement that the table is here; `None` in a club, and in old journals."""
        moved = read_founding(self.journal.kept["founding"]).moved
        if moved is not None:
            return moved.claim
        claim = self.journal.kept.get("claim")
        return None if claim is None else msgspec.msgpack.decode(claim, type=HostClaim)

    @property
    def is_resumed(self) -> bool:
        return self.journal.last > 0 or self.journal.incarnation > 1


def create(  # noqa: PLR0913 - everything that a table is opened with
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
    in_club: bool = False,
    signed_by: SeatKey | None = None,
) -> HostedTable:
    """Create a table, with a code and a certificate, new unless given, and its journal.

    The host's key, if it is given, signs that the table is here. The first seats are reserved for
    `people`, by seat key and name.

    Raises JournalUnwritable: the journal cannot be written to this folder or disk.
    """
    created = TableCreated(clean_name(name), host_key, settings, bots, in_club)
    certificate = certificate or TableCertificate.new()
    steps = [*map(write, seat_steps(people, host_key))]
    meta, table = _first_meta(created, certificate, code, port, doors), new_id()
    if signed_by is not None:
        claim = _sign_claim(table, 0, signed_by, certificate)
        meta["claim"] = msgspec.msgpack.encode(claim)
    return _read(_write_new(path_of(table, folder), created, meta, steps))


def _sign_claim(table: str, term: int, key: SeatKey, certificate: TableCertificate) -> HostClaim:
    statement = host_statement(table, term, certificate.fingerprint)
    return HostClaim(term, key.public, key.sign(statement))


def move_here(  # noqa: PLR0913 - everything that a table resumes with
    folder: Path,
    table: str,
    *,
    term: int,
    key: SeatKey,
    states: tuple[PublicState, ...],
    talk: ChatHistory,
    code: RoomCode | None,
    is_handed_over: bool = False,
) -> tuple[Path, bytes]:
    """Write the journal of a table taken over in this term, keeping its id.

    Its host has this seat key. Return its path and the fingerprint of its new certificate. A
    journal of an earlier term of this table is removed, unless its table is open.

    Raises JournalUnwritable: the journal cannot be written to this folder or disk; JournalBusy: a
    table with this id is open here.
    """
    certificate = TableCertificate.new()
    claim = _sign_claim(table, term, key, certificate)
    lobby = states[-1].lobby
    moved = Takeover(claim, states, talk, is_handed_over)
    created = TableCreated(lobby.name, key.public, lobby.settings, moved=moved)
    path = path_of(table, folder)
    if path.exists():
        # Both may be replaced; an open one (JournalBusy) may not.
        with suppress(JournalFinished, JournalBroken):
            Journal.open(path).close()
        remove_journal(path)
    _write_new(path, created, _first_meta(created, certificate, code, 0), []).close()
    return path, certificate.fingerprint


def _first_meta(
    created: TableCreated,
    certificate: TableCertificate,
    code: RoomCode | None,
    port: int,
    doors: tuple[DoorKind, ...] = (),
) -> dict[str, bytes]:
    return {
        "founding": write(created),
        "certificate": certificate.certificate,
        "private key": certificate.private_key,
        "code": str(code or RoomCode.new()).encode(),
        "port": b"%d" % port,
        "doors": " ".join(doors).encode(),
    }


def _write_new(
    path: Path, created: TableCreated, meta: dict[str, bytes], steps: Sequence[bytes]
) -> Journal:
    return Journal.create(path, table=path.stem, name=created.name, meta=meta, steps=steps)


def resume(path: Path) -> HostedTable:
    """Resume the table of a journal.

    Raises JournalError: see `Journal.open`; also JournalBroken if this version would not write
    these values or steps.
    """
    return _read(Journal.open(path))


def keep_start(table: HostedTable, people: int) -> HostedTable:
    """Let a table's game start with this many people, also after the table is resumed.

    Raises JournalUnwritable.
    """
    table.journal.commit((PutMeta("starts_with", b"%d" % people),))
    return replace(table, starts_with=people)


def recall(path: Path, key: bytes, mark: Mark) -> tuple[Private, ...] | None:
    """Return the secrets of a key's seat at a step, from the journal of a table that ran here.

    `None` if it does not say. Raises JournalError: it cannot be read.
    """
    contents = read_contents(path)
    try:
        state = RoomState.create(read_founding(contents.kept["founding"]))
        for step in contents.steps:
            state, _ = apply_step(state, read_step(step.payload))
            if (state.number, state.running) == (mark.step, mark.hash):
                seat = state.lobby.seat_of(state.member_with(key) or THE_TABLE)
                view = None if seat is None else state.view(seat)
                return None if view is None else secrets_of(view)
    except (msgspec.DecodeError, LookupError, ValueError, IllegalMove) as error:
        raise JournalBroken(path, Damage.DAMAGED) from error
    return None


def id_and_term(path: Path) -> tuple[str, int]:
    """Return the id of a journal's table, and its host's term. Raises JournalError."""
    contents = read_contents(path)
    try:
        return contents.founded.table, read_founding(contents.kept["founding"]).term
    except (msgspec.DecodeError, LookupError) as error:
        raise JournalBroken(path, Damage.DAMAGED) from error


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
                    incarnation_in(read_founding(meta["founding"]).term, journal.incarnation),
                    lambda: secrets.token_bytes(SEED_BYTES),
                    boot_time(),
                ),
                TableCertificate(meta["certificate"], meta["private key"]),
                RoomCode.parse(meta["code"].decode()),
                int(meta["port"]),
                _read_doors(meta.get("doors", b"")),
                int(meta.get("starts_with", b"0")),
            )
        except (msgspec.DecodeError, LookupError, ValueError, IllegalMove) as error:
            raise JournalBroken(journal.path, Damage.DAMAGED) from error
        undoing.pop_all()
    return table


def _read_doors(written: bytes) -> tuple[DoorKind, ...]:
    """Read the kinds of doors in a journal, without those that only later versions know."""
    kinds = written.decode().split()
    return tuple(kind for kind in DoorKind if kind in kinds)
