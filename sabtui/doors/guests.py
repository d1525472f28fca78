"""The guests of a door: the seat that each returns to, and the address that each counts for.

A guest is recognised by a secret of their own: an SSH key, or what a door has given to a page. The
fingerprint of a secret is called a mark here. A guest without a secret is recognised by name, after
proving the room code. A guest with a secret is never recognised by name only: otherwise any friend
who knows the code could take the seat.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import shutil
import time
from collections.abc import Awaitable, Callable, Container, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from net.files import private_folder, replace
from net.protocol.cleaning import clean_name
from net.secure.keys import SeatKey
from net.secure.limits import home_of

MAX_GUESTS: Final = 600
"""Maximum number of guests that a door remembers: more than a club has people and a door has
screens."""

MAX_SECRETS: Final = 8
"""Maximum number of secrets that identify a guest, such as the keys that an SSH agent offers."""

MAX_SCREENS: Final = 24  # screens of one door at once: some 25 MB each, and 12 MB for a page

FORGOTTEN_AFTER_S: Final = 30 * 24 * 3600.0
"""Seconds (30 days) after which the folder of a table whose door was not used is removed."""

_FILE: Final = "guest.json"

SeatCheck: TypeAlias = Callable[[bytes], Awaitable[bool]]
"""Asks the table, which may take a moment; returns True if it knows this public seat key."""


class Guest(msgspec.Struct, frozen=True):
    """A guest of a door, as their file keeps them."""

    id: str  # the name of their folder
    name: str
    key: bytes  # the secret of their seat key
    marks: tuple[str, ...] = ()  # fingerprints of the secrets that prove them

    @property
    def seat(self) -> SeatKey:
        return SeatKey(self.key)


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who logs in at a door, and the marks of their secrets."""

    name: str
    proven: str = ""  # the mark of the secret that they have proven; "" if it was the room code
    offered: tuple[str, ...] = ()  # marks that prove nothing now, and are kept for the next time
    renewed: int = 0  # how often the room code had been renewed before they proved it


class GuestBook:
    """The guests of one table's door, in a folder that is created with the first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._guests = dict[str, Guest]()  # by id, the latest visitor last
        for path in sorted(folder.glob(f"*/{_FILE}"), key=_read_change_time):
            with suppress(OSError, ValueError):  # msgspec's errors are ValueErrors
                guest = msgspec.json.decode(path.read_bytes(), type=Guest)
                if guest.id == path.parent.name:
                    self._guests[guest.id] = guest

    def get(self, number: str) -> Guest | None:
        """Return the guest with this id, `None` if there is none."""
        return self._guests.get(number)

    def find_known(self, caller: Caller) -> list[Guest]:
        """Return the guests that a caller may be, the latest visitor first.

        They have the caller's name and, if a secret was proven, its mark; else no marks at all.
        """
        wanted, proven = clean_name(caller.name).casefold(), caller.proven
        return [
            guest
            for guest in reversed(self._guests.values())
            if guest.name.casefold() == wanted
            and (proven in guest.marks if proven else not guest.marks)
        ]

    def note_visit(self, guest: Guest) -> None:
        """Note a guest's visit, here and in the time of their file."""
        if self._guests.pop(guest.id, None) is not None:
            self._guests[guest.id] = guest
            with suppress(OSError):  # then the guest is only forgotten a little earlier
                os.utime(self.home(guest) / _FILE)

    def add(self, caller: Caller) -> Guest:
        """Store a new guest with a new seat key, and return them.

        Raises OSError: the disk cannot be written.
        """
        marks = tuple(dict.fromkeys(filter(None, (caller.proven, *caller.offered))))
        guest = Guest(
            secrets.token_hex(8), clean_name(caller.name), SeatKey.new().secret, marks[:MAX_SECRETS]
        )
        private_folder(self.home(guest))
        self._store(guest)
        self._guests[guest.id] = guest
        return guest

    def note_proof(self, guest: Guest, mark: str) -> Guest:
        """Note that a guest has proven the secret of a mark; forget their other marks.

        Raises OSError: the disk cannot be written.
        """
        if guest.marks == (mark,):
            return guest
        proven = msgspec.structs.replace(guest, marks=(mark,))
        self._store(proven)
        self._guests[guest.id] = proven
        return proven

    async def forget_guests(self, present: Container[str], is_seated: SeatCheck) -> None:
        """Forget guests beyond `MAX_GUESTS`, those with the oldest last visit first.

        Guests with a seat, and those whose id is among the `present`, are kept.
        """
        for guest in tuple(self._guests.values()):
            if len(self._guests) <= MAX_GUESTS:
                return
            if not await is_seated(guest.seat.public) and guest.id not in present:
                self._guests.pop(guest.id, None)
                shutil.rmtree(self.home(guest), ignore_errors=True)

    async def find_unseated(self, present: Iterable[str], is_seated: SeatCheck) -> str | None:
        """Return the first of the ids `present` whose guest has no seat, `None` if all have."""
        for number in tuple(present):
            guest = self.get(number)
            if guest is None or not await is_seated(guest.seat.public):
                return number
        return None

    def home(self, guest: Guest) -> Path:
        return self.folder / guest.id

    def _store(self, guest: Guest) -> None:
        replace(self.home(guest) / _FILE, msgspec.json.encode(guest))


def open_guest_book(doors: Path, table: str) -> GuestBook:
    """Return the guest book of a table, in the folder of all `doors`.

    Books of other tables that were not used for `FORGOTTEN_AFTER_S` are removed.
    """
    before = time.time() - FORGOTTEN_AFTER_S
    for folder in (doors / "guests").glob("*"):
        visits = map(_read_change_time, (folder, *folder.glob(f"*/{_FILE}")))
        if folder.name != table and max(visits) < before:
            shutil.rmtree(folder, ignore_errors=True)
    return GuestBook(doors / "guests" / table)


def _read_change_time(path: Path) -> float:
    """Return the time of a file's last change, in seconds since 1970; 0 if it is missing."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def find_household(host: str) -> str:
    """Return the key by which an address is counted: itself, or its /64 of IPv6."""
    return home_of(normalise_address(host))


def normalise_address(host: str) -> str:
    """Return an address as the table sees it: without a zone, and IPv4 in IPv6 as IPv4."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
