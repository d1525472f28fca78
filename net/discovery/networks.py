"""This machine's networks, the changes between them, their broadcast addresses, and sweeps.

Looking up the networks loads ifaddr, which comes with zeroconf.

A sweep asks every address of a network in turn, for networks where nothing else gets through. Its
pace is 200 questions a second: for each address that nobody has, the system asks the network three
times, a second apart, and all its hosts receive that. A Linux kernel keeps 1,024 such neighbours
and gives one up after three seconds, so at this pace two fifths are left for others. The 254 hosts
of a home network take 1.3 s, 1,022 hosts 5.1 s.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import Final

from net.secure.address import PORTS, Address, read_ip
from net.secure.limits import Limit, Limiter

MIN_SWEEP_PREFIX: Final = 22
"""Prefix length, in bits, of the largest range that is swept: the 1,022 hosts nearest to ours."""

_MASKS: Final = range(8, 31)
"""Prefix lengths with room for a broadcast address that cannot be `255.255.255.255`."""

SLEPT_THRESHOLD_S: Final = 5.0
"""Seconds that the wall clock has to gain on the monotonic one to show that the machine has
slept."""


@dataclass(frozen=True, slots=True)
class Network:
    """An address of this machine, the prefix length of its network, and its interface index."""

    host: str
    prefix: int
    interface: int = 0

    def has(self, host: str) -> bool:
        """Return True if an address is on this network."""
        ip = read_ip(host.partition("%")[0])
        return ip is not None and ip in self._all(self.prefix)

    @property
    def broadcast(self) -> str | None:
        """The address at which all hosts of this network receive a question, or `None`.

        The loopback network has no broadcast address and one host, so it is that host.
        """
        if ipaddress.ip_address(self.host).is_loopback:
            return self.host
        whole = self._all(self.prefix)
        if whole.version == 6 or self.prefix not in _MASKS or whole.is_reserved:
            return None
        return str(whole.broadcast_address)

    def others(self) -> Iterator[str]:
        """Yield the other possible hosts, the nearest numbers first; none for IPv6."""
        own = ipaddress.ip_address(self.host)
        if own.version == 6 or own.is_loopback or own.is_link_local or self.prefix not in _MASKS:
            return
        near = self._all(max(self.prefix, MIN_SWEEP_PREFIX))
        whole = self._all(self.prefix)
        nobodys = {own, whole.network_address, whole.broadcast_address}
        ordered = sorted(near, key=lambda host: (abs(int(host) - int(own)), host))
        yield from (str(host) for host in ordered if host not in nobodys)

    def _all(self, prefix: int) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        return ipaddress.ip_network(f"{self.host}/{prefix}", strict=False)


def is_near(host: str, networks: Iterable[Network]) -> bool:
    """Return True if an address is on one of these networks, so that no router is in between."""
    ip = read_ip(host)
    if ip is None:
        return False
    return ip.is_loopback or ip.is_link_local or any(network.has(host) for network in networks)


def broadcast_addresses(networks: Iterable[Network]) -> tuple[Address, ...]:
    """Return the addresses that reach all of these networks, at each port that a table may have.

    This machine's own tables receive the questions too. Loopback addresses are used only if there
    are no others.
    """
    hosts = dict.fromkeys(host for network in networks if (host := network.broadcast))
    others = [host for host in hosts if not ipaddress.ip_address(host).is_loopback]
    return tuple(Address(host, port) for host in others or hosts for port in PORTS)


def own_networks() -> tuple[Network, ...]:
    """Return the networks that this machine is on, in a stable order.

    Raises OSError: the system cannot list them now, for example with too many open files.
    """
    import ifaddr  # noqa: PLC0415 - comes with zeroconf, and not all commands need it

    found = {
        Network(
            ip.ip if isinstance(ip.ip, str) else ip.ip[0], ip.network_prefix, adapter.index or 0
        )
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    }
    return tuple(sorted(found, key=lambda one: (one.interface, one.host)))


class NetworkMonitor:
    """Watches this machine's networks. `networks` are those of the last check.

    If the system cannot list them, they are taken to be unchanged, at first none.
    """

    def __init__(self) -> None:
        self.networks: tuple[Network, ...] = ()
        with suppress(OSError):
            self.networks = own_networks()
        self._ahead = _ahead()

    def detect_change(self) -> bool:
        """Check again; return True if the networks have changed or the machine has slept."""
        before = self.networks
        with suppress(OSError):
            self.networks = own_networks()
        ahead_before, self._ahead = self._ahead, _ahead()
        return self.networks != before or self._ahead > ahead_before + SLEPT_THRESHOLD_S


def _ahead() -> float:
    """Return the wall clock minus the monotonic clock, which may stop while the machine sleeps."""
    return time.time() - time.monotonic()


SWEEP_QUERIES: Final = Limit(rate=200, burst=10)
MAX_SWEPT_NETWORKS: Final = 8

_PORTS: Final = (PORTS[0], *PORTS)
"""Ports in the order of a sweep: all hosts are asked at one port, then all at the next. The first
port comes twice, since packets get lost."""


class Sweep:
    """One sweep of several networks, side by side."""

    def __init__(self, networks: Iterable[Network]) -> None:
        self.over = False
        self._limiter = Limiter()
        self._left = _addresses(tuple(networks))

    def due(self, now: float) -> tuple[Address, ...]:
        """Return the addresses to ask now."""
        due: list[Address] = []
        while not self.over and self._limiter.take(SWEEP_QUERIES, now):
            address = next(self._left, None)
            if address is None:
                self.over = True
            else:
                due.append(address)
        return tuple(due)


def _addresses(networks: tuple[Network, ...]) -> Iterator[Address]:
    own = {network.host for network in networks}
    for port in _PORTS:
        there = islice(
            (network.others() for network in networks if network.broadcast), MAX_SWEPT_NETWORKS
        )
        hosts = dict.fromkeys(chain.from_iterable(zip_longest(*there)))
        yield from (Address(host, port) for host in hosts if host and host not in own)
