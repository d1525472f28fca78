"""Datagram sockets on asyncio: packets in by a callback, packets out at once or not at all.

Knows sockets. Must not know what a packet says. UDP may lose anything, so errors of sending are
dropped too: whoever needs an answer asks again.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from typing import cast

from net.discovery.address import Address
from net.tasks import cancel_and_wait

Receive = Callable[[bytes, Address], bytes | None]
"""Takes a packet and where it came from; what it returns goes back there."""


class _Packets(asyncio.DatagramProtocol):
    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # In Python 3.11 the loop's own transport is no subclass of what it is documented to be.
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        reply = self._receive(data, Address(addr[0], addr[1]))
        if reply is not None and self._transport is not None:
            self._transport.sendto(reply, addr)


class Udp:
    """Sockets that send and receive together, at most one for each family."""

    __slots__ = ("_by_family",)

    def __init__(self) -> None:
        self._by_family: dict[int, asyncio.DatagramTransport] = {}

    async def open(self, sockets: Iterable[socket.socket], receive: Receive) -> None:
        """Begin to receive on bound sockets, which are this object's from now on.

        Where that fails or is cancelled, all of them are closed.
        """
        loop = asyncio.get_running_loop()
        unopened = list(sockets)
        try:
            while unopened:
                bound = unopened.pop()
                self._by_family[bound.family], _ = await loop.create_datagram_endpoint(
                    lambda: _Packets(receive), sock=bound
                )
        except BaseException:
            for bound in unopened:
                bound.close()
            self.close()
            raise

    def send(self, packet: bytes, address: Address) -> None:
        """Send a packet, if there is a socket for such an address."""
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        if transport := self._by_family.get(family):
            transport.sendto(packet, (address.host, address.port))

    def close(self) -> None:
        """Close the sockets; what is sent from then on goes nowhere."""
        while self._by_family:
            self._by_family.popitem()[1].close()


def any_port() -> list[socket.socket]:
    """Open a socket for each family that this machine has, on ports that the system chooses.

    The system lets none of them send to a broadcast address, whatever a hint says.
    """
    return [
        opened
        for family, host in ((socket.AF_INET, ""), (socket.AF_INET6, "::"))
        if (opened := _open(family, host))
    ]


def loud_port() -> list[socket.socket]:
    """Open a socket that may send to broadcast addresses, if this machine has IPv4."""
    opened = _open(socket.AF_INET, "")
    if opened is None:
        return []
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    return [opened]


def _open(family: socket.AddressFamily, host: str) -> socket.socket | None:
    try:
        free = socket.socket(family, socket.SOCK_DGRAM)
    except OSError:
        return None  # a machine without this family
    free.settimeout(0)
    if family == socket.AF_INET6:
        free.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    free.bind((host, 0))
    return free


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks and wait until they are over; what they failed of is raised."""
    await cancel_and_wait(*tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()
