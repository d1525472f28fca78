"""Interfaces, broadcast addresses, sweep.

The networks that this machine is on, and when they are others than before.

The first look at the system loads ifaddr, which comes with zeroconf.

A question to every address of a network, one after the other, where nothing else gets through.

200 a second is the pace: each address that nobody has makes the system ask three times, a second
apart, who has it, and all of a network hear that. A Linux kernel keeps 1,024 such neighbours in
mind and gives one up after three seconds, so that at this pace two fifths are left for others. The
254 hosts of a home are through in 1.3 s, 1,022 in 5.1 s.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import Final

from net.discovery.address import PORTS, Address, read_ip
from net.transport.rate_limit import TokenBucket

MIN_SWEEP_PREFIX: Final = 22
"""The prefix of the most hosts that are ever gone through, about 1,000: the part nearest to us."""

_MASKS: Final = range(8, 31)
"""Prefixes with room for a broadcast address, that cannot be `255.255.255.255`."""

SLEPT_THRESHOLD_S: Final = 5.0
"""Seconds that the wall clock has to be ahead of the other before the machine was asleep."""


@dataclass(frozen=True, slots=True)
class Network:
    """An address of this machine, how many bits of it name its network, and its interface."""

    host: str
    prefix: int
    interface: int = 0

    def has(self, host: str) -> bool:
        """Whether an address is on this network."""
        ip = read_ip(host.partition("%")[0])
        return ip is not None and ip in self._all(self.prefix)

    @property
    def broadcast(self) -> str | None:
        """Where all of this network hear a question: its broadcast address, if it has one.

        The loopback network has none, and one host.
        """
        if ipaddress.ip_address(self.host).is_loopback:
            return self.host
        whole = self._all(self.prefix)
        if whole.version == 6 or self.prefix not in _MASKS or whole.is_reserved:
            return None
        return str(whole.broadcast_address)

    def others(self) -> Iterator[str]:
        """The other hosts that there may be, the nearest numbers first; none of IPv6."""
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
    """Whether an address is on one of these networks, so that no router is between."""
    ip = read_ip(host)
    if ip is None:
        return False
    return ip.is_loopback or ip.is_link_local or any(network.has(host) for network in networks)


def broadcast_addresses(networks: Iterable[Network]) -> tuple[Address, ...]:
    """Where to ask all of these networks at once, at each of a table's ports.

    This machine's own tables hear that too; the loopback ones only where there is nothing else.
    """
    hosts = dict.fromkeys(host for network in networks if (host := network.broadcast))
    others = [host for host in hosts if not ipaddress.ip_address(host).is_loopback]
    return tuple(Address(host, port) for host in others or hosts for port in PORTS)


def own_networks() -> tuple[Network, ...]:
    """Look up the networks that this machine is on, in an order that stays the same.

    Raises:
        OSError: the system does not tell now, as when there are too many open files.
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
    """Keeps an eye on the networks. `networks` are those of the last look.

    Where the system does not tell, they are taken to be what they were, at first none.
    """

    __slots__ = ("_ahead", "networks")

    def __init__(self) -> None:
        self.networks: tuple[Network, ...] = ()
        with suppress(OSError):
            self.networks = own_networks()
        self._ahead = _ahead()

    def moved(self) -> bool:
        """Look again: whether they are others than at the last look, or the machine has slept."""
        before = self.networks
        with suppress(OSError):
            self.networks = own_networks()
        ahead_before, self._ahead = self._ahead, _ahead()
        return self.networks != before or self._ahead > ahead_before + SLEPT_THRESHOLD_S


def _ahead() -> float:
    """How far the wall clock is ahead of the one that may stand still while the machine sleeps."""
    return time.time() - time.monotonic()


SWEEP_QUERIES_PER_S: Final = 200.0
"""Questions a second."""

SWEEP_BURST_S: Final = 0.05
"""Seconds' worth of questions that may be saved up."""

MAX_SWEPT_NETWORKS: Final = 8

_PORTS: Final = (PORTS[0], *PORTS)
"""All hosts are asked at one port, then at the next; at the first twice, as packets get lost."""


class Sweep:
    """One sweep of these networks, side by side."""

    __slots__ = ("_left", "_token_bucket", "over")

    def __init__(self, networks: Iterable[Network]) -> None:
        self.over = False
        self._token_bucket = TokenBucket(
            SWEEP_QUERIES_PER_S, SWEEP_QUERIES_PER_S * SWEEP_BURST_S, now=0.0
        )
        self._left = _addresses(tuple(networks))

    def due(self, now: float) -> tuple[Address, ...]:
        """The addresses to ask now."""
        due: list[Address] = []
        while not self.over and self._token_bucket.take(1, now):
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
