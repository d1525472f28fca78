"""Logging in at the browser door: the exchange with a page, after which it is a guest's.

Nothing is started for a stranger, and nothing but the first message is in the clear
(`sabtui.doors.web_channel`). A page proves the room code, or the secret of a seat that it had.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Container
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import msgspec
from websockets.asyncio.server import ServerConnection

from net.protocol.text import clean_name
from sabtui.doors.guests import Caller, Guest, GuestBook
from sabtui.doors.limits import plain_address
from sabtui.doors.table_link import TableLink
from sabtui.doors.web_channel import (
    PAGE_VERSION,
    Arrival,
    BadMessage,
    Channel,
    Greeting,
    PageAnswer,
    PageRefusal,
    SeatGiven,
    WrongWords,
    binding_of,
    channel_of,
    exchange,
    open_arrival,
    parse_greeting,
)

PAGE_MARK: Final = "page"
"""Mark of guests who are known by the secret that their page keeps, and so by no name."""

_log = logging.getLogger(__name__)

T = TypeVar("T", str, bytes)


class Exchanged(NamedTuple):
    """The table's side of one exchange: its share, and the secret that comes of it.

    A room code had been `renewed` so many times.
    """

    share: bytes
    secret: bytes
    renewed: int = 0


@dataclass(frozen=True, slots=True)
class LetIn:
    """A guest who was let in on a page, from an address; `is_new` if they have proven the code.

    That code had been `renewed` so many times.
    """

    guest: Guest
    address: str
    is_new: bool
    arrival: Arrival
    channel: Channel
    renewed: int


class PageRefused(Exception):
    """Raised to close a connection with a reason that the page shows."""

    def __init__(self, reason: PageRefusal, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.answer = PageAnswer(refused=reason.value, wait=wait)


class WebLogin:
    """The logins at one table's browser door; the table alone knows the code."""

    def __init__(self, table: TableLink, guests: GuestBook, present: Container[str]) -> None:
        self._table = table
        self._present = present
        self._guests = guests
        self._one_exchange: Final = asyncio.Lock()  # they are slow, and strangers may ask for many

    async def let_in(self, page: ServerConnection) -> LetIn:
        """Run the exchange with a page, and return its guest."""
        address = plain_address(str(page.remote_address[0]))
        greeting = parse_greeting(await _receive(page, str))
        known = self._find_guest(greeting)
        ours = await self._exchange(greeting, known, address)
        channel = channel_of(ours.secret)
        await page.send(msgspec.json.encode(PageAnswer(ours.share.hex())).decode())
        try:
            arrival = open_arrival(channel, await _receive(page, bytes))
        except WrongWords:
            if known is None:
                self._table.settle(address, is_right=False)
            raise PageRefused(PageRefusal.CODE if known is None else PageRefusal.SEAT) from None
        if known is None:
            self._table.settle(address, is_right=True)
        guest = known or self._new_guest(arrival)
        self._guests.note_visit(guest)
        await self._guests.make_room(self._present, self._table.is_seated)
        given = msgspec.json.encode(SeatGiven(guest.id, page_secret(guest).hex()))
        await page.send(channel.seal(given))
        return LetIn(guest, address, known is None, arrival, channel, ours.renewed)

    def _find_guest(self, greeting: Greeting) -> Guest | None:
        if greeting.version != PAGE_VERSION:
            raise PageRefused(PageRefusal.VERSION)
        if not greeting.seat:
            return None
        guest = self._guests.get(greeting.seat)
        if guest is None or PAGE_MARK not in guest.marks:
            raise PageRefused(PageRefusal.SEAT)
        return guest

    async def _exchange(self, greeting: Greeting, known: Guest | None, address: str) -> Exchanged:
        """Run the exchange with a guest's secret, else with the room code as soon as one may.

        One with the code counts as a guess of this address.
        """
        share, binding = bytes.fromhex(greeting.share), binding_of(greeting)
        if known is not None:
            async with self._one_exchange:
                run = await asyncio.to_thread(exchange, share, page_secret(known), binding)
            return Exchanged(*run)
        async with self._one_exchange:
            answer = await self._table.exchange(address, share, binding)
            if answer.wait:
                raise PageRefused(PageRefusal.WAIT, answer.wait)
            if not answer.yes:
                raise BadMessage
            if answer.share:
                return Exchanged(answer.share, answer.secret, answer.renewed)
            run = await asyncio.to_thread(exchange, share, b"", binding)
        return Exchanged(*run, answer.renewed)

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


def page_secret(guest: Guest) -> bytes:
    """Return the secret that a guest's page is known by; it tells nothing about their seat key."""
    return hmac.digest(guest.key, b"sabtui page", "sha256")


async def _receive(page: ServerConnection, kind: type[T]) -> T:
    message = await page.recv()
    if not isinstance(message, kind):
        raise BadMessage
    return message
