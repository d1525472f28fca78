"""Links and the door, through real sockets on this machine."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from net import link as link_module
from net.budget import GUEST, Allowance
from net.door import serve
from net.frames import BEFORE_TRUST, TO_HOST, BadFrame, Fault, FrameTooLong
from net.gate import Gate
from net.link import Link, LinkError, LinkFault, connect
from net.secure.certificate import TableCertificate
from net.secure.tls import client_context

PLENTY = Allowance(frames=1e6, frames_burst=1e6, bytes=1e9, bytes_burst=1e9)

Greet = Callable[[Link], Awaitable[None]]


@pytest.fixture(scope="module")
def table() -> TableCertificate:
    return TableCertificate.new()


def listener(address: str = "127.0.0.1") -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    opened = socket.create_server((address, 0), family=family)
    opened.settimeout(0)
    return opened


@contextlib.asynccontextmanager
async def open_door(
    table: TableCertificate, greet: Greet, gate: Gate | None = None, address: str = "127.0.0.1"
) -> AsyncIterator[int]:
    """Serve on a free port of this machine; the port."""
    opened = listener(address)
    port: int = opened.getsockname()[1]
    serving = asyncio.create_task(serve([opened], table, greet, gate=gate))
    try:
        async with asyncio.timeout(20):
            yield port
    finally:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


async def echo(link: Link) -> None:
    while True:
        link.send(await link.recv())


async def fault(awaitable: Awaitable[object]) -> LinkFault:
    with pytest.raises(LinkError) as caught:
        await awaitable
    return caught.value.why


async def raw(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open TLS as Sabtui does, for bytes that Sabtui would not send."""
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
    async with open_door(table, echo, address=address) as port:
        link = await connect(address, port, pin=table.fingerprint)
        for value in ("a", [1, None], {"b": b"\x00"}):
            link.send(value)
            assert await link.recv() == value
        assert link.backlog == 0
        assert link.fingerprint == table.fingerprint
        link.close()


async def test_a_host_with_another_certificate_is_left_before_a_word(
    table: TableCertificate,
) -> None:
    met: list[object] = []

    async def hear(link: Link) -> None:
        met.append(await link.recv())

    async with open_door(table, hear) as port:
        assert await fault(connect("127.0.0.1", port, pin=bytes(32))) is LinkFault.OTHER_TABLE
        link = await connect("127.0.0.1", port)
        link.send("hello")
        assert await fault(link.recv()) is LinkFault.LOST
    assert met == ["hello"]


async def test_where_nobody_listens_there_is_no_host() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port: int = closed.getsockname()[1]
        assert await fault(connect("127.0.0.1", port)) is LinkFault.UNREACHABLE


async def test_a_name_that_is_no_address_has_no_host() -> None:
    assert await fault(connect("sabtui.invalid", 7341)) is LinkFault.UNREACHABLE


async def test_who_never_answers_is_given_up() -> None:
    with listener() as silent:
        port: int = silent.getsockname()[1]
        assert await fault(connect("127.0.0.1", port, seconds=0.05)) is LinkFault.NO_ANSWER


@pytest.mark.parametrize(
    ("answer", "why"), [(b"HTTP/1.1 400 Bad\r\n\r\n", LinkFault.NO_TABLE), (b"", LinkFault.LOST)]
)
async def test_what_speaks_no_tls_is_no_table(answer: bytes, why: LinkFault) -> None:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(reply, "127.0.0.1", 0) as server:
        port: int = server.sockets[0].getsockname()[1]
        assert await fault(connect("127.0.0.1", port)) is why


async def test_tls_of_another_kind_is_no_table(
    table: TableCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def web() -> ssl.SSLContext:
        context = client_context()
        context.set_alpn_protocols(["h2"])
        return context

    met: list[Link] = []

    async def greet(link: Link) -> None:
        met.append(link)

    monkeypatch.setattr(link_module, "client_context", web)
    async with open_door(table, greet) as port:
        assert await fault(connect("127.0.0.1", port)) is LinkFault.NO_TABLE
    assert met == []


@pytest.mark.parametrize(
    ("sent", "why", "cause"),
    [
        (b"\x00\x00\x04\x00", LinkFault.BAD_FRAME, Fault.LENGTH),
        (b"\x00\x00\x01\x00" + b"\xc1" * 256, LinkFault.BAD_FRAME, Fault.MALFORMED),
        (b"\x00\x00\x01\x00\x01", LinkFault.LOST, Fault.CUT_SHORT),
        (b"\x00\x00\x01\x00" + b"\x01".ljust(256, b"\xc1"), LinkFault.LOST, None),
        (b"", LinkFault.LOST, None),
    ],
    ids=["too long", "garbage", "cut short", "one and away", "away"],
)
async def test_a_guest_that_sends_bad_frames_or_goes_ends_its_own_link(
    table: TableCertificate, sent: bytes, why: LinkFault, cause: Fault | None
) -> None:
    ended: asyncio.Future[LinkError] = asyncio.get_running_loop().create_future()

    async def greet(link: Link) -> None:
        try:
            while True:
                await link.recv()
        except LinkError as error:
            if not ended.done():
                ended.set_result(error)
            raise

    async with open_door(table, greet) as port:
        _, writer = await raw(port)
        writer.write(sent)
        await writer.drain()
        writer.close()
        error = await ended
        assert error.why is why
        bad = error.__cause__
        assert (bad.why if isinstance(bad, BadFrame) else None) is cause
        link = await connect("127.0.0.1", port)  # the others are untouched
        link.abort()


async def test_a_flood_of_good_frames_ends_the_link_too(table: TableCertificate) -> None:
    async with open_door(table, echo) as port:
        link = await connect("127.0.0.1", port)
        for number in range(50):
            link.send(number)
        with contextlib.suppress(LinkError):
            for number in range(50):
                assert await link.recv() == number
                assert number < 8
        assert await fault(link.recv()) is LinkFault.LOST


async def test_too_much_from_the_other_side_is_over_the_budget(table: TableCertificate) -> None:
    async def flood(link: Link) -> None:
        for number in range(50):
            link.send(number)
        await link.recv()

    async with open_door(table, flood) as port:
        link = await connect("127.0.0.1", port)
        for number in range(8):
            assert await link.recv() == number
        assert await fault(link.recv()) is LinkFault.OVER_BUDGET


async def test_strangers_send_small_frames_and_guests_larger_ones(table: TableCertificate) -> None:
    async def trusting(link: Link) -> None:
        link.trust(receive=TO_HOST, send=TO_HOST, allowance=PLENTY)
        await echo(link)

    async with open_door(table, trusting) as port:
        link = await connect("127.0.0.1", port)
        with pytest.raises(FrameTooLong):
            link.send("x" * 600)
        link.trust(receive=BEFORE_TRUST, send=TO_HOST, allowance=GUEST)
        link.send("x" * 600)
        assert await fault(link.recv()) is LinkFault.BAD_FRAME


async def test_who_does_not_read_is_noticed_and_nothing_is_queued_for_them_for_ever(
    table: TableCertificate,
) -> None:
    full: asyncio.Future[LinkFault] = asyncio.get_running_loop().create_future()

    async def shower(link: Link) -> None:
        link.trust(receive=TO_HOST, send=64 * 1024, allowance=PLENTY)
        try:
            while True:
                link.send("x" * 60_000)
                assert link.backlog <= link_module.BACKLOG + 64 * 1024
                await asyncio.sleep(0)
        except LinkError as error:
            full.set_result(error.why)

    async with open_door(table, shower) as port:
        link = await connect("127.0.0.1", port)
        assert await full is LinkFault.BACKLOG
        link.abort()


async def test_a_link_that_is_closed_takes_no_more(table: TableCertificate) -> None:
    async with open_door(table, echo) as port:
        link = await connect("127.0.0.1", port)
        link.close()
        with pytest.raises(LinkError) as caught:
            link.send("late")
        assert caught.value.why is LinkFault.LOST


async def test_a_link_that_was_reset_is_lost(table: TableCertificate) -> None:
    async def reset(link: Link) -> None:
        await link.recv()
        link.abort()

    async with open_door(table, reset) as port:
        link = await connect("127.0.0.1", port)
        link.send("x")
        assert await fault(link.recv()) is LinkFault.LOST


async def test_a_bug_in_greeting_one_guest_is_told_and_leaves_the_others(
    table: TableCertificate,
) -> None:
    told: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: told.append(context["exception"]))

    async def greet(link: Link) -> None:
        assert await link.recv() != "bug"
        link.send("fine")
        await link.recv()

    async with open_door(table, greet) as port:
        other, link = await connect("127.0.0.1", port), await connect("127.0.0.1", port)
        link.send("bug")
        assert await fault(link.recv()) is LinkFault.LOST
        other.send("no bug")
        assert await other.recv() == "fine"
    assert [type(error) for error in told] == [AssertionError]


async def test_one_address_gets_no_more_than_its_places_and_its_newest_link_has_one(
    table: TableCertificate,
) -> None:
    async with open_door(table, echo, Gate(places_of_one=1)) as port:
        older = await connect("127.0.0.1", port)
        link = await connect("127.0.0.1", port)
        assert await fault(older.recv()) is LinkFault.LOST
        link.send("here")
        assert await link.recv() == "here"


async def test_idle_strangers_make_room_and_trusted_links_stay(table: TableCertificate) -> None:
    async def trusting(link: Link) -> None:
        if await link.recv() == "trust me":
            link.trust(receive=TO_HOST, send=TO_HOST, allowance=GUEST)
            link.send("trusted")
        await echo(link)

    async with open_door(table, trusting, Gate(places=2, places_of_one=8)) as port:
        friend = await connect("127.0.0.1", port)
        friend.send("trust me")
        assert await friend.recv() == "trusted"
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
        for reader, writer in idle[:3]:
            with contextlib.suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()
        friend.send("here")
        assert await friend.recv() == "here"
        newcomer = await connect("127.0.0.1", port)
        newcomer.send("trust me")
        assert await newcomer.recv() == "trusted"
        for _, writer in idle[3:]:
            writer.close()


async def test_cancelling_the_door_ends_all_links_and_frees_the_port(
    table: TableCertificate,
) -> None:
    async with open_door(table, echo) as port:
        link = await connect("127.0.0.1", port)
    assert await fault(link.recv()) is LinkFault.LOST
    assert await fault(connect("127.0.0.1", port)) is LinkFault.UNREACHABLE
