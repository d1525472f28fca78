"""Looking for a table at another computer than its host's, and going on with it at our own.

A program follows only a host whose certificate it knows from before, or who has signed, with the
seat key of somebody who has a seat, that the table goes on there. The room code proves nothing: who
only watched knows it, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Protocol

from net.client.credentials import MAX_FORMER, Credentials
from net.client.dialer import DialFailed
from net.client.session import Status
from net.client.trail import GameState
from net.discovery.advert import OURS
from net.discovery.browser import Browser
from net.protocol.lobby import Lobby
from net.protocol.requests import DoorKind
from net.room.standing import NO_TABLE, Standing, has_its_people, standing_of
from net.room.state import PublicState
from net.secure.address import Address
from net.secure.authenticate import AuthenticationFailed, authenticate
from net.secure.client import ClientHandshake
from net.secure.code import RoomCode
from net.secure.connection import Connection, ConnectionFailed, connect
from net.secure.handshake import HostClaim

SILENT_AFTER_S: Final = 8.0
"""Seconds without a word of the host after which the table may go on elsewhere."""

SHORT_AFTER_S: Final = 30.0
"""Seconds that a table waits for its people before somebody is asked to go on without them."""

LOOK_INTERVAL_S: Final = 0.3  # seconds between two looks at what was found
FOLLOW_TIMEOUT_S: Final = 3.0  # seconds in which a table that was found has to answer
TRY_AGAIN_S: Final = 3.0  # seconds until an address is tried again that has not let us in


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """Order to go on with a table here, in this term, with the holder of this key as its host.

    These `doors` are opened beside it.
    """

    credentials: Credentials
    term: int
    states: tuple[PublicState, ...]
    held: GameState
    code: RoomCode | None
    is_handed_over: bool = False
    doors: tuple[DoorKind, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenedHere:
    """A table that was opened here: its certificate's fingerprint, and where it is reached."""

    pin: bytes
    addresses: tuple[Address, ...]


class TableOpener(Protocol):
    """Opens tables of other hosts at this computer."""

    async def open(self, order: MoveOrder) -> OpenedHere | None:
        """Go on with a table; return `None` if that fails."""
        ...


@dataclass(frozen=True, slots=True)
class FoundElsewhere:
    """The table at another computer: a connection that it trusts, and the credentials for it.

    `host` is the key of the person there, empty for a former host.
    """

    connection: Connection
    credentials: Credentials
    host: bytes = b""


def own_standing(status: Status, *, is_ours: bool, term: int = 0) -> Standing | None:
    """Return the standing that a table elsewhere has to exceed, `None` if none is looked for.

    Nobody looks for another while the own table has its people. One that `is_ours` and still
    gathers goes on in this `term`; one that gathers without its own host gives way to any with as
    many people.
    """
    lobby, gathered = status.lobby, status.gathering
    if lobby is not None and lobby.handing and gathered is None:
        return NO_TABLE
    if is_ours and gathered is not None:
        return Standing(False, gathered.here, term)  # noqa: FBT003 - a row
    if gathered is not None and status.found in gathered.waiting:
        return Standing(False, gathered.here, NO_TABLE.term)  # noqa: FBT003 - a row
    if lobby is not None and not status.silent and gathered is None:
        return None if has_its_people(lobby) or not lobby.sitting else standing_of(lobby)
    return NO_TABLE if status.silent else None


def least_term(status: Status) -> int:
    """Return the least term of a table elsewhere: after a handover it is a later one."""
    lobby = status.lobby
    return lobby.term + 1 if lobby is not None and lobby.handing else 0


async def look_elsewhere(
    credentials: Callable[[], Credentials],
    standing: Callable[[], Standing | None],
    status: Callable[[], Status],
) -> FoundElsewhere:
    """Look for the table where it stands before ours, until one trusts us and is to be trusted."""
    loop = asyncio.get_running_loop()
    tried: dict[Address, float] = {}
    async with Browser(OURS) as browser:
        while True:
            await asyncio.sleep(LOOK_INTERVAL_S)
            ours = standing()
            if ours is None:
                continue
            hosts = [
                (at, there)
                for at, there in browser.hosts(credentials().table)
                if there > ours and there[2] >= least_term(status())
                if loop.time() - tried.get(at, -TRY_AGAIN_S) >= TRY_AGAIN_S
            ]
            for address, there in sorted(hosts, key=lambda host: host[1], reverse=True):
                tried[address] = loop.time()
                with suppress(ConnectionFailed, AuthenticationFailed, TimeoutError, DialFailed):
                    async with asyncio.timeout(FOLLOW_TIMEOUT_S):
                        found = await follow(credentials(), address)
                    now = standing()
                    if now is not None and there > now:
                        return found
                    found.connection.abort()  # somebody came to ours meanwhile


async def follow(credentials: Credentials, address: Address) -> FoundElsewhere:
    """Return a connection to the table at an address, whose host we know or who is to be followed.

    Raises ConnectionFailed, AuthenticationFailed: it is not to be followed, or does not trust us.
    """
    connection = await connect(address.host, address.port)
    trusted = False
    try:
        shown, key = connection.fingerprint, credentials.key
        if shown in credentials.former:
            await authenticate(connection, ClientHandshake.come_back(shown, OURS, key))
            found = FoundElsewhere(connection, _now_at(credentials, shown, (address,)))
        else:
            claims: list[HostClaim] = []

            def trusts(claim: HostClaim) -> bool:
                claims.append(claim)
                is_elsewhere = shown != credentials.pin  # ours answers at other addresses, too
                is_known = claim.key in credentials.seats
                return is_elsewhere and is_known and claim.is_signed(credentials.table, shown)

            await authenticate(connection, ClientHandshake.follow(shown, OURS, key, trusts))
            (claim,) = claims
            there = _now_at(credentials, shown, (address,))
            found = FoundElsewhere(connection, there, claim.key)
        trusted = True
        return found
    finally:
        if not trusted:
            connection.abort()


def _now_at(credentials: Credentials, pin: bytes, addresses: tuple[Address, ...]) -> Credentials:
    """Return the credentials for a table at another computer than before."""
    former = (credentials.pin, *credentials.former) if credentials.pin else credentials.former
    others = tuple(dict.fromkeys(one for one in former if one != pin))[:MAX_FORMER]
    return replace(credentials, pin=pin, addresses=addresses, former=others)


def moved_here(credentials: Credentials, opened: OpenedHere) -> Credentials:
    """Return the credentials for a table that goes on at this computer."""
    return _now_at(credentials, opened.pin, opened.addresses)


def keys_of(lobby: Lobby) -> tuple[bytes, ...]:
    """Return the public keys of those who have seats."""
    return tuple(person.key for _chair, person in lobby.sitting)
