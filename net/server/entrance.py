"""The entrance of a table or of a club: its port, its announcement, and the doors beside it.

Strangers prove the room code here, those who have been here before their key, and guests at the
doors what the doors ask of them.
"""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from net.discovery.advert import OURS, Advert, DoorPorts, read_port
from net.discovery.announcer import Announcer
from net.discovery.networks import PortClaim
from net.protocol.messages import DoorNow
from net.protocol.requests import DoorKind
from net.secure.connection import Connection, accept_peer
from net.secure.handshake import HostHandshake, TableTrust
from net.secure.limits import GuessLimiter, home_of
from net.secure.listener import listen
from net.server.door_messages import DoorOrder
from net.server.doors import Doors, DoorTable, GuestKeys
from net.server.tables import ServerOptions

if TYPE_CHECKING:
    from net.server.club import ClubServer
    from net.server.server import TableServer


class Entrance:
    """The entrance of a place, on a claimed port, which it owns."""

    def __init__(
        self, place: TableServer | ClubServer, claim: PortClaim, options: ServerOptions
    ) -> None:
        self.port = claim.port
        self.guesses = GuessLimiter()
        self.guest_keys = GuestKeys()
        self._place = place
        self._claim = claim
        self._options = options
        self.doors = Doors(self.door_table(), options.doors)
        self.announcer: Announcer | None = None
        if options.announce:
            self.announcer = Announcer(self._advert(), claim.port, claim.udp, place.note_announcing)

    async def open(self, stack: AsyncExitStack) -> None:
        """Announce the place, and let the stack close everything."""
        if self.announcer is not None:
            await stack.enter_async_context(self.announcer)
        stack.push_async_callback(self.doors.close)

    def close(self) -> None:
        """Let go of the port."""
        self._claim.close()

    async def listen(self) -> None:
        """Accept connections until cancelled."""
        await listen(self._claim.tcp, self._place.certificate, self._greet)

    def announce(self) -> None:
        """Announce the place as it is now."""
        if self.announcer is not None:
            self.announcer.update(self._advert())

    async def _greet(self, connection: Connection) -> None:
        """Serve one connection, from its handshake until it is gone."""
        place, trust = self._place, self._trust()
        handshake = HostHandshake(trust, connection.peer)
        welcomed = await accept_peer(connection, handshake, place.note_wrong_codes)
        if trust.code != place.code and not self._may_return(welcomed.key):
            connection.close()  # there is a new code since they came: they have to prove that one
            return
        address = home_of(self.guest_keys.address_of(welcomed.key, connection.peer))
        at_door = self.guest_keys.is_guest(welcomed.key)
        await place.serve(connection, welcomed.key, address, at_door=at_door)

    def _trust(self) -> TableTrust:
        """Return all that decides about strangers, by the present settings."""
        fingerprint, code = self._place.certificate.fingerprint, self._place.code
        claim = self._place.claim
        return TableTrust(fingerprint, OURS, code, self.guesses, self._may_return, claim)

    def _may_return(self, key: bytes) -> bool:
        """Return True if this key needs no code: it has a seat or had, or a door let it in."""
        if self._place.is_known(key):
            self.guest_keys.note_entry(key)
            return True
        return self._place.is_removed(key) or self.guest_keys.may_enter(key, time.monotonic())

    def _door_is(self, door: DoorNow) -> None:
        self._options.on_door(door)
        self._place.note_door(door)
        self.announce()

    def door_table(self) -> DoorTable:
        """Return the part of the place that doors may know and ask."""
        place, options = self._place, self._options
        order = DoorOrder(
            table=place.id,
            title=place.title,
            port=self._claim.port,
            pin=place.certificate.fingerprint,
            folder=str(options.doors_folder),
            language=options.language,
        )
        return DoorTable(
            order,
            lambda: place.code,
            self.guesses,
            self.guest_keys,
            place.is_known,
            place.note_wrong_codes,
            self._door_is,
        )

    def _advert(self) -> Advert:
        ports = {kind: read_port(door.port) for kind, door in self.doors.now.items()}
        doors = DoorPorts(ports.get(DoorKind.SSH, 0), ports.get(DoorKind.WEB, 0))
        return self._place.advert(doors)
