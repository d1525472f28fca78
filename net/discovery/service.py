"""Running discovery: a host announces its table, a player's program keeps the list of games.

Both join mDNS for as long as they are open, and join it again as networks change. Zeroconf is
heavy. It is loaded only here, in a thread, once mDNS is joined; `joined_mdns` has what uses it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Final, Self

from net.discovery.advert import (
    PROBE_NONCE_BYTES,
    Advert,
    read_answer,
    read_question,
    write_answer,
    write_question,
)
from net.discovery.games import DiscoveredGame, GameList
from net.discovery.networks import (
    Network,
    UdpSockets,
    broadcast_addresses,
    open_asking_sockets,
    own_networks,
    refresh_networks,
)
from net.protocol import CopyRank, Versions
from net.secure.address import Address, TypedAddress
from net.secure.limits import Limit, Limiter, keep_last
from net.tasks import end_tasks, finish

if TYPE_CHECKING:
    from net.discovery.joined_mdns import JoinedMdns

NETWORK_CHECK_S: Final = 5.0  # seconds between two checks of this machine's networks

REBUILD_INTERVAL_S: Final = 15.0
"""Seconds after which mDNS is restarted: a laptop that slept or moved may no longer receive
anything, and zeroconf keeps whatever anybody multicasts, without a limit."""

ADDRESS_ANSWERS: Final = Limit(rate=50, burst=100)
"""Answers to one source. Ten players on one machine, each with a list open, ask 20 a second."""

ANSWERS: Final = Limit(rate=500, burst=1000)
"""Answers to all sources together: sources can be forged, and this is the table's own time."""

ROUND_S: Final = 0.05  # seconds between two rounds of questions

BROADCAST_INTERVAL_S: Final = 1.5
"""Seconds between two broadcasts: two fit into the 3 s within which a table should be found."""

MAX_OPEN_QUERIES: Final = 1024
"""Maximum number of questions that await an answer: `games.QUERY_LIMIT` allows fewer in 2 s."""

EXTRA_ANSWERS_S: Final = 0.3
"""Seconds to wait for other tables at a typed host once the first has answered."""

_log = logging.getLogger(__name__)


async def join_mdns() -> JoinedMdns:
    """Join mDNS on all interfaces. Raises OSError: there is none, or port 5353 is not shared."""
    loaded = await asyncio.to_thread(_load_zeroconf)
    return loaded.on(own_networks())


def _load_zeroconf() -> type[JoinedMdns]:
    from net.discovery.joined_mdns import JoinedMdns  # noqa: PLC0415 - heavy, see above

    return JoinedMdns


class MdnsService:
    """Runs `serve`, which uses mDNS: begun whenever mDNS is joined, cancelled before the next time.

    `trouble` is the error that keeps mDNS from working now, or `None`. `on_trouble` is called with
    it when it begins, and with `None` when it has passed.
    """

    def __init__(
        self,
        serve: Callable[[JoinedMdns], Coroutine[object, object, None]],
        on_trouble: Callable[[OSError | None], None] = lambda _: None,
    ) -> None:
        self.trouble: OSError | None = None
        self._serve = serve
        self._on_trouble = on_trouble

    async def run(self) -> None:
        """Run until cancelled; join again as networks change, and each `REBUILD_INTERVAL_S`."""
        loop, networks = asyncio.get_running_loop(), refresh_networks(())
        while True:
            before, until = networks, loop.time() + REBUILD_INTERVAL_S
            serving = asyncio.create_task(self._run_once())
            try:
                while networks == before and loop.time() < until:
                    await asyncio.sleep(NETWORK_CHECK_S)
                    networks = refresh_networks(networks)
            finally:
                await end_tasks(serving)

    async def _run_once(self) -> None:
        try:
            joined = await join_mdns()
            try:
                self._note(None)
                await self._serve(joined)
            finally:
                await finish(joined.async_close())
        except OSError as error:
            # Without the traceback, whose frames would keep sockets open.
            self._note(error.with_traceback(None))

    def _note(self, trouble: OSError | None) -> None:
        before, self.trouble = self.trouble, trouble
        if (before is None) is not (trouble is None):
            if trouble is not None:
                _log.warning("mDNS cannot be used: %s", trouble)
            self._on_trouble(trouble)


class Announcer:
    """Announces a table while it is open.

    Use it as `async with Announcer(advert, port, claim.udp) as announcer`. `on_trouble` is called
    with the error that keeps mDNS from working when it begins, and with `None` when it has passed:
    the table can still be found by broadcast questions, or reached by a typed address.
    """

    def __init__(
        self,
        advert: Advert,
        port: int,
        sockets: Iterable[socket.socket],
        on_trouble: Callable[[OSError | None], None] = lambda _: None,
    ) -> None:
        self.advert = advert
        self._port = port
        self._sockets = tuple(sockets)
        self._mdns = MdnsService(self._advertise, on_trouble)
        self._limiter = Limiter()
        self._udp = UdpSockets()
        self._is_closing = False
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self._udp.open(self._sockets, self._answer)
        self._tasks.append(asyncio.create_task(self._mdns.run()))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._udp.close()
        self._is_closing = True
        await end_tasks(*self._tasks)

    def update(self, advert: Advert) -> None:
        """Announce a change: in answers at once, by mDNS when it is next joined."""
        self.advert = advert

    def _answer(self, packet: bytes, source: Address) -> bytes | None:
        nonce, now = read_question(packet), asyncio.get_running_loop().time()
        take = self._limiter.take
        if nonce is None or not (take(ADDRESS_ANSWERS, now, source.host) and take(ANSWERS, now)):
            return None
        return write_answer(nonce, self.advert)

    async def _advertise(self, joined: JoinedMdns) -> None:
        """Announce by mDNS until cancelled. Only a table that closes says goodbye."""
        try:
            await joined.announce(self.advert, self._port)
        finally:
            if not self._is_closing:
                joined.skip_goodbye()


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
            self._mdns = MdnsService(
                lambda joined: joined.listen(self._hint, self._list.note_goodbye)
            )
        self._open: dict[bytes, Address | None] = {}  # questions: to whom, by nonce; `None` for all
        self._networks: tuple[Network, ...] = ()
        self._udp = UdpSockets()
        self._games_changed = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._note_networks()
        await self._udp.open(open_asking_sockets(), self._on_packet)
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

    def find_hosts(self, table_id: str) -> tuple[tuple[Address, CopyRank], ...]:
        return self._list.find_hosts(table_id, self._loop.time())

    def seek(self, addresses: Iterable[Address]) -> None:
        self._list.seek(addresses)

    def _on_packet(self, packet: bytes, source: Address) -> None:
        nonce, advert = read_answer(packet) or (b"", None)
        if advert is None or nonce not in self._open:
            return
        address, now = self._open[nonce], self._loop.time()
        if address is None:
            self._list.note_answer(source, advert, now, is_broadcast=True)
        else:
            del self._open[nonce]
            self._list.note_answer(address, advert, now)

    def _hint(self, advert: Advert, addresses: list[Address]) -> None:
        self._list.note_hint(advert, addresses, self._loop.time())

    def _write_question(self, address: Address | None) -> bytes:
        nonce = secrets.token_bytes(PROBE_NONCE_BYTES)
        keep_last(self._open, nonce, address, MAX_OPEN_QUERIES)
        return write_question(nonce)

    async def _ask(self) -> None:
        while True:
            now = self._loop.time()
            for address in self._list.take_due(now):
                self._udp.send(self._write_question(address), address)
            games = self._list.list_games(now)
            if games != self.games:
                async with self._games_changed:
                    self.games = games
                    self._games_changed.notify_all()
            await asyncio.sleep(ROUND_S)

    async def _broadcast(self) -> None:
        while True:
            self._note_networks()
            packet = self._write_question(None)
            for address in broadcast_addresses(self._networks):
                self._udp.send(packet, address)
            await asyncio.sleep(BROADCAST_INTERVAL_S)

    def _note_networks(self) -> None:
        before, self._networks = self._networks, refresh_networks(self._networks)
        if self._networks != before:
            self._list.set_networks(self._networks)


async def resolve(typed: TypedAddress) -> tuple[Address, ...]:
    """Resolve a typed address, at each of its ports. Raises OSError: the host is unknown."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(typed.host, None, type=socket.SOCK_DGRAM)
    except UnicodeError as error:  # too long once it is encoded in ASCII
        raise OSError(str(error)) from error
    zones = [f"%{place[3]}" if len(place) == 4 and place[3] else "" for *_, place in found]
    hosts = [f"{place[0]}{zone}" for (*_, place), zone in zip(found, zones, strict=True)]
    return tuple(Address(host, port) for host in dict.fromkeys(hosts) for port in typed.ports)


async def seek(
    addresses: Iterable[Address], ours: Versions, seconds: float
) -> tuple[DiscoveredGame, ...]:
    """Return the games at addresses after `seconds`, or soon after the first has answered."""
    async with Browser(ours, listen=False) as browser:
        browser.seek(addresses)
        with contextlib.suppress(TimeoutError):  # the usual end, if no table answers
            async with asyncio.timeout(seconds):
                async for _ in browser:
                    await asyncio.sleep(EXTRA_ANSWERS_S)
                    break
        return browser.games
