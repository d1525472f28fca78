"""The seats of a browser door's guests, kept on disk so that a page finds its seat again.

A seat has an id, which a page tells the door, and a secret, from which both make their keys
(`sabtui.doors.web_channel`); the page keeps both. The key is the seat's own at the table. The file
outlives the door: after the table's computer was restarted the pages come back by themselves.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import msgspec

from net.security.keys import SeatKey

MAX_SEATS: Final = 64
"""Most seats that a door keeps; beyond that the one not used for longest is forgotten."""

ID_BYTES: Final = 8
SECRET_BYTES: Final = 32

_FILE_NAME: Final = "web-seats"

_Bytes32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]


class WebSeat(msgspec.Struct, frozen=True):
    """One guest: how their page is known again, their name, and the key of their seat."""

    id: str
    secret: _Bytes32
    name: str
    key: _Bytes32


class WebSeats:
    """The seats of one door, the one used last at the end; `folder` is the door's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seats = {seat.id: seat for seat in _read(folder / _FILE_NAME)}

    def get(self, seat: str) -> WebSeat | None:
        """Return the seat of this id, `None` if there is none."""
        return self._seats.get(seat)

    def named(self, name: str) -> tuple[WebSeat, ...]:
        """Return the seats whose guests gave this name, the one used last first."""
        wanted = name.casefold()
        return tuple(
            seat for seat in reversed(self._seats.values()) if seat.name.casefold() == wanted
        )

    def add(self, name: str) -> WebSeat:
        """Make a seat for a guest of this name, and keep it."""
        seat = WebSeat(
            secrets.token_hex(ID_BYTES),
            secrets.token_bytes(SECRET_BYTES),
            name,
            SeatKey.new().secret,
        )
        self.use(seat)
        return seat

    def use(self, seat: WebSeat) -> None:
        """Keep a seat as the one used last."""
        self._seats.pop(seat.id, None)
        self._seats[seat.id] = seat
        if len(self._seats) > MAX_SEATS:
            del self._seats[next(iter(self._seats))]
        _write(self.folder / _FILE_NAME, tuple(self._seats.values()))

    def home(self, seat: WebSeat) -> Path:
        """Return the folder that is the home of a guest's screen."""
        return self.folder / "guests" / seat.id


def _read(path: Path) -> tuple[WebSeat, ...]:
    """Read the seats of an earlier door; none if there was none, or the file is damaged."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.msgpack.decode(path.read_bytes(), type=tuple[WebSeat, ...])
    return ()


def _write(path: Path, seats: tuple[WebSeat, ...]) -> None:
    """Write the seats; a disk that takes nothing costs only that pages are known again."""
    fresh = path.with_suffix(".new")
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(fresh, "wb", opener=_owner_only) as file:
            file.write(msgspec.msgpack.encode(seats))
        fresh.replace(path)


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
