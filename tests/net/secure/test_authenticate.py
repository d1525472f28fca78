"""The handshake over TLS sockets on this machine, with someone listening, and someone between."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable

import pytest

from net.protocol import Versions
from net.protocol.framing import decode
from net.secure.code import RoomCode
from net.secure.connection import (
    Connection,
    ConnectionFailed,
    ConnectionFault,
    accept_peer,
    authenticate,
    connect,
)
from net.secure.handshake import (
    HANDSHAKE_HOST_KINDS,
    Accept,
    AuthenticationFailed,
    ClientHandshake,
    HandshakeFromHost,
    HandshakeRefused,
    HostProof,
    Known,
    Rejection,
    RejectReason,
    TableTrust,
)
from net.secure.keys import SeatKey, TableCertificate
from net.secure.limits import GuessLimiter
from tests.net.cable import cable, note_bytes
from tests.net.secure.test_connection import fault, hear, listening
from tests.net.server.served_table import until

CODE, OTHER_CODE = RoomCode("lantern", "tiger"), RoomCode("tiger", "lantern")
V1 = Versions(1, 1)
HERE = "127.0.0.1"


class Table:
    """A host with seats, as small as can be: who joins has a seat from then on."""

    def __init__(self, code: RoomCode | None = CODE) -> None:
        self.certificate = TableCertificate.new()
        self.fingerprint = self.certificate.fingerprint
        self.seats: set[bytes] = set()
        self.welcomed: list[Accept] = []
        self.turned_away: list[ConnectionFault] = []
        self.alarms: list[int] = []
        self.trust = TableTrust(self.fingerprint, V1, code, GuessLimiter(), self.seats.__contains__)

    async def greet(self, connection: Connection) -> None:
        try:
            welcomed = await accept_peer(connection, self.trust, self.alarms.append)
        except ConnectionFailed as error:
            self.turned_away.append(error.why)
            raise
        self.welcomed.append(welcomed)
        self.seats.add(welcomed.key)
        connection.send("x" * 60_000)  # at once, in one breath with the last word of the handshake
        while True:
            connection.send(await hear(connection))

    def open(self) -> contextlib.AbstractAsyncContextManager[int]:
        return listening(self.certificate, self.greet)


async def join(port: int, key: SeatKey, code: RoomCode | None = CODE) -> Connection:
    connection = await connect(HERE, port)
    await authenticate(connection, ClientHandshake.join(connection.fingerprint, V1, key, code))
    assert await hear(connection) == "x" * 60_000
    return connection


async def come_back(port: int, pin: bytes, key: SeatKey) -> Connection:
    connection = await connect(HERE, port, pin=pin)
    await authenticate(connection, ClientHandshake.come_back(pin, V1, key))
    return connection


async def rejection(coming: Awaitable[Connection]) -> AuthenticationFailed:
    with pytest.raises(AuthenticationFailed) as caught:
        await coming
    return caught.value


async def test_one_joins_plays_drops_and_comes_back() -> None:
    table, key = Table(), SeatKey.new()
    async with table.open() as port:
        connection = await join(port, key)
        connection.send("y" * 5000)
        assert await hear(connection) == "y" * 5000
        connection.abort()
        connection = await come_back(port, table.fingerprint, key)
        assert await hear(connection) == "x" * 60_000
        connection.close()
    assert [(type(w.message), w.key) for w in table.welcomed] == [
        (HostProof, key.public),
        (Known, key.public),
    ]


async def test_who_listens_learns_neither_code_nor_key() -> None:
    table, key, received = Table(), SeatKey.new(), bytearray()
    note = note_bytes(received)
    async with table.open() as port, cable(port, up=note, down=note) as line:
        (await join(line.port, key)).close()
        (await come_back(line.port, table.fingerprint, key)).close()
    assert len(received) > 120_000
    for secret in (
        b"lantern",
        b"tiger",
        key.secret,
        key.public,
        table.certificate.private_key[-32:],
        table.certificate.certificate,
        b"xxxxxxxx",
    ):
        assert secret not in received


async def test_wrong_codes_are_told_slowed_down_and_touch_nobody_else() -> None:
    table = Table()
    async with table.open() as port:
        friend = await join(port, SeatKey.new())
        ends = [await rejection(join(port, SeatKey.new(), OTHER_CODE)) for _ in range(6)]
        friend.send("still here")
        assert await hear(friend) == "still here"
        friend.close()
    assert [end.why for end in ends] == [Rejection.WRONG_CODE] * 5 + [Rejection.SLOW_DOWN]
    assert 0 < ends[5].wait <= 10
    assert table.alarms == [5]
    assert table.turned_away == [ConnectionFault.REFUSED] * 6


class Middle:
    """A man in the middle with a certificate of his own, who passes on what he hears."""

    def __init__(self, real_port: int) -> None:
        self.certificate = TableCertificate.new()
        self.received: list[object] = []
        self._real_port = real_port

    async def greet(self, connection: Connection) -> None:
        real = await connect(HERE, self._real_port)

        async def carry(source: Connection, to: Connection) -> None:
            with contextlib.suppress(ConnectionFailed):
                while True:
                    value = await hear(source)
                    self.received.append(value)
                    to.send(value)

        down = asyncio.create_task(carry(real, connection))
        await carry(connection, real)
        await down


async def test_a_man_in_the_middle_of_a_join_is_refused_by_the_host() -> None:
    table = Table()
    async with table.open() as port:
        middle = Middle(port)
        async with listening(middle.certificate, middle.greet) as trap:
            end = await rejection(join(trap, SeatKey.new()))
    assert end.why is Rejection.WRONG_CODE
    assert len(middle.received) == 6
    assert table.welcomed == []


async def test_a_man_in_the_middle_of_a_return_hears_not_one_word() -> None:
    table, key = Table(), SeatKey.new()
    async with table.open() as port:
        (await join(port, key)).close()
        middle = Middle(port)
        async with listening(middle.certificate, middle.greet) as trap:
            assert (
                await fault(come_back(trap, table.fingerprint, key)) is ConnectionFault.OTHER_TABLE
            )
            unpinned = await connect(HERE, trap)
            assert (
                await fault(
                    authenticate(unpinned, ClientHandshake.come_back(table.fingerprint, V1, key))
                )
                is ConnectionFault.OTHER_TABLE
            )
    assert middle.received == []


async def test_what_is_no_message_is_refused_with_a_word() -> None:
    table = Table()
    async with table.open() as port:
        connection = await connect(HERE, port)
        connection.send({"is": "hello"})
        answer: HandshakeFromHost = decode(await connection.recv(), *HANDSHAKE_HOST_KINDS)
        assert answer == HandshakeRefused(RejectReason.NOT_UNDERSTOOD)


async def test_a_stranger_who_says_nothing_is_overdue() -> None:
    table = Table()

    async def greet(connection: Connection) -> None:
        connection.deadline = time.monotonic()
        await table.greet(connection)

    async with listening(table.certificate, greet) as port:
        client_connection = await connect(HERE, port)
        await until(lambda: table.turned_away == [ConnectionFault.OVERDUE])
        with pytest.raises(ConnectionFailed):
            await hear(client_connection)


async def test_a_host_that_says_nothing_is_given_up() -> None:
    async def silent(connection: Connection) -> None:
        await hear(connection)
        await hear(connection)

    table = Table()
    async with listening(table.certificate, silent) as port:
        client_connection = await connect(HERE, port)
        client_connection.deadline = time.monotonic()
        assert (
            await fault(
                authenticate(
                    client_connection,
                    ClientHandshake.join(client_connection.fingerprint, V1, SeatKey.new(), CODE),
                )
            )
            is ConnectionFault.NO_ANSWER
        )
