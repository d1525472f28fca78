"""The browser door: serves the page, lets guests in, and carries their screens.

Nothing is started for a stranger: name and room code are asked for in the page, and a guest's
screen begins once the code was right. Before that a connection has `LOGIN_TIMEOUT_S`, one of a few
places, and messages of a few bytes.
"""

from __future__ import annotations

import asyncio
import hmac
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
from sabtui.doors.guests import Caller, Guest, GuestBook
from sabtui.doors.table_link import TableGone
from sabtui.doors.web_channel import (
    MAX_FROM_PAGE_BYTES,
    PAGE_VERSION,
    Arrival,
    BadMessage,
    Channel,
    FrameKind,
    Greeting,
    PageAnswer,
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
from sabtui.doors.web_places import PlacedConnection, Places, plain_address
from sabtui.doors.web_screens import HeldScreen, Screen

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

PAGE_MARK: Final = "page"
"""Mark of guests who are known by the secret that their page keeps, and so by no name."""

_log = logging.getLogger(__name__)

OpenScreen: TypeAlias = Callable[[Guest, Arrival], Awaitable[Screen]]
"""Starts the screen of a guest; raises OSError if there are no processes left."""


Exchanged: TypeAlias = tuple[bytes, bytes]
"""The table's side of one exchange: its share, and the secret that comes of it."""


class TableGate(Protocol):
    """The table behind the door, as far as it decides who is let in; it alone knows the code.

    All methods raise TableGone once nobody is there to answer.
    """

    async def is_open(self) -> bool:
        """Return True if the table asks for no room code."""

    async def exchange(self, address: str, share: bytes, binding: bytes) -> Exchanged | float:
        """Run an exchange with the room code, which counts as a guess of this address.

        Return the seconds until to ask again if it may make none now. Raises BadMessage.
        """

    def settle(self, address: str, *, is_right: bool) -> None:
        """Say whether the guess was right: then it is refunded, else the host may be warned."""

    async def admit(self, guest: Guest, address: str, *, is_new: bool) -> bool:
        """Return True if a guest's screen may enter; `is_new` if they have proven the code."""


@dataclass(frozen=True, slots=True)
class LetIn:
    """A guest who was let in on a page, from an address; `is_new` if they have proven the code."""

    guest: Guest
    address: str
    is_new: bool
    arrival: Arrival
    channel: Channel


class PageRefused(Exception):
    """Raised to close a connection with a reason that the page shows."""

    def __init__(self, reason: PageRefusal, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.answer = PageAnswer(refused=reason.value, wait=wait)


class WebDoor:
    """The browser door of one table."""

    def __init__(self, gate: TableGate, guests: GuestBook, open_screen: OpenScreen) -> None:
        self._gate = gate
        self._guests = guests
        self._open_screen = open_screen
        self._screens: Final[dict[str, HeldScreen]] = {}
        self._pages: Final[dict[str, ServerConnection]] = {}
        self._opening: Final[dict[str, asyncio.Lock]] = {}
        self._places: Final = Places()
        self._place: Final = partial(PlacedConnection, self._places)
        self._one_exchange: Final = asyncio.Lock()  # they are slow, and strangers may ask for many
        self._closing: Final[set[asyncio.Task[None]]] = set()
        self._emptied: Final = asyncio.Event()

    async def run(self, sockets: Iterable[socket], gone: asyncio.Event) -> None:
        """Serve on listening sockets until the table is `gone`; then let nobody in any more.

        Return once the last guest has left. If it is cancelled, all screens end.
        """
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._close_screens)
            servers = [await self._serve(stack, listening) for listening in sockets]
            await gone.wait()
            for server in servers:
                server.close(close_connections=False)
            while self._screens:
                self._emptied.clear()
                await self._emptied.wait()

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

    async def _respond(self, _page: ServerConnection, request: Request) -> Response | None:
        try:
            asks_code = not await self._gate.is_open()
        except TableGone:
            asks_code = True
        return respond(request, asks_code=asks_code)

    async def _close_screens(self) -> None:
        await asyncio.gather(*(screen.close() for screen in tuple(self._screens.values())))

    async def _handle(self, page: ServerConnection) -> None:
        """Let a page in, and carry its screen until it is gone."""
        with suppress(ConnectionClosed):
            try:
                async with asyncio.timeout(LOGIN_TIMEOUT_S):
                    let_in = await self._let_in(page)
                    screen = await self._screen_of(let_in)
                self._places.trust(page)
                await self._carry(page, let_in, screen)
            except TableGone:
                await _refuse(page, PageAnswer(refused=PageRefusal.TABLE.value))
            except PageRefused as refused:
                await _refuse(page, refused.answer)
            except (BadMessage, TimeoutError):
                await page.close(CODE_REFUSED)

    async def _let_in(self, page: ServerConnection) -> LetIn:
        """Run the exchange with a page, and return its guest."""
        address = plain_address(str(page.remote_address[0]))
        greeting = parse_greeting(await _text(page))
        known = self._known(greeting)
        ours, secret = await self._exchange(greeting, known, address)
        channel = channel_of(secret)
        await page.send(msgspec.json.encode(PageAnswer(ours.hex())).decode())
        try:
            arrival = open_arrival(channel, await _binary(page))
        except WrongWords:
            if known is None:
                self._gate.settle(address, is_right=False)
            raise PageRefused(PageRefusal.CODE if known is None else PageRefusal.SEAT) from None
        if known is None:
            self._gate.settle(address, is_right=True)
        guest = known or self._new_guest(arrival)
        given = msgspec.json.encode(SeatGiven(guest.id, page_secret(guest).hex()))
        await page.send(channel.seal(given))
        return LetIn(guest, address, known is None, arrival, channel)

    def _known(self, greeting: Greeting) -> Guest | None:
        if greeting.version != PAGE_VERSION:
            raise PageRefused(PageRefusal.VERSION)
        if not greeting.seat:
            return None
        guest = self._guests.get(greeting.seat)
        if guest is None or PAGE_MARK not in guest.marks:
            raise PageRefused(PageRefusal.SEAT)
        return guest

    async def _exchange(self, greeting: Greeting, known: Guest | None, address: str) -> Exchanged:
        """Run the exchange with a guest's secret, else with the room code as soon as one may."""
        share, binding = bytes.fromhex(greeting.share), binding_of(greeting)
        if known is not None:
            async with self._one_exchange:
                return await asyncio.to_thread(exchange, share, page_secret(known), binding)
        async with self._one_exchange:
            exchanged = await self._gate.exchange(address, share, binding)
        if isinstance(exchanged, float):
            raise PageRefused(PageRefusal.WAIT, exchanged)
        return exchanged

    def _new_guest(self, arrival: Arrival) -> Guest:
        """Note a guest who has typed the code: by that and a name alone nobody is known again."""
        name = clean_name(arrival.name)
        if not name:
            raise PageRefused(PageRefusal.NAME)
        try:
            return self._guests.add(Caller(name, PAGE_MARK))
        except OSError as error:
            _log.warning("a guest cannot be noted: %s", error)
            raise PageRefused(PageRefusal.TABLE) from error

    async def _screen_of(self, let_in: LetIn) -> HeldScreen:
        """Return the screen of a guest that is still there, else a new one."""
        guest = let_in.guest
        async with self._opening.setdefault(guest.id, asyncio.Lock()):
            held = self._screens.get(guest.id)
            if held is not None and not held.ended.is_set():
                return held
            if len(self._screens) >= MAX_SCREENS:
                raise PageRefused(PageRefusal.FULL)
            if not await self._gate.admit(guest, let_in.address, is_new=let_in.is_new):
                raise PageRefused(PageRefusal.SEAT)
            try:
                screen = await self._open_screen(guest, let_in.arrival)
            except OSError as error:
                _log.warning("no screen can be started: %s", error)
                raise PageRefused(PageRefusal.TABLE) from error
            held = HeldScreen(screen, lambda: self._forget(guest.id))
            self._screens[guest.id] = held
            return held

    async def _carry(self, page: ServerConnection, let_in: LetIn, screen: HeldScreen) -> None:
        """Show a guest's screen on their page until the page is gone or the screen has ended."""
        guest, arrival, channel = let_in.guest, let_in.arrival, let_in.channel
        before = self._pages.get(guest.id)
        self._pages[guest.id] = page
        if before is not None:  # it may be gone without a word, so nobody waits for it
            closing = asyncio.create_task(before.close(CODE_ELSEWHERE))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

        async def show(data: bytes) -> None:
            with suppress(ConnectionClosed):
                await page.send(channel.seal(frame(FrameKind.SHOWN, data)))

        ended = asyncio.create_task(_say_ended(page, channel, screen))
        try:
            await screen.attach(show, arrival.columns, arrival.rows)
            async for message in page:
                _obey(screen, channel, message)
        finally:
            ended.cancel()
            screen.detach(show)
            if self._pages.get(guest.id) is page:
                del self._pages[guest.id]

    def _forget(self, guest: str) -> None:
        self._screens.pop(guest, None)
        self._opening.pop(guest, None)
        if not self._screens:
            self._emptied.set()


async def _refuse(page: ServerConnection, said: PageAnswer) -> None:
    await page.send(msgspec.json.encode(said).decode())
    await page.close(CODE_REFUSED)


async def _say_ended(page: ServerConnection, channel: Channel, screen: HeldScreen) -> None:
    """Tell a page that its screen has ended, once it has."""
    await screen.ended.wait()
    with suppress(ConnectionClosed):
        await page.send(channel.seal(frame(FrameKind.ENDED)))
        await page.close()


def page_secret(guest: Guest) -> bytes:
    """Return the secret that a guest's page is known by; it tells nothing about their seat key."""
    return hmac.digest(guest.key, b"sabtui page", "sha256")


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
