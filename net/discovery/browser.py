"""A player's side of discovery: the list of games, kept up to date while it is open.

mDNS and answers to broadcasts name tables. Each of their addresses is asked twice a second, and the
answers decide what the list says.

If two hosts answer for one table, it goes on at one of them, and the other does not know it yet,
or one of them is a stranger: there is one row, with the addresses of the table that stands first.
Hosts that give the table another name or other versions have a row of their own, so that neither
hides the other.

All input may be forged: at most, a hint makes us ask on our own networks and list a game as
unreachable, a goodbye takes a game off the list until the next broadcast, and nothing grows without
bounds. The game's room code later proves who really hosts it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Final, Self

from net.discovery.advert import (
    NO_TABLE,
    PROBE_NONCE_BYTES,
    Advert,
    DiscoveredGame,
    GameStatus,
    Standing,
    make_titles,
    read_answer,
    write_question,
)
from net.discovery.mdns import MdnsService, ask_mdns
from net.discovery.networks import (
    Network,
    UdpSockets,
    any_port,
    broadcast_addresses,
    is_near,
    look_again,
)
from net.protocol import Outdated, Versions, agree
from net.secure.address import PORTS, Address, TypedAddress, is_local, may_be_asked
from net.secure.limits import Limit, Limiter, keep_last
from net.tasks import end_tasks

NEVER: Final = float("-inf")  # the time of what has not happened

ROUND_S: Final = 0.05  # seconds between two rounds of questions
BROADCAST_INTERVAL_S: Final = 1.5
"""Seconds between two broadcasts: two fit in the 3 s in which a table is to be found."""

QUESTION_INTERVAL_S: Final = 0.5
"""Seconds between two questions to an address.

A change has to be in the list within 1 s: asking twice a second leaves room for one lost packet.
"""

QUERY_LIMIT: Final = Limit(rate=200, burst=400)
"""Most questions a second, however many addresses are forged; the rest are sent right after."""

MAX_OPEN_QUERIES: Final = 1024
"""Questions whose answers are known as such: those of two seconds, whatever is forged."""

LOST_AFTER_S: Final = 4.0
"""Seconds without an answer after which an address counts as lost: seven questions at least."""

CHECK_TIMEOUT_S: Final = 1.0  # seconds that a game has to answer before it is listed as unreachable

FORGET_AFTER_S: Final = 35.0
"""Seconds without a sign after which a table is forgotten: mDNS names all tables again every 15 s,
and may miss one twice."""

PORT_TRY_INTERVAL_S: Final = 10.0  # seconds between two tries of the TCP port at one address
PORT_TRIES: Final = Limit(rate=4, burst=4)  # most TCP ports that are tried
PORT_TRY_TIMEOUT_S: Final = 3.0  # seconds to wait for a TCP port to open

MAX_TABLES: Final = 64
MAX_ADDRESSES_PER_TABLE: Final = 8

EXTRA_ANSWERS_S: Final = 0.3
"""Seconds to wait for other tables at a typed host once the first has answered."""


@dataclass(slots=True)
class _Place:
    """An address of a table: when it last answered, and for a table of which standing.

    `tried` is the time its TCP port was last tried, and `is_open` the result.
    """

    is_near: bool
    answered: float = NEVER
    standing: Standing = NO_TABLE
    tried: float = NEVER
    is_open: bool = False

    def is_live(self, now: float) -> bool:
        """Return True if the address has answered within `LOST_AFTER_S`."""
        return now < self.answered + LOST_AFTER_S


@dataclass(slots=True)
class _Table:
    """A row of the list: since when it is known, and when there was a sign of it.

    One that `is_silent` is named by mDNS, and has never answered.
    """

    advert: Advert
    since: float
    seen: float
    is_silent: bool = True
    places: dict[Address, _Place] = field(default_factory=dict)

    def live(self, now: float) -> dict[Address, _Place]:
        """Return the addresses that have answered lately."""
        return {address: place for address, place in self.places.items() if place.is_live(now)}

    def standing(self, now: float) -> Standing:
        """Return the greatest standing that was answered lately, `NO_TABLE` if none was."""
        return max((place.standing for place in self.live(now).values()), default=NO_TABLE)

    def addresses(self, now: float) -> tuple[Address, ...]:
        """Return the addresses in the order to try them.

        Live ones come first, those of the table that stands before others, then open ones, then
        near ones.
        """
        best = self.standing(now)

        def order(address: Address) -> tuple[bool, bool, bool, bool, tuple[int, str, int]]:
            place = self.places[address]
            is_lost, is_behind = not place.is_live(now), place.standing < best
            return is_lost, is_behind, not place.is_open, not place.is_near, address.rank

        return tuple(sorted(self.places, key=order))

    def status(self, ours: Versions, now: float) -> GameStatus | None:
        """Return the status for a player who speaks `ours`, `None` if it is not to be listed."""
        places = self.places.values()
        is_reached = bool(self.live(now)) or (
            self.is_silent and any(place.is_open for place in places)
        )
        is_given_up = self.is_silent and places and now >= self.since + CHECK_TIMEOUT_S
        if not is_reached and not is_given_up:
            return None
        match agree(client=ours, host=self.advert.versions):
            case Outdated.CLIENT:
                return GameStatus.UPDATE_OURS
            case Outdated.HOST:
                return GameStatus.UPDATE_THEIRS
            case _ if is_reached:
                return GameStatus.JOINABLE
            case _ if any(place.is_near for place in places):
                return GameStatus.UNREACHABLE
            case _:
                return GameStatus.ELSEWHERE


class GameList:
    """The games that are known, for a player who speaks `ours`. Times are in seconds."""

    def __init__(self, ours: Versions) -> None:
        self._ours = ours
        self._networks: tuple[Network, ...] = ()
        self._tables: dict[str, _Table] = {}
        self._sought: dict[Address, None] = {}
        self._asked: dict[Address, float] = {}
        self._limiter = Limiter()

    def here(self, networks: Iterable[Network]) -> None:
        """Set this machine's networks; addresses that were silent may answer on these."""
        self._networks = tuple(networks)
        self._asked.clear()
        for table in self._tables.values():
            for address, place in table.places.items():
                place.is_near = self._is_near(address)
                place.tried = NEVER

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at addresses that a player typed, whichever tables may be there."""
        self._sought.update(dict.fromkeys(addresses))

    def hint(self, advert: Advert, addresses: Iterable[Address], now: float) -> None:
        """Add or update a game announced by mDNS; the addresses take the place of silent ones."""
        table = self._find(advert, now)
        if table is None:
            return
        table.seen = now
        if table.is_silent and advert.term >= table.advert.term:
            table.advert = advert
        usable = [address for address in set(addresses) if may_be_asked(address)]
        usable.sort(key=lambda address: (not self._is_near(address), address.rank))
        kept = dict.fromkeys((*table.live(now), *usable))
        table.places = {
            address: table.places.get(address) or _Place(self._is_near(address))
            for address in list(kept)[:MAX_ADDRESSES_PER_TABLE]
        }

    def answer(
        self, address: Address, advert: Advert, now: float, *, is_broadcast: bool = False
    ) -> None:
        """Handle a table's answer: from now on, that address belongs to this table alone.

        Every host of the network can answer a broadcast, in any table's name. So such an answer
        counts only from our own networks and the ports that are asked, and takes no address away
        from a table that answers there.
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
        if address not in table.places and len(table.places) >= MAX_ADDRESSES_PER_TABLE:
            last = table.addresses(now)[-1]
            if table.places[last].is_live(now):
                return
            del table.places[last]
        place = table.places.setdefault(address, _Place(self._is_near(address)))
        place.answered, place.standing = now, advert.standing
        if advert.standing >= table.standing(now):
            table.advert = advert
        table.seen, table.is_silent = now, False

    def goodbye(self, label: str) -> None:
        """Handle an mDNS goodbye: the game is gone until somebody names it, or answers for it.

        A goodbye of a table's former host changes nothing: its label is another.
        """
        for row, table in tuple(self._tables.items()):
            if table.advert.label == label:
                del self._tables[row]

    def due(self, now: float) -> tuple[Address, ...]:
        """Return the addresses to ask now; count them as asked, and forget what is over.

        A rate limit keeps forged hints from making us flood a network, and what is off our networks
        is asked only if it was typed or has answered. These addresses come first, then those that
        wait longest.
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

    def ports_to_try(self, now: float) -> tuple[Address, ...]:
        """Return the addresses whose TCP port to try now, and count them as tried.

        Some firewalls stop questions and let connections through. These addresses are on our own
        networks, of tables that mDNS names and that have never answered, though they were asked.
        """
        due = []
        for table in self._tables.values():
            if table.is_silent and now >= table.since + QUESTION_INTERVAL_S:
                for address, place in table.places.items():
                    again = place.tried + PORT_TRY_INTERVAL_S
                    if place.is_near and now >= again and self._limiter.take(PORT_TRIES, now):
                        place.tried = now
                        due.append(address)
        return tuple(due)

    def note_port(self, address: Address, *, is_open: bool) -> None:
        """Note the result of trying the TCP port at an address."""
        for table in self._tables.values():
            if place := table.places.get(address):
                place.is_open = is_open

    def games(self, now: float) -> tuple[DiscoveredGame, ...]:
        """Return the games to show."""
        return make_titles(
            DiscoveredGame(
                table.advert.name, table.advert, status, table.addresses(now), len(table.live(now))
            )
            for table in self._tables.values()
            if (status := table.status(self._ours, now))
        )

    def hosts(self, table_id: str, now: float) -> tuple[tuple[Address, Standing], ...]:
        """Return the addresses at which a table answers, each with its standing there."""
        return tuple(
            (address, place.standing)
            for table in self._tables.values()
            if table.advert.id == table_id
            for address, place in table.live(now).items()
        )

    def _is_doubtful(self, address: Address, advert: Advert, now: float) -> bool:
        """Return True if an answer to a broadcast proves too little."""
        if address.port not in PORTS or not self._is_near(address):
            return True
        others = (table for table in self._tables.values() if table.advert.id != advert.id)
        return any(address in other.live(now) for other in others)

    def _is_near(self, address: Address) -> bool:
        return is_near(address.host, self._networks)

    def _find(self, advert: Advert, now: float) -> _Table | None:
        """Return a table, a new one if need be; the oldest that never answered makes room.

        Returns `None` if the list is full and all its tables have answered.
        """
        if advert.row not in self._tables and len(self._tables) >= MAX_TABLES:
            silent = (row for row, table in self._tables.items() if table.is_silent)
            oldest = next(silent, None)
            if oldest is None:
                return None
            del self._tables[oldest]
        return self._tables.setdefault(advert.row, _Table(advert, now, now))


class Browser:
    """The games on this network: `async with Browser(ours) as browser`, then iterate.

    `async for games in browser` yields the list each time it has changed; a slow reader gets the
    latest only. `games` is the list now. Tables are found by mDNS and by broadcasts to each network
    that this machine is on; with `listen=False` by neither, and only the addresses passed to `seek`
    are asked.
    """

    def __init__(self, ours: Versions, *, listen: bool = True) -> None:
        self.games: tuple[DiscoveredGame, ...] = ()
        self._list = GameList(ours)
        self._mdns: MdnsService | None = None
        if listen:
            self._mdns = MdnsService(lambda joined: joined.listen(self._hint, self._list.goodbye))
        self._open: dict[bytes, Address | None] = {}  # questions; to `None` by broadcast
        self._networks: tuple[Network, ...] = ()
        self._udp = UdpSockets()
        self._games_changed = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._note_networks()
        await self._udp.open(any_port(), self._on_packet)
        if self._mdns is not None:
            self._tasks |= {
                asyncio.create_task(self._broadcast()),
                asyncio.create_task(self._mdns.run()),
            }
        self._tasks.add(asyncio.create_task(self._ask()))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._udp.close()
        await end_tasks(*self._tasks)

    async def __aiter__(self) -> AsyncIterator[tuple[DiscoveredGame, ...]]:
        """Yield each list that differs from the one before; the first one is not empty."""
        given: tuple[DiscoveredGame, ...] = ()
        while True:
            async with self._games_changed:
                await self._games_changed.wait_for(lambda: self.games != given)  # noqa: B023 - awaited here
            given = self.games
            yield given

    @property
    def trouble(self) -> OSError | None:
        """The error that keeps mDNS from working now, or `None`."""
        return self._mdns.trouble if self._mdns else None

    def hosts(self, table_id: str) -> tuple[tuple[Address, Standing], ...]:
        """Return the addresses at which a table answers now, each with its standing there."""
        return self._list.hosts(table_id, self._loop.time())

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at these addresses too."""
        self._list.seek(addresses)

    def _on_packet(self, packet: bytes, source: Address) -> None:
        nonce, advert = read_answer(packet) or (b"", None)
        if advert is None or nonce not in self._open:
            return
        address, now = self._open[nonce], self._loop.time()
        if address is None:
            self._list.answer(source, advert, now, is_broadcast=True)
        else:
            del self._open[nonce]
            self._list.answer(address, advert, now)

    def _hint(self, advert: Advert, addresses: list[Address]) -> None:
        self._list.hint(advert, addresses, self._loop.time())

    def _write_question(self, address: Address | None) -> bytes:
        """Return a question to an address, or to all, whose answer will be known as such."""
        nonce = secrets.token_bytes(PROBE_NONCE_BYTES)
        keep_last(self._open, nonce, address, MAX_OPEN_QUERIES)
        return write_question(nonce)

    async def _ask(self) -> None:
        while True:
            now = self._loop.time()
            for address in self._list.due(now):
                self._udp.send(self._write_question(address), address)
            for address in self._list.ports_to_try(now):
                task = asyncio.create_task(self._try_port(address))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            games = self._list.games(now)
            if games != self.games:
                async with self._games_changed:
                    self.games = games
                    self._games_changed.notify_all()
            await asyncio.sleep(ROUND_S)

    async def _try_port(self, address: Address) -> None:
        """Try to connect to a TCP port, and note the result. Nothing is sent there."""
        is_open = False
        with contextlib.suppress(OSError):
            async with asyncio.timeout(PORT_TRY_TIMEOUT_S):
                _, writer = await asyncio.open_connection(address.host, address.port)
            is_open = True
            writer.transport.abort()
        self._list.note_port(address, is_open=is_open)

    async def _broadcast(self) -> None:
        """Broadcast to each network, as they are now."""
        while True:
            self._note_networks()
            packet = self._write_question(None)
            for address in broadcast_addresses(self._networks):
                self._udp.send(packet, address)
            await asyncio.sleep(BROADCAST_INTERVAL_S)

    def _note_networks(self) -> None:
        before, self._networks = self._networks, look_again(self._networks)
        if self._networks != before:
            self._list.here(self._networks)


async def resolve(typed: TypedAddress) -> tuple[Address, ...]:
    """Return the addresses that a typed address stands for, each with each of its ports.

    A name that ends in `.local` is asked for by mDNS: not every system does so itself.

    Raises OSError: no host of that name is known.
    """
    hosts = await ask_mdns(typed.host) if is_local(typed.host) else []
    if not hosts:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(typed.host, None, type=socket.SOCK_DGRAM)
        except UnicodeError as error:  # too long once it is spelled in ASCII
            raise OSError(str(error)) from error
        zones = [f"%{place[3]}" if len(place) == 4 and place[3] else "" for *_, place in found]
        hosts = [f"{place[0]}{zone}" for (*_, place), zone in zip(found, zones, strict=True)]
    return tuple(Address(host, port) for host in dict.fromkeys(hosts) for port in typed.ports)


async def seek(
    addresses: Iterable[Address], ours: Versions, seconds: float
) -> tuple[DiscoveredGame, ...]:
    """Ask at addresses for up to `seconds`; return the games found.

    It ends early, `EXTRA_ANSWERS_S` after the first table has answered.
    """
    async with Browser(ours, listen=False) as browser:
        browser.seek(addresses)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for _ in browser:
                    await asyncio.sleep(EXTRA_ANSWERS_S)
                    break
        return browser.games
