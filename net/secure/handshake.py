"""The handshake: its messages, key exchange and transcript, and the two sides, without a socket.

Each side takes the other's messages and returns its next steps. The client trusts nothing that the
host says before the host has proven itself. A refusal may come from anyone on the network path: it
is advice to the player, and nothing acts on it unasked. The host sends nothing that depends on the
room code before the client has proven that it knows it.

The key exchange is SPAKE2 over Ed25519: a participant learns whether one guess was right and
nothing to test further guesses on, and an eavesdropper learns nothing. It is plain Python and slow,
about 10 ms a side: run it off the event loop. At an open table the two shares are random numbers
instead, and the key made of them proves nothing. This is the only module that uses the spake2
package, which has no types.

    client                                    host
    Hello (versions, purpose, nonce)    ->
                                        <-    Offer (versions, the one to speak, open?, nonce)
  to join:
    Share                               ->
                                        <-    Share
    Proof (that it knows the code,      ->
           and its new seat key)
                                        <-    HostProof (that the host knows the code, too)
  to come back, or to follow a table to a new host:
    ReturnRequest (seat key, signature) ->
                                        <-    Known

In place of any answer the host may send HandshakeRefused, OtherVersion or SlowDown, which ends the
handshake. The client proves first, so a stranger gets one guess per try and nothing from the host;
a fake host gets one guess per try from a client, whose player is told, and which must never try
again by itself.

Every message fits the smallest frame. Hello, OtherVersion and HandshakeRefused never change: they
let an old version and a new one tell their players which of the two to update.

The transcript is one hash over what both sides have seen before any proof: the host's certificate,
both ranges of versions, the version, the purpose, both nonces, and whether the table is open. A man
in the middle who changes any of these (say, offers an older version, or his own certificate) leaves
the two sides with different transcripts, and a proof made under one is worthless under the other.

A table that goes on at another computer has another certificate. Its offer says who is the host
there, in which term, with a signature by the seat key of that person. A client that follows knows
the public seat keys of those who have seats, and tells nothing before it has checked the signature.
"""

from __future__ import annotations

import hmac
import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from hashlib import sha256
from typing import Annotated, Final, Generic, Protocol, TypeAlias, TypeVar, assert_never, get_args

import msgspec
from msgspec import Meta

from net.protocol import Outdated, Versions, agree
from net.protocol.fields import Wire
from net.protocol.framing import Message
from net.protocol.lobby import Term
from net.secure.code import RoomCode
from net.secure.keys import SeatKey, is_signed
from net.secure.limits import GuessLimiter

PAKE_SHARE_BYTES: Final = 33  # bytes in a share: one for the side, 32 for a point of the curve


class PakeSide(StrEnum):
    """The side that made a share; a share sent back to its sender is refused."""

    CLIENT = "A"
    HOST = "B"


class BadShare(Exception):
    """Raised for a share from the other side that no honest side sends."""


def begin_exchange(side: PakeSide, code: RoomCode | None, binding: bytes) -> Exchange:
    """Begin a run of the exchange; without a code, the run of an open table.

    Args:
        side: our side.
        code: the room code, which both sides have to know.
        binding: bytes that both sides have to share, such as the transcript.
    """
    if code is None:
        return OpenExchange(side, binding)
    return CodeExchange(side, str(code).encode(), binding)


class _Spake2(Protocol):
    def start(self) -> bytes: ...
    def finish(self, inbound_side_and_message: bytes) -> bytes: ...


class CodeExchange:
    """The exchange of two who know the same words, such as a room code: SPAKE2."""

    def __init__(self, side: PakeSide, words: bytes, binding: bytes) -> None:
        import spake2  # type: ignore[import-untyped] # noqa: PLC0415 - heavy, and without types

        kind = spake2.SPAKE2_A if side is PakeSide.CLIENT else spake2.SPAKE2_B
        self._run: _Spake2 = kind(words, idA=b"sabtui client", idB=binding)

    def share(self) -> bytes:
        """Return our share, PAKE_SHARE_BYTES long."""
        return self._run.start()

    def key(self, theirs: bytes) -> bytes:
        """Return the key, 32 bytes, made from their share.

        Raises BadShare: their share is no point, not of the right group, or of our own side.
        """
        from spake2 import SPAKEError  # noqa: PLC0415 - heavy
        from spake2.ed25519_basic import NotOnCurve  # type: ignore[import-untyped] # noqa: PLC0415 - heavy, and without types

        try:
            return self._run.finish(theirs)
        except (SPAKEError, NotOnCurve, ValueError):
            raise BadShare from None


class OpenExchange:
    """The exchange of an open table: random shares, whose key anyone who sees them can make."""

    def __init__(self, side: PakeSide, binding: bytes) -> None:
        self._side = side
        self._binding = binding
        self._ours = side.encode() + secrets.token_bytes(PAKE_SHARE_BYTES - 1)

    def share(self) -> bytes:
        """Return our share, PAKE_SHARE_BYTES long."""
        return self._ours

    def key(self, theirs: bytes) -> bytes:
        """Return the key, 32 bytes, made from their share.

        Raises BadShare: their share is of our own side.
        """
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
    """Reason that a stranger is given when the host ends the connection; it says no more."""

    WRONG_CODE = "wrong code"  # or one of the two is a man in the middle
    NOT_SEATED = "not seated"  # no such seat key, or a wrong signature: never says which
    NOT_UNDERSTOOD = "not understood"  # no honest client of the agreed version sends this


class Hello(Message, frozen=True, tag="hello"):
    """The client's first message: the versions it speaks, the purpose, and 32 random bytes."""

    low: Version
    high: Version
    purpose: Purpose
    nonce: Bytes32


class HostClaim(Wire, frozen=True):
    """The claim of a person with a seat to host the table, which goes on at their computer."""

    term: Term
    key: Bytes32
    """The person's public seat key."""
    signature: Bytes64
    """By that key, under `host_statement`."""

    def is_signed(self, table: str, fingerprint: bytes) -> bool:
        """Return True if this person hosts the table with this id by the certificate shown."""
        return is_signed(self.key, self.signature, host_statement(table, self.term, fingerprint))


class Offer(Message, frozen=True, tag="offer"):
    """The host's answer: the version to speak, whether no code is needed, 32 fresh bytes."""

    low: Version
    high: Version
    version: Version
    is_open: bool
    nonce: Bytes32
    host: HostClaim | None = None
    """Says who goes on with the table; `None` at the computer where it was opened."""


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
    """The returning client's seat key, and its signature under the transcript."""

    key: Bytes32
    signature: Bytes64


class Known(Message, frozen=True, tag="known"):
    """The host's answer that it knows the seat. The client knows the host by its pin already."""


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

StepT_co = TypeVar("StepT_co", covariant=True)
MessageT_co = TypeVar("MessageT_co", bound=Message, covariant=True)


@dataclass(frozen=True, slots=True)
class SendMessage(Generic[MessageT_co]):
    """The step: send this message, and pass the answer to `receive`."""

    message: MessageT_co


@dataclass(frozen=True, slots=True)
class Compute(Generic[StepT_co]):
    """The step: call `run` in any thread (about 10 ms) and go on with the step it returns."""

    run: Callable[[], StepT_co]


def transcript(fingerprint: bytes, hello: Hello, offer: Offer) -> bytes:
    """Return the hash of all that was said before any proof, 32 bytes."""
    parts = (fingerprint, msgspec.msgpack.encode(hello), msgspec.msgpack.encode(offer))
    return _hash(b"sabtui handshake", *parts)


def join_statement(seen: bytes, client_share: bytes, host_share: bytes) -> bytes:
    """Return the statement that a joining client signs with its new seat key, 32 bytes."""
    return _hash(b"sabtui join", seen, client_share, host_share)


def return_statement(seen: bytes) -> bytes:
    """Return the statement that a returning client signs with its seat key, 32 bytes."""
    return _hash(b"sabtui return", seen)


def host_statement(table: str, term: int, fingerprint: bytes) -> bytes:
    """Return the statement that a new host signs with its seat key, 32 bytes.

    `table` is the table's id, `fingerprint` that of the certificate by which it goes on.
    """
    return _hash(b"sabtui host of", table.encode(), term.to_bytes(4, "big"), fingerprint)


def client_mac(secret: bytes, statement: bytes, key: bytes, signature: bytes) -> bytes:
    """Return the client's proof of the room code, 32 bytes."""
    said = _hash(b"sabtui client", statement, key, signature)
    return hmac.digest(secret, said, "sha256")


def host_mac(secret: bytes, proof: bytes) -> bytes:
    """Return the host's proof of the room code, the answer to the client's `proof`, 32 bytes."""
    return hmac.digest(secret, _hash(b"sabtui host", proof), "sha256")


def _hash(*parts: bytes) -> bytes:
    """Hash parts, each with its length, so that no two lists of parts give the same input."""
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


# The client's side.


class Rejection(StrEnum):
    """Reason for which a client has no trusted connection."""

    WRONG_CODE = "wrong code"  # or a man in the middle; never try again unasked
    NOT_SEATED = "not seated"  # the host knows no such seat: join again
    NOT_UNDERSTOOD = "not understood"  # one of the two sides breaks the protocol
    UPDATE_CLIENT = "update client"
    UPDATE_HOST = "update host"
    SLOW_DOWN = "slow down"  # try again after `wait`
    CODE_NEEDED = "code needed"
    TABLE_IS_OPEN = "table is open"  # a code was given, but an open table proves none
    HOST_UNPROVEN = "host unproven"  # it accepted us, but does not know the code
    NOT_OUR_HOST = "not our host"  # nobody with a seat of ours has signed that they host


@dataclass(frozen=True, slots=True)
class Rejected:
    """The order to close the connection. `wait` is in seconds, 0 unless the reason is SLOW_DOWN."""

    why: Rejection
    wait: float = 0.0


@dataclass(frozen=True, slots=True)
class Trusted:
    """The end of a handshake that succeeded. The caller keeps the fingerprint and the seat key."""


ClientSays: TypeAlias = (
    SendMessage[Hello] | SendMessage[Share] | SendMessage[Proof] | SendMessage[ReturnRequest]
)
ClientStep: TypeAlias = ClientSays | Compute[ClientSays | Rejected] | Trusted | Rejected


class _ClientStage(Enum):
    """The message that has to come next."""

    OFFER = auto()
    SHARE = auto()
    HOST_PROOF = auto()
    KNOWN = auto()
    NOTHING = auto()


_REFUSED = {
    RejectReason.WRONG_CODE: Rejection.WRONG_CODE,
    RejectReason.NOT_SEATED: Rejection.NOT_SEATED,
    RejectReason.NOT_UNDERSTOOD: Rejection.NOT_UNDERSTOOD,
}


Trusts: TypeAlias = Callable[[HostClaim], bool]
"""Returns True if a claim is signed, and by somebody whom the table is to be followed to."""


class ClientHandshake:
    """The handshake of one connection; ends at Trusted or Rejected.

    It is made by `join`, `come_back` or `follow`.

    `fingerprint` is of the certificate that this handshake is for; it is good for no other.
    """

    def __init__(
        self,
        purpose: Purpose,
        fingerprint: bytes,
        versions: Versions,
        key: SeatKey,
        code: RoomCode | None,
    ) -> None:
        self.fingerprint = fingerprint
        self._versions = versions
        self._key = key
        self._code = code
        self._hello = Hello(versions.low, versions.high, purpose, secrets.token_bytes(32))
        self._stage = _ClientStage.OFFER
        self._transcript = b""
        self._exchange: Exchange | None = None
        self._share = b""
        self._expected = b""  # the host's proof
        self._trusts: Trusts | None = None  # `None` where pin or code prove the host

    @classmethod
    def join(
        cls, fingerprint: bytes, versions: Versions, key: SeatKey, code: RoomCode | None
    ) -> ClientHandshake:
        """Begin to join a table with a new seat key.

        Args:
            fingerprint: of the certificate that the connection shows.
            versions: the protocol versions that we speak.
            key: the new seat key.
            code: None for an open table. A given code is never dropped: otherwise a fake host that
                poses as an open table would get every player without knowing any code.
        """
        return cls(Purpose.JOIN, fingerprint, versions, key, code)

    @classmethod
    def come_back(cls, pin: bytes, versions: Versions, key: SeatKey) -> ClientHandshake:
        """Begin to return to a joined table; `pin` is the fingerprint kept since joining."""
        return cls(Purpose.RETURN, pin, versions, key, None)

    @classmethod
    def follow(
        cls, fingerprint: bytes, versions: Versions, key: SeatKey, trusts: Trusts
    ) -> ClientHandshake:
        """Begin to return to a seat at a table that may go on at another computer.

        `fingerprint` is of the certificate that the connection shows. Nothing is told of the seat
        before the host there has shown a claim that the caller trusts.
        """
        handshake = cls(Purpose.RETURN, fingerprint, versions, key, None)
        handshake._trusts = trusts
        return handshake

    def start(self) -> SendMessage[Hello]:
        """Return the first message to send."""
        return SendMessage(self._hello)

    def receive(self, message: HandshakeFromHost) -> ClientStep:
        """Return the next step, given the host's next message."""
        stage, self._stage = self._stage, _ClientStage.NOTHING
        match message:
            case Offer() if stage is _ClientStage.OFFER:
                return self._take_offer(message)
            case Share() if stage is _ClientStage.SHARE:
                return Compute(lambda: self._prove(message.share))
            case HostProof() if stage is _ClientStage.HOST_PROOF:
                if not hmac.compare_digest(self._expected, message.mac):
                    return Rejected(Rejection.HOST_UNPROVEN)
                return Trusted()
            case Known() if stage is _ClientStage.KNOWN:
                return Trusted()
            case HandshakeRefused():
                return Rejected(_REFUSED[message.why])
            case OtherVersion():
                return self._reject_version(message)
            case SlowDown():
                return Rejected(Rejection.SLOW_DOWN, message.wait_ms / 1000)
            case Offer() | Share() | HostProof() | Known():
                return Rejected(Rejection.NOT_UNDERSTOOD)
            case _:
                assert_never(message)

    def _reject_version(self, host: OtherVersion) -> Rejected:
        match agree(self._versions, Versions(host.low, host.high)):
            case Outdated.CLIENT:
                return Rejected(Rejection.UPDATE_CLIENT)
            case Outdated.HOST:
                return Rejected(Rejection.UPDATE_HOST)
            case _:  # the versions do fit, so an honest host would not send this
                return Rejected(Rejection.NOT_UNDERSTOOD)

    def _take_offer(self, offer: Offer) -> ClientStep:
        if agree(self._versions, Versions(offer.low, offer.high)) != offer.version:
            return Rejected(Rejection.NOT_UNDERSTOOD)
        self._transcript = transcript(self.fingerprint, self._hello, offer)
        if self._trusts is not None and (offer.host is None or not self._trusts(offer.host)):
            return Rejected(Rejection.NOT_OUR_HOST)
        if self._hello.purpose is Purpose.RETURN:
            self._stage = _ClientStage.KNOWN
            signature = self._key.sign(return_statement(self._transcript))
            return SendMessage(ReturnRequest(self._key.public, signature))
        if offer.is_open and self._code is not None:
            return Rejected(Rejection.TABLE_IS_OPEN)
        if not offer.is_open and self._code is None:
            return Rejected(Rejection.CODE_NEEDED)
        return Compute(self._begin)

    def _begin(self) -> SendMessage[Share]:
        self._exchange = begin_exchange(PakeSide.CLIENT, self._code, self._transcript)
        self._share = self._exchange.share()
        self._stage = _ClientStage.SHARE
        return SendMessage(Share(self._share))

    def _prove(self, theirs: bytes) -> SendMessage[Proof] | Rejected:
        assert self._exchange is not None
        try:
            secret = self._exchange.key(theirs)
        except BadShare:
            return Rejected(Rejection.NOT_UNDERSTOOD)
        statement = join_statement(self._transcript, self._share, theirs)
        public, signature = self._key.public, self._key.sign(statement)
        mac = client_mac(secret, statement, public, signature)
        self._expected = host_mac(secret, mac)
        self._stage = _ClientStage.HOST_PROOF
        return SendMessage(Proof(public, signature, mac))


# The host's side.


@dataclass(frozen=True, slots=True)
class Accept:
    """The step: send the message and trust the connection; `key` is the client's public key."""

    message: HostProof | Known
    key: bytes


@dataclass(frozen=True, slots=True)
class Reject:
    """The step: send the message and close; warn the host of so many wrong codes, if any."""

    message: HandshakeRefused | OtherVersion | SlowDown
    wrong_codes: int = 0


HostSays: TypeAlias = SendMessage[Offer] | SendMessage[Share]
HostStep: TypeAlias = HostSays | Compute[SendMessage[Share] | Reject] | Accept | Reject


class _HostStage(Enum):
    """The message that has to come next."""

    HELLO = auto()
    SHARE = auto()
    PROOF = auto()
    RETURN = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class TableTrust:
    """All that decides whether one table accepts a stranger.

    `code` is None at an open table. `is_seated` returns True for the public key of a seat. `claim`
    says who goes on with a table that was opened at another computer.
    """

    fingerprint: bytes
    versions: Versions
    code: RoomCode | None
    guesses: GuessLimiter
    is_seated: Callable[[bytes], bool]
    claim: HostClaim | None = None


class HostHandshake:
    """The handshake of one connection, from `address`; over after Accept or Reject."""

    def __init__(self, table: TableTrust, address: str = "") -> None:
        self._table = table
        self._address = address
        self._stage = _HostStage.HELLO
        self._transcript = b""
        self._statement = b""  # what a joining client has to sign
        self._secret = b""  # of the key exchange

    def receive(self, message: HandshakeFromClient, now: float) -> HostStep:
        """Return the next step, given the client's next message; `now` is in seconds."""
        stage, self._stage = self._stage, _HostStage.NOTHING
        match stage, message:
            case _HostStage.HELLO, Hello():
                return self._offer(message)
            case _HostStage.SHARE, Share():
                return self._admit_guess(message, now)
            case _HostStage.PROOF, Proof():
                return self._check_proof(message, now)
            case _HostStage.RETURN, ReturnRequest():
                return self._check_return(message)
            case _:
                return Reject(HandshakeRefused(RejectReason.NOT_UNDERSTOOD))

    def _offer(self, hello: Hello) -> HostStep:
        ours = self._table.versions
        version = agree(Versions(hello.low, hello.high), ours)
        if isinstance(version, Outdated):
            return Reject(OtherVersion(ours.low, ours.high))
        is_open = self._table.code is None
        nonce = secrets.token_bytes(32)
        offer = Offer(ours.low, ours.high, version, is_open, nonce, self._table.claim)
        self._transcript = transcript(self._table.fingerprint, hello, offer)
        self._stage = _HostStage.SHARE if hello.purpose is Purpose.JOIN else _HostStage.RETURN
        return SendMessage(offer)

    def _admit_guess(self, message: Share, now: float) -> HostStep:
        if self._table.code is not None:
            wait = self._table.guesses.admit(self._address, now)
            if wait:
                return Reject(SlowDown(math.ceil(wait * 1000)))
        return Compute(lambda: self._exchange(message.share))

    def _exchange(self, theirs: bytes) -> SendMessage[Share] | Reject:
        run = begin_exchange(PakeSide.HOST, self._table.code, self._transcript)
        ours = run.share()
        try:
            self._secret = run.key(theirs)
        except BadShare:
            return Reject(HandshakeRefused(RejectReason.NOT_UNDERSTOOD))
        self._statement = join_statement(self._transcript, theirs, ours)
        self._stage = _HostStage.PROOF
        return SendMessage(Share(ours))

    def _check_proof(self, proof: Proof, now: float) -> HostStep:
        expected = client_mac(self._secret, self._statement, proof.key, proof.signature)
        if not hmac.compare_digest(expected, proof.mac):
            wrong_codes = 0 if self._table.code is None else self._table.guesses.wrong()
            return Reject(HandshakeRefused(RejectReason.WRONG_CODE), wrong_codes)
        self._table.guesses.right(self._address, now)
        if not is_signed(proof.key, proof.signature, self._statement):
            return Reject(HandshakeRefused(RejectReason.NOT_UNDERSTOOD))
        confirm = HostProof(host_mac(self._secret, proof.mac))
        return Accept(confirm, proof.key)

    def _check_return(self, request: ReturnRequest) -> HostStep:
        signed = is_signed(request.key, request.signature, return_statement(self._transcript))
        if not signed or not self._table.is_seated(request.key):
            return Reject(HandshakeRefused(RejectReason.NOT_SEATED))
        return Accept(Known(), request.key)
