"""The electors of a table (`net.room.succession`), and where their programs listen.

Programs give their address each time they come back; the host passes it on to everybody. It is not
in the journal: a program that has not come back cannot be dialled anyway.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from net.protocol.election import Elector, Electors, Standby, Watcher
from net.protocol.fields import KEY_BYTES
from net.protocol.lobby import Lobby, Stage
from net.protocol.lobby_events import ElectorChanged, Exited, HostChanged, LeaveReason, LobbyEvent
from net.room.state import RoomState
from net.room.succession import (
    electors,
    find_entitled,
    has_successors,
    is_majority,
    successors,
)

HANDING_OVER_S: Final = 10.0
"""Seconds in which nothing happens at a table that is being handed over, unless that fails."""


class Acknowledgements:
    """The electors who have heard of the present electors.

    One of these changes only once more than half have, so that no two elections can be held by
    lists without anybody in common (`net.room.succession`).
    """

    def __init__(self) -> None:
        self._since = 0  # the step by which they are what they are
        self._heard: dict[int, int] = {}  # the last step of each member
        self._left: set[int] = set()

    def follow(self, number: int, news: Iterable[LobbyEvent]) -> None:
        """Note the lobby events of a step. Whoever leaves for good votes no more."""
        for event in news:
            match event:
                case ElectorChanged() | HostChanged():
                    self._since = number
                case Exited(member, LeaveReason.LEFT):
                    self._left.add(member)
                case _:
                    pass

    def note(self, member: int, step: int) -> None:
        """Note that a member's program has seen a step, and all before it."""
        self._heard[member] = max(step, self._heard.get(member, 0))

    def next_change(self, lobby: Lobby) -> ElectorChanged | None:
        """Return the next change towards those who are to elect, `None` if none is due yet."""
        due, now = find_entitled(lobby), lobby.electors
        went = [member for member in now if member not in due]
        came = [member for member in due if member not in now]
        if not (went or came) or lobby.stage is Stage.CLOSED:
            return None
        heard = {one for one, step in self._heard.items() if step >= self._since} | self._left
        if now and not is_majority(heard, now):
            return None
        return (
            ElectorChanged(went[0], elects=False) if went else ElectorChanged(came[0], elects=True)
        )


class ElectorList:
    """The known electors of the table with this id, and those last sent to them."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._standbys: dict[int, Standby] = {}
        self._unreached: set[int] = set()
        self._last_sent: Electors | None = None

    def knows(self, member: int, standby: Standby) -> bool:
        """Return True if this is the address at which a member's program was said to listen."""
        return self._standbys.get(member) == standby

    def note(self, member: int, standby: Standby) -> None:
        """Note the address at which a member's program listens."""
        self._standbys[member] = standby

    def standbys(self, state: RoomState) -> dict[int, Standby | None]:
        """Return the address of each program that may become the host, `None` if it gave none."""
        others = successors(state.lobby) if has_successors(state.lobby) else ()
        return {member: self._standbys.get(member) for member in others}

    def note_reachable(self, member: int, *, reachable: bool) -> None:
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
            tuple(
                Watcher(one.member, state.keys[one.member])
                for one in state.lobby.people
                if one.member not in state.lobby.electors
            ),
        )

    def news(self, state: RoomState) -> Electors | None:
        """Return the message that is due to everybody, `None` if they have it."""
        message = self.message(state) if has_successors(state.lobby) else None
        if message is None or message == self._last_sent:
            return None
        self._last_sent = message
        return message

    def _elector(self, member: int, state: RoomState) -> Elector:
        # Nobody can vote for a member who has left the table.
        standby, key = self._standbys.get(member), state.keys.get(member, bytes(KEY_BYTES))
        is_reachable = member not in self._unreached
        if standby is None:
            return Elector(member, key, reachable=is_reachable)
        return Elector(
            member, key, standby.fingerprint, standby.port, standby.addresses, is_reachable
        )
