"""The games on this network, put together from hints, answers, goodbyes and silence.

Knows adverts, addresses and times, which are passed in (seconds, of any clock that goes forward).
Must not know sockets, mDNS or nonces. Everything that comes in may be forged: a hint makes us ask
and list a game as unreachable at most, a goodbye is undone by the next answer, and nothing grows
without bounds. Off our own networks a hint makes us ask twice a second at most, whatever is
forged. Who really hosts a game is proven later, by its room code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from net.discovery.address import PORTS, Address, may_be_asked
from net.discovery.advert import Advert
from net.discovery.game import Game, titled
from net.discovery.networks import Network, is_near
from net.discovery.questions import Heard
from net.discovery.status import CHECKING, status_of
from net.discovery.table import FORGET, KNOCK_AFTER, NAMED_FOR, Table, Way
from net.discovery.turns import Turns
from net.secure.versions import Versions

LINGER: Final = 3.0
"""Seconds that a game is still asked after its goodbye, in case somebody else said it."""

MOST_TABLES: Final = 64
MOST_WAYS: Final = 8


class Games:
    """The list of games, for a player who speaks `ours`."""

    __slots__ = ("_networks", "_ours", "_sought", "_tables", "_turns")

    def __init__(self, ours: Versions) -> None:
        self._ours = ours
        self._networks: tuple[Network, ...] = ()
        self._turns = Turns()
        self._tables: dict[str, Table] = {}
        self._sought: dict[Address, Way] = {}

    def here(self, networks: Iterable[Network]) -> None:
        """The networks that we are on now; those who were silent may answer on these."""
        self._networks = tuple(networks)
        for table in self._tables.values():
            for address, way in table.ways.items():
                way.near = self._is_near(address)
                way.begin()

    def hint(self, advert: Advert, addresses: Iterable[Address], now: float) -> None:
        """MDNS tells of a game, or tells more of it."""
        usable = {
            address: Way(self._is_near(address))
            for address in sorted(set(addresses), key=lambda address: address.rank)
            if may_be_asked(address)
        }
        table = self._tables.get(advert.id) or self._seat(advert, now)
        if table is None:
            return
        table.named = now
        if table.left is not None:
            table.begin(now)
        if table.never_heard:
            table.advert = advert
        live = {address: way for address, way in table.ways.items() if way.live(now)}
        told = sorted(usable.items(), key=lambda entry: not entry[1].near)
        ways = live | {address: table.ways.get(address, way) for address, way in told}
        table.ways = dict(list(ways.items())[:MOST_WAYS])
        for way in table.ways.values():
            way.hurry()

    def goodbye(self, table_id: str, now: float) -> None:
        """MDNS takes a game back. It is gone at once, unless it still answers."""
        if table := self._tables.get(table_id):
            table.leave(now)

    def taken_back(self, heard: Heard, now: float) -> None:
        """A table at an address takes its answer back, as it is left."""
        table = self._tables.get(heard.advert.id)
        if table is not None and heard.address in table.ways:
            table.leave(now)

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at addresses that somebody typed, whoever may be there."""
        for address in addresses:
            self._sought.setdefault(address, Way())

    def answer(self, heard: Heard, now: float) -> None:
        """A table answers: from now on, that address is its own."""
        self._sought.pop(heard.address, None)
        for table_id, other in self._tables.items():
            if table_id != heard.advert.id:
                other.ways.pop(heard.address, None)
        table = self._tables.get(heard.advert.id) or self._seat(heard.advert, now)
        if table is None or (table.left is not None and heard.asked <= table.left):
            return
        if heard.address not in table.ways and len(table.ways) >= MOST_WAYS:
            last = table.addresses(now)[-1]
            if table.ways[last].live(now):
                return
            del table.ways[last]
        table.ways.setdefault(heard.address, Way(self._is_near(heard.address))).hear(now)
        table.advert = heard.advert
        table.never_heard = False
        table.left = None

    def answer_to_call(self, heard: Heard, now: float) -> None:
        """A table answers to what all of a network were asked.

        All of them may answer, in anybody's name: so an answer counts on our own networks, at the
        ports that are asked, and takes no address away from a table that answers there.
        """
        address = heard.address
        if address.port not in PORTS or not self._is_near(address):
            return
        for table_id, other in self._tables.items():
            way = other.ways.get(address)
            if way is not None and table_id != heard.advert.id and way.live(now):
                return
        self.answer(heard, now)

    def knocked(self, address: Address, *, is_open: bool) -> None:
        """It was tried whether the TCP port at an address is open."""
        for table in self._tables.values():
            if way := table.ways.get(address):
                way.is_open = is_open

    def due(self, now: float) -> tuple[Address, ...]:
        """The addresses to ask now, counted as asked, those waiting longest first."""
        for table_id in [key for key, table in self._tables.items() if _over(table, now)]:
            del self._tables[table_id]
        for table in self._tables.values():
            table.shed(now)
        return self._turns.ask(self._ways(now), now)

    def knocks(self, now: float) -> tuple[Address, ...]:
        """The addresses whose TCP ports to try now, counted as tried.

        These are on our own networks, of tables that mDNS names and that have never answered.
        """
        return self._turns.knock(self._closed(now), now)

    def wake(self, now: float) -> float:
        """When to look again, to ask or because the list changes by itself; at most a minute."""
        turns = [self._turns.asked_again(way, best=best) for _, way, best in self._ways(now)]
        turns += [when for when, _, _ in self._closed(now)]
        alone: list[float] = []
        for table in self._tables.values():
            alone.append(table.since + CHECKING if table.left is None else table.left + LINGER)
            alone += [] if table.named is None else [table.named + NAMED_FOR]
            alone += [way.silent_at for way in table.ways.values() if way.live(now)]
        turns += [turn for turn in alone if turn > now]
        return max(now, min([*turns, now + FORGET]))

    def listing(self, now: float) -> tuple[Game, ...]:
        """The games as they are to be shown."""
        return titled(self._shown(now))

    def _shown(self, now: float) -> Iterator[Game]:
        for table in self._tables.values():
            if status := status_of(table, self._ours, now):
                yield Game(table.advert.name, table.advert, status, table.addresses(now))

    def _ways(self, now: float) -> Iterator[tuple[Address, Way, bool]]:
        """Every address that is asked, and whether it is a table's best."""
        for address, way in self._sought.items():
            yield address, way, False
        for table in self._tables.values():
            order = table.addresses(now)
            for address in order:
                yield address, table.ways[address], address == order[0]

    def _closed(self, now: float) -> Iterator[tuple[float, Address, Way]]:
        """When to try the TCP port of each address near us that was asked in vain."""
        for table in self._tables.values():
            if table.hinted(now) and table.never_heard:
                for address, way in table.ways.items():
                    if way.near:
                        yield max(table.since + KNOCK_AFTER, way.knocked_again()), address, way

    def _is_near(self, address: Address) -> bool:
        return is_near(address.host, self._networks)

    def _seat(self, advert: Advert, now: float) -> Table | None:
        """Make room for a table, if need be in place of the oldest that never answered."""
        if len(self._tables) >= MOST_TABLES:
            unproven = (key for key, table in self._tables.items() if table.never_heard)
            oldest = next(unproven, None)
            if oldest is None:
                return None
            del self._tables[oldest]
        table = self._tables[advert.id] = Table(advert, now)
        return table


def _over(table: Table, now: float) -> bool:
    """Whether a table can be forgotten."""
    if table.left is not None:
        return now >= table.left + LINGER
    return not table.hinted(now) and now >= table.last_sign() + FORGET
