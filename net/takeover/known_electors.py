"""The electors of a table as one program knows them, and who of them may become the host."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import structs

from net.protocol.election import Elector, Watcher
from net.protocol.lobby import Lobby
from net.room.succession import MIN_OTHERS, electors

_NO_KEY = bytes(32)


@dataclass(slots=True, kw_only=True)
class KnownElectors:
    """The `electors` and the `host` of a table, and the `watchers`, who have no vote.

    `list_number` is that of the list of electors, by term and changes (`net.room.succession`).
    `peers` are all electors that the host has told of, by member, whether they still elect or not.
    Each keeps the key and the certificate that were told first: a host that could exchange them
    later could put programs of its own between those that compare what they have seen.
    """

    host: int = 0
    electors: tuple[Elector, ...] = ()
    list_number: tuple[int, int] = (0, 0)
    watchers: tuple[Watcher, ...] = ()
    peers: dict[int, Elector] = field(default_factory=dict)

    def note_list(self, lobby: Lobby) -> bool:
        """Note the electors by their numbers; return True if the list is newer than the known one.

        Their keys and addresses come after it; until then there are those of the older list. Who
        has left the table is forgotten.
        """
        number = (lobby.term, lobby.changes)
        if number <= self.list_number:
            return False
        here = {*electors(lobby), *(person.member for person in lobby.people)}
        self.peers = {member: peer for member, peer in self.peers.items() if member in here}
        self.electors = tuple(self.peers.get(one, Elector(one, _NO_KEY)) for one in electors(lobby))
        self.list_number = number
        return True

    def set_electors(self, told: tuple[Elector, ...], watchers: tuple[Watcher, ...] = ()) -> None:
        """Note the electors; addresses that a restarted host does not know are kept."""
        self.electors = tuple(map(self._merge_known, told))
        self.peers |= {one.member: one for one in self.electors}
        self.watchers = tuple(one for one in watchers if one.member not in self.peers)

    def _merge_known(self, told: Elector) -> Elector:
        """Return an elector as told now, with the key and the certificate that were told first."""
        known = self.peers.get(told.member, told)
        where = told if told.port else known
        return structs.replace(
            told,
            key=known.key if known.key != _NO_KEY else told.key,
            fingerprint=known.fingerprint or told.fingerprint,
            port=where.port,
            addresses=where.addresses,
        )

    @property
    def known(self) -> tuple[Elector, ...]:
        """The electors by seat, and after them the other peers."""
        others = [peer for member, peer in self.peers.items() if member not in self.members]
        return (*self.electors, *others)

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
        """Return the peer or watcher who has this key."""
        people: tuple[Elector | Watcher, ...] = (*self.known, *self.watchers)
        return next((one.member for one in people if one.key == key), None)
