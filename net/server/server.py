"""The table server: one table with an entrance of its own, joined in one loop."""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import AsyncExitStack

from net.discovery.advert import HIGHEST_TERM, OURS, Advert, AdvertStage, DoorPorts
from net.discovery.networks import PortClaim
from net.protocol.requests import SwitchDoor
from net.room.effects import Effects
from net.room.standing import term_of
from net.secure.code import RoomCode
from net.server.entrance import Entrance
from net.server.journal_format import PutMeta
from net.server.live_table import LiveTable
from net.server.tables import HostedTable, ServerOptions


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
