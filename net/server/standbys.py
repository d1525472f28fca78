"""Probes for programs that could not go on with the table, so that players know it beforehand.

The host connects to where each program listens (`net.takeover.standby_listener`), proves nothing,
and hangs up; a firewall that lets nobody in makes that fail. A program that has not given an
address after `STANDBY_TIMEOUT_S` cannot go on with the table either; those of guests at doors never
do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from net.protocol.election import Standby
from net.secure.address import Address, unpack_addresses
from net.secure.connection import ConnectionFailed, connect
from net.tasks import cancel_and_wait, wait_for_event

STANDBY_TIMEOUT_S: Final = 5.0  # seconds that a program has to say where it listens
PROBE_TIMEOUT_S: Final = 2.0  # seconds in which a program has to answer, at one address
PROBE_AGAIN_S: Final = 15.0  # seconds from one try to the next, if there is no way to a program yet

Standbys: TypeAlias = Mapping[int, Standby | None]
"""The addresses at which programs listen, by member; `None` for one that has not given any."""


@dataclass(slots=True)
class _Seen:
    """A member's program: the address at which it listens, and the time of the next look."""

    standby: Standby | None
    due: float
    is_reachable: bool | None = None


class StandbyProbes:
    """Tries to reach the programs that could go on with a table.

    `wanted` returns them; `found` is called with a member, and with True if their program answers.
    """

    def __init__(self, wanted: Callable[[], Standbys], found: Callable[[int, bool], None]) -> None:
        self._wanted = wanted
        self._found = found
        self._changed = asyncio.Event()
        self._seen: dict[int, _Seen] = {}

    def look(self) -> None:
        """Call `wanted` soon, as its answer may have changed."""
        self._changed.set()

    async def run(self) -> None:
        """Try whenever it is due, until cancelled."""
        while True:
            self._changed.clear()
            now = time.monotonic()
            self._note(self._wanted(), now)
            due = [member for member, seen in self._seen.items() if seen.due <= now]
            tries = [asyncio.create_task(self._try(member)) for member in due]
            try:
                await asyncio.gather(*tries)
            finally:
                await cancel_and_wait(*tries)
            await self._rest()

    def _note(self, wanted: Standbys, now: float) -> None:
        """Note programs that are new or listen elsewhere, and forget those that are gone."""
        self._seen = {member: seen for member, seen in self._seen.items() if member in wanted}
        for member, standby in wanted.items():
            seen = self._seen.get(member)
            if seen is None or seen.standby != standby:
                known = None if seen is None else seen.is_reachable
                patience = STANDBY_TIMEOUT_S if standby is None else 0.0
                self._seen[member] = _Seen(standby, now + patience, known)

    async def _try(self, member: int) -> None:
        """Try to reach a member's program, and report the result if it is new."""
        seen = self._seen[member]
        is_reachable = seen.standby is not None and await reaches(seen.standby)
        if self._seen.get(member) is not seen:
            return
        seen.due = time.monotonic() + PROBE_AGAIN_S
        if is_reachable or seen.standby is None:
            seen.due = float("inf")
        if seen.is_reachable is not is_reachable:
            seen.is_reachable = is_reachable
            self._found(member, is_reachable)

    async def _rest(self) -> None:
        """Wait until something changes, or the next try is due."""
        due = min((seen.due for seen in self._seen.values()), default=float("inf"))
        left = None if due == float("inf") else max(0.0, due - time.monotonic())
        await wait_for_event(self._changed, left)


async def reaches(standby: Standby) -> bool:
    """Return True if a program answers at one of the addresses that it has told."""
    for address in unpack_addresses(standby.addresses, standby.port):
        if await _answers(address, standby.fingerprint):
            return True
    return False


async def _answers(address: Address, pin: bytes) -> bool:
    try:
        connection = await connect(address.host, address.port, pin=pin, seconds=PROBE_TIMEOUT_S)
    except ConnectionFailed:
        return False
    connection.abort()
    return True
