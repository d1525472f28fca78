"""Keys that a page and the browser door agree on, and their messages, without a socket.

A page comes over plain HTTP, where anybody on the network can listen. So page and door never send
the room code, nor anything else that a listener could use: they run SPAKE2 with the code (that of
`net.secure.pake`, in the page `exchange.js`), and all that follows is sealed with keys made of
it. A listener who knows the code cannot read either, as both sides add fresh random numbers.
Somebody who can change what travels could send another page; against that only certificates help,
which browsers do not accept from a laptop without a warning on a whole page.

    page -> door    Greeting      text, the only one in the clear
    door -> page    PageAnswer    text: the door's share, or why not
    page -> door    Arrival       sealed; what shows that the page knew the code
    door -> page    SeatGiven     sealed; the seat to come back with
    both            frames        sealed: a letter, then bytes (`FrameKind`)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from net.secure.pake import BadShare, CodeExchange, PakeSide
from sabtui.doors.padding import FILLER

PAGE_VERSION: Final = 2
"""Version of the messages of page and door; a page of another version is told to reload itself."""

BINDING: Final = b"sabtui page 2"
"""Bytes that both sides mix into the exchange beside the words, before the id of a seat."""

MAX_GREETING_BYTES: Final = 512
MAX_FROM_PAGE_BYTES: Final = 8192
"""Most bytes of one message of a page: a line of JSON is far shorter."""

KEY_BYTES: Final = 32
AEAD_NONCE_BYTES: Final = 12

TypedText = Annotated[str, msgspec.Meta(max_length=80)]
Hex = Annotated[str, msgspec.Meta(max_length=80, pattern=r"\A([0-9a-f]{2})*\Z")]
HexShare = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{2}){33}\Z")]


class PageRefusal(StrEnum):
    """Reason for not letting a page in; `words.js` has a sentence for each."""

    CODE = "code"
    SEAT = "seat"
    WAIT = "wait"
    FULL = "full"
    VERSION = "version"
    TABLE = "table"
    NAME = "name"


class Greeting(msgspec.Struct, frozen=True):
    """A page's first message: its share, and the id of the seat it comes back to, "" for none.

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
    """The guest at a page: name and language. A `stage` watches."""

    name: TypedText
    language: TypedText = ""
    stage: bool = False


class SeatGiven(msgspec.Struct, frozen=True):
    """The seat to come back with: its id and its secret."""

    seat: Hex
    secret: Hex


class FrameKind(StrEnum):
    """First letter of a sealed frame.

    Page and door send each other lines of JSON, cut anywhere (docs/json.md), and fill them up with
    NUL bytes, as their length can be seen on the way; a door says, too, that the client has ended.
    """

    LINES = "l"
    ENDED = "e"


class BadMessage(Exception):
    """Raised for a message that no page of ours sends."""


class WrongWords(BadMessage):
    """Raised for an arrival that was not sealed with our key: the code was a wrong one."""


@dataclass(slots=True)
class Channel:
    """The sealed messages of one connection; each side counts its own."""

    _sealing: ChaCha20Poly1305
    _opening: ChaCha20Poly1305
    _sent: int = field(default=0)
    _received: int = field(default=0)

    def seal(self, plain: bytes) -> bytes:
        """Return our next message, sealed."""
        self._sent += 1
        return self._sealing.encrypt(_nonce(self._sent), plain, None)

    def open(self, sealed: bytes) -> bytes:
        """Return their next message; raises BadMessage if it is not theirs, or not the next."""
        self._received += 1
        try:
            return self._opening.decrypt(_nonce(self._received), sealed, None)
        except InvalidTag:
            raise BadMessage from None


def parse_greeting(text: str) -> Greeting:
    """Parse a page's first message; raises BadMessage."""
    if len(text) > MAX_GREETING_BYTES:
        raise BadMessage
    try:
        return msgspec.json.decode(text, type=Greeting)
    except msgspec.DecodeError:
        raise BadMessage from None


def binding_of(greeting: Greeting) -> bytes:
    """Return what both sides mix into the exchange beside the words."""
    return BINDING + bytes.fromhex(greeting.seat)


def exchange(share: bytes, words: bytes, binding: bytes) -> tuple[bytes, bytes]:
    """Run the door's side of the exchange; return its share, and the secret that comes of it.

    It takes about 10 ms, so it belongs in a thread. `words` are the code, or a seat's secret.

    Raises BadMessage: their share is no share.
    """
    run = CodeExchange(PakeSide.HOST, words, binding)
    ours = run.share()
    try:
        return ours, run.key(share)
    except BadShare:
        raise BadMessage from None


def channel_of(secret: bytes) -> Channel:
    """Return the door's side of the channel that comes of an exchange."""
    return Channel(_cipher(secret, b"door to page"), _cipher(secret, b"page to door"))


def open_arrival(channel: Channel, sealed: bytes) -> Arrival:
    """Open and parse a page's arrival.

    Raises:
        WrongWords: the page did not know the words.
        BadMessage: it knew them, but says what no page of ours says.
    """
    try:
        plain = channel.open(sealed)
    except BadMessage:
        raise WrongWords from None
    try:
        return msgspec.json.decode(plain, type=Arrival)
    except msgspec.DecodeError:
        raise BadMessage from None


def parse_frame(plain: bytes) -> bytes:
    """Return the lines in a frame of a page; raises BadMessage."""
    kind, data = plain[:1].decode("latin-1"), plain[1:]
    if kind == FrameKind.LINES:
        return data.rstrip(FILLER)
    raise BadMessage


def frame(kind: FrameKind, data: bytes = b"") -> bytes:
    """Return a frame of the door, to be sealed."""
    return kind.encode() + data


def _cipher(secret: bytes, purpose: bytes) -> ChaCha20Poly1305:
    key = HKDF(SHA256(), KEY_BYTES, salt=None, info=b"sabtui " + purpose).derive(secret)
    return ChaCha20Poly1305(key)


def _nonce(number: int) -> bytes:
    return number.to_bytes(AEAD_NONCE_BYTES, "little")
