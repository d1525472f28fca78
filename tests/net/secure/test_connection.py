"""Connections, through real sockets on this machine."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from msgspec import msgpack

from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_UNTRUSTED_FRAME_BYTES,
    BadFrame,
    FrameTooLong,
    pack,
)
from net.secure import connection as link_module
from net.secure.connection import Connection, ConnectionFailed, ConnectionFault, connect
from net.secure.keys import TableCertificate, client_context
from net.secure.limits import GUEST_QUOTA, AdmissionControl, Limit, Quota
from net.secure.listener import listen

PLENTY = Quota(frames=Limit(1e6, 1e6), bytes=Limit(1e9, 1e9))

Greet = Callable[[Connection], Awaitable[None]]


def listener(address: str = "127.0.0.1") -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    opened = socket.create_server((address, 0), family=family)
    opened.settimeout(0)
    return opened


@contextlib.asynccontextmanager
async def listening(
    table: TableCertificate,
    greet: Greet,
    gate: AdmissionControl | None = None,
    address: str = "127.0.0.1",
) -> AsyncIterator[int]:
    opened = listener(address)
    port: int = opened.getsockname()[1]
    serving = asyncio.create_task(listen([opened], table, greet, admission=gate))
    try:
        async with asyncio.timeout(20):
            yield port
    finally:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


async def hear(connection: Connection) -> object:
    value: object = msgpack.decode(await connection.recv())
    return value


async def echo(connection: Connection) -> None:
    while True:
        connection.send(await hear(connection))


async def fault(awaitable: Awaitable[object]) -> ConnectionFault:
    with pytest.raises(ConnectionFailed) as caught:
        await awaitable
    return caught.value.why


def telling(greet: Greet, end: asyncio.Future[ConnectionFailed]) -> Greet:
    """Greet, and tell what ended the first connection."""

    async def told(connection: Connection) -> None:
        try:
            await greet(connection)
        except ConnectionFailed as error:
            if not end.done():
                end.set_result(error)
            raise

    return told


async def raw(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(
        "127.0.0.1", port, ssl=client_context(), server_hostname=""
    )


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_what_is_sent_comes_back_over_both_kinds_of_address(
    table: TableCertificate, address: str
) -> None:
    try:
        socket.create_server((address, 0), family=socket.AF_INET6 if ":" in address else 2).close()
    except OSError:
        pytest.skip("no IPv6 here")
    async with listening(table, echo, address=address) as port:
        connection = await connect(address, port, pin=table.fingerprint)
        for value in ("a", [1, None], {"b": b"\x00"}):
            connection.send(value)
            assert await hear(connection) == value
        assert connection.backlog == 0
        assert connection.fingerprint == table.fingerprint
        connection.close()


async def test_a_host_with_another_certificate_is_left_before_a_word(
    table: TableCertificate,
) -> None:
    met: list[object] = []

    async def note(connection: Connection) -> None:
        met.append(await hear(connection))

    async with listening(table, note) as port:
        assert await fault(connect("127.0.0.1", port, pin=bytes(32))) is ConnectionFault.OTHER_TABLE
        client_connection = await connect("127.0.0.1", port)
        client_connection.send("hello")
        assert await fault(hear(client_connection)) is ConnectionFault.LOST
    assert met == ["hello"]


async def test_who_never_answers_is_given_up() -> None:
    with listener() as silent:
        port: int = silent.getsockname()[1]
        assert await fault(connect("127.0.0.1", port, seconds=0.05)) is ConnectionFault.NO_ANSWER


@pytest.mark.parametrize(
    ("answer", "why"),
    [(b"HTTP/1.1 400 Bad\r\n\r\n", ConnectionFault.NO_TABLE), (b"", ConnectionFault.LOST)],
)
async def test_what_speaks_no_tls_is_no_table(answer: bytes, why: ConnectionFault) -> None:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(reply, "127.0.0.1", 0) as server:
        port: int = server.sockets[0].getsockname()[1]
        assert await fault(connect("127.0.0.1", port)) is why


@pytest.mark.parametrize(
    ("sent", "why", "cause"),
    [
        (b"\x00\x00\x04\x00", ConnectionFault.BAD_FRAME, "length"),
        (b"\x00\x00\x00\x01" + b"\x01" * 256, ConnectionFault.BAD_FRAME, "padding"),
        (b"\x00\x00\x01\x00\x01", ConnectionFault.LOST, None),
        (b"\x00\x00\x00\x01" + b"\x01".ljust(256, b"\0"), ConnectionFault.LOST, None),
        (b"", ConnectionFault.LOST, None),
    ],
    ids=["too long", "not padded", "cut short", "one and away", "away"],
)
async def test_a_guest_that_sends_bad_frames_or_goes_ends_its_own_connection(
    table: TableCertificate, sent: bytes, why: ConnectionFault, cause: str | None
) -> None:
    ended = asyncio.Future[ConnectionFailed]()
    taken: list[object] = []

    async def take(connection: Connection) -> None:
        while True:
            taken.append(await hear(connection))

    async with listening(table, telling(take, ended)) as port:
        _, writer = await raw(port)
        writer.write(sent)
        await writer.drain()
        writer.close()
        error = await ended
        assert error.why is why
        bad = error.__cause__
        assert (str(bad) if isinstance(bad, BadFrame) else None) == cause
        assert taken == [1] * (cause is None and len(sent) > 256)
        client_connection = await connect("127.0.0.1", port)  # the others are untouched
        client_connection.abort()


async def test_too_much_from_the_other_side_is_over_the_budget(table: TableCertificate) -> None:
    async def flood(connection: Connection) -> None:
        for number in range(50):
            connection.send(number)
        await hear(connection)

    async with listening(table, flood) as port:
        client_connection = await connect("127.0.0.1", port)
        for number in range(8):
            assert await hear(client_connection) == number
        assert await fault(hear(client_connection)) is ConnectionFault.OVER_BUDGET


async def test_strangers_send_small_frames_and_guests_larger_ones(table: TableCertificate) -> None:
    async def trusting(connection: Connection) -> None:
        connection.trust(
            receive=MAX_CLIENT_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=PLENTY
        )
        await echo(connection)

    async with listening(table, trusting) as port:
        client_connection = await connect("127.0.0.1", port)
        with pytest.raises(FrameTooLong):
            client_connection.send("x" * 600)
        client_connection.trust(
            receive=MAX_UNTRUSTED_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=GUEST_QUOTA
        )
        client_connection.send("x" * 600)
        assert await fault(hear(client_connection)) is ConnectionFault.BAD_FRAME


async def test_who_does_not_read_is_noticed_and_nothing_is_queued_for_them_for_ever(
    table: TableCertificate,
) -> None:
    full = asyncio.Future[ConnectionFailed]()

    async def shower(connection: Connection) -> None:
        connection.trust(receive=MAX_CLIENT_FRAME_BYTES, send=64 * 1024, allowance=PLENTY)
        while True:
            connection.send("x" * 60_000)
            assert connection.backlog <= link_module.MAX_BACKLOG_BYTES + 64 * 1024
            await asyncio.sleep(0)

    async with listening(table, telling(shower, full)) as port:
        client_connection = await connect("127.0.0.1", port)
        assert (await full).why is ConnectionFault.BACKLOG
        client_connection.abort()


async def test_a_link_that_breaks_in_the_midst_of_many_frames_is_lost_at_once(
    table: TableCertificate,
) -> None:
    broken = asyncio.Future[ConnectionFailed]()

    async def shower(connection: Connection) -> None:
        await hear(connection)
        writer.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        for _ in range(20):
            connection.send("x")

    async with listening(table, telling(shower, broken)) as port:
        _, writer = await raw(port)
        writer.write(pack("x", MAX_UNTRUSTED_FRAME_BYTES))
        assert (await broken).why is ConnectionFault.LOST
        writer.close()
