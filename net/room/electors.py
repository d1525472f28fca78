"""The electors of a table (`net.lobby.succession`), and where their programs listen.

Programs give their address each time they come back; the host passes it on to everybody. It is not
in the journal: a program that has not come back cannot be dialled anyway.
"""

from __future__ import annotations

from typing import Final

from net.lobby.succession import electors, has_successors, successors
from net.protocol.election import Elector, Electors, Standby, Watcher
from net.room.state import RoomState

HANDING_OVER_S: Final = 10.0
"""Seconds in which nothing happens at a table that is being handed over, unless that fails."""


class ElectorList:
    """The known electors of the table with this id, and those last sent to them."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._standbys: dict[int, Standby] = {}
        self._unreached: set[int] = set()
        self._last_sent: Electors | None = None

    def note(self, member: int, standby: Standby) -> None:
        """Note the address at which a member's program listens."""
        self._standbys[member] = standby

    def standbys(self, state: RoomState) -> dict[int, Standby | None]:
        """Return the address of each program that may become the host, `None` if it gave none."""
        others = successors(state.lobby) if has_successors(state.lobby) else ()
        return {member: self._standbys.get(member) for member in others}

    def reached(self, member: int, *, reachable: bool) -> None:
        """Note if there is a way to a member's program."""
        if reachable:
            self._unreached.discard(member)
        else:
            self._unreached.add(member)

    def has_standby(self, member: int) -> bool:
        """Return True if a member's program could go on with the table."""
        return member in self._standbys

    def message(self, state: RoomState) -> Electors:
        """Return all that people are told of the electors."""
        here = {person.member for person in state.lobby.people}
        self._unreached &= here
        self._standbys = {one: kept for one, kept in self._standbys.items() if one in here}
        return Electors(
            self._table,
            tuple(self._elector(one, state) for one in electors(state.lobby)),
            tuple(Watcher(one.member, state.keys[one.member]) for one in state.lobby.watchers),
        )

    def news(self, state: RoomState) -> Electors | None:
        """Return the message that is due to everybody, `None` if they have it."""
        message = self.message(state) if has_successors(state.lobby) else None
        if message is None or message == self._last_sent:
            return None
        self._last_sent = message
        return message

    def _elector(self, member: int, state: RoomState) -> Elector:
        standby, key = self._standbys.get(member), state.keys[member]
        is_reachable = member not in self._unreached
        if standby is None:
            return Elector(member, key, reachable=is_reachable)
        return Elector(
            member, key, standby.fingerprint, standby.port, standby.addresses, is_reachable
        )
