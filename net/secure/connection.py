"""Connections between programs: frames over TLS over TCP or ssh, the handshake, the accept loop.

Until `trust` is called the other side is a stranger: frames must be small, the quota is small, and
there is a deadline. Unsent bytes are always limited.

A connection may be carried by the system's own ssh, `ssh -W`, to the computer that it logs in to;
TLS runs inside. ssh asks no questions (BatchMode), as a screen may own the terminal: it needs a key
or an agent, and a known host key. POSIX only.

A host's connections are counted by `net.secure.limits` before a byte of TLS is spent on them. That
is why they are accepted here and not by asyncio's server, which starts TLS before it calls anyone.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import subprocess
import sys
import time
from asyncio import sslproto
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from functools import partial
from math import inf
from typing import Final, TypeVar, cast

from net.protocol.framing import (
    HEADER_BYTES,
    MAX_CLIENT_FRAME_BYTES,
    MAX_HOST_FRAME_BYTES,
    MAX_UNTRUSTED_FRAME_BYTES,
    BadFrame,
    Message,
    decode,
    pack,
    padded_length,
    read_length,
    unpad,
)
from net.secure.address import LOGIN, is_tunnel, read_ip
from net.secure.handshake import (
    HANDSHAKE_CLIENT_KINDS,
    HANDSHAKE_HOST_KINDS,
    Accept,
    AuthenticationFailed,
    ClientHandshake,
    HandshakeSide,
    Reject,
    TableTrust,
    welcome,
)
from net.secure.keys import (
    TableCertificate,
    client_context,
    fingerprint_of,
    is_ours,
    server_context,
)
from net.secure.limits import (
    GUEST_QUOTA,
    HOST_QUOTA,
    STRANGER_QUOTA,
    AdmissionControl,
    Limiter,
    Quota,
)
from net.tasks import cancel_and_wait, finish, wait_for_event

HANDS_SOCKETS: Final = sys.platform != "win32"
"""True if a socket can be the standard input of a program."""

TUNNEL_TIMEOUT_S: Final = 20.0
"""Seconds that ssh has to log in, via other computers if need be, and TLS to begin."""

# A login whose other end is gone is given up after 15 s; TCP alone would take minutes.
_OPTIONS: Final = (
    *("-o", "BatchMode=yes"),
    *("-o", "ConnectTimeout=10"),
    *("-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"),
)


def ssh_command(host: str, port: int) -> tuple[str, ...]:
    """Return the command that carries a connection to this port on the computer of a login.

    `host` is a login as `parse_tunnel` returns it. Only what fits the pattern `LOGIN` gets into the
    command, so nothing can pose as an option.
    """
    typed = LOGIN.fullmatch(host)
    assert typed is not None, "it was parsed before"
    login = ("-p", typed["port"]) if typed["port"] else ()
    user = ("-l", typed["user"]) if typed["user"] else ()
    to = "-W", f"localhost:{port}", "--", typed["host"].strip("[]")
    return "ssh", *_OPTIONS, *login, *user, *to


async def _run_ssh(host: str, port: int, theirs: socket.socket, gone: asyncio.Event) -> None:
    """Let ssh carry a connection until it is `gone`, then close the socket, even without ssh."""
    with theirs:
        try:
            process = await asyncio.create_subprocess_exec(
                *ssh_command(host, port),
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.DEVNULL,
            )
        except OSError:  # there is no ssh; the other end sees the closed socket
            return
    try:
        await gone.wait()
    finally:
        with suppress(ProcessLookupError):  # ssh has ended already
            process.kill()
        await finish(process.wait())


T = TypeVar("T")

_log = logging.getLogger(__name__)

MAX_BACKLOG_BYTES: Final = 256 * 1024
"""Unsent bytes that may wait for a slow reader. A client's count misses up to 64 KiB (TCP)."""

TLS_READ_BYTES: Final = 32 * 1024
"""Bytes read at once: the size of the TLS read buffer that each connection keeps."""

TLS_TIMEOUT_S: Final = 5.0
"""Seconds for a TLS handshake; a client's include looking up the host and connecting."""

TRUST_TIMEOUT_S: Final = 10.0  # seconds to become trusted: strangers hold places and TLS buffers

CLOSE_TIMEOUT_S: Final = 1.0
"""Seconds that `close` waits for unsent bytes to be sent, and for the end of TLS."""

_CLOSE_POLL_S: Final = 0.02
"""Seconds between two checks of whether a closing connection has sent all its bytes."""

_carrying: Final[set[asyncio.Task[None]]] = set()
"""Tasks that each run an ssh; asyncio itself holds tasks only weakly."""

# asyncio's own value is 256 KiB for each connection, which would be most of a host's memory.
sslproto.SSLProtocol.max_size = TLS_READ_BYTES


class ConnectionFault(StrEnum):
    """Reason why there is no connection, or no longer one."""

    NO_TABLE = "no table"  # no such address, or nobody there speaks our TLS (ALPN_PROTOCOL)
    NO_ANSWER = "no answer"  # in time
    OTHER_TABLE = "other table"  # not the certificate that was pinned
    LOST = "lost"  # the other side is gone, whether it closed properly or not
    BAD_FRAME = "bad frame"  # the cause is a BadFrame
    OVER_BUDGET = "over budget"
    OVERDUE = "overdue"  # not trusted in time
    BACKLOG = "backlog"  # the other side does not read
    SSH = "ssh"  # the system's ssh, which should carry it, failed
    REFUSED = "refused"  # the client's handshake failed, and it has been sent the reason


class ConnectionFailed(Exception):
    """Raised when a connection cannot be made or used.

    `recv` and `receive_all` have aborted the connection then; after `send` the caller has to.
    """

    def __init__(self, why: ConnectionFault) -> None:
        super().__init__(why)
        self.why = why


class StreamProtocol(asyncio.StreamReaderProtocol):
    """The asyncio protocol of a connection: its bytes go to `on_data`, or else to a bounded reader.

    `ended` is set when no more bytes will come, `gone` when the connection is lost.
    """

    def __init__(self) -> None:
        self.reader = asyncio.StreamReader(limit=2 * MAX_UNTRUSTED_FRAME_BYTES)
        self.unread = 0  # bytes in the reader
        self.on_data: Callable[[bytes], None] | None = None
        self.ended = asyncio.Event()
        self.gone = asyncio.Event()
        super().__init__(self.reader)

    def data_received(self, data: bytes) -> None:
        """Pass on bytes that have arrived."""
        if self.on_data is not None:
            self.on_data(data)
        else:
            self.unread += len(data)
            super().data_received(data)

    def eof_received(self) -> bool:
        """Note the end of input. Return False, as TLS is never half open: asyncio warns of True."""
        super().eof_received()
        self.ended.set()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Set `gone`: the transport is closed, and unsent bytes are lost."""
        super().connection_lost(exc)
        self.ended.set()
        self.gone.set()


class Connection:
    """An open connection, by the transport of TLS.

    `fingerprint` is that of the host's certificate as this side sees it. `on_trust` is called once
    the other side has proven itself. `tcp` is the transport below TLS, if it is known: some of the
    unsent bytes wait there.
    """

    def __init__(
        self,
        wire: StreamProtocol,
        transport: asyncio.Transport,
        fingerprint: bytes,
        *,
        on_trust: Callable[[], None] = lambda: None,
        tcp: asyncio.WriteTransport | None = None,
    ) -> None:
        self.fingerprint = fingerprint
        self.is_closing = False
        self.peer = ""  # the other side's address, which only the host's listener sets
        self.deadline = time.monotonic() + TRUST_TIMEOUT_S  # the time by which it has to be trusted
        self._quota = STRANGER_QUOTA
        self._limiter = Limiter()
        self._wire = wire
        self._transport = transport
        self._tcp = tcp
        self._receive_limit = MAX_UNTRUSTED_FRAME_BYTES
        self._send_limit = MAX_UNTRUSTED_FRAME_BYTES
        self._on_trust = on_trust
        self._rest = b""  # bytes of a frame that is not whole yet
        self._length = 0  # length of that frame's value, 0 before its header is read
        self._error: Exception | None = None  # raised while a frame was received

    def trust(self, *, receive: int, send: int, allowance: Quota) -> None:
        """Raise the frame limits, in bytes, and the quota: the other side has proven itself."""
        self._receive_limit = receive
        self._send_limit = send
        self.deadline = inf
        self._quota = allowance
        self._limiter = Limiter()
        self._on_trust()

    @property
    def backlog(self) -> int:
        """Unsent bytes that wait for the other side to read."""
        return self._transport.get_write_buffer_size()

    def send(self, value: object) -> None:
        """Queue a message. Raises FrameTooLong, and ConnectionFailed: lost, or too far behind."""
        self.send_packed(pack(value, self._send_limit))

    def send_packed(self, frame: bytes) -> None:
        """Queue a frame that is packed already. Raises ConnectionFailed as `send` does."""
        is_lost = self._tcp is not None and self._tcp.is_closing()  # TLS learns of it later
        if self.is_closing or is_lost or self._transport.is_closing():
            raise ConnectionFailed(ConnectionFault.LOST)
        if self._transport.get_write_buffer_size() + len(frame) > MAX_BACKLOG_BYTES:
            raise ConnectionFailed(ConnectionFault.BACKLOG)
        self._transport.write(frame)

    async def recv(self) -> bytes:
        """Wait for the next value and return it. After a cancelled call, do not call it again.

        Raises ConnectionFailed: the connection is gone, or was aborted because of what it received.
        """
        reader = self._wire.reader
        try:
            length = self._begin_frame(await reader.readexactly(HEADER_BYTES))
            body = await reader.readexactly(padded_length(length))
            self._wire.unread -= HEADER_BYTES + len(body)
            return unpad(body, length)
        except (OSError, EOFError) as error:
            self.abort()
            raise ConnectionFailed(ConnectionFault.LOST) from error
        except BadFrame as bad:
            self.abort()
            raise ConnectionFailed(ConnectionFault.BAD_FRAME) from bad

    async def receive_all(self, receive: Callable[[bytes], None]) -> None:
        """Call `receive` with each value as it arrives, until the connection ends; call no `recv`.

        That is cheaper than `recv`, for which a task has to be woken.

        Raises ConnectionFailed as `recv` does, a BadFrame of `receive` included, and whatever else
        `receive` raises; the connection is aborted then. A cancelled call leaves it as it is.
        """
        error: Exception | None = None
        self._wire.on_data = partial(self._receive_bytes, receive)
        try:
            self._receive_bytes(receive, await self._wire.reader.readexactly(self._wire.unread))
            await self._wire.ended.wait()
            error, self._error = self._error, None
            raise error or EOFError
        except (OSError, EOFError) as lost:
            self.abort()
            raise ConnectionFailed(ConnectionFault.LOST) from lost
        except BadFrame as bad:
            raise ConnectionFailed(ConnectionFault.BAD_FRAME) from bad
        finally:
            self._wire.on_data = None
            del error  # its traceback holds this frame, and so all buffers: see `_break_cycles`

    def _receive_bytes(self, receive: Callable[[bytes], None], data: bytes) -> None:
        self._rest += data
        try:
            while (value := self._next_value()) is not None:
                receive(value)
        except Exception as error:  # noqa: BLE001 - raised again by `receive_all`
            self._error = error
            self.abort()

    def _next_value(self) -> bytes | None:
        """Return the value of the next frame, `None` if it is not whole yet.

        Raises BadFrame, and ConnectionFailed as `_begin_frame` does.
        """
        if not self._length:
            if len(self._rest) < HEADER_BYTES:
                return None
            self._length = self._begin_frame(self._rest[:HEADER_BYTES])
        length, end = self._length, HEADER_BYTES + padded_length(self._length)
        if len(self._rest) < end:
            return None
        body, self._rest, self._length = self._rest[HEADER_BYTES:end], self._rest[end:], 0
        return unpad(body, length)

    def _begin_frame(self, header: bytes) -> int:
        """Return the length of a frame's value, and count the frame.

        Raises BadFrame, and ConnectionFailed: it is over the quota, and the connection is aborted.
        """
        length = read_length(header, self._receive_limit)
        size = HEADER_BYTES + padded_length(length)
        if self._quota.take(self._limiter, size, time.monotonic()):
            return length
        self.abort()
        raise ConnectionFailed(ConnectionFault.OVER_BUDGET)

    def abort(self) -> None:
        """End the connection at once; unsent bytes are dropped."""
        self.is_closing = True
        self._transport.abort()

    def close(self) -> None:
        """End the connection once all unsent bytes have been sent, or after CLOSE_TIMEOUT_S."""
        if not self.is_closing:
            self.is_closing = True
            self._close_once_sent(asyncio.get_running_loop().time() + CLOSE_TIMEOUT_S)

    def _close_once_sent(self, until: float) -> None:
        """Close the transport once all bytes have been sent, or abort it at `until`.

        Ending TLS earlier would lose bytes: asyncio drops unsent ones as soon as the other side
        sends anything after that.
        """
        loop = asyncio.get_running_loop()
        if loop.time() >= until:
            self._transport.abort()
        elif self.backlog or (self._tcp is not None and self._tcp.get_write_buffer_size()):
            loop.call_later(_CLOSE_POLL_S, self._close_once_sent, until)
        else:
            self._transport.close()


async def connect(
    host: str, port: int, *, pin: bytes | None = None, seconds: float = TLS_TIMEOUT_S
) -> Connection:
    """Open a connection to a host, trying all its addresses, IPv6 and IPv4.

    `host` is a name; an address, a link-local one with its zone, `fe80::1%eth0`; or an ssh login,
    as `parse_tunnel` returns it. `pin` is the fingerprint that the certificate must have; `None`
    when joining, where the handshake proves it by the room code.

    Raises ConnectionFailed: with the reason; its cause is an ssl.SSLError or OSError, if any.
    """
    if is_tunnel(host):
        return await _connect_by_ssh(host, port, pin)
    loop = asyncio.get_running_loop()
    wire = StreamProtocol()
    try:
        async with asyncio.timeout(seconds):
            transport, _ = await loop.create_connection(
                lambda: wire,
                host,
                port,
                ssl=client_context(),
                server_hostname="",  # send no server name: it would show others whom we look for
                ssl_handshake_timeout=seconds,
                ssl_shutdown_timeout=CLOSE_TIMEOUT_S,
                # With one address, asyncio's race leaks a socket if it is cancelled just as it is
                # won.
                happy_eyeballs_delay=None if read_ip(host) else 0.25,
            )
    except TimeoutError as error:
        raise ConnectionFailed(ConnectionFault.NO_ANSWER) from error
    except (ConnectionResetError, ConnectionAbortedError, BrokenPipeError) as error:
        raise ConnectionFailed(ConnectionFault.LOST) from error
    except OSError as error:
        raise ConnectionFailed(ConnectionFault.NO_TABLE) from error
    return _check_certificate(wire, transport, pin)


async def _connect_by_ssh(host: str, port: int, pin: bytes | None) -> Connection:
    """Open a connection that the system's ssh carries. Raises as `connect` does."""
    if not HANDS_SOCKETS:
        raise ConnectionFailed(ConnectionFault.SSH)
    wire = StreamProtocol()
    ours, theirs = socket.socketpair()
    ours.setblocking(False)  # noqa: FBT003 - the library's own way
    carrying = asyncio.create_task(_run_ssh(host, port, theirs, wire.gone))
    _carrying.add(carrying)
    carrying.add_done_callback(_carrying.discard)
    try:
        async with asyncio.timeout(TUNNEL_TIMEOUT_S):
            transport, _ = await asyncio.get_running_loop().create_connection(
                lambda: wire,
                sock=ours,
                ssl=client_context(),
                server_hostname="",
                ssl_handshake_timeout=TUNNEL_TIMEOUT_S,
                ssl_shutdown_timeout=CLOSE_TIMEOUT_S,
            )
        return _check_certificate(wire, transport, pin)
    except BaseException as error:
        ours.close()
        await cancel_and_wait(carrying)
        if isinstance(error, OSError):  # ssh ends silently, or takes too long
            raise ConnectionFailed(ConnectionFault.SSH) from error
        raise


def _check_certificate(
    wire: StreamProtocol, transport: asyncio.Transport, pin: bytes | None
) -> Connection:
    fingerprint = fingerprint_of(transport.get_extra_info("ssl_object"))
    if fingerprint is None or (pin is not None and fingerprint != pin):
        transport.abort()
        raise ConnectionFailed(
            ConnectionFault.NO_TABLE if fingerprint is None else ConnectionFault.OTHER_TABLE
        )
    return Connection(wire, transport, fingerprint)


@asynccontextmanager
async def _in_time(connection: Connection, late: ConnectionFault) -> AsyncIterator[None]:
    """Abort the connection at its deadline, and raise `ConnectionFailed` with the fault `late`."""
    try:
        async with asyncio.timeout(connection.deadline - time.monotonic()):
            yield
    except TimeoutError:
        connection.abort()
        raise ConnectionFailed(late) from None


async def _receive(connection: Connection, kinds: tuple[type[Message], ...]) -> Message | None:
    """Return the next message of the other side, `None` for one of another kind."""
    value = await connection.recv()
    with suppress(BadFrame):
        return decode(value, *kinds)
    return None


async def _run(
    connection: Connection, side: HandshakeSide[T], kinds: tuple[type[Message], ...]
) -> T:
    """Run our side of a handshake; messages of unexpected kinds count as no message."""
    answer: object = None
    while True:
        try:
            step = side.send(answer)
        except StopIteration as end:
            return cast("T", end.value)
        if isinstance(step, Message):
            connection.send(step)
            answer = await _receive(connection, kinds)
        else:
            answer = await asyncio.to_thread(step)


async def accept_peer(
    connection: Connection, table: TableTrust, warn_host: Callable[[int], None]
) -> Accept:
    """Run the host's side of a handshake; return once the connection is trusted.

    `warn_host` is called with the number of wrong codes when many were tried.

    Raises ConnectionFailed: there is no trust. A client that was refused has been sent the reason,
    and the connection is closed or aborted.
    """
    async with _in_time(connection, ConnectionFault.OVERDUE):
        hello = await _receive(connection, HANDSHAKE_CLIENT_KINDS)
        side = welcome(table, connection.peer, time.monotonic, hello)
        end = await _run(connection, side, HANDSHAKE_CLIENT_KINDS)
        connection.send(end.message)
    if isinstance(end, Reject):
        connection.close()
        if end.wrong_codes:
            warn_host(end.wrong_codes)
        raise ConnectionFailed(ConnectionFault.REFUSED)
    connection.trust(
        receive=MAX_CLIENT_FRAME_BYTES, send=MAX_HOST_FRAME_BYTES, allowance=GUEST_QUOTA
    )
    return end


async def authenticate(connection: Connection, handshake: ClientHandshake) -> None:
    """Run the client's side of a handshake; return once the connection is trusted.

    Raises AuthenticationFailed: one side refused the other, and it is closed; ConnectionFailed: it
    is aborted, also if its certificate is not the one that the handshake is for.
    """
    if connection.fingerprint != handshake.fingerprint:
        connection.abort()
        raise ConnectionFailed(ConnectionFault.OTHER_TABLE)
    try:
        async with _in_time(connection, ConnectionFault.NO_ANSWER):
            await _run(connection, handshake.run(), HANDSHAKE_HOST_KINDS)
    except AuthenticationFailed:
        connection.close()
        raise
    except BaseException:
        connection.abort()
        raise
    connection.trust(
        receive=MAX_HOST_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=HOST_QUOTA
    )


# The host's accept loop: TCP connections in, TLS begun, each handed to a callback.

Greet = Callable[[Connection], Awaitable[None]]
Trust = Callable[[], None]
GreetSocket = Callable[[socket.socket, str, Trust], Awaitable[None]]
"""Greets an accepted, non-blocking socket from an address; calls `Trust` once it is trusted."""

_NO_SOCKETS_PAUSE_S: Final = 0.5
"""Seconds to wait after an accept that failed because there are too many open files."""

_TURN_CHECK_S: Final = 0.02  # seconds between two checks of whose turn it is to begin TLS


async def listen(listeners: Iterable[socket.socket], table: TableCertificate, greet: Greet) -> None:
    """Accept connections until cancelled; then abort all of them and close the listeners.

    The `listeners` are non-blocking TCP sockets that listen. `greet` is called with each new
    connection, which is aborted when it returns or raises; `accept_in_turn` says what happens to
    its errors.
    """
    context = server_context(table)

    async def greet_socket(accepted: socket.socket, address: str, trust: Trust) -> None:
        async with _begin_tls(accepted, context) as (wire, secured, tcp):
            connection = Connection(wire, secured, table.fingerprint, on_trust=trust, tcp=tcp)
            connection.peer = address
            try:
                await greet(connection)
            finally:
                # After `close`, the last frame may not have been sent yet: wait for it, but not
                # long.
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

    Each connection is greeted in a task of its own, once its turn has come, and may be cancelled to
    make room for another. `household` returns the name under which an address is counted. OSError
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
    leaves it open until the garbage collector runs. Here the connection stays with the listener.

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
                if not source:  # macOS returns one that is gone already, without an address
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
    """The accept loops of all sockets, and the connections being greeted, by their entries."""

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
        """Cancel the timer that checks for the next turn."""
        if self._later is not None:
            self._later.cancel()

    async def accept(self, listener: socket.socket, tasks: asyncio.TaskGroup) -> None:
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
            self._begin_turns()
            await asyncio.sleep(0)  # or a flood of connections would hold up the table

    def _begin_turns(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None
        while (entry := self._admission.turn(time.monotonic())) is not None:
            self._turns[entry].set()
        if self._admission.crowded:
            self._later = asyncio.get_running_loop().call_later(_TURN_CHECK_S, self._begin_turns)

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
            _break_cycles(end)
        except Exception as error:  # noqa: BLE001 - a bug in greeting one must not end the others
            asyncio.get_running_loop().call_exception_handler(
                {"message": "greeting a client failed", "exception": error}
            )


def _break_cycles(error: BaseException) -> None:
    """Break the reference cycles that a failed TLS handshake leaves behind.

    asyncio's stack frames hold the error, whose traceback holds them and all the connection's
    buffers: 100 KiB for each port scan until the garbage collector runs, which is late, as there
    are few objects.
    """
    met: BaseException | None = error
    while met is not None:
        met.__traceback__ = None
        met = met.__cause__ or met.__context__
