"""A player's side of discovery: the list of games, kept up to date while it is open.

The tasks here do the asking and listening; `catalog` decides what becomes of the list.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Iterable
from itertools import cycle
from typing import Final, Self

from net.discovery.advert import Advert, AdvertStanding
from net.discovery.catalog import DiscoveredGame, GameCatalog
from net.discovery.mdns import MdnsListener, ask_mdns
from net.discovery.networks import NetworkMonitor, Sweep, broadcast_addresses, own_networks
from net.discovery.probe import PROBE_NONCE_BYTES, QUERY_LIFETIME_S, Queries
from net.discovery.sockets import UdpSockets, any_port, loud_port
from net.protocol import Versions
from net.secure.address import Address, TypedAddress, is_local, read_ip
from net.tasks import end_tasks

ROUND_S: Final = 0.05  # seconds between two rounds of questions
SWEEP_ROUND_S: Final = 0.02  # seconds between two rounds of a sweep
BROWSER_NETWORK_CHECK_S: Final = 0.5  # seconds between two checks of this machine's networks

BROADCAST_INTERVAL_S: Final = 1.5
"""Seconds between two broadcasts: two fit in the 3 s in which a table is to be found."""

SWEEP_SOCKETS: Final = 4  # number of sockets that share a sweep
PORT_CHECK_TIMEOUT_S: Final = 3.0  # seconds to wait for a TCP port to open

EXTRA_ANSWERS_S: Final = 0.3
"""Seconds to wait for other tables at a typed host once the first has answered."""


class Browser:
    """The games on this network: `async with Browser(ours) as browser`, then iterate.

    `async for games in browser` yields the list each time it has changed; a slow reader gets the
    latest only. `games` is the list now. Tables are found by mDNS and by broadcasts to each network
    that this machine is on; with `listen=False` by neither, and only the addresses passed to `seek`
    are asked.
    """

    def __init__(self, ours: Versions, *, listen: bool = True) -> None:
        self.games: tuple[DiscoveredGame, ...] = ()
        self._listener = MdnsListener(self._hint, self._goodbye) if listen else None
        self._catalog = GameCatalog(ours)
        self._queries = Queries(lambda: secrets.token_bytes(PROBE_NONCE_BYTES))
        self._sweep: Sweep | None = None
        self._monitor = NetworkMonitor()
        self._udp = UdpSockets()
        self._broadcast_udp = UdpSockets()
        self._games_changed = asyncio.Condition()
        self._tasks: list[asyncio.Task[None]] = []
        self._port_checks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._catalog.here(self._monitor.networks)
        await self._udp.open(any_port(), self._on_packet)
        if self._listener is not None:
            try:
                await self._broadcast_udp.open(loud_port(), self._on_packet)
            except BaseException:
                self._udp.close()
                raise
            self._tasks.append(asyncio.create_task(self._broadcast_and_watch(self._listener)))
            self._tasks.append(asyncio.create_task(self._listener.listen()))
        self._tasks.append(asyncio.create_task(self._ask()))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._udp.close()
        self._broadcast_udp.close()
        await end_tasks(*self._tasks, *self._port_checks)

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
        return self._listener.trouble if self._listener else None

    def hosts(self, table_id: str) -> tuple[tuple[Address, AdvertStanding], ...]:
        """Return the addresses at which a table answers now, each with its standing there."""
        return self._catalog.hosts(table_id, self._loop.time())

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at these addresses too."""
        self._catalog.seek(addresses)

    def sweep(self) -> None:
        """Ask once at every address of this machine's networks, at a pace that harms nobody.

        For networks where nothing else gets through: the nearest thousand addresses of each.
        """
        if not self.sweeping:
            self._sweep = Sweep(self._monitor.networks)
            self._tasks.append(asyncio.create_task(self._ask_all(self._sweep)))

    @property
    def sweeping(self) -> bool:
        """True while there are addresses left to ask."""
        return self._sweep is not None and not self._sweep.over

    def _on_packet(self, packet: bytes, source: Address) -> None:
        now = self._loop.time()
        if reply := self._queries.match_answer(packet, source, now):
            self._catalog.answer(reply, now)
        elif reply := self._queries.match_goodbye(packet, now):
            self._catalog.withdraw(reply, now)

    def _hint(self, advert: Advert, addresses: list[Address]) -> None:
        self._catalog.hint(advert, addresses, self._loop.time())

    def _goodbye(self, table: str, term: int) -> None:
        self._catalog.goodbye(table, self._loop.time(), term)

    async def _ask(self) -> None:
        while True:
            now = self._loop.time()
            for address in self._catalog.due(now):
                self._udp.send(self._queries.ask(address, now), address)
            for address in self._catalog.ports_to_check(now):
                task = asyncio.create_task(self._check_port(address))
                self._port_checks.add(task)
                task.add_done_callback(self._port_checks.discard)
            games = self._catalog.listing(now)
            if games != self.games:
                async with self._games_changed:
                    self.games = games
                    self._games_changed.notify_all()
            await asyncio.sleep(ROUND_S)

    async def _ask_all(self, sweep: Sweep) -> None:
        """Ask at all addresses of a sweep, from sockets of its own.

        On Linux a packet to an address that nobody has stays in its socket's buffer for three
        seconds, and 277 of them fill it; other questions sent from the same socket would have to
        wait.
        """
        sockets = [UdpSockets() for _ in range(SWEEP_SOCKETS)]
        try:
            for udp in sockets:
                await udp.open(any_port(), self._on_packet)
            for udp in cycle(sockets):
                now = self._loop.time()
                for address in sweep.due(now):
                    udp.send(self._queries.ask(address, now), address)
                if sweep.over:
                    break
                await asyncio.sleep(SWEEP_ROUND_S)
            await asyncio.sleep(QUERY_LIFETIME_S)
        finally:
            for udp in sockets:
                udp.close()

    async def _check_port(self, address: Address) -> None:
        """Check if a TCP port is open. Nothing is sent there."""
        is_open = False
        with contextlib.suppress(OSError):
            async with asyncio.timeout(PORT_CHECK_TIMEOUT_S):
                _, writer = await asyncio.open_connection(address.host, address.port)
            is_open = True
            writer.transport.abort()
        self._catalog.note_port(address, is_open=is_open)

    async def _broadcast_and_watch(self, listener: MdnsListener) -> None:
        """Broadcast to each network, and check regularly if the networks have changed."""
        called = float("-inf")
        while True:
            if moved := self._monitor.detect_change():
                self._catalog.here(self._monitor.networks)
                listener.begin_anew()
            if moved or self._loop.time() >= called + BROADCAST_INTERVAL_S:
                called = self._loop.time()
                packet = self._queries.ask(None, called)
                for address in broadcast_addresses(self._monitor.networks):
                    self._broadcast_udp.send(packet, address)
            await asyncio.sleep(BROWSER_NETWORK_CHECK_S)


async def resolve(typed: TypedAddress) -> tuple[Address, ...]:
    """Return the addresses that a typed address stands for, each with each of its ports.

    A name that ends in `.local` is asked for by mDNS: not every system does so itself. A link-local
    IPv6 address needs a zone, which its host cannot know for us: without one, the zone of each
    interface is tried.

    Raises OSError: no host of that name is known.
    """
    hosts = await ask_mdns(typed.host) if is_local(typed.host) else []
    if not hosts:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(typed.host, None, type=socket.SOCK_DGRAM)
        except UnicodeError as error:  # too long once it is spelled in ASCII
            raise OSError(str(error)) from error
        hosts = [host for *_, place in found for host in _add_zones(place)]
    if "%" in typed.host:  # as it was typed
        hosts = [typed.host]
    return tuple(Address(host, port) for host in dict.fromkeys(hosts) for port in typed.ports)


def _add_zones(place: tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]) -> list[str]:
    """Return the hosts that a resolved address may mean, with zones if they need one."""
    host, zone = str(place[0]), place[3] if len(place) == 4 else 0
    if zone:
        return [f"{host}%{zone}"]
    ip = read_ip(host)
    if ip is None or ip.version == 4 or not ip.is_link_local:
        return [host]
    zones = dict.fromkeys(network.interface for network in own_networks() if network.interface)
    return [f"{host}%{zone}" for zone in zones]


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
