"""The opening of a sealed table: those who come back give their shares, and then it is as it was.

Until then nothing of the game is known here, and nothing happens at the table. The seats are known,
so that people come back by their seat keys as usual. They are told whom the table waits for, and
enter in the order in which they came once it has opened. If somebody never comes back, the host can
give the table up: it is closed for good, and everything sealed is removed for ever.
"""

from __future__ import annotations

from typing import TypeAlias

from net.lobby.events import Closed
from net.protocol.election import Superseded
from net.protocol.messages import (
    ClientCommand,
    ClientMessage,
    CloseReason,
    CommandRefused,
    EnterTable,
    KeyShareGiven,
    KeyShareWanted,
    Ping,
    Pong,
    Refusal,
    TableSealed,
)
from net.protocol.requests import Close
from net.room.live_table import LiveTable
from net.room.sealing import SealedLog
from net.room.sessions import Connected
from net.room.state import Step
from net.security.sealing import SealBroken

Returned: TypeAlias = list[tuple[Connected, EnterTable]]
"""The connections of those who have come back, with the messages by which they enter."""


class Opening:
    """A table that waits for the shares of its journal's key."""

    def __init__(self, log: SealedLog, table: LiveTable) -> None:
        self._log = log
        self._table = table
        self._entering: dict[int, EnterTable] = {}  # by member
        self._wrong: set[int] = set()
        self._broken = False
        table.load_public(log)

    def receive(self, connected: Connected, message: ClientMessage) -> Returned | None:
        """Handle a message; return those who have come back if the table has opened with it."""
        sessions = self._table.sessions
        connected.last_heard = sessions.now
        match message:
            case Ping():
                sessions.send(connected, Pong(0))
            case EnterTable() if connected.member is None:
                self._enter(connected, message)
            case KeyShareGiven(share) if connected.member is not None:
                return self._take(connected.member, share)
            case Superseded(term) if connected.key == self._table.state.host_key:
                self._table.supersede(term)
            case ClientCommand(number, Close()) if self._is_host(connected):
                self._give_up(number)
            case _:  # no honest client says anything else before it is let in
                sessions.end(connected, CloseReason.OUT_OF_ORDER)
        return None

    def _enter(self, connected: Connected, message: EnterTable) -> None:
        """Let a member wait, and ask for their share. The newest connection of a member counts."""
        sessions, member = self._table.sessions, self._table.state.member_with(connected.key)
        if member is None:
            sessions.send(connected, CommandRefused(0, Refusal.SEALED))
            return
        older = sessions.by_member.get(member)
        if older is not None:
            sessions.end(older, CloseReason.REPLACED)
        sessions.attach(connected, member)
        self._entering[member] = message
        sessions.send(connected, self._news_for(member))
        share = self._log.share_of(member)
        if share:
            sessions.send(connected, KeyShareWanted(share))
        self._table.tell_host()

    def _take(self, member: int, share: bytes) -> Returned | None:
        """Take in a share, and open the table if it was the last that is needed."""
        if self._broken or not self._log.needed:
            return None
        if not self._log.give(member, share):
            self._wrong.add(member)
        elif not self._log.needed and self._opens():
            return self._leave()
        for waiting, connected in self._table.sessions.by_member.items():
            self._table.sessions.send(connected, self._news_for(waiting))
        return None

    def _opens(self) -> bool:
        try:
            self._table.load(self._log)
        except SealBroken:
            self._broken = True
        return not self._broken

    def _leave(self) -> Returned:
        """Return those who have come back, who are to enter now."""
        waiting = dict(self._table.sessions.by_member)
        self._table.sessions.by_member.clear()
        for connected in waiting.values():
            connected.member = None
        return [(connected, self._entering[member]) for member, connected in waiting.items()]

    def _is_host(self, connected: Connected) -> bool:
        return connected.member is not None and connected.member == self._table.lobby.host

    def _give_up(self, number: int) -> None:
        """Close the table for good, by the host's command: nobody has to wait for ever."""
        self._leave()
        self._table.give_up(self._log, Step(self._table.lobby.host, number, news=(Closed(),)))

    def _news_for(self, member: int) -> TableSealed:
        """Return the message about the sealed table to a member."""
        return TableSealed(
            needed=self._log.needed,
            waiting=self._names(self._log.waiting),
            wrong=self._names(self._wrong),
            broken=self._broken,
            yours=member == self._table.lobby.host,
        )

    def _names(self, members: tuple[int, ...] | set[int]) -> tuple[str, ...]:
        lobby = self._table.lobby
        return tuple(person.name for person in lobby.people if person.member in members)
