"""The host's accept loop: TCP connections in, TLS begun, each new connection handed to a callback.

Connections are counted by `net.secure.limits` before a byte of TLS is spent on them. That is
why they are accepted here and not by asyncio's server, which starts TLS before it calls anyone.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from net.secure.connection import (
    CLOSE_TIMEOUT_S,
    TLS_TIMEOUT_S,
    Connection,
    ConnectionFailed,
    ConnectionFault,
    StreamProtocol,
)
from net.secure.keys import TableCertificate, is_ours, server_context
from net.secure.limits import AdmissionControl
from net.tasks import wait_for_event

Greet = Callable[[Connection], Awaitable[None]]
Trust = Callable[[], None]
GreetSocket = Callable[[socket.socket, str, Trust], Awaitable[None]]
"""Greets a connection from an address, non-blocking; calls the last once it is trusted."""

_NO_SOCKETS_PAUSE_S: Final = 0.5
"""Seconds to wait after an accept that failed because there are too many open files."""

_TURN_CHECK_S: Final = 0.02  # seconds between two checks of whose turn it is to begin TLS
_log = logging.getLogger(__name__)


async def listen(listeners: Iterable[socket.socket], table: TableCertificate, greet: Greet) -> None:
    """Accept connections until cancelled; then abort all of them and close the listeners.

    The `listeners` are non-blocking TCP sockets that listen. `greet` is called with each new
    connection, which is aborted when it returns or raises; its errors go the way that
    `accept_in_turn` says.
    """
    context = server_context(table)

    async def greet_socket(accepted: socket.socket, address: str, trust: Trust) -> None:
        async with _begin_tls(accepted, context) as (wire, secured, tcp):
            connection = Connection(wire, secured, table.fingerprint, on_trust=trust, tcp=tcp)
            connection.peer = address
            try:
                await greet(connection)
            finally:
                # Closed, not aborted: its last frame may not have left, and may never be read.
                if connection.is_closing:
                    await wait_for_event(wire.gone, 2 * CLOSE_TIMEOUT_S)

    await accept_in_turn(listeners, AdmissionControl(), greet_socket)


@asynccontextmanager
async def _begin_tls(
    accepted: socket.socket, context: ssl.SSLContext
) -> AsyncIterator[tuple[StreamProtocol, asyncio.Transport, asyncio.Transport]]:
    """Open TLS on a connection; yield its protocol, its transport and that below; then abort it."""
    loop, wire = asyncio.get_running_loop(), StreamProtocol()
    tcp, _ = await loop.connect_accepted_socket(_Quiet, accepted)
    transport: asyncio.Transport = tcp
    try:
        tcp.set_write_buffer_limits(high=0)  # all unsent bytes: Connection.backlog
        secured = await loop.start_tls(
            tcp,
            wire,
            context,
            server_side=True,
            ssl_handshake_timeout=TLS_TIMEOUT_S,
            ssl_shutdown_timeout=CLOSE_TIMEOUT_S,
        )
        if secured is None:  # it was closed during the handshake
            raise ConnectionFailed(ConnectionFault.LOST)
        transport = secured
        if not is_ours(secured.get_extra_info("ssl_object")):
            raise ConnectionFailed(ConnectionFault.NO_TABLE)
        wire.connection_made(secured)
        yield wire, secured, tcp
    finally:
        transport.abort()


async def accept_in_turn(
    listeners: Iterable[socket.socket],
    admission: AdmissionControl,
    greet: GreetSocket,
    household: Callable[[str], str] = str,
) -> None:
    """Accept connections until cancelled; then end all that are greeted, and close the listeners.

    Each connection is greeted in a task of its own, once its turn has come, and may be cancelled
    to give way to another. `household` makes of an address the one that it is counted by. OSError
    and ConnectionFailed end a greeting, other errors go to the loop's exception handler.
    """
    listeners = tuple(listeners)
    acceptor = _Acceptor(admission, greet, household)
    try:
        async with asyncio.TaskGroup() as tasks:
            for listener in listeners:
                tasks.create_task(acceptor.accept(listener, tasks))
    finally:
        acceptor.close()
        for listener in listeners:
            listener.close()


async def accept(listener: socket.socket) -> tuple[socket.socket, str]:
    """Wait for the next connection; return it, non-blocking, and its address.

    asyncio's own `sock_accept` loses a connection if it is cancelled just as that arrives, and
    leaves it open until the garbage collector runs. Here it stays with the listener.

    Raises OSError: it is gone already (ConnectionError), or there are too many open files.
    """
    loop = asyncio.get_running_loop()
    if sys.platform == "win32":  # whose loop cannot watch a socket
        connection, (address, *_) = await loop.sock_accept(listener)
        return connection, address
    else:  # noqa: RET505 - or types do not know that the rest is for other systems
        while True:
            with suppress(BlockingIOError):
                connection, source = listener.accept()
                if not source:  # macOS gives one that is gone already, and no address
                    connection.close()
                    raise ConnectionAbortedError
                connection.setblocking(False)  # noqa: FBT003 - the socket's own way to say it
                return connection, source[0]
            ready = asyncio.Event()
            loop.add_reader(listener, ready.set)
            try:
                await ready.wait()
            finally:
                loop.remove_reader(listener)


class _Quiet(asyncio.Protocol):
    """The protocol of a connection until TLS takes over: it reads nothing, so it loses nothing."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Stop reading, so that every byte is left for TLS."""
        assert isinstance(transport, asyncio.ReadTransport)
        transport.pause_reading()


class _Acceptor:
    """The accept loops of all sockets, and the connections that are greeted, by their entries."""

    def __init__(
        self, admission: AdmissionControl, greet: GreetSocket, household: Callable[[str], str]
    ) -> None:
        self._admission = admission
        self._greet = greet
        self._household = household
        self._turns: dict[int, asyncio.Event] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._later: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Stop checking whose turn it is."""
        if self._later is not None:
            self._later.cancel()

    async def accept(self, listener: socket.socket, tasks: asyncio.TaskGroup) -> None:
        """Accept one connection after the other, each in a task of its own."""
        while True:
            try:
                accepted, address = await accept(listener)
            except ConnectionError:  # gone before we accepted it
                await asyncio.sleep(0)
                continue
            except OSError:  # too many open files
                await asyncio.sleep(_NO_SOCKETS_PAUSE_S)
                continue
            entry, evicted = self._admission.enter(self._household(address))
            if evicted is not None:
                self._tasks[evicted].cancel()
            self._turns[entry] = asyncio.Event()
            task = self._tasks[entry] = tasks.create_task(self._admit(entry, accepted, address))
            task.add_done_callback(partial(self._clean_up, entry, accepted))
            self._call()
            await asyncio.sleep(0)  # or a flood of connections would hold up the table

    def _call(self) -> None:
        """Let connections begin whose turn it is, and check again later if others wait."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        while (entry := self._admission.turn(time.monotonic())) is not None:
            self._turns[entry].set()
        if self._admission.crowded:
            self._later = asyncio.get_running_loop().call_later(_TURN_CHECK_S, self._call)

    def _clean_up(self, entry: int, accepted: socket.socket, _task: asyncio.Task[None]) -> None:
        """Clean up after a connection: a task cancelled before it begins runs no `finally`."""
        accepted.close()
        self._admission.leave(entry)
        del self._tasks[entry], self._turns[entry]

    async def _admit(self, entry: int, accepted: socket.socket, address: str) -> None:
        try:
            await self._turns[entry].wait()
            # asyncio sets it only on sockets that it makes: small frames must not wait for an ACK.
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._greet(accepted, address, partial(self._admission.trust, entry))
        except (OSError, ConnectionFailed) as end:  # it is gone, or spoke no TLS, or was refused
            _log.debug("a connection from %s is gone: %s", address, end)
            _let_go(end)
        except Exception as error:  # noqa: BLE001 - a bug in greeting one must not end the others
            asyncio.get_running_loop().call_exception_handler(
                {"message": "greeting a client failed", "exception": error}
            )


def _let_go(error: BaseException) -> None:
    """Break the reference cycles that a failed TLS handshake leaves behind.

    asyncio's stack frames hold the error, whose traceback holds them and all the connection's
    buffers: 100 KiB for each port scan until the garbage collector runs, and it runs late, as these
    are few objects.
    """
    met: BaseException | None = error
    while met is not None:
        met.__traceback__ = None
        met = met.__cause__ or met.__context__
