"""The list of games that a player sees, without socket or clock; hints and answers update it.

mDNS and answers to broadcasts name tables. Each of their addresses is asked twice a second, and the
answers decide what is listed.

If two hosts answer for one table, it continues at one of them, and the other does not know it yet,
or one of them is a stranger: there is one row, with the addresses of the table that ranks first.
Hosts that give the table another name or other versions have a row of their own, so that neither
hides the other.

All input may be forged: at most, a hint makes us ask on our own networks and list a game as
unreachable, a goodbye takes a game off the list until the next broadcast, and nothing grows without
bounds. The game's room code later proves who really hosts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from net.discovery.advert import Advert
from net.discovery.networks import FAR, Network, find_distance
from net.protocol import NO_TABLE, CopyRank, Versions, agree
from net.secure.address import PORTS, Address, may_be_asked
from net.secure.limits import Limit, Limiter

NEVER: Final = float("-inf")  # the time of something that has not happened

QUESTION_INTERVAL_S: Final = 0.5
"""Seconds between two questions to an address.

A change has to be in the list within 1 s: asking twice a second leaves room for one lost packet.
"""

QUERY_LIMIT: Final = Limit(rate=200, burst=400)
"""Maximum number of questions a second, however many addresses are forged; the rest are sent right
after."""

ADDRESS_LOST_AFTER_S: Final = 4.0
"""Seconds without an answer, to seven questions at least, after which an address counts as lost."""

CHECK_TIMEOUT_S: Final = 1.0  # seconds that a game has to answer before it is listed as unreachable

FORGET_AFTER_S: Final = 35.0
"""Seconds without a sign after which a table is forgotten: mDNS names all tables again every 15 s,
and may miss one twice."""

MAX_TABLES: Final = 64  # maximum number listed, as anybody can announce more
MAX_ADDRESSES_PER_TABLE: Final = 32
"""As many hosts as are asked at once for a table that has moved: a stranger with fifteen addresses
neither keeps the new host out nor delays those who follow it."""
MAX_PORTS_PER_HOST: Final = 2  # so that one computer cannot keep all others off the list


class GameStatus(StrEnum):
    """The status of a listed game."""

    JOINABLE = "joinable"
    """It speaks our version, and answers. Its advert says if a seat is free."""

    UNREACHABLE = "unreachable"
    """It is announced on one of our networks, but does not answer: most likely its host's firewall,
    else a network that isolates its clients."""

    ELSEWHERE = "elsewhere"
    """It is announced, none of its addresses is on one of our networks, and none answers."""

    OTHER_VERSION = "other version"  # its host speaks no version of the protocol that we speak


@dataclass(frozen=True, slots=True)
class DiscoveredGame:
    """A game of the list."""

    title: str  # its name, with part of its id if the name is empty or not unique
    advert: Advert
    status: GameStatus
    addresses: tuple[Address, ...]  # in the order to try them, those that answer first
    answering: int = 1  # how many of the addresses have answered lately
    is_split: bool = False  # it is one of several copies of a table that all play

    @property
    def row(self) -> str:
        return f"{self.advert.row} {self.advert.term}" if self.is_split else self.advert.row


@dataclass(slots=True)
class _Place:
    """An address of a table: when it last answered, and how the table described itself then."""

    distance: int  # by `find_distance`
    answered: float = NEVER
    advert: Advert | None = None

    @property
    def rank(self) -> CopyRank:
        return NO_TABLE if self.advert is None else self.advert.rank

    @property
    def is_near(self) -> bool:
        return self.distance < FAR

    def is_live(self, now: float) -> bool:
        return now < self.answered + ADDRESS_LOST_AFTER_S


@dataclass(slots=True)
class _Table:
    advert: Advert
    since: float  # when it was first announced
    seen: float  # when it was last announced, or answered
    is_silent: bool = True  # True if it has never answered
    places: dict[Address, _Place] = field(default_factory=dict)

    def live(self, now: float) -> dict[Address, _Place]:
        return {address: place for address, place in self.places.items() if place.is_live(now)}

    def rank(self, now: float) -> CopyRank:
        """Return the greatest rank among recent answers, `NO_TABLE` without one."""
        return max((place.rank for place in self.live(now).values()), default=NO_TABLE)

    def addresses(self, now: float) -> tuple[Address, ...]:
        """Return the addresses in the order to try them.

        Live ones come first, and among them the copy of the best rank; then those on the network
        where friends are most likely.
        """
        best = self.rank(now)

        def order(address: Address) -> tuple[bool, bool, int, tuple[int, str, int]]:
            place = self.places[address]
            is_lost, is_behind = not place.is_live(now), place.rank < best
            return is_lost, is_behind, place.distance, address.rank

        return tuple(sorted(self.places, key=order))

    def games(self, status: GameStatus, now: float) -> tuple[DiscoveredGame, ...]:
        """Return the game to show, or each copy of it that plays, if several do."""
        live, name = self.live(now), self.advert.name
        by_term: dict[int, list[Address]] = {}
        for address in self.addresses(now):
            if address in live and live[address].rank.plays:
                by_term.setdefault(live[address].rank.term, []).append(address)
        if len(by_term) <= 1:
            return (DiscoveredGame(name, self.advert, status, self.addresses(now), len(live)),)
        return tuple(
            DiscoveredGame(name, advert, status, tuple(found), len(found), is_split=True)
            for found in by_term.values()
            if (advert := live[found[0]].advert)
        )

    def status(self, ours: Versions, now: float) -> GameStatus | None:
        """Return the status for a player who speaks `ours`, `None` to leave it out of the list."""
        places, is_reached = self.places.values(), bool(self.live(now))
        is_given_up = self.is_silent and places and now >= self.since + CHECK_TIMEOUT_S
        if not is_reached and not is_given_up:
            return None
        if agree(ours, self.advert.versions) is None:
            return GameStatus.OTHER_VERSION
        if is_reached:
            return GameStatus.JOINABLE
        is_near = any(place.is_near for place in places)
        return GameStatus.UNREACHABLE if is_near else GameStatus.ELSEWHERE


class GameList:
    """The games that are known, for a player who speaks `ours`. Times are in seconds."""

    def __init__(self, ours: Versions) -> None:
        self._ours = ours
        self._networks: tuple[Network, ...] = ()
        self._tables: dict[str, _Table] = {}
        self._sought: dict[Address, None] = {}
        self._asked: dict[Address, float] = {}
        self._limiter = Limiter()

    def set_networks(self, networks: Iterable[Network]) -> None:
        self._networks = tuple(networks)
        self._asked.clear()
        for table in self._tables.values():
            for address, place in table.places.items():
                place.distance = self._distance(address)

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at addresses that a player typed, whichever tables may be there."""
        self._sought.update(dict.fromkeys(addresses))

    def note_hint(self, advert: Advert, addresses: Iterable[Address], now: float) -> None:
        """Add or update a game announced by mDNS; the addresses take the place of silent ones."""
        table = self._find(advert, now)
        if table is None:
            return
        table.seen = now
        if table.is_silent and advert.term >= table.advert.term:
            table.advert = advert
        usable = [address for address in set(addresses) if may_be_asked(address)]
        usable.sort(key=lambda address: (self._distance(address), address.rank))
        kept = dict.fromkeys((*table.live(now), *usable))
        table.places = {
            address: table.places.get(address) or _Place(self._distance(address))
            for address in list(kept)[:MAX_ADDRESSES_PER_TABLE]
        }

    def note_answer(
        self, address: Address, advert: Advert, now: float, *, is_broadcast: bool = False
    ) -> None:
        """Handle a table's answer: from now on, that address belongs only to this table.

        Any host on the network can answer a broadcast in any table's name. So such an answer counts
        only from our own networks and the ports that are asked, and takes no address away from a
        table that answers there.
        """
        if is_broadcast and self._is_doubtful(address, advert, now):
            return
        self._sought.pop(address, None)
        for row, other in self._tables.items():
            if row != advert.row:
                other.places.pop(address, None)
        table = self._find(advert, now)
        if table is None:
            return
        same = [place for place in table.places if place.host == address.host]
        if address not in same and len(same) >= MAX_PORTS_PER_HOST:
            return
        if address not in table.places and len(table.places) >= MAX_ADDRESSES_PER_TABLE:
            last = table.addresses(now)[-1]
            if table.places[last].is_live(now):
                return
            del table.places[last]
        place = table.places.setdefault(address, _Place(self._distance(address)))
        place.answered, place.advert = now, advert
        if not advert.rank < table.rank(now):
            table.advert = advert
        table.seen, table.is_silent = now, False

    def note_goodbye(self, label: str) -> None:
        """Handle an mDNS goodbye: drop the game until somebody announces it or answers for it.

        A goodbye of a table's former host changes nothing: it has another label.
        """
        for row, table in tuple(self._tables.items()):
            if table.advert.label == label:
                del self._tables[row]

    def take_due(self, now: float) -> tuple[Address, ...]:
        """Return the addresses to ask now; count them as asked, and drop expired ones.

        A rate limit keeps forged hints from making us flood a network. Addresses that were typed or
        have answered come first, then those that have waited longest; others off our networks are
        not asked.
        """
        for row, table in tuple(self._tables.items()):
            if now >= table.seen + FORGET_AFTER_S:
                del self._tables[row]
        places = [pair for table in self._tables.values() for pair in table.places.items()]
        proven = [*self._sought, *(address for address, place in places if place.answered > NEVER)]
        known = dict.fromkeys([*proven, *(address for address, place in places if place.is_near)])
        self._asked = {address: self._asked.get(address, NEVER) for address in known}
        due = [address for address in known if now >= self._asked[address] + QUESTION_INTERVAL_S]
        due.sort(key=lambda address: (address not in proven, self._asked[address]))
        allowed = [address for address in due if self._limiter.take(QUERY_LIMIT, now)]
        self._asked.update(dict.fromkeys(allowed, now))
        return tuple(allowed)

    def list_games(self, now: float) -> tuple[DiscoveredGame, ...]:
        return make_titles(
            game
            for table in self._tables.values()
            if (status := table.status(self._ours, now))
            for game in table.games(status, now)
        )

    def find_hosts(self, table_id: str, now: float) -> tuple[tuple[Address, CopyRank], ...]:
        """Return the addresses at which a table answers, each with its rank there."""
        return tuple(
            (address, place.rank)
            for table in self._tables.values()
            if table.advert.id == table_id
            for address, place in table.live(now).items()
        )

    def _is_doubtful(self, address: Address, advert: Advert, now: float) -> bool:
        """Return True if an answer to a broadcast is not from our networks, ports or own table."""
        if address.port not in PORTS or self._distance(address) == FAR:
            return True
        others = (table for table in self._tables.values() if table.advert.id != advert.id)
        return any(address in other.live(now) for other in others)

    def _distance(self, address: Address) -> int:
        return find_distance(address.host, self._networks)

    def _find(self, advert: Advert, now: float) -> _Table | None:
        """Find an advert's table, or add it; the oldest that never answered makes room.

        Returns `None` if the list is full and all its tables have answered.
        """
        if advert.row not in self._tables and len(self._tables) >= MAX_TABLES:
            silent = (row for row, table in self._tables.items() if table.is_silent)
            oldest = next(silent, None)
            if oldest is None:
                return None
            del self._tables[oldest]
        return self._tables.setdefault(advert.row, _Table(advert, now, now))


def make_titles(games: Iterable[DiscoveredGame]) -> tuple[DiscoveredGame, ...]:
    """Sort games by name, then id, and make their titles distinct."""
    ordered = sorted(games, key=lambda game: (game.advert.name.casefold(), game.advert.id))
    names = Counter(game.advert.name.casefold() for game in ordered)
    return tuple(
        game
        if game.advert.name and names[game.advert.name.casefold()] == 1
        else replace(game, title=f"{game.advert.name} {game.advert.tail}".strip())
        for game in ordered
    )
