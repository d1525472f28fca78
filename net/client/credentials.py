"""The credentials a player joins or rejoins a table with, and the files they are stored in.

`CredentialStore` keeps one file for each seat at each table. Beside it there may be a file that a
program which uses the seat holds locked, so that a second window of the same player does not take
the first one's seat by accident.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TypeAlias

import msgspec

from net.discovery.advert import OURS
from net.discovery.networks import LOOPBACK_HOSTS
from net.files import LockState, file_lock, is_held, private_folder, replace
from net.protocol.cleaning import MAX_NAME_BYTES, MAX_NAME_CELLS, clean, clean_name
from net.protocol.fields import RUNNING_HASH_BYTES
from net.protocol.messages import NOTHING_SEEN, Mark
from net.secure.address import Address
from net.secure.code import BadCode, RoomCode
from net.secure.keys import SeatKey

JOIN_TIMEOUT_S: Final = 6.0
REJOIN_TIMEOUT_S: Final = 60.0
"""Seconds to try for at first: as a newcomer, and as a player who has a seat there: its host may be
starting again."""

MAX_FORMER: Final = 4  # pins kept of former hosts, as a table may move back to one of them

_USES: Final[dict[Path, tuple[int, ExitStack]]] = {}
"""How often this program uses each seat now, and the lock that it holds for that."""
_USES_LOCK: Final = threading.Lock()

_log = logging.getLogger(__name__)


class Place(NamedTuple):
    """The last place in a game that a player has seen."""

    game: bytes = b""  # its id, empty for no game
    round: int = 0
    seat: int | None = None
    events: int = 0  # of the round


NO_PLACE: Final = Place()


@dataclass(frozen=True, slots=True)
class Credentials:
    """Everything a player needs to enter one table as one person.

    With a `pin` the player comes back to a seat. Without one the player joins, with the `code` if
    the table is not open.
    """

    name: str
    addresses: tuple[Address, ...]  # where the table may be, the likeliest first
    key: SeatKey = field(default_factory=SeatKey.new)
    table: str = ""  # the table's id, which finds it after it has moved; empty if unknown
    title: str = ""  # the table's name as shown
    pin: bytes | None = None  # fingerprint of the table's certificate
    code: RoomCode | None = None
    watch: bool = False
    seen: Mark = NOTHING_SEEN  # the last step seen there
    left_at: Place = NO_PLACE  # the last place seen in the game, to tell a player what they missed
    may_differ: bool = True  # if the name is taken already, it gets a number
    club: str = ""  # id of the club that the table is in, which is searched for instead
    was_removed: bool = False  # the host has removed the player, and says so whenever they return
    at_door: bool = False  # this program runs at the host's computer
    seats: tuple[bytes, ...] = ()
    """Public keys of all who have seats: the table may move to the computer of any of them."""
    former: tuple[bytes, ...] = ()  # pins of the table's earlier hosts

    @property
    def patience(self) -> float:
        """Seconds to try for at first; longer for a player who has a seat there already."""
        return JOIN_TIMEOUT_S if self.pin is None else REJOIN_TIMEOUT_S

    @property
    def outside(self) -> tuple[Address, ...]:
        """The addresses that others can use, too; () for a table on this computer."""
        others = [at for at in self.addresses if at.host not in LOOPBACK_HOSTS]
        if self.addresses[:1] != tuple(others[:1]):
            return ()
        return tuple(at for at in others if "fe80:" not in at.host)

    def for_table(self, table: str, title: str, *, watch: bool) -> Credentials:
        """Turn credentials for a club's hall into those for one of its tables."""
        return dataclasses.replace(
            self,
            club=self.table,
            table=table,
            title=title,
            watch=watch,
            may_differ=True,
            seen=NOTHING_SEEN,
        )


_SUFFIX: Final = ".seat"
UNUSED_LIFETIME_S: Final = 90 * 24 * 3600.0
"""Seconds (90 days) after which unused credentials are deleted."""

_Bytes32: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
_Port: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=65535)]


_MAGIC: Final = b"SabSeat\1"
"""First bytes of a file, before the digest of all that follows; early releases wrote neither."""

_DIGEST_BYTES: Final = 16


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """The credentials as written to a file, in MessagePack."""

    name: str
    addresses: tuple[tuple[str, _Port], ...]
    key: _Bytes32
    pin: _Bytes32
    table: str = ""
    title: str = ""
    code: str = ""
    watch: bool = False
    step: int = 0
    running: bytes = b""
    version: int = 0
    club: str = ""
    was_removed: bool = False
    seats: tuple[_Bytes32, ...] = ()
    former: tuple[_Bytes32, ...] = ()
    left_at: Place = NO_PLACE


_UNCHANGED_FIELDS: Final = (
    "name",
    "pin",
    "table",
    "title",
    "watch",
    "club",
    "was_removed",
    "seats",
    "former",
    "left_at",
)
"""Fields of `Credentials` that are written to a file without a change."""


@dataclass(frozen=True, slots=True)
class StoredCredentials:
    """Credentials on disk."""

    path: Path
    credentials: Credentials
    changed: float  # when they were last used, in seconds of Unix time
    in_use: bool  # True if a program uses them now


@dataclass(frozen=True, slots=True)
class UnreadableSeat:
    """A file with credentials that is damaged, or from another version."""

    path: Path
    changed: float
    title: str  # the table's, as far as it can be known, else ""


class CredentialStore:
    """The credentials in a folder, which is created when the first ones are stored."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def list_stored(self) -> list[StoredCredentials]:
        """Return all readable credentials, the last used first."""
        found = [kept for kept in self._read_all() if isinstance(kept, StoredCredentials)]
        return sorted(found, key=lambda kept: kept.changed, reverse=True)

    def list_unreadable(self) -> list[UnreadableSeat]:
        """Return the seats that cannot be read, the last used first."""
        found = [kept for kept in self._read_all() if isinstance(kept, UnreadableSeat)]
        return sorted(found, key=lambda kept: kept.changed, reverse=True)

    def _read_all(self) -> Iterator[StoredCredentials | UnreadableSeat]:
        return filter(None, map(_read, self.folder.glob(f"*{_SUFFIX}")))

    def store(self, credentials: Credentials) -> bool:
        """Write credentials that have a pin, replacing older ones of the same seat.

        Returns False if they cannot be written: the game continues, but the player cannot come back
        to the seat after this program has ended.
        """
        try:
            self.write(credentials)
        except OSError:
            return False
        return True

    def write(self, credentials: Credentials) -> None:
        """Write credentials as `store` does. Raises OSError: they cannot be written."""
        assert credentials.pin is not None
        written = _Written(
            **{name: getattr(credentials, name) for name in _UNCHANGED_FIELDS},
            addresses=tuple((address.host, address.port) for address in credentials.addresses),
            key=credentials.key.secret,
            code="" if credentials.code is None else str(credentials.code),
            step=credentials.seen.step,
            running=credentials.seen.hash,
            version=OURS.high,
        )
        private_folder(self.folder)
        payload = msgspec.msgpack.encode(written)
        data = _MAGIC + _digest_of(payload) + payload
        replace(self._path(credentials), data, lasting=False)

    def remove(self, credentials: Credentials) -> None:
        with suppress(OSError):  # it stays listed until it expires
            self._path(credentials).unlink(missing_ok=True)

    @contextmanager
    def using(self, credentials: Credentials) -> Iterator[None]:
        """Lock a seat while it is in use, so that the player's other programs see that it is.

        If one of them uses it already, the log says so, and both continue. This program may use it
        several times at once. On exit the file's modification time, which says when the seat was
        last used, is set to now.
        """
        path = self._path(credentials)
        held = path.with_suffix(".held")
        with _USES_LOCK:
            uses, lock = _USES.get(held, (0, ExitStack()))
            with suppress(OSError):  # a full disk; another place reports that the seat is not saved
                if not uses and lock.enter_context(file_lock(held)) is LockState.TAKEN:
                    _log.warning("another program uses the seat %s already", path.name)
            _USES[held] = uses + 1, lock
        try:
            yield
        finally:
            with _USES_LOCK:
                uses, lock = _USES.pop(held)
                if uses > 1:
                    _USES[held] = uses - 1, lock
                else:
                    lock.close()
            with suppress(OSError):  # the seat may be deleted, or was never saved
                os.utime(path)

    def _path(self, credentials: Credentials) -> Path:
        # One key serves a club and all its tables.
        table = f"-{credentials.table}" if credentials.club else ""
        return self.folder / f"{credentials.key.public.hex()[:32]}{table}{_SUFFIX}"


def _digest_of(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST_BYTES).digest()


def _read(path: Path) -> StoredCredentials | UnreadableSeat | None:
    """Read a seat's file; `None` if it has expired (and was deleted) or does not exist."""
    lock = path.with_suffix(".held")
    try:
        changed, in_use = path.stat().st_mtime, is_held(lock)
        if time.time() - changed > UNUSED_LIFETIME_S and not in_use:  # in use, yet old: wrong clock
            with suppress(OSError):
                for old in (path, lock):
                    old.unlink(missing_ok=True)
            return None
    except FileNotFoundError:
        return None
    except OSError:
        return UnreadableSeat(path, 0.0, "")
    payload = b""
    try:
        data = path.read_bytes()
        begin = len(_MAGIC) + _DIGEST_BYTES if data.startswith(_MAGIC) else 0
        payload = data[begin:]
        if begin and data[len(_MAGIC) : begin] != _digest_of(payload):
            return UnreadableSeat(path, changed, _title_in(payload))
        written = msgspec.msgpack.decode(payload, type=_Written)
        code = RoomCode.parse(written.code) if written.code else None
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, BadCode):
        return UnreadableSeat(path, changed, _title_in(payload))
    # Another version may compute other hashes for the same steps.
    is_ours = written.version == OURS.high and len(written.running) == RUNNING_HASH_BYTES
    kept = {name: getattr(written, name) for name in _UNCHANGED_FIELDS}
    kept["name"] = clean_name(written.name)
    kept["title"] = _clean_title(written.title)
    credentials = Credentials(
        **kept,
        addresses=tuple(Address(host, port) for host, port in written.addresses),
        key=SeatKey(written.key),
        code=code,
        may_differ=False,
        seen=Mark(written.step, written.running) if is_ours else NOTHING_SEEN,
    )
    return StoredCredentials(path, credentials, changed, in_use)


def _clean_title(title: str) -> str:
    return clean(title, 2 * MAX_NAME_CELLS, 2 * MAX_NAME_BYTES)


class _Titled(msgspec.Struct):
    """The only part of damaged credentials that is worth showing."""

    title: str = ""


def _title_in(payload: bytes) -> str:
    try:
        return _clean_title(msgspec.msgpack.decode(payload, type=_Titled).title)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
