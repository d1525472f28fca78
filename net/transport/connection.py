"""One link between two programs: frames over TLS over TCP, with caps, a budget and a bound.

The thin shell around frames and budget. A link is of strangers until `trust` is called: small
caps, little allowance, a deadline.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from asyncio import sslproto
from collections.abc import Callable
from enum import StrEnum
from ipaddress import ip_address
from typing import Final

from net.protocol.framing import MAX_UNTRUSTED_FRAME_BYTES, BadFrame, Deframer, FrameFault, pack
from net.security.tls import client_context, fingerprint_of
from net.transport.rate_limit import STRANGER_QUOTA, ConnectionQuota, Quota

Clock = Callable[[], float]

MAX_BACKLOG_BYTES: Final = 256 * 1024
"""Bytes that may wait for a slow reader; of a client's own, up to 64 KiB are not counted."""

TLS_READ_BYTES: Final = 32 * 1024
"""Bytes that are read at once, and what each link keeps ready for it as long as it lasts."""

TLS_TIMEOUT_S: Final = 5.0
CLOSE_TIMEOUT_S: Final = 1.0

_LOOK: Final = 0.02
"""Seconds until it is seen again whether all has left that waits on a link that is to be closed."""

# By itself asyncio takes 256 KiB for each link, which would be nearly all that a host needs.
sslproto.SSLProtocol.max_size = TLS_READ_BYTES


class ConnectionFault(StrEnum):
    """Why there is no link, or none any more."""

    UNREACHABLE = "unreachable"  # no such address, or nobody listens there
    NO_ANSWER = "no answer"  # in time
    NO_TABLE = "no table"  # the other side does not speak our TLS
    OTHER_TABLE = "other table"  # not the certificate that was pinned
    LOST = "lost"  # the other side went, in order or not
    BAD_FRAME = "bad frame"  # the cause is a BadFrame
    OVER_BUDGET = "over budget"
    OVERDUE = "overdue"  # not trusted in time
    BACKLOG = "backlog"  # the other side does not read
    REFUSED = "refused"  # its handshake failed, and it has been told


class ConnectionFailed(Exception):
    """A link cannot be had or used. One that was had is closed or aborted by now."""

    def __init__(self, why: ConnectionFault) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return self.why.value


class StreamProtocol(asyncio.StreamReaderProtocol):
    """What asyncio is given for a connection: a bounded reader, and word of when it is gone."""

    def __init__(self) -> None:
        self.reader = asyncio.StreamReader(limit=2 * MAX_UNTRUSTED_FRAME_BYTES)
        self.gone = asyncio.Event()
        super().__init__(self.reader)

    def eof_received(self) -> bool:
        """Take note that no more will come; TLS ends with that, and says so if it were not told."""
        super().eof_received()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that the transport is closed and all that was sent has left, or never will."""
        super().connection_lost(exc)
        self.gone.set()


class Connection:
    """A link that is up. `fingerprint` is the certificate's, alike on both sides if all is well.

    `peer` is the other side's address where that matters, as the host's door tells it. `tcp` is
    what TLS writes to, if it is known: some of what waits is there.
    """

    def __init__(  # noqa: PLR0913 - this is what a link is made of
        self,
        wire: StreamProtocol,
        transport: asyncio.Transport,
        fingerprint: bytes,
        *,
        clock: Clock = time.monotonic,
        on_trust: Callable[[], None] = lambda: None,
        tcp: asyncio.WriteTransport | None = None,
    ) -> None:
        self.fingerprint = fingerprint
        self.is_closing = False
        self.peer = ""
        self.clock = clock
        self.quota = ConnectionQuota(STRANGER_QUOTA, clock())
        self._wire = wire
        self._transport = transport
        self._tcp = tcp
        self._deframer = Deframer(MAX_UNTRUSTED_FRAME_BYTES)
        self._limit = MAX_UNTRUSTED_FRAME_BYTES
        self._on_trust = on_trust

    def trust(self, *, receive: int, send: int, allowance: Quota) -> None:
        """Raise the caps, in bytes, and the allowance: the other side has proven itself."""
        self._deframer.limit = receive
        self._limit = send
        self.quota.trust(allowance, self.clock())
        self._on_trust()

    @property
    def backlog(self) -> int:
        """How many bytes wait to be read by the other side."""
        return self._transport.get_write_buffer_size()

    def send(self, value: object) -> None:
        """Queue one message. Never waits.

        Raises:
            LinkError: too much waits already, or the link is gone; nothing was queued.
            FrameTooLong: see net.protocol.framing.pack.
        """
        self.send_packed(pack(value, self._limit))

    def send_packed(self, frame: bytes) -> None:
        """Queue a frame that was packed for a link like this one. Raises as `send` does."""
        if self.is_closing or self._transport.is_closing():
            raise ConnectionFailed(ConnectionFault.LOST)
        if self.backlog + len(frame) > MAX_BACKLOG_BYTES:
            raise ConnectionFailed(ConnectionFault.BACKLOG)
        self._transport.write(frame)

    async def recv(self) -> object:
        """Wait for the next value. Nothing behind it is looked at before the next call.

        Raises:
            LinkError: the link is gone, or was aborted for what came in.
        """
        while True:
            try:
                values = await self._read()
            except ConnectionFailed:
                self.abort()
                raise
            for value in values:  # one at most, as no more was read than that takes
                return value

    async def _read(self) -> list[object]:
        try:
            data = await self._wire.reader.read(self._deframer.wanted)
            values = self._deframer.feed(data)
            if not data:
                self._deframer.close()
                raise ConnectionFailed(ConnectionFault.LOST)
        except OSError as error:
            raise ConnectionFailed(ConnectionFault.LOST) from error
        except BadFrame as bad:
            why = (
                ConnectionFault.LOST
                if bad.why is FrameFault.CUT_SHORT
                else ConnectionFault.BAD_FRAME
            )
            raise ConnectionFailed(why) from bad
        if self.quota.spend(frames=len(values), size=len(data), now=self.clock()):
            raise ConnectionFailed(ConnectionFault.OVER_BUDGET)
        return values

    def abort(self) -> None:
        """End the link at once; what waits is dropped."""
        self.is_closing = True
        self._transport.abort()

    def close(self) -> None:
        """End the link once what waits is sent, or after CLOSE_SECONDS."""
        if not self.is_closing:
            self.is_closing = True
            self._close_once_sent(asyncio.get_running_loop().time() + CLOSE_TIMEOUT_S)

    def _close_once_sent(self, until: float) -> None:
        """End TLS only then: what the other side says after that makes asyncio drop what waits."""
        loop = asyncio.get_running_loop()
        if loop.time() >= until:
            self._transport.abort()
        elif self.backlog or (self._tcp is not None and self._tcp.get_write_buffer_size()):
            loop.call_later(_LOOK, self._close_once_sent, until)
        else:
            self._transport.close()


async def connect(
    host: str,
    port: int,
    *,
    pin: bytes | None = None,
    seconds: float = TLS_TIMEOUT_S,
    clock: Clock = time.monotonic,
) -> Connection:
    """Open a link to a host, trying all its addresses, IPv6 and IPv4.

    Args:
        host: a name or an address; a link-local one with its zone, `fe80::1%eth0`.
        port: the TCP port.
        pin: the fingerprint that the host has to have; None when joining, where the room code
            has to prove it.
        seconds: how long all of this may take.
        clock: where the link has its time from.

    Raises:
        LinkError: with the reason; an ssl.SSLError or OSError stands behind it.
    """
    loop = asyncio.get_running_loop()
    wire = StreamProtocol()
    try:
        async with asyncio.timeout(seconds):
            transport, _ = await loop.create_connection(
                lambda: wire,
                host,
                port,
                ssl=client_context(),
                server_hostname="",  # nothing is told about whom we look for
                ssl_handshake_timeout=seconds,
                ssl_shutdown_timeout=CLOSE_TIMEOUT_S,
                happy_eyeballs_delay=None if _is_address(host) else 0.25,
            )
    except ssl.SSLError as error:
        raise ConnectionFailed(ConnectionFault.NO_TABLE) from error
    except TimeoutError as error:
        raise ConnectionFailed(ConnectionFault.NO_ANSWER) from error
    except (ConnectionResetError, ConnectionAbortedError, BrokenPipeError) as error:
        raise ConnectionFailed(ConnectionFault.LOST) from error
    except OSError as error:
        raise ConnectionFailed(ConnectionFault.UNREACHABLE) from error
    fingerprint = fingerprint_of(transport.get_extra_info("ssl_object"))
    if fingerprint is None or (pin is not None and fingerprint != pin):
        transport.abort()
        raise ConnectionFailed(
            ConnectionFault.NO_TABLE if fingerprint is None else ConnectionFault.OTHER_TABLE
        )
    return Connection(wire, transport, fingerprint, clock=clock)


def _is_address(host: str) -> bool:
    """Whether a host is an address: asyncio's race of one, ended as it is won, leaks a socket."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
