"""Logging in at the browser door: an exchange with a page, then keys for its messages.

A page is loaded over plain HTTP, where anybody on the network can listen. So page and door never
send the room code, nor anything else that a listener could use: they run SPAKE2 with the code (that
of `net.secure.handshake`, in the page `exchange.js`), and everything after that is encrypted with
keys made from it. A listener who knows the code cannot read either, as both sides add fresh random
numbers. Somebody who can change the traffic could send another page; only certificates help against
that, but browsers do not accept a laptop's without a full-page warning.

    page -> door    Greeting      text, the only one in the clear
    door -> page    PageAnswer    text: the door's share, or why not
    page -> door    Arrival       sealed; what shows that the page knew the code
    door -> page    SeatGiven     sealed; the seat to return with
    both            frames        sealed: a letter, then bytes (`LINES`, `ENDED`)

Nothing is started for a stranger, and nothing but the first message is in the clear. A page proves
the room code, or the secret of a seat that it had.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Container
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final, TypeVar

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection

from net.protocol.cleaning import clean_name
from sabtui.doors.guest_screen import FILLER
from sabtui.doors.guests import Caller, Guest, GuestBook, normalise_address
from sabtui.doors.table_link import DoorAnswer, Settle, TableLink, run_exchange

PAGE_VERSION: Final = 2
"""Version of the messages of page and door; a guest whose page differs is told to reload it."""

BINDING: Final = b"sabtui page 2"
"""Bytes that both sides mix into the exchange besides the words, before the id of a seat."""

MAX_FROM_PAGE_BYTES: Final = 8192
"""Maximum bytes of one message from a page: a line of JSON is far shorter."""

KEY_BYTES: Final = 32
AEAD_NONCE_BYTES: Final = 12

TypedText = Annotated[str, msgspec.Meta(max_length=80)]
Hex = Annotated[str, msgspec.Meta(max_length=80, pattern=r"\A([0-9a-f]{2})*\Z")]
HexShare = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{2}){33}\Z")]


class PageRefusal(StrEnum):
    """Reason for not admitting a page; `words.js` has a sentence for each."""

    CODE = "code"
    SEAT = "seat"
    WAIT = "wait"
    FULL = "full"
    VERSION = "version"
    TABLE = "table"
    NAME = "name"


class Greeting(msgspec.Struct, frozen=True):
    """A page's first message: its share, and the id of the seat it returns to, "" for none.

    With a seat, the words of the exchange are the seat's secret; without, the room code, and ""
    at a table that needs none.
    """

    share: HexShare
    version: int = 0
    seat: Hex = ""


class PageAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The door's answer: its share, or why it has none; `wait` is in seconds."""

    share: Hex = ""
    refused: str = ""
    wait: float = 0.0


class Arrival(msgspec.Struct, frozen=True):
    """A page's second message, which describes its guest."""

    name: TypedText
    language: TypedText = ""  # of the page, such as pt_BR
    stage: bool = False  # the page shows the table to a room, and its guest has no seat


class SeatGiven(msgspec.Struct, frozen=True):
    """The seat to return with: its id and its secret."""

    seat: Hex
    secret: Hex


MessageT = TypeVar("MessageT", Greeting, Arrival)

LINES: Final = b"l"
"""First byte of a sealed frame with lines of JSON, cut anywhere (docs/json.md).

Page and door fill them up with NUL bytes, as their length can be seen on the way. A door also sends
every few seconds a frame without lines, so that its page knows that the host is there."""

ENDED: Final = b"e"  # frame of a door whose client has ended


class BadMessage(Exception):
    """Raised for a message that our page never sends."""


@dataclass(slots=True)
class Channel:
    """Seals and opens the messages of one connection, each with its number as the nonce.

    Either side counts its own messages, so none can be left out, repeated or swapped.
    """

    _sealing: ChaCha20Poly1305
    _opening: ChaCha20Poly1305
    _sent: int = field(default=0)
    _received: int = field(default=0)

    def seal(self, plain: bytes) -> bytes:
        """Return the door's next message, encrypted and authenticated."""
        self._sent += 1
        return self._sealing.encrypt(_make_nonce(self._sent), plain, None)

    def open(self, sealed: bytes) -> bytes:
        """Return the page's next message, opened; raises BadMessage for any other bytes."""
        self._received += 1
        try:
            return self._opening.decrypt(_make_nonce(self._received), sealed, None)
        except InvalidTag:
            raise BadMessage from None


def parse(message: str | bytes, kind: type[MessageT]) -> MessageT:
    """Parse a greeting or an arrival; raises BadMessage."""
    try:
        return msgspec.json.decode(message, type=kind)
    except msgspec.DecodeError:
        raise BadMessage from None


def make_channel(secret: bytes) -> Channel:
    """Return the door's side of a channel, with the secret that an exchange has made."""
    return Channel(_make_cipher(secret, b"door to page"), _make_cipher(secret, b"page to door"))


def parse_frame(plain: bytes) -> bytes:
    """Return the lines in a frame of a page, without filler; raises BadMessage."""
    if plain[:1] != LINES:
        raise BadMessage
    return plain[1:].rstrip(FILLER)


def _make_cipher(secret: bytes, purpose: bytes) -> ChaCha20Poly1305:
    key = HKDF(SHA256(), KEY_BYTES, salt=None, info=b"sabtui " + purpose).derive(secret)
    return ChaCha20Poly1305(key)


def _make_nonce(number: int) -> bytes:
    return number.to_bytes(AEAD_NONCE_BYTES, "little")


PAGE_MARK: Final = "page"
"""Mark of all guests of this door: the secret of their page identifies them, never a name."""

_log = logging.getLogger(__name__)

T = TypeVar("T", str, bytes)


@dataclass(frozen=True, slots=True)
class LetIn:
    """A guest who was admitted on a page."""

    guest: Guest
    address: str  # the page's address
    is_new: bool  # they have proven the room code, not the secret of a seat
    arrival: Arrival
    channel: Channel
    renewed: int  # how often the code had been renewed by then


class PageRefused(Exception):
    """Raised to close a page's connection; `answer` has the reason, which the page shows."""

    def __init__(self, reason: PageRefusal, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.answer = PageAnswer(refused=reason.value, wait=wait)


class WebLogin:
    """Admits pages at the browser door of a table; only the table knows the code.

    `present` has the ids of all guests who have a screen.
    """

    def __init__(self, table: TableLink, guests: GuestBook, present: Container[str]) -> None:
        self._table = table
        self._present = present
        self._guests = guests
        self._exchanging: Final = asyncio.Lock()  # they are slow, and strangers may ask for many

    async def let_in(self, page: ServerConnection) -> LetIn:
        """Run the exchange with a page, and return its guest, a new one if it has no seat yet.

        Raises:
            BadMessage: the page has sent something that our page never sends.
            PageRefused: it is not admitted.
            TableGone: the table is closed.
            ConnectionClosed: the page is gone.
        """
        address = normalise_address(str(page.remote_address[0]))
        greeting = parse(await _receive(page, str), Greeting)
        known = self._find_guest(greeting)
        ours = await self._exchange(greeting, known, address)
        channel = make_channel(ours.secret)
        await page.send(msgspec.json.encode(PageAnswer(ours.share.hex())).decode())
        sealed = await _receive(page, bytes)
        try:
            plain = channel.open(sealed)
        except BadMessage:  # it does not have our key: the words were wrong
            if known is not None:
                raise PageRefused(PageRefusal.SEAT) from None
            self._table.send(Settle(address, is_right=False))
            raise PageRefused(PageRefusal.CODE) from None
        if known is None:
            self._table.send(Settle(address, is_right=True))
        arrival = parse(plain, Arrival)
        guest = known or self._add_guest(arrival)
        self._guests.note_visit(guest)
        await self._guests.forget_guests(self._present, self._table.is_seated)
        given = msgspec.json.encode(SeatGiven(guest.id, derive_page_secret(guest).hex()))
        await page.send(channel.seal(given))
        return LetIn(guest, address, known is None, arrival, channel, ours.renewed)

    def _find_guest(self, greeting: Greeting) -> Guest | None:
        """Return the guest of the seat that a page names, if any. Raises PageRefused."""
        if greeting.version != PAGE_VERSION:
            raise PageRefused(PageRefusal.VERSION)
        if not greeting.seat:
            return None
        guest = self._guests.get(greeting.seat)
        if guest is None or PAGE_MARK not in guest.marks:
            raise PageRefused(PageRefusal.SEAT)
        return guest

    async def _exchange(self, greeting: Greeting, known: Guest | None, address: str) -> DoorAnswer:
        """Run the exchange with the secret of a `known` guest, else with the room code.

        With the code it counts as a guess of this address, and the page may have to wait.
        """
        share, binding = bytes.fromhex(greeting.share), BINDING + bytes.fromhex(greeting.seat)
        words, answer = b"", DoorAnswer(yes=True)
        async with self._exchanging:
            if known is None:
                answer = await self._table.exchange(address, share, binding)
                if answer.wait:
                    raise PageRefused(PageRefusal.WAIT, answer.wait)
            else:
                words = derive_page_secret(known)
            if answer.yes and not answer.share:  # an open table leaves the exchange to us
                run = await asyncio.to_thread(run_exchange, share, words, binding)
                answer = replace(run, renewed=answer.renewed)
        if not answer.yes:  # the share is not valid
            raise BadMessage
        return answer

    def _add_guest(self, arrival: Arrival) -> Guest:
        """Store a guest who has typed the code, under a new seat whatever their name is."""
        name = clean_name(arrival.name)
        if not name:
            raise PageRefused(PageRefusal.NAME)
        try:
            return self._guests.add(Caller(name, PAGE_MARK))
        except OSError as error:
            _log.warning("a guest cannot be noted: %s", error)
            raise PageRefused(PageRefusal.TABLE) from error


def derive_page_secret(guest: Guest) -> bytes:
    """Return the secret that a guest's page keeps; their seat key cannot be found from it."""
    return hmac.digest(guest.key, b"sabtui page", "sha256")


async def _receive(page: ServerConnection, kind: type[T]) -> T:
    """Wait for a page's next message; raises BadMessage if it is not of this kind."""
    message = await page.recv()
    if not isinstance(message, kind):
        raise BadMessage
    return message
