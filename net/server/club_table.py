"""A table of a club, as it runs: what it leaves to the club, and when it may be closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from msgspec.structs import replace

from net.protocol.board import MAX_AT_TABLE, HallTable
from net.protocol.framing import decode
from net.protocol.lobby import Stage, Taken
from net.protocol.messages import CLIENT_KINDS, ClientMessage, CloseReason, EnterTable, Notice
from net.protocol.requests import SwitchDoor
from net.room import inputs
from net.room.room import Room
from net.server.bot_pool import OurBots
from net.server.live_table import LiveTable
from net.server.options import ServerOptions
from net.server.tables import HostedTable


class Names(Protocol):
    """The names that a club's people have, and may have."""

    names: Mapping[bytes, str]

    def may_be_called(self, key: bytes, name: str) -> bool:
        """Return True if a name at a table is this person's, or theirs with a number added."""
        ...


@dataclass(frozen=True, slots=True)
class Outline:
    """A table as the club sees it: its `row` in the hall, and what is told to nobody.

    `gold` is everybody's, by seat, once a game is over, with the key of who sits there, empty for a
    bot; `host` is its host's key.
    """

    row: HallTable
    gold: tuple[tuple[bytes, int], ...] = ()
    host: bytes = b""


def outline_of(table: str, room: Room, names: Mapping[bytes, str]) -> Outline:
    """Return the outline of a table as it is: its row has nothing that its watchers do not see.

    People have the `names` of their keys in the club, not those with numbers that they may have
    beside a bot of the same name.
    """
    lobby, game = room.lobby, room.state.game
    here = [one for one in lobby.people if not one.presence.is_gone]
    called = {one.member: names.get(one.key, one.name) for one in here}
    return Outline(
        HallTable(
            table,
            lobby.name,
            room.stage,
            lobby.settings.edition,
            lobby.players,
            len(lobby.chairs),
            tuple(called.values())[:MAX_AT_TABLE],
        ),
        () if game is None else tuple(zip(_keys(room), game.score.nuggets or (), strict=False)),
        room.state.host_key,
    )


def _keys(room: Room) -> Iterator[bytes]:
    """Yield the key of who sits on each seat, empty for nobody's and a bot's."""
    for chair in room.lobby.chairs:
        yield room.lobby.find_person(chair.member).key if isinstance(chair, Taken) else b""


class ClubTable(LiveTable):
    """A table of a club; `changed` is called whenever the hall may show it in another way."""

    def __init__(
        self,
        table: HostedTable,
        options: ServerOptions,
        bots: OurBots,
        hall: Names,
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
        called = CloseReason.CALLED
        self._apply_effects(inputs.send_away(self._room, time.monotonic(), key, called))

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
            if not self._hall.may_be_called(key, message.name):
                message = replace(message, name=self._hall.names.get(key, ""))
        self._apply_effects(inputs.receive(self._room, time.monotonic(), number, message))

    def _announce(self) -> None:
        self._changed(self)

    def _switch(self, switch: SwitchDoor) -> None:
        raise AssertionError(f"a club's table has no doors: {switch}")
