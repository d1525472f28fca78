"""The handshake: its messages, key exchange and transcript, and the two sides, without a socket.

The client proves first, so a stranger gets one guess of the room code per try, and before that
nothing that depends on the code. A fake host gets one guess from a client, whose player is told;
the client must never try again unasked. A refusal may come from anyone on the network path: it is
advice to the player, and the program does nothing by itself.

The key exchange is SPAKE2 over Ed25519: a participant learns whether one guess was right, and an
eavesdropper nothing. It is plain Python and slow, about 10 ms a side: run it outside the event
loop. At an open table the two shares are random numbers instead, and the key made from them proves
nothing.

The transcript is one hash over what both sides have seen before any proof, the host's certificate
included: a proof made under one is worthless under another. Hello, OtherVersion and
HandshakeRefused never change: with them, old and new versions find out which one to update.

A table that has moved to another computer has another certificate. Its offer says who is the host
there, signed with that person's seat key, and a client that follows reveals nothing before it has
checked the signature.
"""

from __future__ import annotations

import hmac
import math
import secrets
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, TypeVar, cast, get_args

import msgspec
from msgspec import Meta

import net.secure
from net.protocol import CopyRank, Versions, agree
from net.protocol.framing import Count, Message, Wire
from net.secure.code import RoomCode
from net.secure.keys import SeatKey, is_signed
from net.secure.limits import GuessLimiter

if TYPE_CHECKING:
    import net.secure.curves

PAKE_SHARE_BYTES: Final = 33  # bytes in a share: one for the side, 32 for a point of the curve


class PakeSide(StrEnum):
    """The side that made a share; a share sent back to its sender is refused."""

    CLIENT = "A"
    HOST = "B"


class BadShare(Exception):
    """Raised for a share from the other side that no honest side sends."""


def begin_exchange(side: PakeSide, code: RoomCode | None, binding: bytes) -> Exchange:
    """Begin a run of the exchange on our side; without a code, the run of an open table.

    Both sides have to share the `binding`, such as the transcript.
    """
    if code is None:
        return OpenExchange(side, binding)
    return CodeExchange(side, str(code).encode(), binding)


class CodeExchange:
    """The exchange between two sides that know the same words, such as a room code: SPAKE2."""

    def __init__(self, side: PakeSide, words: bytes, binding: bytes) -> None:
        is_client = side is PakeSide.CLIENT
        self._run = net.secure.curves.begin_spake2(words, binding, is_client=is_client)

    def share(self) -> bytes:
        """Return our share, PAKE_SHARE_BYTES long."""
        return self._run.start()

    def key(self, theirs: bytes) -> bytes:
        """Return the 32-byte key made from their share. Raises BadShare: theirs is invalid."""
        try:
            return self._run.finish(theirs)
        except net.secure.curves.SPAKE2_ERRORS:
            raise BadShare from None


class OpenExchange:
    """The exchange of an open table: random shares, whose key anyone who sees them can make."""

    def __init__(self, side: PakeSide, binding: bytes) -> None:
        self._binding = binding
        self._ours = side.encode() + secrets.token_bytes(PAKE_SHARE_BYTES - 1)

    def share(self) -> bytes:
        """Return our share, PAKE_SHARE_BYTES long."""
        return self._ours

    def key(self, theirs: bytes) -> bytes:
        """Return the 32-byte key made from their share. Raises BadShare: our own side made it."""
        first, second = sorted((self._ours, theirs))
        if first[:1] != PakeSide.CLIENT.encode() or second[:1] != PakeSide.HOST.encode():
            raise BadShare
        return sha256(b"sabtui open table" + self._binding + first + second).digest()


Exchange: TypeAlias = CodeExchange | OpenExchange
"""One run of the exchange. Each method is called once, in this order: `share`, `key`."""


Bytes32: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Bytes64: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=64)]
PakeShare: TypeAlias = Annotated[
    bytes, Meta(min_length=PAKE_SHARE_BYTES, max_length=PAKE_SHARE_BYTES)
]
Version: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]


class Purpose(StrEnum):
    """The purpose of a connection: to join a table, or to return to a seat."""

    JOIN = "join"
    RETURN = "return"


class RejectReason(StrEnum):
    """Reason that a stranger gets when the host ends the connection, without further details."""

    WRONG_CODE = "wrong code"  # or there is a man in the middle
    NOT_SEATED = "not seated"  # no such seat key, or a wrong signature: deliberately not which
    NOT_UNDERSTOOD = "not understood"  # no honest client of the agreed version sends this


class Hello(Message, frozen=True, tag="hello"):
    """The client's first message: the versions it speaks, the purpose, and 32 random bytes."""

    low: Version
    high: Version
    purpose: Purpose
    nonce: Bytes32


class HostClaim(Wire, frozen=True):
    """The claim of a person with a seat to host the table at their computer."""

    term: Count
    key: Bytes32  # the person's public seat key
    signature: Bytes64  # of `host_statement`, by that key

    def is_signed(self, table: str, fingerprint: bytes) -> bool:
        """Return True if this person hosts the table with this id under the certificate shown."""
        return is_signed(self.key, self.signature, host_statement(table, self.term, fingerprint))


class Offer(Message, frozen=True, tag="offer"):
    """The host's answer: the version to speak, whether no code is needed, 32 fresh bytes."""

    low: Version
    high: Version
    version: Version
    is_open: bool
    nonce: Bytes32
    host: HostClaim | None = None
    """Says who hosts the table by this certificate; `None` for a club, or one of an old journal."""
    plays: bool = False
    people: Count = 0
    term: Count = 0

    @property
    def rank(self) -> CopyRank:
        """The rank of the table there; a client believes it if it trusts the host."""
        return CopyRank(self.plays, self.people, self.term)


class Share(Message, frozen=True, tag="share"):
    """One side's share of the key exchange."""

    share: PakeShare


class Proof(Message, frozen=True, tag="proof"):
    """The joining client's proof of the code, and its seat key with a signature by it."""

    key: Bytes32
    signature: Bytes64
    mac: Bytes32


class HostProof(Message, frozen=True, tag="host-proof"):
    """The host's proof of the code. From here on both sides trust the connection."""

    mac: Bytes32


class ReturnRequest(Message, frozen=True, tag="return"):
    """The returning client's seat key, and its signature of the transcript."""

    key: Bytes32
    signature: Bytes64


class Known(Message, frozen=True, tag="known"):
    """The host's answer that it knows the seat. The client knows the host by its pin."""


class HandshakeRefused(Message, frozen=True, tag="handshake-refused"):
    """The host's last message: it ends the connection for this reason."""

    why: RejectReason


class OtherVersion(Message, frozen=True, tag="other-version"):
    """The host's last message: it speaks only these versions."""

    low: Version
    high: Version


class SlowDown(Message, frozen=True, tag="slow-down"):
    """The host's last message: too many guesses were made here. `wait_ms` is in milliseconds."""

    wait_ms: Annotated[int, Meta(ge=1, le=60_000)]


HandshakeFromClient: TypeAlias = Hello | Share | Proof | ReturnRequest
HANDSHAKE_CLIENT_KINDS: Final[tuple[type[HandshakeFromClient], ...]] = get_args(HandshakeFromClient)
HandshakeFromHost: TypeAlias = (
    Offer | Share | HostProof | Known | HandshakeRefused | OtherVersion | SlowDown
)
HANDSHAKE_HOST_KINDS: Final[tuple[type[HandshakeFromHost], ...]] = get_args(HandshakeFromHost)

T = TypeVar("T")
MessageT = TypeVar("MessageT", bound=Message)

HandshakeSide: TypeAlias = Generator[Message | Callable[[], object], object, T]
"""A side of a handshake. It yields messages, each answered by the other side's next message, and
functions to call in any thread (about 10 ms), each answered by what it returns."""


def transcript(fingerprint: bytes, hello: Hello, offer: Offer) -> bytes:
    """Hash everything said before any proof; 32 bytes."""
    parts = (fingerprint, msgspec.msgpack.encode(hello), msgspec.msgpack.encode(offer))
    return _hash(b"sabtui handshake", *parts)


def join_statement(seen: bytes, client_share: bytes, host_share: bytes) -> bytes:
    """Return what a joining client signs with its new seat key; 32 bytes."""
    return _hash(b"sabtui join", seen, client_share, host_share)


def reentry_statement(seen: bytes) -> bytes:
    """Return what a returning client signs with its seat key; 32 bytes."""
    return _hash(b"sabtui return", seen)


def host_statement(table: str, term: int, fingerprint: bytes) -> bytes:
    """Return what a new host signs with its seat key, for its new certificate; 32 bytes."""
    return _hash(b"sabtui host of", table.encode(), term.to_bytes(4, "big"), fingerprint)


def client_mac(secret: bytes, statement: bytes, key: bytes, signature: bytes) -> bytes:
    """Return the client's proof of the room code; 32 bytes."""
    said = _hash(b"sabtui client", statement, key, signature)
    return hmac.digest(secret, said, "sha256")


def host_mac(secret: bytes, proof: bytes) -> bytes:
    """Return the host's proof of the room code, in answer to the client's `proof`; 32 bytes."""
    return hmac.digest(secret, _hash(b"sabtui host", proof), "sha256")


def _hash(*parts: bytes) -> bytes:
    """Hash parts, each with its length, so that different lists of parts give different input."""
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


def _compute(run: Callable[[], T]) -> HandshakeSide[T]:
    return cast("T", (yield run))


def _derive_key(exchange: Exchange, theirs: bytes) -> bytes | None:
    """Return the key of an exchange, `None` if their share is one that no honest side sends."""
    with suppress(BadShare):
        return exchange.key(theirs)
    return None


# The client's side.


class Rejection(StrEnum):
    """Reason why a client has no trusted connection."""

    WRONG_CODE = "wrong code"  # or a man in the middle; never try again unasked
    NOT_SEATED = "not seated"  # the host knows no such seat: join again
    NOT_UNDERSTOOD = "not understood"  # no version in common, or one side breaks the protocol
    SLOW_DOWN = "slow down"  # try again after `wait`
    CODE_NEEDED = "code needed"
    TABLE_IS_OPEN = "table is open"  # a code was given, but an open table proves none
    HOST_UNPROVEN = "host unproven"  # it accepted us, but does not know the code
    NOT_OUR_HOST = "not our host"  # nobody with a seat at our table has signed as its host


class AuthenticationFailed(Exception):
    """No trusted connection for a client; `wait` is in seconds, 0 unless `why` is SLOW_DOWN."""

    def __init__(self, why: Rejection, wait: float = 0.0) -> None:
        super().__init__(why)
        self.why = why
        self.wait = wait


Trusts: TypeAlias = Callable[[Offer], bool]
"""Returns True if the offer comes from a host whom we should follow."""


@dataclass(frozen=True, slots=True)
class ClientHandshake:
    """A client's side of a handshake on one connection, made by `join`, `rejoin` or `follow`."""

    purpose: Purpose
    fingerprint: bytes  # of the certificate that this handshake is for, and of no other
    versions: Versions
    key: SeatKey
    code: RoomCode | None = None
    trusts: Trusts | None = None  # `None` if pin or code prove the host

    @classmethod
    def join(
        cls, fingerprint: bytes, versions: Versions, key: SeatKey, code: RoomCode | None
    ) -> ClientHandshake:
        """Return the side of a newcomer with a new seat key; `code` is None for an open table.

        A given code is never dropped: otherwise a fake host posing as an open table would attract
        every player without knowing any code.
        """
        return cls(Purpose.JOIN, fingerprint, versions, key, code)

    @classmethod
    def rejoin(cls, pin: bytes, versions: Versions, key: SeatKey) -> ClientHandshake:
        """Make the side of a returning player; `pin` is the fingerprint kept since they joined."""
        return cls(Purpose.RETURN, pin, versions, key)

    @classmethod
    def follow(
        cls, fingerprint: bytes, versions: Versions, key: SeatKey, trusts: Trusts
    ) -> ClientHandshake:
        """Return the side of somebody who follows a table to another computer.

        `fingerprint` is that of the certificate that the connection shows. Nothing is said about
        the seat before the host there has made an offer that the caller trusts.
        """
        return cls(Purpose.RETURN, fingerprint, versions, key, trusts=trusts)

    def run(self) -> HandshakeSide[None]:
        """Run the client's side until the host is trusted. Raises AuthenticationFailed."""
        ours = self.versions
        hello = Hello(ours.low, ours.high, self.purpose, secrets.token_bytes(32))
        offer = yield from self._ask(hello, Offer)
        if agree(ours, Versions(offer.low, offer.high)) != offer.version:
            raise AuthenticationFailed(Rejection.NOT_UNDERSTOOD)
        seen = transcript(self.fingerprint, hello, offer)
        if self.trusts is not None and not self.trusts(offer):
            raise AuthenticationFailed(Rejection.NOT_OUR_HOST)
        if self.purpose is Purpose.RETURN:
            signature = self.key.sign(reentry_statement(seen))
            yield from self._ask(ReturnRequest(self.key.public, signature), Known)
            return
        if offer.is_open and self.code is not None:
            raise AuthenticationFailed(Rejection.TABLE_IS_OPEN)
        if not offer.is_open and self.code is None:
            raise AuthenticationFailed(Rejection.CODE_NEEDED)
        exchange = begin_exchange(PakeSide.CLIENT, self.code, seen)
        share = yield from _compute(exchange.share)
        theirs = (yield from self._ask(Share(share), Share)).share
        secret = yield from _compute(partial(_derive_key, exchange, theirs))
        if secret is None:
            raise AuthenticationFailed(Rejection.NOT_UNDERSTOOD)
        statement = join_statement(seen, share, theirs)
        signature = self.key.sign(statement)
        mac = client_mac(secret, statement, self.key.public, signature)
        proven = yield from self._ask(Proof(self.key.public, signature, mac), HostProof)
        if not hmac.compare_digest(host_mac(secret, mac), proven.mac):
            raise AuthenticationFailed(Rejection.HOST_UNPROVEN)

    def _ask(self, message: Message, kind: type[MessageT]) -> HandshakeSide[MessageT]:
        match (yield message):
            case kind() as answer:
                return answer
            case HandshakeRefused(why):
                raise AuthenticationFailed(Rejection(why.value))
            case SlowDown(wait_ms):
                raise AuthenticationFailed(Rejection.SLOW_DOWN, wait_ms / 1000)
            case _:
                raise AuthenticationFailed(Rejection.NOT_UNDERSTOOD)


# The host's side.


@dataclass(frozen=True, slots=True)
class Accept:
    """The end of a handshake: send the message and trust the client with this public `key`."""

    message: HostProof | Known
    key: bytes


@dataclass(frozen=True, slots=True)
class Reject:
    """The end of a handshake: send the message, close, and warn the host of wrong codes."""

    message: HandshakeRefused | OtherVersion | SlowDown
    wrong_codes: int = 0


_NOT_UNDERSTOOD: Final = Reject(HandshakeRefused(RejectReason.NOT_UNDERSTOOD))


@dataclass(frozen=True, slots=True)
class TableTrust:
    """Everything that decides whether a table accepts a stranger."""

    fingerprint: bytes
    versions: Versions
    code: RoomCode | None  # `None` at an open table
    guesses: GuessLimiter
    is_seated: Callable[[bytes], bool]  # returns True for the public key of a seat
    claim: HostClaim | None = None
    rank: CopyRank = field(default_factory=CopyRank)


def welcome(
    table: TableTrust, address: str, clock: Callable[[], float], hello: object
) -> HandshakeSide[Accept | Reject]:
    """Run the host's side for a client from this address, whose first message is `hello`."""
    if not isinstance(hello, Hello):
        return _NOT_UNDERSTOOD
    ours = table.versions
    version = agree(Versions(hello.low, hello.high), ours)
    if version is None:
        return Reject(OtherVersion(ours.low, ours.high))
    nonce, is_open = secrets.token_bytes(32), table.code is None
    offer = Offer(
        low=ours.low,
        high=ours.high,
        version=version,
        is_open=is_open,
        nonce=nonce,
        host=table.claim,
        plays=table.rank.plays,
        people=table.rank.people,
        term=table.rank.term,
    )
    seen = transcript(table.fingerprint, hello, offer)
    answer = yield offer
    match hello.purpose, answer:
        case Purpose.RETURN, ReturnRequest(key, signature):
            signed = is_signed(key, signature, reentry_statement(seen))
            if signed and table.is_seated(key):
                return Accept(Known(), key)
            return Reject(HandshakeRefused(RejectReason.NOT_SEATED))
        case Purpose.JOIN, Share(theirs):
            pass
        case _:
            return _NOT_UNDERSTOOD
    if not is_open and (wait := table.guesses.admit(address, clock())):
        return Reject(SlowDown(math.ceil(wait * 1000)))
    exchange = begin_exchange(PakeSide.HOST, table.code, seen)
    share = yield from _compute(exchange.share)
    secret = yield from _compute(partial(_derive_key, exchange, theirs))
    if secret is None:
        return _NOT_UNDERSTOOD
    proof, statement = (yield Share(share)), join_statement(seen, theirs, share)
    if not isinstance(proof, Proof):
        return _NOT_UNDERSTOOD
    expected = client_mac(secret, statement, proof.key, proof.signature)
    if not hmac.compare_digest(expected, proof.mac):
        wrong_codes = 0 if is_open else table.guesses.note_wrong()
        return Reject(HandshakeRefused(RejectReason.WRONG_CODE), wrong_codes)
    table.guesses.note_right(address, clock())
    if not is_signed(proof.key, proof.signature, statement):
        return _NOT_UNDERSTOOD
    return Accept(HostProof(host_mac(secret, proof.mac)), proof.key)
