"""Connections at the browser door, which have a place from their first moment on."""

from __future__ import annotations

import asyncio
from typing import Final, TypedDict, Unpack

from websockets.asyncio.server import Server, ServerConnection
from websockets.server import ServerProtocol

from sabtui.doors.limits import Strangers

MAX_UNREAD_BYTES: Final = 1 << 20
"""Most bytes that wait for a page to read them; what a screen shows waits elsewhere."""


class _Options(TypedDict):
    """The options of a connection that `serve` sets."""

    ping_interval: float | None
    ping_timeout: float | None
    close_timeout: float | None
    max_queue: int | tuple[int | None, int | None] | None
    write_limit: int | tuple[int, int | None]


class PlacedConnection(ServerConnection):
    """A connection that has a place before any byte of it is read."""

    def __init__(
        self,
        strangers: Strangers,
        protocol: ServerProtocol,
        server: Server,
        **options: Unpack[_Options],
    ) -> None:
        super().__init__(protocol, server, **options)
        self._strangers = strangers
        self._entry = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._entry = self._strangers.enter(str(peer[0]) if peer else "", self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Take what has come; a page that makes us answer, and reads nothing, is cut off.

        websockets answers a ping without a look at how much waits to be read already.
        """
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self.transport.abort()

    def trust(self) -> None:
        """Free the place: the guest was let in."""
        self._strangers.trust(self._entry)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the place."""
        self._strangers.leave(self._entry)
        super().connection_lost(exc)
