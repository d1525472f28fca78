"""The list of games from hints, answers, goodbyes, silence.

A game in the list that a player sees, and how two lists differ.

What can be done about a table, by what is kept of it.

The games on this network, put together from hints, answers, goodbyes and silence.

Everything that comes in may be forged: a hint makes us ask and list a game as unreachable at
most, a goodbye is undone by the next answer, and nothing grows without bounds. Off our own
networks a hint makes us ask twice a second at most, whatever is forged. Who really hosts a game
is proven later, by its room code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from net.discovery.address import PORTS, Address, may_be_asked
from net.discovery.advert import Advert
from net.discovery.candidates import (
    FORGET_AFTER_S,
    HINT_LIFETIME_S,
    KNOCK_AFTER_S,
    AddressCandidate,
    ProbeSchedule,
    TableCandidate,
)
from net.discovery.networks import Network, is_near
from net.discovery.queries import ProbeReply
from net.security.handshake import Outdated, Versions, agree


class GameStatus(StrEnum):
    """What can be done about a game. One that is gone is in no list."""

    JOINABLE = "joinable"
    """It speaks our version, and answers, or at least its door is open. Whether a seat is free,
    its advert tells."""

    UNREACHABLE = "unreachable"
    """It is announced on a network of ours, and neither answers nor lets anybody in: most likely
    its host's firewall, else a network that keeps its guests apart."""

    ELSEWHERE = "elsewhere"
    """It is announced, all its addresses are on networks that are not ours, and none answers."""

    UPDATE_THEIRS = "update theirs"
    """Its host plays an older version."""

    UPDATE_OURS = "update ours"
    """Its host plays a newer version."""


@dataclass(frozen=True, slots=True)
class DiscoveredGame:
    """A game and its addresses, those that answer first, in the order to try them.

    `title` is its name, with a part of the id where games of the list share a name or have none.
    """

    title: str
    advert: Advert
    status: GameStatus
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Appeared:
    """A game that was not in the list."""

    game: DiscoveredGame


@dataclass(frozen=True, slots=True)
class GameChanged:
    """A game of which anything is different now."""

    game: DiscoveredGame


@dataclass(frozen=True, slots=True)
class Gone:
    """A game that said goodbye, or answers no more; as it was."""

    game: DiscoveredGame


CatalogChange = Appeared | GameChanged | Gone


def titled(games: Iterable[DiscoveredGame]) -> tuple[DiscoveredGame, ...]:
    """Sort games by name, then id, with titles that differ."""
    ordered = sorted(games, key=lambda game: (game.advert.name.casefold(), game.advert.id))
    names = Counter(game.advert.name.casefold() for game in ordered)
    return tuple(
        game
        if game.advert.name and names[game.advert.name.casefold()] == 1
        else replace(game, title=f"{game.advert.name} {game.advert.tail}".strip())
        for game in ordered
    )


def changes(
    before: Iterable[DiscoveredGame], after: Iterable[DiscoveredGame]
) -> Iterator[CatalogChange]:
    """Tell what became of a list: what is gone, then the rest in its new order."""
    old = {game.advert.id: game for game in before}
    new = {game.advert.id: game for game in after}
    yield from (Gone(game) for table, game in old.items() if table not in new)
    for table, game in new.items():
        if table not in old:
            yield Appeared(game)
        elif game != old[table]:
            yield GameChanged(game)


def games_named(games: Iterable[DiscoveredGame], text: str) -> tuple[DiscoveredGame, ...]:
    """The games that a typed name may mean: the one of that title, else all of that name."""
    games = tuple(games)
    wanted = text.strip().casefold()
    exact = tuple(game for game in games if game.title.casefold() == wanted)
    return exact or tuple(game for game in games if game.advert.name.casefold() == wanted)


CHECK_TIMEOUT_S: Final = 1.0
"""Seconds that a game has to answer before it is listed as one that cannot be reached."""


def status_of(table: TableCandidate, ours: Versions, now: float) -> GameStatus | None:
    """The status of a table for a player who speaks `ours`, `None` where it is not to be listed."""
    reached = table.live(now) or _is_open(table, now)
    if not reached and not _suspect(table, now):
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


def _is_open(table: TableCandidate, now: float) -> bool:
    """Whether a table is announced, and can be joined though questions never get through."""
    named = table.never_heard and table.hinted(now)
    return named and any(candidate.is_open for candidate in table.candidates.values())


def _suspect(table: TableCandidate, now: float) -> bool:
    """Whether a table is announced, and had time enough to answer."""
    patient = now >= table.since + CHECK_TIMEOUT_S
    return table.hinted(now) and table.never_heard and bool(table.candidates) and patient


GOODBYE_LINGER_S: Final = 3.0
"""Seconds that a game is still asked after its goodbye, in case somebody else said it."""

MAX_TABLES: Final = 64
MAX_ADDRESSES_PER_TABLE: Final = 8


class GameCatalog:
    """The list of games, for a player who speaks `ours`."""

    __slots__ = ("_networks", "_ours", "_schedule", "_sought", "_tables")

    def __init__(self, ours: Versions) -> None:
        self._ours = ours
        self._networks: tuple[Network, ...] = ()
        self._schedule = ProbeSchedule()
        self._tables: dict[str, TableCandidate] = {}
        self._sought: dict[Address, AddressCandidate] = {}

    def here(self, networks: Iterable[Network]) -> None:
        """The networks that we are on now; those who were silent may answer on these."""
        self._networks = tuple(networks)
        for table in self._tables.values():
            for address, candidate in table.candidates.items():
                candidate.near = self._is_near(address)
                candidate.begin()

    def hint(self, advert: Advert, addresses: Iterable[Address], now: float) -> None:
        """MDNS tells of a game, or tells more of it."""
        usable = {
            address: AddressCandidate(self._is_near(address))
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
        live = {
            address: candidate
            for address, candidate in table.candidates.items()
            if candidate.live(now)
        }
        told = sorted(usable.items(), key=lambda entry: not entry[1].near)
        ways = live | {address: table.candidates.get(address, way) for address, way in told}
        table.candidates = dict(list(ways.items())[:MAX_ADDRESSES_PER_TABLE])
        for way in table.candidates.values():
            way.hurry()

    def goodbye(self, table_id: str, now: float) -> None:
        """MDNS takes a game back. It is gone at once, unless it still answers."""
        if table := self._tables.get(table_id):
            table.leave(now)

    def taken_back(self, reply: ProbeReply, now: float) -> None:
        """A table at an address takes its answer back, as it is left."""
        table = self._tables.get(reply.advert.id)
        if table is not None and reply.address in table.candidates:
            table.leave(now)

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at addresses that somebody typed, whoever may be there."""
        for address in addresses:
            self._sought.setdefault(address, AddressCandidate())

    def answer(self, reply: ProbeReply, now: float) -> None:
        """A table answers: from now on, that address is its own."""
        self._sought.pop(reply.address, None)
        for table_id, other in self._tables.items():
            if table_id != reply.advert.id:
                other.candidates.pop(reply.address, None)
        table = self._tables.get(reply.advert.id) or self._seat(reply.advert, now)
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
        ).answer(now)
        table.advert = reply.advert
        table.never_heard = False
        table.left = None

    def answer_to_call(self, reply: ProbeReply, now: float) -> None:
        """A table answers to what all of a network were asked.

        All of them may answer, in anybody's name: so an answer counts on our own networks, at the
        ports that are asked, and takes no address away from a table that answers there.
        """
        address = reply.address
        if address.port not in PORTS or not self._is_near(address):
            return
        for table_id, other in self._tables.items():
            candidate = other.candidates.get(address)
            if candidate is not None and table_id != reply.advert.id and candidate.live(now):
                return
        self.answer(reply, now)

    def knocked(self, address: Address, *, is_open: bool) -> None:
        """It was tried whether the TCP port at an address is open."""
        for table in self._tables.values():
            if candidate := table.candidates.get(address):
                candidate.is_open = is_open

    def due(self, now: float) -> tuple[Address, ...]:
        """The addresses to ask now, counted as asked, those waiting longest first."""
        for table_id in [key for key, table in self._tables.items() if _over(table, now)]:
            del self._tables[table_id]
        for table in self._tables.values():
            table.shed(now)
        return self._schedule.ask(self._ways(now), now)

    def knocks(self, now: float) -> tuple[Address, ...]:
        """The addresses whose TCP ports to try now, counted as tried.

        These are on our own networks, of tables that mDNS names and that have never answered.
        """
        return self._schedule.knock(self._closed(now), now)

    def wake(self, now: float) -> float:
        """When to look again, to ask or because the list changes by itself; at most a minute."""
        turns = [
            self._schedule.asked_again(candidate, best=best)
            for _, candidate, best in self._ways(now)
        ]
        turns += [when for when, _, _ in self._closed(now)]
        alone: list[float] = []
        for table in self._tables.values():
            alone.append(
                table.since + CHECK_TIMEOUT_S
                if table.left is None
                else table.left + GOODBYE_LINGER_S
            )
            alone += [] if table.named is None else [table.named + HINT_LIFETIME_S]
            alone += [way.silent_at for way in table.candidates.values() if way.live(now)]
        turns += [turn for turn in alone if turn > now]
        return max(now, min([*turns, now + FORGET_AFTER_S]))

    def listing(self, now: float) -> tuple[DiscoveredGame, ...]:
        """The games as they are to be shown."""
        return titled(self._shown(now))

    def _shown(self, now: float) -> Iterator[DiscoveredGame]:
        for table in self._tables.values():
            if status := status_of(table, self._ours, now):
                yield DiscoveredGame(table.advert.name, table.advert, status, table.addresses(now))

    def _ways(self, now: float) -> Iterator[tuple[Address, AddressCandidate, bool]]:
        """Every address that is asked, and whether it is a table's best."""
        for address, candidate in self._sought.items():
            yield address, candidate, False
        for table in self._tables.values():
            order = table.addresses(now)
            for address in order:
                yield address, table.candidates[address], address == order[0]

    def _closed(self, now: float) -> Iterator[tuple[float, Address, AddressCandidate]]:
        """When to try the TCP port of each address near us that was asked in vain."""
        for table in self._tables.values():
            if table.hinted(now) and table.never_heard:
                for address, candidate in table.candidates.items():
                    if candidate.near:
                        yield (
                            max(table.since + KNOCK_AFTER_S, candidate.knocked_again()),
                            address,
                            candidate,
                        )

    def _is_near(self, address: Address) -> bool:
        return is_near(address.host, self._networks)

    def _seat(self, advert: Advert, now: float) -> TableCandidate | None:
        """Make room for a table, if need be in place of the oldest that never answered."""
        if len(self._tables) >= MAX_TABLES:
            unproven = (key for key, table in self._tables.items() if table.never_heard)
            oldest = next(unproven, None)
            if oldest is None:
                return None
            del self._tables[oldest]
        table = self._tables[advert.id] = TableCandidate(advert, now)
        return table


def _over(table: TableCandidate, now: float) -> bool:
    """Whether a table can be forgotten."""
    if table.left is not None:
        return now >= table.left + GOODBYE_LINGER_S
    return not table.hinted(now) and now >= table.last_sign() + FORGET_AFTER_S
