"""A question to every address of a network, one after the other, where nothing else gets through.

Knows which addresses, in which order, and how fast. Must not know sockets or clocks.

200 a second is the pace: each address that nobody has makes the system ask three times, a second
apart, who has it, and all of a network hear that. A Linux kernel keeps 1,024 such neighbours in
mind and gives one up after three seconds, so that at this pace two fifths are left for others. The
254 hosts of a home are through in 1.3 s, 1,022 in 5.1 s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from typing import Final

from net.bucket import Bucket
from net.discovery.address import PORTS, Address
from net.discovery.networks import Network

PACE: Final = 200.0
"""Questions a second."""

BURST: Final = 0.05
"""Seconds' worth of questions that may be saved up."""

MOST_NETWORKS: Final = 8

_PORTS: Final = (PORTS[0], *PORTS)
"""All hosts are asked at one port, then at the next; at the first twice, as packets get lost."""


class Sweep:
    """One sweep of these networks, side by side."""

    __slots__ = ("_bucket", "_left", "over")

    def __init__(self, networks: Iterable[Network]) -> None:
        self.over = False
        self._bucket = Bucket(PACE, PACE * BURST, now=0.0)
        self._left = _addresses(tuple(networks))

    def due(self, now: float) -> tuple[Address, ...]:
        """The addresses to ask now."""
        due: list[Address] = []
        while not self.over and self._bucket.take(1, now):
            address = next(self._left, None)
            if address is None:
                self.over = True
            else:
                due.append(address)
        return tuple(due)


def _addresses(networks: tuple[Network, ...]) -> Iterator[Address]:
    own = {network.host for network in networks}
    for port in _PORTS:
        there = islice((network.others() for network in networks if network.call), MOST_NETWORKS)
        hosts = dict.fromkeys(chain.from_iterable(zip_longest(*there)))
        yield from (Address(host, port) for host in hosts if host and host not in own)
