"""A cable between a client and a host: it can be pulled, put back, and hold its breath."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

Tap = Callable[[bytes], bytes]
"""Given the bytes that come, it returns those to pass on; none breaks the connection."""


class Cable:
    """Passes on all that comes to `port` to the host's port, while it is not `frozen`.

    A frozen cable keeps what comes, and takes new connections, as a network does that eats
    packets; `cut` breaks all connections, and `refuse` takes none from then on. What goes up to the
    host and down from it passes through a tap each. A `narrow` one holds but a few bytes.
    """

    def __init__(
        self, to: int, up: Tap = bytes, down: Tap = bytes, *, narrow: bool = False
    ) -> None:
        self.to = to
        self.up, self.down = up, down
        self.port = 0
        self.connections = 0
        self._narrow = narrow
        self._flows_up, self._flows_down = asyncio.Event(), asyncio.Event()
        self.thaw()
        self._ends: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    def freeze(self, *, only_down: bool = False) -> None:
        self._flows_down.clear()
        if not only_down:
            self._flows_up.clear()

    def thaw(self) -> None:
        self._flows_up.set()
        self._flows_down.set()

    def cut(self) -> None:
        for end in tuple(self._ends):
            end.transport.abort()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def refuse(self) -> None:
        """Take no connections, and break those there are.

        What was taken just now gets its turn first: a server that is closed drops it unclosed.
        """
        assert self._server is not None
        for listener in self._server.sockets:
            asyncio.get_running_loop().remove_reader(listener.fileno())
        try:
            await asyncio.sleep(0)
        finally:  # also for a test whose time is over at this moment
            self._server.close()
            self.cut()
        await self._server.wait_closed()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        ends = {writer}
        self._ends.add(writer)
        try:
            with suppress(OSError):
                there, out = await self._reach()
                ends.add(out)
                self._ends.add(out)
                await asyncio.gather(
                    self._pass(reader, out, self.up, self._flows_up),
                    self._pass(there, writer, self.down, self._flows_down),
                )
        finally:
            self._ends -= ends
            for end in ends:
                end.transport.abort()

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if not self._narrow:
            return await asyncio.open_connection("127.0.0.1", self.to)
        end = socket.socket()
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        end.setblocking(False)  # noqa: FBT003 - the name of the thing
        await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", self.to))
        return await asyncio.open_connection(sock=end, limit=1024)

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        tap: Tap,
        flows: asyncio.Event,
    ) -> None:
        size = 1024 if self._narrow else 65536
        with suppress(OSError):
            while (data := await reader.read(size)) and (data := tap(data)):
                await flows.wait()
                writer.write(data)
        writer.transport.abort()


@asynccontextmanager
async def cable(
    to: int, up: Tap = bytes, down: Tap = bytes, *, narrow: bool = False
) -> AsyncIterator[Cable]:
    made = Cable(to, up, down, narrow=narrow)
    await made.open()
    try:
        yield made
    finally:
        made.thaw()
        await made.refuse()


def note_bytes(noted: bytearray) -> Tap:
    def note(data: bytes) -> bytes:
        noted.extend(data)
        return data

    return note
