"""The browser door: serves the page, lets guests in, and carries their screens.

Nothing is started for a stranger: name and room code are asked for in the page, and a guest's
screen begins once the code was right. Before that a connection has `LOGIN_TIMEOUT_S`, one of a few
places, and messages of a few bytes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from socket import socket
from typing import Final, Protocol, TypeAlias, cast

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from net.protocol.text import clean_name
from sabtui.doors.web_channel import (
    MAX_FROM_PAGE_BYTES,
    PAGE_VERSION,
    Answer,
    Arrival,
    BadMessage,
    Channel,
    FrameKind,
    Greeting,
    PageRefusal,
    Resized,
    SeatGiven,
    Typed,
    WrongWords,
    binding_of,
    channel_of,
    exchange,
    frame,
    open_arrival,
    parse_frame,
    parse_greeting,
)
from sabtui.doors.web_page import respond
from sabtui.doors.web_places import PlacedConnection, Places
from sabtui.doors.web_screens import HeldScreen, Screen
from sabtui.doors.web_seats import WebSeat, WebSeats

MAX_SCREENS: Final = 16
"""Most screens at once: each is a process of some 60 MB."""

LOGIN_TIMEOUT_S: Final = 20.0
"""Seconds that a connection has from its request until it is let in."""

PING_S: Final = 10.0
"""Seconds between pings, and to the answer of one: a phone that is locked is gone by then."""

CLOSE_TIMEOUT_S: Final = 2.0
"""Seconds that a page has to say goodbye."""

MAX_QUEUE: Final = 8
"""Most messages of a page that wait for its screen; then the page is not read from."""

CODE_ELSEWHERE: Final = 4001
"""Code with which a page is closed whose seat another page has taken."""

CODE_REFUSED: Final = 4002
"""Code with which a page is closed that was refused."""

OpenScreen: TypeAlias = Callable[[WebSeat, Arrival], Awaitable[Screen]]
"""Starts the screen of a guest; raises OSError if there are no processes left."""


@dataclass(frozen=True, slots=True)
class HostShare:
    """The table's side of one exchange: its share, and the secret that comes of it."""

    share: bytes
    secret: bytes


class TableGate(Protocol):
    """The table behind the door, as far as it decides who is let in; it alone knows the code."""

    @property
    def is_open(self) -> bool:
        """True if the table asks for no room code."""

    async def exchange(self, address: str, share: bytes, binding: bytes) -> HostShare | float:
        """Run an exchange with the room code, which counts as a guess of this address.

        Return the seconds until to ask again if it may make none now. Raises BadMessage.
        """

    def settle(self, address: str, *, is_right: bool) -> None:
        """Say whether the guess was right: then it is refunded, else the host may be warned."""


class _Refused(Exception):
    """Raised to close a connection with a reason that the page shows."""

    def __init__(self, reason: PageRefusal, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.answer = Answer(refused=reason.value, wait=wait)


class WebDoor:
    """The browser door of one table."""

    def __init__(self, gate: TableGate, seats: WebSeats, open_screen: OpenScreen) -> None:
        self._gate = gate
        self._seats = seats
        self._open_screen = open_screen
        self._screens: Final[dict[str, HeldScreen]] = {}
        self._pages: Final[dict[str, ServerConnection]] = {}
        self._opening: Final[dict[str, asyncio.Lock]] = {}
        self._places: Final = Places()
        self._place: Final = partial(PlacedConnection, self._places)
        self._closing: Final[set[asyncio.Task[None]]] = set()

    async def run(self, sockets: Iterable[socket]) -> None:
        """Serve on listening sockets until cancelled; then end all screens."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._close_screens)
            _servers = [await self._serve(stack, listening) for listening in sockets]
            await asyncio.get_running_loop().create_future()

    async def _serve(self, stack: AsyncExitStack, listening: socket) -> Server:
        """Serve on one socket as long as the stack is open."""
        serving = serve(
            self._handle,
            sock=listening,
            process_request=self._respond,
            create_connection=cast("type[PlacedConnection]", self._place),
            compression=None,  # what is sealed cannot be compressed
            max_size=MAX_FROM_PAGE_BYTES,
            max_queue=MAX_QUEUE,
            ping_interval=PING_S,
            ping_timeout=PING_S,
            close_timeout=CLOSE_TIMEOUT_S,
            server_header=None,
            logger=_quiet_logger(),
        )
        return await stack.enter_async_context(serving)

    def _respond(self, _page: ServerConnection, request: Request) -> Response | None:
        return respond(request, asks_code=not self._gate.is_open)

    async def _close_screens(self) -> None:
        await asyncio.gather(*(screen.close() for screen in tuple(self._screens.values())))

    async def _handle(self, page: ServerConnection) -> None:
        """Let a page in, and carry its screen until it is gone."""
        with suppress(ConnectionClosed):
            try:
                async with asyncio.timeout(LOGIN_TIMEOUT_S):
                    seat, arrival, channel = await self._let_in(page)
                    self._places.trust(page)
                await self._carry(page, seat, arrival, channel)
            except _Refused as refused:
                await page.send(msgspec.json.encode(refused.answer).decode())
                await page.close(CODE_REFUSED)
            except (BadMessage, TimeoutError):
                await page.close(CODE_REFUSED)

    async def _let_in(self, page: ServerConnection) -> tuple[WebSeat, Arrival, Channel]:
        """Run the exchange with a page, and return its seat."""
        address = str(page.remote_address[0])
        greeting = parse_greeting(await _text(page))
        known = self._known(greeting)
        host = await self._exchange(greeting, known, address)
        channel = channel_of(host.secret)
        await page.send(msgspec.json.encode(Answer(host.share.hex())).decode())
        try:
            arrival = open_arrival(channel, await _binary(page))
        except WrongWords:
            if known is None:
                self._gate.settle(address, is_right=False)
            raise _Refused(PageRefusal.CODE if known is None else PageRefusal.SEAT) from None
        if known is None:
            self._gate.settle(address, is_right=True)
        seat = known or self._seat_for(arrival)
        welcome = msgspec.json.encode(SeatGiven(seat.id, seat.secret.hex()))
        await page.send(channel.seal(welcome))
        return seat, arrival, channel

    def _known(self, greeting: Greeting) -> WebSeat | None:
        if greeting.version != PAGE_VERSION:
            raise _Refused(PageRefusal.VERSION)
        if not greeting.seat:
            return None
        seat = self._seats.get(greeting.seat)
        if seat is None:
            raise _Refused(PageRefusal.SEAT)
        return seat

    async def _exchange(self, greeting: Greeting, known: WebSeat | None, address: str) -> HostShare:
        """Run the exchange with a seat's secret, else with the room code as soon as one may."""
        share, binding = bytes.fromhex(greeting.share), binding_of(greeting)
        if known is not None:
            return HostShare(*await asyncio.to_thread(exchange, share, known.secret, binding))
        host = await self._gate.exchange(address, share, binding)
        if isinstance(host, HostShare):
            return host
        raise _Refused(PageRefusal.WAIT, host)

    def _seat_for(self, arrival: Arrival) -> WebSeat:
        """Return the seat of a guest who typed the code: a new one, or theirs that nobody uses."""
        name = clean_name(arrival.name)
        if not name:
            raise _Refused(PageRefusal.NAME)
        for seat in self._seats.named(name):
            if seat.id not in self._pages:
                return seat
        return self._seats.add(name)

    async def _carry(
        self, page: ServerConnection, seat: WebSeat, arrival: Arrival, channel: Channel
    ) -> None:
        """Show a guest's screen on their page until the page is gone or the screen has ended."""
        before = self._pages.get(seat.id)
        self._pages[seat.id] = page
        if before is not None:  # it may be gone without a word, so nobody waits for it
            closing = asyncio.create_task(before.close(CODE_ELSEWHERE))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

        async def show(data: bytes) -> None:
            with suppress(ConnectionClosed):
                await page.send(channel.seal(frame(FrameKind.SHOWN, data)))

        screen: HeldScreen | None = None
        ended: asyncio.Task[None] | None = None
        try:
            screen = await self._screen_of(seat, arrival)
            await screen.attach(show, arrival.columns, arrival.rows)
            ended = asyncio.create_task(_say_ended(page, channel, screen))
            async for message in page:
                _obey(screen, channel, message)
        finally:
            if ended is not None:
                ended.cancel()
            if screen is not None:
                screen.detach(show)
            if self._pages.get(seat.id) is page:
                del self._pages[seat.id]

    async def _screen_of(self, seat: WebSeat, arrival: Arrival) -> HeldScreen:
        """Return the screen of a seat that is still there, else a new one."""
        async with self._opening.setdefault(seat.id, asyncio.Lock()):
            held = self._screens.get(seat.id)
            if held is not None and not held.ended.is_set():
                return held
            if len(self._screens) >= MAX_SCREENS:
                raise _Refused(PageRefusal.FULL)
            try:
                screen = await self._open_screen(seat, arrival)
            except OSError as error:
                logging.getLogger(__name__).warning("no screen can be started: %s", error)
                raise _Refused(PageRefusal.TABLE) from error
            self._seats.use(seat)
            held = HeldScreen(screen, lambda: self._forget(seat.id))
            self._screens[seat.id] = held
            return held

    def _forget(self, seat: str) -> None:
        self._screens.pop(seat, None)
        self._opening.pop(seat, None)


async def _say_ended(page: ServerConnection, channel: Channel, screen: HeldScreen) -> None:
    """Tell a page that its screen has ended, once it has."""
    await screen.ended.wait()
    with suppress(ConnectionClosed):
        await page.send(channel.seal(frame(FrameKind.ENDED)))
        await page.close()


def _obey(screen: HeldScreen, channel: Channel, message: str | bytes) -> None:
    if isinstance(message, str):
        raise BadMessage
    match parse_frame(channel.open(message)):
        case Typed(data):
            screen.typed(data)
        case Resized(columns, rows):
            screen.resize(columns, rows)


async def _text(page: ServerConnection) -> str:
    message = await page.recv()
    if not isinstance(message, str):
        raise BadMessage
    return message


async def _binary(page: ServerConnection) -> bytes:
    message = await page.recv()
    if not isinstance(message, bytes):
        raise BadMessage
    return message


def _quiet_logger() -> logging.Logger:
    """Return a logger that is silent about what strangers send."""
    logger = logging.getLogger("sabtui.doors.web_connections")
    logger.setLevel(logging.CRITICAL)
    return logger
