"""Connections through real sockets here: how they are accepted, and the handshake on them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import time
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from msgspec import msgpack

from net.discovery.advert import OURS
from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_UNTRUSTED_FRAME_BYTES,
    BadFrame,
    FrameTooLong,
    decode,
    pack,
)
from net.secure import connection as link_module
from net.secure.code import RoomCode
from net.secure.connection import (
    Connection,
    ConnectionFailed,
    ConnectionFault,
    Trust,
    accept,
    accept_in_turn,
    accept_peer,
    authenticate,
    connect,
    listen,
)
from net.secure.handshake import (
    HANDSHAKE_HOST_KINDS,
    Accept,
    AuthenticationFailed,
    ClientHandshake,
    HandshakeFromHost,
    HandshakeRefused,
    Rejection,
    RejectReason,
    TableTrust,
)
from net.secure.keys import SeatKey, TableCertificate, client_context
from net.secure.limits import GUEST_QUOTA, AdmissionControl, GuessLimiter, Limit, Quota
from net.tasks import cancel_and_wait
from tests.net.cable import cable, note_bytes
from tests.net.server.served_table import until

HERE = "127.0.0.1"
PLENTY = Quota(frames=Limit(1e6, 1e6), bytes=Limit(1e9, 1e9))

Greet = Callable[[Connection], Awaitable[None]]


def listener(address: str = HERE) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    opened = socket.create_server((address, 0), family=family)
    opened.settimeout(0)
    return opened


@contextlib.asynccontextmanager
async def listening(
    table: TableCertificate, greet: Greet, address: str = HERE
) -> AsyncIterator[int]:
    opened = listener(address)
    port: int = opened.getsockname()[1]
    serving = asyncio.create_task(listen([opened], table, greet))
    try:
        async with asyncio.timeout(20):
            yield port
    finally:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


async def receive_value(connection: Connection) -> object:
    value: object = msgpack.decode(await connection.recv())
    return value


async def echo(connection: Connection) -> None:
    while True:
        connection.send(await receive_value(connection))


async def take_each(connection: Connection, taken: list[object]) -> None:
    while True:
        taken.append(await receive_value(connection))


async def take_all(connection: Connection, taken: list[object]) -> None:
    await connection.receive_all(lambda value: taken.append(msgpack.decode(value)))


async def fault(awaitable: Awaitable[object]) -> ConnectionFault:
    with pytest.raises(ConnectionFailed) as caught:
        await awaitable
    return caught.value.why


def noting_end(greet: Greet, end: asyncio.Future[ConnectionFailed]) -> Greet:
    """Greet, and keep what ended the first connection."""

    async def greet_and_note(connection: Connection) -> None:
        try:
            await greet(connection)
        except ConnectionFailed as error:
            if not end.done():
                end.set_result(error)
            raise

    return greet_and_note


async def raw(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(HERE, port, ssl=client_context(), server_hostname="")


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
            assert await receive_value(connection) == value
        assert connection.backlog == 0
        assert connection.fingerprint == table.fingerprint
        connection.close()


async def test_a_host_with_another_certificate_is_left_before_a_word(
    table: TableCertificate,
) -> None:
    met: list[object] = []

    async def note(connection: Connection) -> None:
        met.append(await receive_value(connection))

    async with listening(table, note) as port:
        assert await fault(connect(HERE, port, pin=bytes(32))) is ConnectionFault.OTHER_TABLE
        client_connection = await connect(HERE, port)
        client_connection.send("hello")
        assert await fault(receive_value(client_connection)) is ConnectionFault.LOST
    assert met == ["hello"]


async def test_somebody_who_never_answers_is_given_up() -> None:
    with listener() as silent:
        port: int = silent.getsockname()[1]
        assert await fault(connect(HERE, port, seconds=0.05)) is ConnectionFault.NO_ANSWER


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
        assert await fault(connect(HERE, port)) is why


@pytest.mark.parametrize("take", [take_each, take_all])
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
    table: TableCertificate,
    take: Callable[[Connection, list[object]], Awaitable[None]],
    sent: bytes,
    why: ConnectionFault,
    cause: str | None,
) -> None:
    ended = asyncio.Future[ConnectionFailed]()
    taken: list[object] = []

    async with listening(
        table, noting_end(lambda connection: take(connection, taken), ended)
    ) as port:
        _, writer = await raw(port)
        writer.write(sent)
        await writer.drain()
        writer.close()
        error = await ended
        assert error.why is why
        bad = error.__cause__
        assert (str(bad) if isinstance(bad, BadFrame) else None) == cause
        assert taken == [1] * (cause is None and len(sent) > 256)
        client_connection = await connect(HERE, port)  # the others are untouched
        client_connection.abort()


@pytest.mark.parametrize("piece", [1, 263, 264, 10_000])
async def test_values_are_received_in_order_however_their_bytes_arrive(
    table: TableCertificate, piece: int
) -> None:
    taken: list[object] = []
    all_taken = asyncio.Event()

    def take(value: bytes) -> None:
        taken.append(msgpack.decode(value))
        if len(taken) == 7:
            all_taken.set()

    async def take_first_and_rest(connection: Connection) -> None:
        connection.trust(
            receive=MAX_CLIENT_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=PLENTY
        )
        taken.append(await receive_value(connection))
        await connection.receive_all(take)

    async with listening(table, take_first_and_rest) as port:
        _, writer = await raw(port)
        sent = b"".join(pack(number, MAX_UNTRUSTED_FRAME_BYTES) for number in range(7))
        for at in range(0, len(sent), piece):
            writer.write(sent[at : at + piece])
        await all_taken.wait()
        writer.close()
    assert taken == list(range(7))


@pytest.mark.parametrize(
    ("error", "raised"),
    [(BadFrame("message"), ConnectionFailed), (ZeroDivisionError("bug"), ZeroDivisionError)],
)
async def test_an_error_in_a_value_ends_its_connection_and_comes_out(
    table: TableCertificate, error: Exception, raised: type[Exception]
) -> None:
    ended = asyncio.Future[Exception]()
    taken: list[object] = []

    def fail(value: bytes) -> None:
        taken.append(msgpack.decode(value))
        raise error

    async def take(connection: Connection) -> None:
        with pytest.raises(raised) as caught:
            await connection.receive_all(fail)
        ended.set_result(caught.value)

    async with listening(table, take) as port:
        reader, writer = await raw(port)
        writer.write(pack(1, MAX_UNTRUSTED_FRAME_BYTES) + pack(2, MAX_UNTRUSTED_FRAME_BYTES))
        came = await ended
        assert isinstance(came, raised)
        assert error in (came, came.__cause__)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
    assert taken == [1]


async def test_a_connection_that_bad_frames_have_ended_is_not_kept_until_garbage_is_collected(
    table: TableCertificate,
) -> None:
    ended = asyncio.Event()
    kept: list[weakref.ref[Connection]] = []

    async def take(connection: Connection) -> None:
        kept.append(weakref.ref(connection))
        with contextlib.suppress(ConnectionFailed):  # as a table does
            await connection.receive_all(lambda _value: None)
        ended.set()

    gc.collect()
    gc.disable()
    try:
        async with listening(table, take) as port:
            reader, writer = await raw(port)
            writer.write(b"\xff" * 300)
            await ended.wait()
            with contextlib.suppress(ConnectionError):
                await reader.read()
            writer.close()
            await until(lambda: kept[0]() is None)
    finally:
        gc.enable()


async def test_who_resets_a_connection_before_it_is_read_has_lost_it(
    table: TableCertificate,
) -> None:
    ended = asyncio.Future[ConnectionFailed]()

    async def take(connection: Connection) -> None:
        connection._wire.connection_lost(ConnectionResetError())
        await connection.receive_all(lambda _value: None)

    async with listening(table, noting_end(take, ended)) as port:
        _, writer = await raw(port)
        assert (await ended).why is ConnectionFault.LOST
        writer.close()


async def test_too_much_from_the_other_side_is_over_the_budget(table: TableCertificate) -> None:
    async def flood(connection: Connection) -> None:
        for number in range(50):
            connection.send(number)
        await receive_value(connection)

    async with listening(table, flood) as port:
        client_connection = await connect(HERE, port)
        for number in range(8):
            assert await receive_value(client_connection) == number
        assert await fault(receive_value(client_connection)) is ConnectionFault.OVER_BUDGET


async def test_strangers_send_small_frames_and_guests_larger_ones(table: TableCertificate) -> None:
    async def trusting(connection: Connection) -> None:
        connection.trust(
            receive=MAX_CLIENT_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=PLENTY
        )
        await echo(connection)

    async with listening(table, trusting) as port:
        client_connection = await connect(HERE, port)
        with pytest.raises(FrameTooLong):
            client_connection.send("x" * 600)
        client_connection.trust(
            receive=MAX_UNTRUSTED_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=GUEST_QUOTA
        )
        client_connection.send("x" * 600)
        assert await fault(receive_value(client_connection)) is ConnectionFault.BAD_FRAME


async def test_somebody_who_does_not_read_is_noticed_and_nothing_is_queued_for_them_for_ever(
    table: TableCertificate,
) -> None:
    full = asyncio.Future[ConnectionFailed]()

    async def shower(connection: Connection) -> None:
        connection.trust(receive=MAX_CLIENT_FRAME_BYTES, send=64 * 1024, allowance=PLENTY)
        while True:
            connection.send("x" * 60_000)
            assert connection.backlog <= link_module.MAX_BACKLOG_BYTES + 64 * 1024
            await asyncio.sleep(0)

    async with listening(table, noting_end(shower, full)) as port:
        client_connection = await connect(HERE, port)
        assert (await full).why is ConnectionFault.BACKLOG
        client_connection.abort()


async def test_a_link_that_breaks_in_the_midst_of_many_frames_is_lost_at_once(
    table: TableCertificate,
) -> None:
    broken = asyncio.Future[ConnectionFailed]()

    async def shower(connection: Connection) -> None:
        await receive_value(connection)
        writer.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        for _ in range(20):
            connection.send("x")

    async with listening(table, noting_end(shower, broken)) as port:
        _, writer = await raw(port)
        writer.write(pack("x", MAX_UNTRUSTED_FRAME_BYTES))
        assert (await broken).why is ConnectionFault.LOST
        writer.close()


# The handshake, with somebody who listens, and somebody between.


CODE, OTHER_CODE = RoomCode("lantern", "tiger"), RoomCode("tiger", "lantern")


class Table:
    """A host with seats, as small as can be: who joins has a seat from then on."""

    def __init__(self, code: RoomCode | None = CODE) -> None:
        self.certificate = TableCertificate.new()
        self.fingerprint = self.certificate.fingerprint
        self.seats: set[bytes] = set()
        self.welcomed: list[Accept] = []
        self.turned_away: list[ConnectionFault] = []
        self.alarms: list[int] = []
        self.trust = TableTrust(
            self.fingerprint, OURS, code, GuessLimiter(), self.seats.__contains__
        )

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
            connection.send(await receive_value(connection))

    def open(self) -> contextlib.AbstractAsyncContextManager[int]:
        return listening(self.certificate, self.greet)


async def join(port: int, key: SeatKey, code: RoomCode | None = CODE) -> Connection:
    connection = await connect(HERE, port)
    await authenticate(connection, ClientHandshake.join(connection.fingerprint, OURS, key, code))
    assert await receive_value(connection) == "x" * 60_000
    return connection


async def come_back(port: int, pin: bytes, key: SeatKey) -> Connection:
    connection = await connect(HERE, port, pin=pin)
    await authenticate(connection, ClientHandshake.rejoin(pin, OURS, key))
    return connection


async def rejection(coming: Awaitable[Connection]) -> AuthenticationFailed:
    with pytest.raises(AuthenticationFailed) as caught:
        await coming
    return caught.value


async def test_somebody_who_listens_learns_neither_code_nor_key() -> None:
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
                    value = await receive_value(source)
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
    assert table.turned_away == [ConnectionFault.REFUSED]


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
                    authenticate(unpinned, ClientHandshake.rejoin(table.fingerprint, OURS, key))
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
            await receive_value(client_connection)


async def test_a_host_that_says_nothing_is_given_up() -> None:
    async def silent(connection: Connection) -> None:
        await receive_value(connection)
        await receive_value(connection)

    table = Table()
    async with listening(table.certificate, silent) as port:
        client_connection = await connect(HERE, port)
        client_connection.deadline = time.monotonic()
        assert (
            await fault(
                authenticate(
                    client_connection,
                    ClientHandshake.join(client_connection.fingerprint, OURS, SeatKey.new(), CODE),
                )
            )
            is ConnectionFault.NO_ANSWER
        )


# Accepting connections: none is lost, and none is left open, whenever the host stops.


@pytest.mark.parametrize("turns", range(5))
async def test_a_host_that_stops_just_as_somebody_comes_leaves_nothing_open(turns: int) -> None:
    with socket.create_server((HERE, 0)) as listener:
        listener.setblocking(False)  # noqa: FBT003 - as above
        accepting = asyncio.create_task(accept(listener))
        await asyncio.sleep(0)
        with socket.create_connection(listener.getsockname()):
            for _ in range(turns):  # of the loop: in one of them the connection is there
                await asyncio.sleep(0)
            accepting.cancel()
            await asyncio.gather(accepting, return_exceptions=True)
            if not accepting.cancelled():
                accepting.result()[0].close()
            else:  # it waits for the next who accepts: nothing was opened that nobody closes
                connection, _address = await accept(listener)
                connection.close()


async def test_a_bug_in_greeting_one_guest_is_told_and_leaves_the_others(
    table: TableCertificate,
) -> None:
    told: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: told.append(context["exception"]))

    async def greet(connection: Connection) -> None:
        assert await receive_value(connection) != "bug"
        connection.send("fine")
        await receive_value(connection)

    async with listening(table, greet) as port:
        other, client_connection = await connect(HERE, port), await connect(HERE, port)
        client_connection.send("bug")
        assert await fault(receive_value(client_connection)) is ConnectionFault.LOST
        other.send("no bug")
        assert await receive_value(other) == "fine"
    assert [type(error) for error in told] == [AssertionError]


async def test_idle_strangers_make_room_and_trusted_links_stay(
    table: TableCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    admission = AdmissionControl(places=2, places_of_one=8)
    monkeypatch.setattr(link_module, "AdmissionControl", lambda: admission)

    async def trusting(connection: Connection) -> None:
        if await receive_value(connection) == "trust me":
            connection.trust(
                receive=MAX_CLIENT_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=GUEST_QUOTA
            )
            connection.send("trusted")
        await echo(connection)

    async with listening(table, trusting) as port:
        friend = await connect(HERE, port)
        friend.send("trust me")
        assert await receive_value(friend) == "trusted"
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
        for reader, writer in idle[:3]:
            with contextlib.suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()
        friend.send("here")
        assert await receive_value(friend) == "here"
        newcomer = await connect(HERE, port)
        newcomer.send("trust me")
        assert await receive_value(newcomer) == "trusted"
        for _, writer in idle[3:]:
            writer.close()


async def test_cancelling_the_door_ends_all_links_and_frees_the_port(
    table: TableCertificate,
) -> None:
    async with listening(table, echo) as port:
        connection = await connect(HERE, port)
    assert await fault(receive_value(connection)) is ConnectionFault.LOST
    assert await fault(connect("127.0.0.1", port)) is ConnectionFault.NO_TABLE


class Mac(socket.socket):
    """A listener as macOS may have it: those who are gone already come first, with no address."""

    gone = 0

    def accept(self) -> tuple[socket.socket, object]:
        if self.gone:
            Mac.gone -= 1
            return socket.socket(), None
        return super().accept()


async def test_those_who_are_gone_before_they_are_accepted_end_nothing_and_keep_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    greeted = asyncio.Event()

    async def greet(accepted: socket.socket, address: str, _trust: Trust) -> None:
        assert address == HERE
        accepted.close()
        greeted.set()

    monkeypatch.setattr(Mac, "gone", 50)
    monkeypatch.setattr(link_module, "_NO_SOCKETS_PAUSE_S", 60)
    with Mac() as door:
        door.bind((HERE, 0))
        door.listen()
        door.setblocking(False)  # noqa: FBT003 - as above
        accepting = asyncio.create_task(accept_in_turn([door], AdmissionControl(), greet))
        with socket.create_connection(door.getsockname()):
            async with asyncio.timeout(20):
                await asyncio.wait(
                    (accepting, asyncio.create_task(greeted.wait())),
                    return_when=asyncio.FIRST_COMPLETED,
                )
        assert not accepting.done()
        await cancel_and_wait(accepting)


async def test_somebody_who_sends_nothing_is_cut_off_as_before(
    table: TableCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "TLS_TIMEOUT_S", 0.1)
    async with listening(table, echo) as port:
        reader, writer = await asyncio.open_connection(HERE, port)
        assert await reader.read() == b""
        writer.close()
