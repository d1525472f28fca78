"""Doors of a table, which admit guests who have no Sabtui: opened, closed and reported.

A guess at a door counts like one at the table's own port, for the address that the door gives. Only
a door can give an address: a connection from this computer counts for a guest's address only if it
proves a seat key that a door has announced for that address. The room code never leaves the table's
process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.secure.code import RoomCode
from net.secure.limits import GuessLimiter, keep_last
from net.tasks import cancel_and_wait

ADMISSION_S: Final = 60.0
"""Seconds that a key which a door has admitted has to enter the table for the first time: the
guest's screen has to start."""

MAX_GUEST_KEYS: Final = 256
"""Maximum number of keys of guests whose addresses are remembered; the oldest is forgotten
first."""


class GuestKeys:
    """The seat keys that doors have admitted, with the address that each guest comes from.

    An admitted key may enter once, within `ADMISSION_S`: a guest who is removed from the table has
    to prove the code again. A code that was proven before it was `renewed` admits nobody. Times are
    seconds of the caller's clock.
    """

    def __init__(self) -> None:
        self.renewed = 0
        self._addresses: dict[bytes, str] = {}
        self._until: dict[bytes, float] = {}

    def admit(self, key: bytes, address: str, now: float, *, is_new: bool) -> None:
        if is_new:
            self._until[key] = now + ADMISSION_S
        oldest = keep_last(self._addresses, key, address, MAX_GUEST_KEYS)
        if oldest is not None:
            self._until.pop(oldest, None)

    def may_enter(self, key: bytes, now: float) -> bool:
        """Return True if a key was admitted within `ADMISSION_S`, and has not entered since."""
        return self._until.get(key, -1.0) >= now

    def note_entry(self, key: bytes) -> None:
        self._until.pop(key, None)

    def revoke(self) -> None:
        """Take back all admissions that were not used: there is a new room code."""
        self.renewed += 1
        self._until.clear()

    def is_guest(self, key: bytes) -> bool:
        return key in self._addresses

    def address_of(self, key: bytes, peer: str) -> str:
        return self._addresses.get(key, peer)


@dataclass(frozen=True, slots=True)
class DoorTable:
    """The part of a table, or of a club, that doors may know and ask."""

    id: str
    name: str
    port: int
    pin: bytes  # the fingerprint of its certificate
    code: Callable[[], RoomCode | None]
    """Returns the present room code, `None` while the table is open."""
    guesses: GuessLimiter
    keys: GuestKeys
    is_seated: Callable[[bytes], bool]
    alarm: Callable[[int], None]  # warns the host about this many wrong codes


ServeDoor: TypeAlias = Callable[
    [DoorTable, DoorKind, Callable[[DoorNow], None]], Awaitable[DoorTrouble]
]
"""Serves a door until it ends, and returns why it did; calls the last argument once it is open.

Raises OSError: it cannot be started now.
"""

_log = logging.getLogger(__name__)


class Doors:
    """The doors of one table, each opened and closed by `switch`. Close them all with `close`.

    `serve` has a function for each kind of door that can be served; `report` is called with each
    new state.
    """

    def __init__(
        self,
        table: DoorTable,
        serve: Mapping[DoorKind, ServeDoor],
        report: Callable[[DoorNow], None],
    ) -> None:
        self.now: dict[DoorKind, DoorNow] = {}
        self._table = table
        self._serve = serve
        self._report = report
        self._tasks: dict[DoorKind, asyncio.Task[None]] = {}

    @property
    def kinds(self) -> list[DoorKind]:
        return sorted(self._tasks)

    def switch(self, kind: DoorKind, *, is_open: bool) -> None:
        running = self._tasks.get(kind)
        if is_open and running is None:
            self._tasks[kind] = asyncio.create_task(self._run(kind))
        elif not is_open and running is not None:
            running.cancel()
            del self._tasks[kind]
            self._report_door(DoorNow(kind))

    async def close(self) -> None:
        tasks, self._tasks = tuple(self._tasks.values()), {}
        await cancel_and_wait(*tasks)

    def _report_door(self, now: DoorNow) -> None:
        self.now[now.kind] = now
        self._report(now)

    async def _run(self, kind: DoorKind) -> None:
        trouble = DoorTrouble.MISSING
        if kind in self._serve:
            try:
                trouble = await self._serve[kind](self._table, kind, self._report_door)
            except OSError as error:  # there are no processes or files left
                trouble = DoorTrouble.ENDED
                _log.warning("the door %s cannot be started: %s", kind, error)
        if self._tasks.get(kind) is asyncio.current_task():
            del self._tasks[kind]
        _log.info("the door %s is closed: %s", kind, trouble.value)
        self._report_door(DoorNow(kind, trouble=trouble))
