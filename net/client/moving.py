"""Going to a copy of a table at another computer, found there or opened here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from net.client.credentials import MAX_FORMER, Credentials
from net.client.trail import GameState
from net.discovery.search import FoundCopy, ask_host
from net.protocol.doors import DoorKind
from net.protocol.lobby import Lobby
from net.room.steps import PublicState
from net.secure.address import Address
from net.secure.code import RoomCode

SILENT_AFTER_S: Final = 8.0
"""Seconds of the host's silence after which the table may move elsewhere: by then the client has
lost its connection (`LOST_AFTER_S`) and dialled the same host again."""

SHORT_AFTER_S: Final = 30.0
"""Seconds that a table waits for its people before somebody is asked to continue without them."""


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """Order to move a table here, with the holder of the credentials' key as its host."""

    credentials: Credentials
    term: int
    states: tuple[PublicState, ...]  # what was public in the last states
    held: GameState  # the last state
    code: RoomCode | None
    is_handed_over: bool = False  # True if the host before has asked for this
    doors: tuple[DoorKind, ...] = ()  # to open beside it


@dataclass(frozen=True, slots=True)
class OpenedHere:
    """The copy that a `TableOpener` has opened."""

    pin: bytes  # its certificate's fingerprint
    addresses: tuple[Address, ...]  # for this computer
    outside: tuple[Address, ...] = ()  # for other computers, the likeliest first


TableOpener: TypeAlias = Callable[[MoveOrder], Awaitable[OpenedHere | None]]
"""Moves a table of another host to this computer; returns `None` if that fails."""


class NextCopy:
    """The copy to which a session moves next, found or opened here; usually none."""

    def __init__(self) -> None:
        self._to: Credentials | None = None
        self._move_ready = asyncio.Event()

    @property
    def is_moving(self) -> bool:
        """True while the session is moving to another copy."""
        return self._to is not None

    async def wait(self) -> None:
        await self._move_ready.wait()

    def set(self, to: Credentials) -> None:
        """Dial this copy next, instead of any other."""
        self._to = to
        self._move_ready.set()

    def take(self) -> Credentials | None:
        """Return the credentials to dial with now, `None` for the same as before."""
        to, self._to = self._to, None
        self._move_ready.clear()
        return to


async def follow(
    credentials: Credentials, address: Address, only: tuple[bytes, ...] | None = None
) -> FoundCopy:
    """Ask for the copy at an address, and whether it knows us.

    With `only`, nobody but the holders of these keys is followed.

    Raises ConnectionFailed, AuthenticationFailed: we do not follow its host, or it does not know
    us.
    """
    seats = credentials.seats if only is None else only
    former = credentials.former if only is None else ()
    return await ask_host(
        address, credentials.table, credentials.pin, seats=seats, former=former, key=credentials.key
    )


def move_credentials(
    credentials: Credentials, pin: bytes, addresses: tuple[Address, ...]
) -> Credentials:
    former = (credentials.pin, *credentials.former) if credentials.pin else credentials.former
    others = tuple(dict.fromkeys(earlier for earlier in former if earlier != pin))[:MAX_FORMER]
    return replace(credentials, pin=pin, addresses=addresses, former=others)


def keys_of(lobby: Lobby) -> tuple[bytes, ...]:
    return tuple(person.key for _chair, person in lobby.sitting)
