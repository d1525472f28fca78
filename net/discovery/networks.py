"""This machine's networks, and UDP sockets on them.

UDP packets are received by a callback, and sent at once or not at all. UDP may lose any packet, so
errors in sending are ignored too: an asker that needs an answer asks again.

A table's port is free for TCP and UDP, on IPv4 and IPv6. The TCP sockets are for the game, the UDP
ones for the announcer; they are opened together, so that no other program can take one in between.
"""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Final

import ifaddr  # which comes with zeroconf

from net.discovery.adapters import AdapterKind, adapters_with_gateway, find_kinds, routed_hosts
from net.secure.address import PORTS, Address, read_ip

MAX_ADVERTISED_ADDRESSES: Final = 16
"""Maximum number of addresses that are announced, and that are read of one table."""

_MASKS: Final = range(8, 31)
"""Prefix lengths with room for a broadcast address that cannot be `255.255.255.255`."""


_TRANSLATED: Final = ipaddress.ip_network("192.0.0.0/24")
"""Addresses of phones and hotspots that have only IPv6 (464XLAT): no other computer has a route to
them, whichever adapter they are on."""


@dataclass(frozen=True, slots=True)
class Network:
    """An address of this machine, the prefix length of its network, its interface and adapter."""

    host: str
    prefix: int
    interface: int = 0
    kind: AdapterKind = AdapterKind.CABLE

    def has(self, host: str) -> bool:
        """Return True if a host on this network has this address, or may have it."""
        ip = read_ip(host.partition("%")[0])
        is_everybody = host != self.host and ip == self._network.broadcast_address
        return ip is not None and ip in self._network and not is_everybody

    @property
    def broadcast(self) -> str | None:
        """The address at which all hosts of this network receive a question, or `None`.

        The loopback network has no broadcast address and only one host, so it is that host.
        """
        if ipaddress.ip_address(self.host).is_loopback:
            return self.host
        whole = self._network
        if whole.version == 6 or self.prefix not in _MASKS or whole.is_reserved:
            return None
        return str(whole.broadcast_address)

    @property
    def _network(self) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        return ipaddress.ip_network(f"{self.host}/{self.prefix}", strict=False)


FAR: Final = sys.maxsize  # the distance of an address on none of our networks


def find_distance(host: str, networks: Iterable[Network]) -> int:
    """Return the rank of an address's network among ours, `FAR` behind a router."""
    for place, network in enumerate(networks):
        if network.has(host):
            return place
    ip = read_ip(host)
    return FAR - 1 if ip is not None and (ip.is_loopback or ip.is_link_local) else FAR


def is_near(host: str, networks: Iterable[Network]) -> bool:
    """Return True if an address is on one of these networks, so that no router is in between."""
    return find_distance(host, networks) < FAR


def broadcast_addresses(networks: Iterable[Network]) -> tuple[Address, ...]:
    """Return the addresses that reach all of these networks, at each port that a table may have.

    This machine's own tables receive the questions too. Loopback addresses are used only if there
    are no others.
    """
    hosts = dict.fromkeys(host for network in networks if (host := network.broadcast))
    others = [host for host in hosts if not ipaddress.ip_address(host).is_loopback]
    return tuple(Address(host, port) for host in others or hosts for port in PORTS)


def own_networks() -> tuple[Network, ...]:
    """Return this machine's networks, those likeliest to have friends on them first.

    They are sorted by adapter (`AdapterKind`), then by gateway; the order of equals is stable.

    Raises OSError: the system cannot list them now, for example with too many open files.
    """
    adapters = ifaddr.get_adapters()
    kinds = find_kinds({adapter.nice_name: adapter.index or 0 for adapter in adapters})
    gateways = adapters_with_gateway()
    routed = [] if gateways is not None else list(routed_hosts())
    found = dict[Network, tuple[object, ...]]()
    for adapter in adapters:
        for ip in adapter.ips:
            name = adapter.nice_name
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            ways, way = (routed, host) if gateways is None else (gateways, name)
            place = ways.index(way) if way in ways else len(ways)
            kind = _kind_of(kinds[name], host, ip.network_prefix, is_routed=host in routed)
            network = Network(host, ip.network_prefix, adapter.index or 0, kind)
            found[network] = kind, place, ":" in host, network.interface, host
    return tuple(sorted(found, key=lambda network: found[network]))


def _kind_of(kind: AdapterKind, host: str, prefix: int, *, is_routed: bool) -> AdapterKind:
    ip = ipaddress.ip_address(host)
    if ip.is_loopback:
        return AdapterKind.LOOPBACK
    if kind is AdapterKind.VIRTUAL and is_routed:
        return AdapterKind.CABLE  # on Windows, a switch has the address of its hardware
    # DHCPv6 hands out addresses of whole networks as /128; a single IPv4 address is a tunnel's.
    is_single = ip.version == 4 and (prefix == 32 or _is_translated(host))
    return max(kind, AdapterKind.TUNNEL) if is_single else kind


def own_addresses() -> list[str]:
    """Return this machine's addresses to pass on, the likeliest to reach friends first.

    Those of bridges and of unplugged adapters count only if there are no others: whatever is on
    such a bridge reaches the others, too. The same is true of link-local and translated ones, and
    finally of loopback ones.

    Raises OSError: the system cannot list its interfaces now.
    """
    networks = own_networks()
    wide = [network for network in networks if network.kind is not AdapterKind.LOOPBACK]
    reach = (
        AdapterKind.TUNNEL
        if any(network.kind <= AdapterKind.TUNNEL for network in wide)
        else AdapterKind.VIRTUAL
    )
    usable = [network for network in wide if network.kind <= reach]
    best = min((network.kind for network in usable), default=AdapterKind.CABLE)
    # With a cable between two laptops and nothing else, 169.254 comes before a VPN or a bridge.
    own = [network for network in usable if network.kind is best]
    if not all(map(_is_link_local, own)):
        usable = [network for network in usable if not _is_link_local(network)]
    usable = [network for network in usable if not _is_translated(network.host)] or usable
    hosts = dict.fromkeys(network.host for network in usable or networks)
    return list(hosts)[:MAX_ADVERTISED_ADDRESSES]


def is_in_network() -> bool:
    """Return True if others could reach this machine. Raises OSError: it cannot be found out."""
    return any(network.kind is not AdapterKind.LOOPBACK for network in own_networks())


def reaches_itself() -> bool:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((LOOPBACK_HOSTS[0], PORTS[0]))  # sends nothing
        return True
    return False


def _is_translated(host: str) -> bool:
    return ipaddress.ip_address(host) in _TRANSLATED


def _is_link_local(network: Network) -> bool:
    return ipaddress.ip_address(network.host).is_link_local


def refresh_networks(before: tuple[Network, ...]) -> tuple[Network, ...]:
    """Return this machine's networks, or those `before` if the system cannot list them now."""
    with suppress(OSError):
        return own_networks()
    return before


OnPacket = Callable[[bytes, Address], bytes | None]
"""Takes a packet and its source; the packet that it returns, if any, is sent back there."""


class UdpSockets(asyncio.DatagramProtocol):
    """Sockets that send and receive together, at most one for each address family."""

    def __init__(self) -> None:
        self._by_family: dict[int, asyncio.DatagramTransport] = {}

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        if (reply := self._receive(data, Address(addr[0], addr[1]))) is not None:
            self._send(reply, addr)

    async def open(self, sockets: Iterable[socket.socket], receive: OnPacket) -> None:
        """Receive on bound sockets, and own them. If that fails, all of them are closed."""
        loop, self._receive = asyncio.get_running_loop(), receive
        unopened = list(sockets)
        try:
            while unopened:
                bound = unopened.pop()
                self._by_family[bound.family], _ = await loop.create_datagram_endpoint(
                    lambda: self, sock=bound
                )
        except BaseException:
            for bound in unopened:
                bound.close()
            self.close()
            raise

    def send(self, packet: bytes, address: Address) -> None:
        self._send(packet, (address.host, address.port))

    def _send(self, packet: bytes, to: tuple[str, int]) -> None:
        family = socket.AF_INET6 if ":" in to[0] else socket.AF_INET
        if transport := self._by_family.get(family):
            transport.sendto(packet, to)

    def close(self) -> None:
        """Close the sockets; packets sent later are dropped."""
        while self._by_family:
            self._by_family.popitem()[1].close()


def open_asking_sockets() -> list[socket.socket]:
    """Open UDP sockets to ask from: one for each address family here, on any free port."""
    opened = []
    for host in ANY_HOSTS:
        with suppress(OSError):  # a machine without this family
            opened.append(_open_bound(socket.SOCK_DGRAM, host, 0))
    for asking in opened:
        if asking.family == socket.AF_INET:
            asking.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    return opened


ANY_HOSTS: Final = ("0.0.0.0", "::")  # noqa: S104 - a table is for everybody on the network
LOOPBACK_HOSTS: Final = ("127.0.0.1", "::1")

_BACKLOG: Final = 128  # connections that wait to be accepted: a whole club may reconnect at once
_MAX_TRIES: Final = 20  # to find any port: the one that TCP gets may be taken for UDP
_ABSENT: Final = frozenset(
    (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT, errno.ENOPROTOOPT)
)
_TAKEN: Final = frozenset((errno.EADDRINUSE, errno.EACCES))


class NoPortFree(OSError):
    """All of these ports are taken."""

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__(errno.EADDRINUSE, f"ports {ports[0]} to {ports[-1]} are taken")
        self.ports = ports


@dataclass(frozen=True, slots=True)
class PortClaim:
    """A port with its sockets, the TCP ones listening; none for address families missing here."""

    port: int
    tcp: tuple[socket.socket, ...]
    udp: tuple[socket.socket, ...]

    def close(self) -> None:
        """Close the sockets. Closing twice does no harm."""
        for opened in (*self.tcp, *self.udp):
            opened.close()


def claim_port(
    *,
    first: int | None = None,
    ports: Iterable[int] = PORTS,
    hosts: Iterable[str] = ANY_HOSTS,
    also_udp: bool = True,
) -> PortClaim:
    """Claim `first`, if given and free, else the first free one of `ports`; 0 means any port.

    Raises NoPortFree, or OSError: this machine has none of the families, or forbids sockets.
    """
    wanted = [*([] if first is None else [first]), *ports]
    hosts = tuple(hosts)
    for port in wanted:
        for _ in range(1 if port else _MAX_TRIES):
            if taken := _take(port, hosts, also_udp=also_udp):
                return taken
    raise NoPortFree(wanted)


def _take(port: int, hosts: Sequence[str], *, also_udp: bool) -> PortClaim | None:
    """Claim a port on all available hosts, or return `None` if it is taken on any of them."""
    tcp: list[socket.socket] = []
    udp: list[socket.socket] = []
    absent: OSError | None = None
    with ExitStack() as stack:
        try:
            for host in hosts:
                try:
                    listening = _open_bound(socket.SOCK_STREAM, host, port)
                except OSError as error:
                    if error.errno not in _ABSENT:
                        raise
                    absent = error
                    continue
                tcp.append(stack.enter_context(listening))
                port = listening.getsockname()[1]
                if also_udp:
                    udp.append(stack.enter_context(_open_bound(socket.SOCK_DGRAM, host, port)))
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
            return None
        if absent is not None and not tcp:
            raise absent
        stack.pop_all()
    return PortClaim(port, tuple(tcp), tuple(udp))


def _open_bound(kind: socket.SocketKind, host: str, port: int) -> socket.socket:
    """Open a socket that is bound, and for TCP listens. Raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, kind)
    try:
        opened.settimeout(0)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if sys.platform == "win32":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        elif kind == socket.SOCK_STREAM:
            # Lets a restarted host bind its port at once, while old connections still linger.
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        if kind == socket.SOCK_STREAM:
            opened.listen(_BACKLOG)
    except OSError:
        opened.close()
        raise
    return opened
