"""The electors of a table as one program knows them, and who of them may become the host."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from net.protocol.election import Elector, Watcher
from net.protocol.lobby import Lobby
from net.room.succession import MIN_OTHERS, electors

_NO_KEY = bytes(32)


@dataclass(slots=True, kw_only=True)
class KnownElectors:
    """The `electors` and the `host` of a table, and the `watchers`, who have no vote.

    `list_number` is that of the list of electors, by term and changes (`net.room.succession`).
    """

    host: int = 0
    electors: tuple[Elector, ...] = ()
    list_number: tuple[int, int] = (0, 0)
    watchers: tuple[Watcher, ...] = ()

    def note_list(self, lobby: Lobby) -> bool:
        """Note the electors by their numbers; return True if the list is newer than the known one.

        Their keys and addresses come after it; until then there are those of the older list.
        """
        number = (lobby.term, lobby.changes)
        if number <= self.list_number:
            return False
        known = {one.member: one for one in self.electors}
        self.electors = tuple(known.get(one, Elector(one, _NO_KEY)) for one in electors(lobby))
        self.list_number = number
        return True

    def set_electors(self, told: tuple[Elector, ...], watchers: tuple[Watcher, ...] = ()) -> None:
        """Note the electors; addresses that a restarted host does not know are kept."""
        known = {(one.member, one.key): one for one in self.electors if one.port}
        self.watchers = watchers
        self.electors = tuple(
            one
            if one.port
            else structs.replace(known.get((one.member, one.key), one), reachable=one.reachable)
            for one in told
        )

    @property
    def members(self) -> tuple[int, ...]:
        """The members who elect."""
        return tuple(one.member for one in self.electors)

    def is_possible(self) -> bool:
        """Return True if the table could go on without its host."""
        return len([one for one in self.electors if one.member != self.host]) >= MIN_OTHERS

    @property
    def successors(self) -> tuple[Elector, ...]:
        """The electors who may become the host, in order; those out of reach come last."""
        those = [one for one in self.electors if one.port and one.member != self.host]
        return tuple(sorted(those, key=lambda one: not one.reachable))

    @property
    def cannot_host(self) -> frozenset[int]:
        """The members whose programs listen in vain, as far as the host knows."""
        others = [one for one in self.electors if one.port and one.member != self.host]
        those = frozenset(one.member for one in others if not one.reachable)
        return those if self.is_possible() else frozenset()

    def member_with(self, key: bytes) -> int | None:
        """Return the elector or watcher who has this key."""
        people: tuple[Elector | Watcher, ...] = (*self.electors, *self.watchers)
        return next((one.member for one in people if one.key == key), None)
