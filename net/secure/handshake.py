"""Messages, steps and transcript of the handshake, shared by both sides, and its key exchange.

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
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Final, Generic, Protocol, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Meta

from net.protocol.fields import Wire
from net.protocol.framing import Message
from net.protocol.lobby import Term
from net.secure.code import RoomCode
from net.secure.keys import is_signed

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
