"""A browser door, and a guest at it as a program: what the page's scripts do, in Python.

The door is beside a table, a process of its own; or it is in this process, and its table a `Gate`.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from net.protocol.doors import DoorKind
from net.secure.handshake import CodeExchange, PakeSide
from net.tasks import cancel_and_wait
from sabtui.doors.guest_screen import GuestOrder, GuestScreen, GuestTerminal
from sabtui.doors.guests import Guest, GuestBook
from sabtui.doors.table_link import (
    DoorAnswer,
    DoorMessage,
    Settle,
    TableGone,
    TableLink,
    run_exchange,
)
from sabtui.doors.web_door import WebDoor
from sabtui.doors.web_login import BINDING, PAGE_VERSION, Arrival, Channel, make_channel
from tests.net.server.served_table import HERE
from tests.sabtui.doors import open_doors
from tests.sabtui.doors.open_doors import Door

WORDS = b"lantern-tiger"


@dataclass
class Gate(TableLink):
    """A table that lets in who knows the words; `wait` is what it makes everybody wait.

    `seated` are the seat keys that it knows.
    """

    words: bytes = WORDS
    wait: float = 0.0
    is_gone: bool = False
    renewed: int = 0
    seated: set[bytes] = field(default_factory=set)
    admitted: set[bytes] = field(default_factory=set)
    settled: list[bool] = field(default_factory=list)

    async def try_code(self, _address: str, _typed: str) -> DoorAnswer:
        return DoorAnswer(yes=not self.words)

    async def exchange(self, _address: str, share: bytes, binding: bytes) -> DoorAnswer:
        if self.is_gone:
            raise TableGone
        if self.wait or not self.words:
            return DoorAnswer(yes=True, wait=self.wait)
        return replace(run_exchange(share, self.words, binding), renewed=self.renewed)

    def send(self, message: DoorMessage) -> None:
        assert isinstance(message, Settle)
        self.settled.append(message.is_right)

    async def admit(self, key: bytes, _address: str, *, is_new: bool, renewed: int = 0) -> bool:
        if is_new and renewed == self.renewed:
            self.admitted.add(key)
        return key in self.seated | self.admitted

    async def is_seated(self, key: bytes) -> bool:
        return key in self.seated


USUAL = GuestTerminal()


class EchoScreen(GuestScreen):
    """A screen that shows what is typed, in capitals, and its size when that changes."""

    first = b"\x1b[?1049h\x1b[?1006hhello"

    def __init__(self, terminal: GuestTerminal = USUAL) -> None:
        self.terminal, self.size = terminal, (terminal.columns, terminal.rows)
        self.is_closed = False
        self._parts: asyncio.Queue[bytes] = asyncio.Queue()
        self.draw(self.first)

    def draw(self, data: bytes) -> None:
        self._parts.put_nowait(data)

    @property
    def waiting(self) -> int:
        """How often something was drawn that nobody has read yet."""
        return self._parts.qsize()

    async def read(self) -> bytes:
        return await self._parts.get()

    def write(self, data: bytes) -> None:
        self.draw(b"" if data == b"q" else data.upper())

    def resize(self, columns: int, rows: int) -> None:
        self.size = (columns, rows)

    async def close(self) -> int:
        self.is_closed = True
        return 0


@contextmanager
def echoing() -> Iterator[list[tuple[GuestOrder, EchoScreen]]]:
    """Start echoes in place of guests' games; yield each with the order for it."""
    started: list[tuple[GuestOrder, EchoScreen]] = []

    async def start(
        order: GuestOrder, _home: Path, terminal: GuestTerminal, _nursery: object
    ) -> GuestScreen:
        started.append((order, EchoScreen(terminal)))
        return started[-1][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GuestScreen, "start", start)
        yield started


class Refused(Exception):
    """Raised for an answer without a share; its argument is the reason."""


async def begin_channel(link: ClientConnection, words: bytes = WORDS, seat: str = "") -> Channel:
    """Run the exchange of a page with its door, with the code or the secret of a seat."""
    run = CodeExchange(PakeSide.CLIENT, words, BINDING + bytes.fromhex(seat))
    greeting = {"version": PAGE_VERSION, "seat": seat, "share": run.share().hex()}
    await link.send(json.dumps(greeting))
    answer = json.loads(await link.recv())
    if "refused" in answer:
        raise Refused(answer["refused"])
    door = make_channel(run.key(bytes.fromhex(answer["share"])))
    return Channel(door._opening, door._sealing)


class WebGuest:
    """A page that was let in; `shown` is all that it was sent."""

    def __init__(self, link: ClientConnection, channel: Channel, seat: str, secret: str) -> None:
        self.link, self.seat, self.secret = link, seat, secret
        self.shown = b""
        self.has_ended = False
        self.beats = 0  # frames without lines
        self._is_over = False
        self.refused = ""
        self._channel = channel

    @classmethod
    async def enter(
        cls,
        port: int,
        name: str = "Anna",
        words: bytes = WORDS,
        known: tuple[str, str] = ("", ""),
        *,
        stage: bool = False,
    ) -> WebGuest:
        """Come in by the words, or as who is `known` by a seat and its secret."""
        page = f"{HERE}:{port}"
        link = await connect(f"ws://{page}/table", origin=Origin(f"http://{page}"))
        open_doors.links.append(link.transport)
        seat, secret = known
        channel = await begin_channel(link, bytes.fromhex(secret) if seat else words, seat)
        arrival = {"name": name, "language": "en"} | ({"stage": True} if stage else {})
        await link.send(channel.seal(json.dumps(arrival).encode()))
        first = await link.recv()
        if isinstance(first, str):
            raise Refused(json.loads(first)["refused"])
        welcome = json.loads(channel.open(first))
        return cls(link, channel, welcome["seat"], welcome["secret"])

    async def back(self, port: int) -> WebGuest:
        """Come back to the seat on a new page."""
        return await WebGuest.enter(port, known=(self.seat, self.secret))

    async def sees(self, text: bytes) -> None:
        """Wait until a text was shown."""
        async with asyncio.timeout(60):
            while text not in self.shown:
                assert await self.read(), f"{text!r} was never shown"

    async def read(self) -> bytes:
        """Wait for what is shown next; b"" once the screen or the connection has ended."""
        while not (shown := await self.read_frame()) and not self._is_over:
            pass
        return shown

    async def read_frame(self) -> bytes:
        """Wait for the next frame, and return what it shows: nothing, if it has no lines."""
        try:
            message = await self.link.recv()
        except ConnectionClosed:
            self._is_over = True
            return b""
        if isinstance(message, str):
            self.refused = json.loads(message)["refused"]
            self._is_over = True
            return b""
        plain = self._channel.open(message)
        if plain[:1] == b"e":
            self.has_ended = self._is_over = True
            return b""
        self.beats += plain == b"l"
        self.shown += plain[1:]
        return plain[1:]

    async def type(self, data: bytes) -> None:
        await self.send(b"l" + data)

    async def do(self, word: str) -> None:
        """Send a line that does this, as long as all lines of a page."""
        await self.type(json.dumps({"do": word}).ljust(255).encode() + b"\n")

    async def send(self, plain: bytes) -> None:
        await self.link.send(self._channel.seal(plain))

    async def wait_for_close(self) -> int:
        """Wait until the door closes the connection, and return its code."""
        async with asyncio.timeout(60):
            while await self.read():
                pass
            await self.link.wait_closed()
        assert self.link.close_code is not None
        return self.link.close_code


@dataclass
class OpenDoor:
    """A door that is open on `port`, with the screens that it has started."""

    port: int
    door: WebDoor
    screens: list[EchoScreen]
    guests: GuestBook
    gone: asyncio.Event
    task: asyncio.Task[None]


@asynccontextmanager
async def open_door(
    folder: Path,
    gate: Gate,
    open_screen: Callable[[Guest, Arrival], GuestScreen] | None = None,
) -> AsyncIterator[OpenDoor]:
    """Open a browser door whose screens are echoes, or as `open_screen` makes them."""
    screens: list[EchoScreen] = []

    async def start(guest: Guest, arrival: Arrival) -> GuestScreen:
        if open_screen is not None:
            return open_screen(guest, arrival)
        screens.append(EchoScreen())
        return screens[-1]

    guests, gone = GuestBook(folder), asyncio.Event()
    door = WebDoor(gate, guests)
    with pytest.MonkeyPatch.context() as patch, socket.create_server((HERE, 0)) as listening:
        patch.setattr(door, "_open_screen", start)
        patch.setattr(door._nursery, "prepare", open_doors.prepare_nothing)
        task = asyncio.create_task(door.run([listening], gone))
        try:
            yield OpenDoor(listening.getsockname()[1], door, screens, guests, gone, task)
        finally:
            await cancel_and_wait(task)
            await open_doors.hang_up()


class BrowserDoor(Door):
    """The browser door of a table."""

    kind = DoorKind.WEB

    @property
    def address(self) -> str:
        return f"http://{HERE}:{self.port}/"


door, beside = BrowserDoor.open, BrowserDoor.beside
