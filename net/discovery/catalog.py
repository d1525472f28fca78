"""The list of games on this network, built from hints, answers, goodbyes and silence.

If two hosts answer for one table, it goes on at one of them, and the other does not know it yet,
or one of them is a stranger: there is one row, with the addresses of the table that stands first.
Hosts that give the table another name or other versions have a row of their own, so that neither
hides the other.

All input may be forged: at most, a hint makes us ask and list a game as unreachable, a goodbye is
undone by the next answer, and nothing grows without bounds. Hints of addresses off our own networks
make us ask twice a second at most. The game's room code later proves who really hosts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import itemgetter
from typing import Final, TypeAlias

from net.discovery.advert import Advert, AdvertStanding
from net.discovery.candidates import (
    PORT_CHECK_AFTER_S,
    PORT_CHECK_INTERVAL_S,
    AddressCandidate,
    TableCandidate,
)
from net.discovery.networks import Network, is_near
from net.discovery.probe import ProbeReply
from net.protocol import Outdated, Versions, agree
from net.secure.address import PORTS, Address, may_be_asked
from net.secure.limits import TokenBucket

MAX_TABLES: Final = 64
MAX_ADDRESSES_PER_TABLE: Final = 8

QUERIES_PER_S: Final = 200.0
"""Most questions a second, whatever is forged; the others are due right after."""

QUERY_BURST_S: Final = 2.0  # seconds' worth of questions that may be saved up

FAR_QUERIES_PER_S: Final = 2.0
"""Most questions a second to addresses off our own networks that have never answered."""

FAR_QUERY_BURST_S: Final = 4.0

PORT_CHECKS_PER_S: Final = 4.0  # most TCP ports that are tried a second, and at once


class GameStatus(StrEnum):
    """The status of a listed game."""

    JOINABLE = "joinable"
    """It speaks our version, and answers, or at least its TCP port is open. Its advert says if a
    seat is free."""

    UNREACHABLE = "unreachable"
    """It is announced on one of our networks, but neither answers nor has an open TCP port: most
    likely its host's firewall, else a network that isolates its clients."""

    ELSEWHERE = "elsewhere"
    """It is announced, none of its addresses is on a network of ours, and none answers."""

    UPDATE_THEIRS = "update theirs"
    """Its host plays an older version."""

    UPDATE_OURS = "update ours"
    """Its host plays a newer version."""


@dataclass(frozen=True, slots=True)
class DiscoveredGame:
    """A game and its addresses in the order to try them, those that answer first.

    `title` is its name, with part of the id added if games of the list share the name or it is
    empty. `answering` of the addresses have answered lately.
    """

    title: str
    advert: Advert
    status: GameStatus
    addresses: tuple[Address, ...]
    answering: int = 1

    @property
    def row(self) -> str:
        """The text that tells this game from all others of a list."""
        advert = self.advert
        return f"{advert.id} {advert.versions.low} {advert.versions.high} {advert.name}"


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


def games_named(games: Iterable[DiscoveredGame], text: str) -> tuple[DiscoveredGame, ...]:
    """Return the games that a typed name may mean: that title, else all with that name."""
    games = tuple(games)
    wanted = text.strip().casefold()
    exact = tuple(game for game in games if game.title.casefold() == wanted)
    return exact or tuple(game for game in games if game.advert.name.casefold() == wanted)


def status_of(table: TableCandidate, ours: Versions, now: float) -> GameStatus | None:
    """Return a table's status for a player who speaks `ours`, `None` if it is not to be listed."""
    reached = table.live(now) or table.open(now)
    if not reached and not table.suspect(now):
        return None
    match agree(client=ours, host=table.advert.versions):
        case Outdated.CLIENT:
            return GameStatus.UPDATE_OURS
        case Outdated.HOST:
            return GameStatus.UPDATE_THEIRS
        case _ if reached:
            return GameStatus.JOINABLE
        case _ if any(candidate.near for candidate in table.candidates.values()):
            return GameStatus.UNREACHABLE
        case _:
            return GameStatus.ELSEWHERE


_Key: TypeAlias = tuple[str, str, Versions]
"""The id, name and versions of a table: its row in the list."""


def _key(advert: Advert) -> _Key:
    return advert.id, advert.name, advert.versions


class GameCatalog:
    """The list of games, for a player who speaks `ours`."""

    def __init__(self, ours: Versions) -> None:
        self._ours = ours
        self._networks: tuple[Network, ...] = ()
        self._tables: dict[_Key, TableCandidate] = {}
        self._sought: dict[Address, AddressCandidate] = {}
        self._all = TokenBucket(QUERIES_PER_S, QUERIES_PER_S * QUERY_BURST_S, now=0.0)
        self._far = TokenBucket(FAR_QUERIES_PER_S, FAR_QUERIES_PER_S * FAR_QUERY_BURST_S, now=0.0)
        self._port_checks = TokenBucket(PORT_CHECKS_PER_S, PORT_CHECKS_PER_S, now=0.0)

    def here(self, networks: Iterable[Network]) -> None:
        """Set this machine's networks; addresses that were silent may answer on these."""
        self._networks = tuple(networks)
        for table in self._tables.values():
            for address, candidate in table.candidates.items():
                candidate.near = self._is_near(address)
                candidate.begin()

    def hint(self, advert: Advert, addresses: Iterable[Address], now: float) -> None:
        """Add or update a game announced by mDNS."""
        usable = {
            address: AddressCandidate(self._is_near(address))
            for address in sorted(set(addresses), key=lambda address: address.rank)
            if may_be_asked(address)
        }
        table = self._tables.get(_key(advert)) or self._seat(advert, now)
        if table is None:
            return
        table.named = now
        if table.left is not None:
            table.begin(now)
        if table.never_heard and advert.term >= table.advert.term:
            table.advert = advert
        live = {
            address: candidate
            for address, candidate in table.candidates.items()
            if candidate.live(now)
        }
        nearest_first = sorted(usable.items(), key=lambda entry: not entry[1].near)
        candidates = live | {
            address: table.candidates.get(address, fresh) for address, fresh in nearest_first
        }
        table.candidates = dict(list(candidates.items())[:MAX_ADDRESSES_PER_TABLE])
        for candidate in table.candidates.values():
            candidate.hurry()

    def goodbye(self, table_id: str, now: float, term: int = 0) -> None:
        """Handle an mDNS goodbye: the game is gone at once, unless it still answers.

        That of one of two hosts changes nothing.
        """
        for (found, *_), table in self._tables.items():
            if found == table_id and not table.is_elsewhere(now, term):
                table.leave(now)

    def withdraw(self, reply: ProbeReply, now: float) -> None:
        """Handle a goodbye packet of a table, from an address where it has answered.

        It speaks for that address alone; the others have to answer soon.
        """
        table = self._tables.get(_key(reply.advert))
        if table is None or reply.address not in table.candidates:
            return
        if all(address == reply.address for address in table.live_addresses(now)):
            table.leave(now)
            return
        del table.candidates[reply.address]
        for candidate in table.candidates.values():
            candidate.doubt(now)

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at addresses that a player typed, whichever tables may be there."""
        for address in addresses:
            self._sought.setdefault(address, AddressCandidate())

    def answer(self, reply: ProbeReply, now: float) -> None:
        """Handle a table's answer: from now on, that address belongs to this table alone.

        Every host of the network can answer a broadcast, in any table's name. So such an answer
        counts only from our own networks and the ports that are asked, and takes no address away
        from a table that answers there.
        """
        if reply.is_broadcast and self._is_doubtful(reply, now):
            return
        self._sought.pop(reply.address, None)
        key = _key(reply.advert)
        for row, other in self._tables.items():
            if row != key:
                other.candidates.pop(reply.address, None)
        table = self._tables.get(key) or self._seat(reply.advert, now)
        if table is None or (table.left is not None and reply.asked <= table.left):
            return
        if (
            reply.address not in table.candidates
            and len(table.candidates) >= MAX_ADDRESSES_PER_TABLE
        ):
            last = table.addresses(now)[-1]
            if table.candidates[last].live(now):
                return
            del table.candidates[last]
        table.candidates.setdefault(
            reply.address, AddressCandidate(self._is_near(reply.address))
        ).answer(now, reply.advert.standing)
        if reply.advert.standing >= table.standing(now):
            table.advert = reply.advert
        table.never_heard = False
        table.left = None

    def note_port(self, address: Address, *, is_open: bool) -> None:
        """Note the result of trying the TCP port at an address."""
        for table in self._tables.values():
            if candidate := table.candidates.get(address):
                candidate.is_open = is_open

    def due(self, now: float) -> tuple[Address, ...]:
        """Return the addresses to ask now, the longest waiting first; count them as asked.

        Rate limits keep forged hints from making us flood a network.
        """
        for row in [key for key, table in self._tables.items() if table.over(now)]:
            del self._tables[row]
        for table in self._tables.values():
            table.forget_silent(now)
        asked: list[Address] = []
        for when, address, candidate in sorted(self._list_asked(now), key=itemgetter(0)):
            if when > now:
                break
            if candidate.is_odd and not self._far.take(1, now):
                continue
            if not self._all.take(1, now):
                break
            candidate.ask(now)
            asked.append(address)
        return tuple(asked)

    def ports_to_check(self, now: float) -> tuple[Address, ...]:
        """Return the addresses whose TCP port to try now, and count them as tried.

        These are on our own networks, of tables that mDNS names and that have never answered.
        """
        checked: list[Address] = []
        for table in self._tables.values():
            is_silent = table.is_hinted(now) and table.never_heard
            if is_silent and now >= table.since + PORT_CHECK_AFTER_S:
                for address, candidate in table.candidates.items():
                    again = candidate.port_checked_at + PORT_CHECK_INTERVAL_S
                    if candidate.near and now >= again and self._port_checks.take(1, now):
                        candidate.port_checked_at = now
                        checked.append(address)
        return tuple(checked)

    def listing(self, now: float) -> tuple[DiscoveredGame, ...]:
        """Return the games to show."""
        return make_titles(
            DiscoveredGame(
                table.advert.name,
                table.advert,
                status,
                table.addresses(now),
                len(table.live_addresses(now)),
            )
            for table in self._tables.values()
            if (status := status_of(table, self._ours, now))
        )

    def hosts(self, table_id: str, now: float) -> tuple[tuple[Address, AdvertStanding], ...]:
        """Return the addresses at which a table answers, each with its standing there."""
        rows = (table for (found, *_), table in self._tables.items() if found == table_id)
        return tuple(host for table in rows for host in table.hosts(now))

    def _list_asked(self, now: float) -> Iterator[tuple[float, Address, AddressCandidate]]:
        """Yield each address that is asked, with the time of its next question before it."""
        for address, candidate in self._sought.items():
            yield candidate.next_question(best=False), address, candidate
        for table in self._tables.values():
            for place, address in enumerate(table.addresses(now)):
                candidate = table.candidates[address]
                yield candidate.next_question(best=place == 0), address, candidate

    def _is_doubtful(self, reply: ProbeReply, now: float) -> bool:
        if reply.address.port not in PORTS or not self._is_near(reply.address):
            return True
        others = [table for (key, *_), table in self._tables.items() if key != reply.advert.id]
        held = [other.candidates.get(reply.address) for other in others]
        return any(candidate is not None and candidate.live(now) for candidate in held)

    def _is_near(self, address: Address) -> bool:
        return is_near(address.host, self._networks)

    def _seat(self, advert: Advert, now: float) -> TableCandidate | None:
        """Add a table; if the list is full, drop the oldest that never answered.

        Returns `None` if the list is full and all its tables have answered.
        """
        if len(self._tables) >= MAX_TABLES:
            unproven = (key for key, table in self._tables.items() if table.never_heard)
            oldest = next(unproven, None)
            if oldest is None:
                return None
            del self._tables[oldest]
        table = self._tables[_key(advert)] = TableCandidate(advert, now)
        return table
