"""The entrance of a table or of a club: its port, its announcement, and the doors beside it.

Strangers prove the room code here, those who have been here before their key, and guests at the
doors what the doors ask of them. A `TableServer` is a table with an entrance of its own.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack

from net.discovery.advert import (
    HIGHEST_TERM,
    NO_DOORS,
    OURS,
    Advert,
    AdvertStage,
    DoorPorts,
    read_port,
)
from net.discovery.announcer import Announcer
from net.discovery.networks import PortClaim
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.requests import SwitchDoor
from net.room import inputs
from net.room.effects import Effects
from net.room.standing import term_of
from net.secure.code import RoomCode
from net.secure.connection import Connection, accept_peer
from net.secure.handshake import HostClaim, TableTrust
from net.secure.keys import TableCertificate
from net.secure.limits import GuessLimiter, home_of
from net.secure.listener import listen
from net.server.doors import Doors, DoorTable, GuestKeys
from net.server.journal_format import PutMeta
from net.server.live_table import LiveRoom, LiveTable
from net.server.tables import HostedTable, ServerOptions

_log = logging.getLogger(__name__)


class Entrance:
    """The way into a table or a club: the port, which it owns, the doors and the announcer."""

    def __init__(  # noqa: PLR0913 - all that strangers are told or have to prove
        self,
        room: LiveRoom,
        claim: PortClaim,
        options: ServerOptions,
        certificate: TableCertificate,
        *,
        code: Callable[[], RoomCode | None],
        advert: Callable[[DoorPorts], Advert],
        host: HostClaim | None = None,
    ) -> None:
        """`code` returns the room code that newcomers need now, `None` if they need none.

        `host` says who goes on with a table here; `None` where it was opened.
        """
        self.port = claim.port
        self.guesses = GuessLimiter()
        self.guest_keys = GuestKeys()
        self._room = room
        self._certificate = certificate
        self._code = code
        self._make_advert = advert
        self._host = host
        self._claim = claim
        self._options = options
        self.doors = Doors(self.door_table(), options.doors, self._note_door)
        self.announcer: Announcer | None = None
        if options.announce:
            self.announcer = Announcer(self._advert(), claim.port, claim.udp, self._note_announcing)

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
        await listen(self._claim.tcp, self._certificate, self._greet)

    def announce(self) -> None:
        """Announce the place as it is now."""
        if self.announcer is not None:
            self.announcer.update(self._advert())

    async def _greet(self, connection: Connection) -> None:
        """Serve one connection, from its handshake until it is gone."""
        trust = self._trust()
        welcomed = await accept_peer(connection, trust, self._note_wrong_codes)
        if trust.code != self._code() and not self._may_return(welcomed.key):
            connection.close()  # there is a new code since they came: they have to prove that one
            return
        address = home_of(self.guest_keys.address_of(welcomed.key, connection.peer))
        at_door = self.guest_keys.is_guest(welcomed.key)
        await self._room.serve(connection, welcomed.key, address, at_door=at_door)

    def _trust(self) -> TableTrust:
        """Return all that decides about strangers, by the present settings."""
        fingerprint, code = self._certificate.fingerprint, self._code()
        return TableTrust(fingerprint, OURS, code, self.guesses, self._may_return, self._host)

    def _may_return(self, key: bytes) -> bool:
        """Return True if this key needs no code: it has a seat or had, or a door let it in."""
        if self._room.is_known(key):
            self.guest_keys.note_entry(key)
            return True
        return self._room.is_removed(key) or self.guest_keys.may_enter(key, time.monotonic())

    def _note_wrong_codes(self, tried: int) -> None:
        """Warn the host of wrong codes."""
        _log.warning("%d wrong codes were tried", tried)
        self._room.happen(inputs.note_wrong_codes, tried)

    def _note_announcing(self, trouble: OSError | None) -> None:
        """Tell the host if the room cannot be announced."""
        self._room.happen(inputs.note_announcing, works=trouble is None)

    def _note_door(self, door: DoorNow) -> None:
        self._options.on_door(door)
        self._room.happen(inputs.note_door, door)
        self.announce()

    def door_table(self) -> DoorTable:
        """Return the part of the room that doors may know and ask."""
        advert = self._make_advert(NO_DOORS)
        return DoorTable(
            advert.id,
            advert.name,
            self._claim.port,
            self._certificate.fingerprint,
            self._code,
            self.guesses,
            self.guest_keys,
            self._room.is_known,
            self._note_wrong_codes,
        )

    def _advert(self) -> Advert:
        ports = {kind: read_port(door.port) for kind, door in self.doors.now.items()}
        return self._make_advert(DoorPorts(ports.get(DoorKind.SSH, 0), ports.get(DoorKind.WEB, 0)))


class TableServer(LiveTable):
    """Runs a table on a claimed port, and owns both. Make it in the event loop that runs it."""

    def __init__(
        self, table: HostedTable, claim: PortClaim, options: ServerOptions | None = None
    ) -> None:
        options = options or ServerOptions()
        super().__init__(table, options)
        self.entrance = Entrance(
            self,
            claim,
            options,
            table.certificate,
            code=lambda: self.code,
            advert=self.advert,
            host=table.claim,
        )
        self._door_code = table.code

    async def _open(self, stack: AsyncExitStack) -> None:
        stack.callback(self.entrance.close)
        await super()._open(stack)
        await self.entrance.open(stack)
        for kind in self.table.doors:
            self.entrance.doors.switch(kind, is_open=True)
        if self.entrance.port != self.table.port:
            self._writer.write([PutMeta("port", b"%d" % self.entrance.port)])

    def make_tasks(self) -> list[Coroutine[object, object, None]]:
        """Make what runs until the table is stopped."""
        return [self.entrance.listen(), *super().make_tasks()]

    # What its entrance asks.

    @property
    def code(self) -> RoomCode | None:
        """The room code that newcomers need now, None while the table is open."""
        return None if self.room.lobby.settings.is_open else self.table.code

    def advert(self, doors: DoorPorts) -> Advert:
        """Return the advert of the table: all that strangers may know of it."""
        room = self.room
        standing = room.standing
        return Advert(
            self.table.id,
            room.lobby.name,
            OURS,
            self._stage(),
            room.lobby.players,
            len(room.lobby.chairs),
            doors,
            min(term_of(room.incarnation), HIGHEST_TERM),
            standing.plays,
            standing.people,
        )

    def _stage(self) -> AdvertStage:
        """Return the stage to announce: a table that begins by itself needs no host there."""
        stage, host = self.room.stage, self.room.lobby.person(self.room.lobby.host)
        is_here = self.room.starts_with or (host is not None and not host.presence.is_gone)
        return AdvertStage.AWAY if stage is AdvertStage.LOBBY and not is_here else stage

    def is_known(self, key: bytes) -> bool:
        """Return True if this key may return without the code: a player's, or the host's own."""
        return key == self.table.host_key or self.room.is_known(key)

    # What follows from the table.

    def apply_effects(self, effects: Effects) -> None:
        """Do what the table has to do; no door lets in by a code that was renewed."""
        super().apply_effects(effects)
        if self.table.code != self._door_code:
            self._door_code = self.table.code
            self.entrance.guest_keys.revoke()

    def announce(self) -> None:
        """Announce the table as it is now."""
        self.entrance.announce()

    def switch_door(self, switch: SwitchDoor) -> None:
        """Open or close a door, also after a restart."""
        doors = self.entrance.doors
        doors.switch(switch.kind, is_open=switch.open)
        self._writer.write([PutMeta("doors", " ".join(doors.kinds).encode())])
