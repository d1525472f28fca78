"""Places for connections at the browser door that are not let in yet."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Final, TypedDict, Unpack

from websockets.asyncio.server import Server, ServerConnection
from websockets.server import ServerProtocol

from net.security.guess_limiter import home_of
from net.transport.admission import AdmissionControl

MAX_OPEN: Final = 96
"""Most connections at once that are not let in, over all addresses; half of it for one."""


class Places:
    """The places of connections that are not let in yet."""

    def __init__(self) -> None:
        self._control: Final = AdmissionControl(MAX_OPEN, MAX_OPEN // 2)
        self._by_entry: Final[dict[int, PlacedConnection]] = {}

    def enter(self, connection: PlacedConnection, address: str) -> None:
        """Give a connection a place, if need be that of another, which is aborted."""
        admitted = self._control.enter(home_of(plain_address(address)))
        connection.entry = admitted.entry
        self._by_entry[admitted.entry] = connection
        if admitted.evicted is not None:
            self._by_entry.pop(admitted.evicted).transport.abort()

    def trust(self, page: ServerConnection) -> None:
        """Free the place of a page that is let in."""
        if isinstance(page, PlacedConnection) and self._by_entry.pop(page.entry, None) is not None:
            self._control.trust(page.entry)

    def leave(self, connection: PlacedConnection) -> None:
        """Free the place of a connection that is gone."""
        if self._by_entry.pop(connection.entry, None) is not None:
            self._control.leave(connection.entry)


class _Options(TypedDict):
    """The options of a connection that `serve` sets."""

    ping_interval: float | None
    ping_timeout: float | None
    close_timeout: float | None
    max_queue: int | tuple[int | None, int | None] | None
    write_limit: int | tuple[int, int | None]


class PlacedConnection(ServerConnection):
    """A connection that has a place from its first moment, before any byte is read."""

    def __init__(
        self, places: Places, protocol: ServerProtocol, server: Server, **options: Unpack[_Options]
    ) -> None:
        super().__init__(protocol, server, **options)
        self._places = places
        self.entry = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._places.enter(self, str(peer[0]) if peer else "")

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the place."""
        self._places.leave(self)
        super().connection_lost(exc)


def plain_address(host: str) -> str:
    """Return an address as the table sees it: no zone, and IPv4 as such."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
