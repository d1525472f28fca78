"""The browser door: serves the page, admits guests, and carries their screens.

Nothing is started for a stranger: name and room code are asked for in the page, and a guest's
screen begins once the code was right. Before that a connection is limited to `WEB_LOGIN_TIMEOUT_S`,
a few places, and messages of a few bytes.

A phone that is locked, or leaves the Wi-Fi, loses its connection. Its client, a screen in lines of
JSON, continues for `KEPT_S` without a page, and a page that reconnects asks it for everything
again. After that the client is ended: the table then shows this player as absent, a bot may play
for them, and the page gets a new client at the same seat whenever it reconnects.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Final

import msgspec
from websockets.asyncio import server as websockets
from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from net.secure.limits import AdmissionControl
from net.tasks import cancel_and_wait, wait_for_event
from sabtui.doors import web_login
from sabtui.doors.guest_screen import GuestOrder, GuestScreen, GuestTerminal, pad_output
from sabtui.doors.guests import MAX_SCREENS, Guest, GuestBook, find_household, open_guest_book
from sabtui.doors.nursery import Nursery
from sabtui.doors.table_link import DoorOpened, TableGone, TableLink
from sabtui.doors.web_login import Arrival, BadMessage, Channel, LetIn, PageRefusal, PageRefused
from sabtui.doors.web_page import asks_words, respond

WEB_LOGIN_TIMEOUT_S: Final = 20.0
"""Seconds that a page has from its request until it is admitted; it has the code by then."""

WEB_PLACES: Final = 96
"""Places of strangers at the browser door: a browser loads a page on several connections."""

REQUEST_TIMEOUT_S: Final = 10.0
"""Seconds that a connection to the browser door has to send a request and get the answer."""

KEPT_S: Final = 60.0  # seconds that a screen continues without a page

MAX_UNREAD_BYTES: Final = 1 << 20
"""Maximum bytes that wait for a page to read them; a screen's output waits elsewhere."""

PING_S: Final = 10.0
"""Seconds between pings, and for the answer to one: a locked phone is gone by then."""

BEAT_S: Final = 3.0
"""Seconds between two frames without lines, which tell a page that its door is there: a script sees
no pings. They are sent whatever else is sent, so that they reveal nothing."""

WEBSOCKET_CLOSE_TIMEOUT_S: Final = 2.0  # seconds that a page has to say goodbye

MAX_QUEUE: Final = 8
"""Maximum number of messages from a page that wait for its screen; beyond that, reading pauses."""

CODE_ELSEWHERE: Final = 4001  # code with which a page is closed whose seat another page has taken

_log = logging.getLogger(__name__)

_quiet: Final = logging.getLogger("sabtui.doors.web_connections")
_quiet.setLevel(logging.CRITICAL)  # what strangers send is not worth logging


class PlacedConnection(ServerConnection):
    """A connection that takes one of a few places before any byte of it is read.

    A connection is a stranger's until its guest is admitted. One address, or one /64 of IPv6, has
    at most half of the strangers' places (`net.secure.limits`). A connection is ended to make room
    for another, or if it was not answered within `REQUEST_TIMEOUT_S`.
    """

    strangers: AdmissionControl  # the places; a subclass for each door sets these two
    here: dict[int, PlacedConnection]  # all connections, by the number of their place
    _entry: int
    _late: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place; if there is none, end the connection whose turn it is to go."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._entry, evicted = self.strangers.enter(find_household(str(peer[0]) if peer else ""))
        self.here[self._entry] = self
        if evicted is not None:
            self.here[evicted].transport.abort()
        self._late = self.loop.call_later(REQUEST_TIMEOUT_S, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Accept input; cut off a page that does not read the answers that it causes.

        websockets answers pings however much already waits to be sent.
        """
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self.transport.abort()

    def stop_clock(self) -> None:
        """Let the connection stay longer than `REQUEST_TIMEOUT_S`: it was answered."""
        self._late.cancel()

    def trust(self) -> None:
        """Stop counting the connection among strangers: the guest is admitted."""
        self.strangers.trust(self._entry)

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_clock()
        del self.here[self._entry]
        self.strangers.leave(self._entry)
        super().connection_lost(exc)


@dataclass(frozen=True, slots=True)
class SealedPage:
    """An admitted page, and the keys for its messages."""

    link: ServerConnection
    channel: Channel

    async def send(self, frame: bytes) -> None:
        """Send a frame once the page has room for it; do nothing if the page is gone."""
        with suppress(ConnectionClosed):
            await self.link.send(self.channel.seal(frame))


class HeldScreen:
    """A guest's screen, and the page that shows it, if any; calls `on_end` once it has ended."""

    def __init__(self, screen: GuestScreen, on_end: Callable[[], None]) -> None:
        self._screen = screen
        self._on_end = on_end
        self.page: SealedPage | None = None  # the page that came last
        self._leaving: asyncio.TimerHandle | None = None  # ends the screen, if no page comes back
        self._closing: asyncio.Task[None] | None = None
        self.ended: Final = asyncio.Event()
        self._pump: Final = asyncio.create_task(self._run())

    def attach(self, page: SealedPage) -> SealedPage | None:
        """Send all further output to this page; return the page before, now detached."""
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        before, self.page = self.page, page
        return before

    def detach(self, page: SealedPage) -> None:
        """Keep running without the page for `KEPT_S`; do nothing if another page is attached."""
        if self.page is page:
            self.page = None
            loop = asyncio.get_running_loop()
            self._leaving = loop.call_later(KEPT_S, self._give_up)

    def pass_on(self, data: bytes) -> None:
        """Pass on lines of JSON that the guest's page has sent."""
        self._screen.write(data)

    async def close(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        await cancel_and_wait(self._pump)
        await self._screen.close()
        self.ended.set()
        self._on_end()

    def _give_up(self) -> None:
        """Close in a task of its own."""
        self._closing = asyncio.create_task(self.close())

    async def _run(self) -> None:
        """Carry the screen's lines to its page, as fast as the page takes them."""
        async for data in pad_output(self._screen.read):
            if self.page is not None:
                await self.page.send(web_login.LINES + data)
        self._give_up()


async def serve(table: TableLink, sockets: Sequence[socket]) -> None:
    """Serve the browser door of a table until the table and the last guest are gone."""
    door = WebDoor(table, open_guest_book(Path(table.order.folder), table.order.table))
    table.send(DoorOpened(sockets[0].getsockname()[1]))
    await door.run(sockets, table.gone)


class WebDoor:
    """The browser door of one table: its pages, and the screens of their guests."""

    def __init__(self, table: TableLink, guests: GuestBook) -> None:
        self._table = table
        self._guests = guests
        self._screens: Final[dict[str, HeldScreen]] = {}
        self._nursery: Final = Nursery("-m", "sabtui.doors.guest_program", "lines")
        self._opening: Final = asyncio.Lock()  # held while a screen starts
        self._login: Final = web_login.WebLogin(table, guests, self._screens)
        self._strangers: Final = AdmissionControl(WEB_PLACES, WEB_PLACES // 2)
        self._here: Final[dict[int, PlacedConnection]] = {}
        self._closing: Final[set[asyncio.Task[None]]] = set()
        self._emptied: Final = asyncio.Event()

    async def run(self, sockets: Iterable[socket], gone: asyncio.Event) -> None:
        """Serve on listening sockets until the table is `gone`; then admit nobody else.

        Return once the last guest has left. If it is cancelled, all screens end.
        """
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._nursery.close)
            stack.push_async_callback(self._close_screens)
            stack.push_async_callback(self._end_connections)
            servers = [await self._serve(stack, listening) for listening in sockets]
            await gone.wait()
            for server in servers:
                server.close(close_connections=False)
            try:
                while self._screens:
                    self._emptied.clear()
                    await self._emptied.wait()
            except asyncio.CancelledError:
                await self._end_connections()  # closed servers wait for them
                raise

    async def _serve(self, stack: AsyncExitStack, listening: socket) -> Server:
        class Placed(PlacedConnection):
            """A connection to this door."""

            strangers, here = self._strangers, self._here

        serving = websockets.serve(
            self._handle,
            sock=listening,
            process_request=self._respond,
            create_connection=Placed,
            compression=None,  # encrypted data cannot be compressed
            max_size=web_login.MAX_FROM_PAGE_BYTES,
            max_queue=MAX_QUEUE,
            open_timeout=None,  # REQUEST_TIMEOUT_S applies, also to plain requests
            ping_interval=PING_S,
            ping_timeout=PING_S,
            close_timeout=WEBSOCKET_CLOSE_TIMEOUT_S,
            server_header=None,
            logger=_quiet,
        )
        return await stack.enter_async_context(serving)

    async def _respond(self, _page: ServerConnection, request: Request) -> Response | None:
        """Answer a request for a file; return `None` for the page's websocket."""
        asks_code = True
        if asks_words(request):  # the table is asked no more than needed
            with suppress(TableGone):  # the page learns of that when it connects
                asks_code = not (await self._table.try_code("", "")).yes
        return respond(request, asks_code=asks_code)

    async def _end_connections(self) -> None:
        """End the connections that are left, such as those that load a page, until all are lost."""
        while self._here:
            for connection in self._here.values():
                connection.transport.abort()
            await asyncio.sleep(0)  # `connection_lost` takes each out of `_here`

    async def _close_screens(self) -> None:
        """Close all screens, and wait until they have ended."""
        await asyncio.gather(*(screen.close() for screen in tuple(self._screens.values())))

    async def _handle(self, page: ServerConnection) -> None:
        """Admit a page, and carry its screen until either has ended."""
        assert isinstance(page, PlacedConnection)
        page.stop_clock()
        with suppress(ConnectionClosed):
            try:
                async with asyncio.timeout(WEB_LOGIN_TIMEOUT_S):
                    with suppress(OSError):  # no processes left: `_get_screen` says so
                        await self._nursery.prepare()
                    let_in = await self._login.let_in(page)
                    screen = await self._get_screen(let_in)
                page.trust()
                await self._carry(SealedPage(page, let_in.channel), screen)
            except TableGone:
                await _refuse(page, PageRefused(PageRefusal.TABLE))
            except PageRefused as refused:
                await _refuse(page, refused)
            except (BadMessage, TimeoutError):
                await page.close()

    async def _get_screen(self, let_in: LetIn) -> HeldScreen:
        guest = let_in.guest
        async with self._opening:
            held = self._screens.get(guest.id)
            if held is not None:
                return held
            if self._is_full and not await self._make_place(guest):
                raise PageRefused(PageRefusal.FULL)
            key, is_new, renewed = guest.seat.public, let_in.is_new, let_in.renewed
            if not await self._table.admit(key, let_in.address, is_new=is_new, renewed=renewed):
                raise PageRefused(PageRefusal.SEAT)
            try:
                screen = await self._open_screen(guest, let_in.arrival)
            except OSError as error:
                _log.warning("no screen can be started: %s", error)
                raise PageRefused(PageRefusal.TABLE) from error
            fresh = HeldScreen(screen, lambda: self._forget(guest.id, fresh))
            self._screens[guest.id] = fresh
            return fresh

    @property
    def _is_full(self) -> bool:
        return len(self._screens) >= MAX_SCREENS

    async def _make_place(self, guest: Guest) -> bool:
        """Make room for a guest who returns to their seat: end the oldest screen without one.

        Return False if there is none, or `guest` has no seat. The door may be full of strangers
        with the code, and they must not keep anybody from a seat.
        """
        if not await self._table.is_seated(guest.seat.public):
            return False
        number = await self._guests.find_unseated(self._screens, self._table.is_seated)
        held = None if number is None else self._screens.pop(number, None)
        if held is not None:
            if held.page is not None:
                self._begin(_refuse(held.page.link, PageRefused(PageRefusal.FULL)))
            self._begin(held.close())
        return not self._is_full

    def _begin(self, closing: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(closing)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _open_screen(self, guest: Guest, arrival: Arrival) -> GuestScreen:
        """Start the screen of a guest. Raises OSError: no processes are left."""
        terminal = GuestTerminal(lang=f"{arrival.language}.UTF-8" if arrival.language else "")
        order = GuestOrder.for_guest(guest, self._table.order, lines=True, stage=arrival.stage)
        return await GuestScreen.start(order, self._guests.home(guest), terminal, self._nursery)

    async def _carry(self, page: SealedPage, screen: HeldScreen) -> None:
        """Show a guest's screen on their page until the page is gone or the screen has ended."""
        before = screen.attach(page)
        if before is not None:  # it may have vanished silently, so nothing waits for it
            self._begin(before.link.close(CODE_ELSEWHERE))
        telling = asyncio.create_task(_send_beats(page, screen))
        try:
            async for message in page.link:
                if isinstance(message, str):
                    raise BadMessage
                screen.pass_on(web_login.parse_frame(page.channel.open(message)))
        finally:
            telling.cancel()
            screen.detach(page)

    def _forget(self, guest: str, held: HeldScreen) -> None:
        if self._screens.get(guest) is held:
            del self._screens[guest]
        if not self._screens:
            self._emptied.set()


async def _refuse(page: ServerConnection, refused: PageRefused) -> None:
    """Tell a page why it is not admitted, and close it."""
    with suppress(ConnectionClosed):  # the page left first
        await page.send(msgspec.json.encode(refused.answer).decode())
        await page.close()


async def _send_beats(page: SealedPage, screen: HeldScreen) -> None:
    """Tell a page every few seconds that the host is there; finally, that its screen has ended."""
    while not screen.ended.is_set():
        await page.send(web_login.LINES)  # without lines, only a sign of life
        await wait_for_event(screen.ended, BEAT_S)
    await page.send(web_login.ENDED)
    await page.link.close()
