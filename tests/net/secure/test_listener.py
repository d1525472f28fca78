"""Accepting connections: none is lost, and none is left open, whenever the host stops."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import pytest

from net.protocol.framing import MAX_CLIENT_FRAME_BYTES
from net.secure import listener as listener_module
from net.secure.connection import Connection, ConnectionFault, connect
from net.secure.keys import TableCertificate
from net.secure.limits import GUEST_QUOTA, AdmissionControl
from net.secure.listener import Trust, accept, accept_in_turn
from net.tasks import cancel_and_wait
from tests.net.secure.test_connection import echo, fault, hear, listening

HERE = "127.0.0.1"


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
                async with asyncio.timeout(5):
                    connection, _address = await accept(listener)
                connection.close()


async def test_a_bug_in_greeting_one_guest_is_told_and_leaves_the_others(
    table: TableCertificate,
) -> None:
    told: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: told.append(context["exception"]))

    async def greet(connection: Connection) -> None:
        assert await hear(connection) != "bug"
        connection.send("fine")
        await hear(connection)

    async with listening(table, greet) as port:
        other, client_connection = (
            await connect("127.0.0.1", port),
            await connect("127.0.0.1", port),
        )
        client_connection.send("bug")
        assert await fault(hear(client_connection)) is ConnectionFault.LOST
        other.send("no bug")
        assert await hear(other) == "fine"
    assert [type(error) for error in told] == [AssertionError]


async def test_idle_strangers_make_room_and_trusted_links_stay(table: TableCertificate) -> None:
    async def trusting(connection: Connection) -> None:
        if await hear(connection) == "trust me":
            connection.trust(
                receive=MAX_CLIENT_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=GUEST_QUOTA
            )
            connection.send("trusted")
        await echo(connection)

    async with listening(table, trusting, AdmissionControl(places=2, places_of_one=8)) as port:
        friend = await connect("127.0.0.1", port)
        friend.send("trust me")
        assert await hear(friend) == "trusted"
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
        for reader, writer in idle[:3]:
            with contextlib.suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()
        friend.send("here")
        assert await hear(friend) == "here"
        newcomer = await connect("127.0.0.1", port)
        newcomer.send("trust me")
        assert await hear(newcomer) == "trusted"
        for _, writer in idle[3:]:
            writer.close()


async def test_cancelling_the_door_ends_all_links_and_frees_the_port(
    table: TableCertificate,
) -> None:
    async with listening(table, echo) as port:
        connection = await connect("127.0.0.1", port)
    assert await fault(hear(connection)) is ConnectionFault.LOST
    assert await fault(connect("127.0.0.1", port)) is ConnectionFault.UNREACHABLE


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
    monkeypatch.setattr(listener_module, "_NO_SOCKETS_PAUSE_S", 60)
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


async def test_who_sends_nothing_is_cut_off_as_before(
    table: TableCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener_module, "TLS_TIMEOUT_S", 0.1)
    async with listening(table, echo) as port, asyncio.timeout(5):
        reader, writer = await asyncio.open_connection(HERE, port)
        assert await reader.read() == b""
        writer.close()
