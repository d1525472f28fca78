"""Credentials and their store (Wallet), file lock.

How one comes to a table, and back to it. Values alone.

A file held by this process until it lets go or dies: advisory, whole, on POSIX and Windows.

The tickets that a player keeps: a file for each seat at each table, to come back with.

A seat that a running program uses is held by a lock that the system lets go of when the program
dies, however it dies; so that a second window of the same player on the same machine does not
take the first one's seat by accident.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Annotated, Final, TypeAlias

import msgspec

from net.discovery.address import Address
from net.discovery.advert import OURS
from net.protocol.messages import NOTHING_SEEN, RUNNING_HASH_BYTES, Mark
from net.protocol.text import MAX_NAME_BYTES, MAX_NAME_CELLS, clean, clean_name
from net.security.code import BadCode, RoomCode
from net.security.keys import SeatKey


@dataclass(frozen=True, slots=True)
class Credentials:
    """All that a player needs to come to one table as one person.

    `addresses` are where the table may be, the likeliest first, and `table` is its id, by which
    it is found where it has moved to; empty if unknown. With a `pin`, the fingerprint of the
    table's certificate, one comes back; without one, one joins, by the `code` if the table is
    not open. `seen` marks the last step that was seen there. `title` is what the table was
    called. A `name` that somebody has already gets a number where it `may_differ`.
    """

    name: str
    addresses: tuple[Address, ...]
    key: SeatKey = field(default_factory=SeatKey.new)
    table: str = ""
    title: str = ""
    pin: bytes | None = None
    code: RoomCode | None = None
    watch: bool = False
    seen: Mark = NOTHING_SEEN
    may_differ: bool = True


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def file_lock(path: Path) -> Iterator[bool]:
    """Hold a file, and tell whether it could be: another may hold it, or it cannot be written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError:
        yield False
        return
    with file:
        try:
            _lock(file)
        except OSError:
            yield False
            return
        yield True


def is_locked(path: Path) -> bool:
    """Whether another program, or another part of this one, holds a file."""
    if not path.exists():
        return False
    with suppress(OSError), path.open("ab") as file:
        try:
            _lock(file)
        except OSError:
            return True
    return False


_SUFFIX: Final = ".seat"
UNUSED_LIFETIME_S: Final = 90 * 24 * 3600.0
"""Seconds after which a ticket that nobody used is thrown away."""


_Bytes32: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
_Port: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=65535)]


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """A ticket as it lies in its file."""

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


@dataclass(frozen=True, slots=True)
class StoredCredentials:
    """A ticket that is kept, since when in seconds of 1970, and whether a program uses it now."""

    path: Path
    credentials: Credentials
    changed: float
    in_use: bool


class CredentialStore:
    """The tickets in a folder, which is made when the first is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def stored(self) -> list[StoredCredentials]:
        """All that can be read, the last used first."""
        found = [
            kept_entry for path in self.folder.glob(f"*{_SUFFIX}") if (kept_entry := _read(path))
        ]
        return sorted(found, key=lambda kept: kept.changed, reverse=True)

    def store(self, credentials: Credentials) -> bool:
        """Keep a ticket that one comes back with, in place of an older one of the same seat.

        Returns whether it is kept: a disk that takes no file costs the way back, and not the game.
        """
        assert credentials.pin is not None
        written = _Written(
            name=credentials.name,
            addresses=tuple((address.host, address.port) for address in credentials.addresses),
            key=credentials.key.secret,
            pin=credentials.pin,
            table=credentials.table,
            title=credentials.title,
            code="" if credentials.code is None else str(credentials.code),
            watch=credentials.watch,
            step=credentials.seen.step,
            running=credentials.seen.hash,
            version=OURS.high,
        )
        path = self._path(credentials)
        fresh = path.with_suffix(".new")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(fresh, "wb", opener=_owner_only) as file:
                file.write(msgspec.msgpack.encode(written))
            fresh.replace(path)
        except OSError:
            return False
        return True

    def remove(self, credentials: Credentials) -> None:
        """Throw a ticket away: its seat is no more."""
        with suppress(OSError):
            self._path(credentials).unlink(missing_ok=True)

    @contextmanager
    def using(self, ticket: Credentials) -> Iterator[None]:
        """Hold a seat while it is used, so that others of this player see that it is.

        Its ticket was last used when that ends, whatever the clock said when it was kept.
        """
        path = self._path(ticket)
        with file_lock(path.with_suffix(".held")):
            try:
                yield
            finally:
                with suppress(OSError):
                    os.utime(path)

    def _path(self, credentials: Credentials) -> Path:
        return self.folder / f"{credentials.key.public.hex()[:32]}{_SUFFIX}"


def _seen(written: _Written) -> Mark:
    """Return the mark of a ticket; other versions may hash the same steps otherwise."""
    sound = written.version == OURS.high and len(written.running) == RUNNING_HASH_BYTES
    return Mark(written.step, written.running) if sound else NOTHING_SEEN


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _read(path: Path) -> StoredCredentials | None:
    """The ticket in a file, `None` where there is none that can be used."""
    try:
        changed, mark = path.stat().st_mtime, path.with_suffix(".held")
        in_use = is_locked(mark)
        if time.time() - changed > UNUSED_LIFETIME_S and not in_use:  # else the clock is wrong
            path.unlink()
            mark.unlink(missing_ok=True)
            return None
        written = msgspec.msgpack.decode(path.read_bytes(), type=_Written)
        code = RoomCode.parse(written.code) if written.code else None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, BadCode):
        return None
    credentials = Credentials(
        name=clean_name(written.name),
        addresses=tuple(Address(host, port) for host, port in written.addresses),
        key=SeatKey(written.key),
        table=written.table,
        title=clean(written.title, 2 * MAX_NAME_CELLS, 2 * MAX_NAME_BYTES),
        pin=written.pin,
        code=code,
        watch=written.watch,
        may_differ=False,
        seen=_seen(written),
    )
    return StoredCredentials(path, credentials, changed, in_use)
