"""A table of a club, as it runs: what it leaves to the club, and when it may be closed."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from net.protocol.framing import decode
from net.protocol.lobby import Stage
from net.protocol.messages import CLIENT_KINDS, ClientMessage, CloseReason, EnterTable, Notice
from net.protocol.requests import SwitchDoor
from net.room import inputs
from net.room.hall import Hall
from net.server.bot_pool import OurBots
from net.server.live_table import LiveTable
from net.server.options import ServerOptions
from net.server.tables import HostedTable


class ClubTable(LiveTable):
    """A table of a club; `changed` is called whenever the hall may show it in another way."""

    def __init__(
        self,
        table: HostedTable,
        options: ServerOptions,
        bots: OurBots,
        hall: Hall,
        changed: Callable[[ClubTable], None],
    ) -> None:
        super().__init__(table, options, bots)
        self._room.join_club()
        self._hall = hall
        self._changed = changed

    @property
    def is_kept(self) -> bool:
        """True if the table is not to be closed while nobody is there: a game is under way."""
        return self._room.lobby.stage is Stage.PLAYING and not self._is_over()

    @property
    def is_stopping(self) -> bool:
        """True once nobody may come to it any more."""
        return self._stopped.is_set()

    @property
    def is_closed(self) -> bool:
        """True if the table was closed for good."""
        return self._write_ahead.finished.is_set()

    def cut_all(self) -> None:
        """Abort the connections that are left."""
        self._connections.cut_all()

    def start_by(self, seconds: float) -> None:
        """Let its game begin once all are there who sit, or so many seconds from now."""
        self._apply_effects(inputs.start_by(self._room, time.monotonic(), seconds))

    def call(self, key: bytes = b"") -> None:
        """Call whoever has this key to the hall, by default everybody."""
        club = CloseReason.CLUB
        self._apply_effects(inputs.send_away(self._room, time.monotonic(), key, club))

    def tell(self, notice: Notice) -> None:
        """Tell everybody at the table what an organiser says to all."""
        self._apply_effects(inputs.tell_all(self._room, time.monotonic(), notice))

    def close(self) -> None:
        """Close the table for good."""
        self._apply_effects(inputs.close(self._room, time.monotonic()))

    def receive(self, number: int, value: object) -> None:
        """Handle what came on a connection. Raises BadFrame: it is no message."""
        message: ClientMessage = decode(value, *CLIENT_KINDS)
        connected = self._room.sessions.connected.get(number)
        if isinstance(message, EnterTable) and connected is not None:
            key = connected.key
            if not self._hall.names.may_be_called(key, message.name):
                message = replace(message, name=self._hall.names.get(key, ""))
        self._apply_effects(inputs.receive(self._room, time.monotonic(), number, message))

    def _announce(self) -> None:
        self._changed(self)

    def _switch(self, switch: SwitchDoor) -> None:
        raise AssertionError(f"a club's table has no doors: {switch}")
