"""The tickets that a player keeps: a file for each seat at each table, to come back with.

Knows files, and that each is its owner's alone. A seat that a running program uses is held by a
lock that the system lets go of when the program dies, however it dies; so that a second window of
the same player on the same machine does not take the first one's seat by accident.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec

from net.client import hold
from net.client.ticket import Ticket
from net.discovery.address import Address
from net.discovery.advert import OURS
from net.messages import NOTHING_SEEN, RUNNING_HASH_BYTES, Mark
from net.secure.code import BadCode, RoomCode
from net.secure.seatkey import SeatKey
from net.text import NAME_BYTES, NAME_CELLS, clean, clean_name

_SUFFIX: Final = ".seat"
FORGOTTEN: Final = 90 * 24 * 3600.0
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
class Kept:
    """A ticket that is kept, since when in seconds of 1970, and whether a program uses it now."""

    path: Path
    ticket: Ticket
    changed: float
    in_use: bool


class Wallet:
    """The tickets in a folder, which is made when the first is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def tickets(self) -> list[Kept]:
        """All that can be read, the last used first."""
        found = [kept for path in self.folder.glob(f"*{_SUFFIX}") if (kept := _read(path))]
        return sorted(found, key=lambda kept: kept.changed, reverse=True)

    def keep(self, ticket: Ticket) -> bool:
        """Keep a ticket that one comes back with, in place of an older one of the same seat.

        Returns whether it is kept: a disk that takes no file costs the way back, and not the game.
        """
        assert ticket.pin is not None
        written = _Written(
            name=ticket.name,
            addresses=tuple((address.host, address.port) for address in ticket.addresses),
            key=ticket.key.secret,
            pin=ticket.pin,
            table=ticket.table,
            title=ticket.title,
            code="" if ticket.code is None else str(ticket.code),
            watch=ticket.watch,
            step=ticket.seen.step,
            running=ticket.seen.hash,
            version=OURS.high,
        )
        path = self._path(ticket)
        fresh = path.with_suffix(".new")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(fresh, "wb", opener=_owner_only) as file:
                file.write(msgspec.msgpack.encode(written))
            fresh.replace(path)
        except OSError:
            return False
        return True

    def drop(self, ticket: Ticket) -> None:
        """Throw a ticket away: its seat is no more."""
        with suppress(OSError):
            self._path(ticket).unlink(missing_ok=True)

    @contextmanager
    def using(self, ticket: Ticket) -> Iterator[None]:
        """Hold a seat while it is used, so that others of this player see that it is.

        Its ticket was last used when that ends, whatever the clock said when it was kept.
        """
        path = self._path(ticket)
        with hold.held(path.with_suffix(".held")):
            try:
                yield
            finally:
                with suppress(OSError):
                    os.utime(path)

    def _path(self, ticket: Ticket) -> Path:
        return self.folder / f"{ticket.key.public.hex()[:32]}{_SUFFIX}"


def _seen(written: _Written) -> Mark:
    """Return the mark of a ticket; other versions may hash the same steps otherwise."""
    sound = written.version == OURS.high and len(written.running) == RUNNING_HASH_BYTES
    return Mark(written.step, written.running) if sound else NOTHING_SEEN


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _read(path: Path) -> Kept | None:
    """The ticket in a file, `None` where there is none that can be used."""
    try:
        changed, mark = path.stat().st_mtime, path.with_suffix(".held")
        in_use = hold.is_held(mark)
        if time.time() - changed > FORGOTTEN and not in_use:  # else the clock is wrong
            path.unlink()
            mark.unlink(missing_ok=True)
            return None
        written = msgspec.msgpack.decode(path.read_bytes(), type=_Written)
        code = RoomCode.parse(written.code) if written.code else None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, BadCode):
        return None
    ticket = Ticket(
        name=clean_name(written.name),
        addresses=tuple(Address(host, port) for host, port in written.addresses),
        key=SeatKey(written.key),
        table=written.table,
        title=clean(written.title, 2 * NAME_CELLS, 2 * NAME_BYTES),
        pin=written.pin,
        code=code,
        watch=written.watch,
        may_differ=False,
        seen=_seen(written),
    )
    return Kept(path, ticket, changed, in_use)
