"""Who reads slowly, or never, and that nobody waits for them."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from net.protocol.messages import CloseReason
from net.protocol.requests import Chat, Close
from net.secure import connection as link_module
from net.secure import listener
from tests.net.server.served_table import HERE, Guest, hosting, until

pytestmark = pytest.mark.level("broad")


@dataclass
class Tube:
    """A line between a guest and the host, that can be pinched towards the guest.

    `carried` is how many bytes went the other way.
    """

    port: int = 0
    carried: int = 0
    is_open: asyncio.Event = field(default_factory=asyncio.Event)


@contextlib.asynccontextmanager
async def tube(port: int) -> AsyncIterator[Tube]:
    """Carry bytes, and hold but a few of them where the line is pinched."""
    made = Tube()
    made.is_open.set()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1024):
                writer.write(data)
                made.carried += len(data)
        writer.close()

    async def pinch(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1024):
                await made.is_open.wait()
                writer.write(data)
        writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        narrow.setblocking(False)  # noqa: FBT003 - the name of the thing
        await asyncio.get_running_loop().sock_connect(narrow, (HERE, port))
        there, back = await asyncio.open_connection(sock=narrow, limit=1024)
        await asyncio.gather(carry(reader, back), pinch(there, writer))

    async with await asyncio.start_server(accept, HERE, 0) as server:
        made.port = server.sockets[0].getsockname()[1]
        try:
            yield made
        finally:
            made.is_open.set()


async def talk(people: list[Guest]) -> None:
    """Say so much that it does not fit between the host and who does not read."""
    for number in range(17):  # all that one may say in a breath, but for what a test says
        for guest in people:
            assert await guest.wants(Chat(f"{guest.state.name} says {number}")) is None


async def test_who_reads_slowly_still_hears_the_last_words_of_a_table(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (link_module, listener):  # how long they may take to leave
        monkeypatch.setattr(module, "CLOSE_TIMEOUT_S", 20)
    async with hosting(where) as hosted:
        people = await hosted.begin()
        async with tube(hosted.port) as line:
            wim = await Guest("Wim", line.port).join()
            line.is_open.clear()
            await talk(people)
            people[0].say(*people[0].state.request(Close()))
            await until(lambda: all(guest.connection is None for guest in people))
            carried = line.carried
            wim.say(wim.state.ping())  # while the last words wait: there is nobody to hear it
            await until(lambda: line.carried > carried)
            line.is_open.set()
            await hosted.wait_for_end()
            await until(lambda: wim.connection is None)
            assert [guest.farewell for guest in [wim, *people]] == [CloseReason.CLOSED] * 4
            await wim.leave()
