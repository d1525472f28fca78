"""Messages, transcript, versions shared by both sides.

What is said before two sides trust each other, and what each step of a handshake may be.

    client                                    host
    Hello (versions, purpose, nonce)    ->
                                        <-    Offer (versions, the one to speak, open?, nonce)
  to join:
    Share                               ->
                                        <-    Share
    Proof (that it knows the code,      ->
           and its new seat key)
                                        <-    Confirm (that the host knows it, too)
  to come back:
    Claim (seat key, signature)         ->
                                        <-    Known

In place of any answer: Refused, OtherVersion or SlowDown, and the end. The client proves first,
so a stranger gets one guess a try and nothing from the host; and a fake host gets one guess a try
from a client, who is told, and must never try again by itself.

Every message fits the smallest frame. Hello, OtherVersion and Refused stay as they are for ever:
they are what lets an old version and a new one tell people which of them to update.

What both sides of a handshake have seen, as one hash, and what is proven under it.

In it: the host's certificate as each side sees it, both ranges of versions, the version, the
purpose, both nonces, and whether the table is open. A man in the middle who changes any of these
(say, offers an older version, or his own certificate) leaves the two with different transcripts,
and no proof made under one is worth anything under the other.

Which version of the protocol two sides speak, and who has to update when there is none.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from net.protocol.framing import Message
from net.security.pake import SHARE_BYTES

Bytes32: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Bytes64: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=64)]
ShareBytes: TypeAlias = Annotated[bytes, Meta(min_length=SHARE_BYTES, max_length=SHARE_BYTES)]
Version: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]


class Purpose(StrEnum):
    """What a link is for."""

    JOIN = "join"
    RETURN = "return"


class RejectReason(StrEnum):
    """All that a stranger is told about why the host ends the link."""

    WRONG_CODE = "wrong code"  # or one of the two is a man in the middle
    NOT_SEATED = "not seated"  # no such seat key, or not signed with it: not told which
    NOT_UNDERSTOOD = "not understood"  # no honest client of the agreed version says this


class Hello(Message, frozen=True):
    """The client's first words: the versions it speaks, and 32 random bytes."""

    low: Version
    high: Version
    purpose: Purpose
    nonce: Bytes32


class Offer(Message, frozen=True):
    """The host's answer: the version to speak, whether no code is needed, 32 fresh bytes."""

    low: Version
    high: Version
    version: Version
    is_open: bool
    nonce: Bytes32


class Share(Message, frozen=True):
    """One side's share of the key exchange."""

    share: ShareBytes


class Proof(Message, frozen=True):
    """The joining client's proof of the code, and its seat key with a signature by it."""

    key: Bytes32
    signature: Bytes64
    mac: Bytes32


class HostProof(Message, frozen=True):
    """The host's proof of the code. From here on both trust the link."""

    mac: Bytes32


class ReturnRequest(Message, frozen=True):
    """The returning client's seat key, and its signature under the transcript."""

    key: Bytes32
    signature: Bytes64


class Known(Message, frozen=True):
    """The host knows the seat. Who the host is, the client's pin has told before."""


class HandshakeRefused(Message, frozen=True):
    """The host ends the link."""

    why: RejectReason


class OtherVersion(Message, frozen=True):
    """The host ends the link, as it speaks only these versions."""

    low: Version
    high: Version


class SlowDown(Message, frozen=True):
    """The host ends the link: too many wrong codes were tried here. Milliseconds to wait."""

    wait_ms: Annotated[int, Meta(ge=1, le=60_000)]


HandshakeFromClient: TypeAlias = Hello | Share | Proof | ReturnRequest
HANDSHAKE_CLIENT_KINDS: Final[tuple[type[HandshakeFromClient], ...]] = (
    Hello,
    Share,
    Proof,
    ReturnRequest,
)
HandshakeFromHost: TypeAlias = (
    Offer | Share | HostProof | Known | HandshakeRefused | OtherVersion | SlowDown
)
HANDSHAKE_HOST_KINDS: Final[tuple[type[HandshakeFromHost], ...]] = (
    Offer,
    Share,
    HostProof,
    Known,
    HandshakeRefused,
    OtherVersion,
    SlowDown,
)

StepT_co = TypeVar("StepT_co", covariant=True)
MessageT_co = TypeVar("MessageT_co", bound=Message, covariant=True)


@dataclass(frozen=True, slots=True)
class SendMessage(Generic[MessageT_co]):
    """Send this, and pass on what comes back."""

    message: MessageT_co


@dataclass(frozen=True, slots=True)
class Compute(Generic[StepT_co]):
    """Call `run` in any thread (it takes about 10 ms) and go on with the step that it returns."""

    run: Callable[[], StepT_co]


def transcript(fingerprint: bytes, hello: Hello, offer: Offer) -> bytes:
    """Hash what was said before any proof: 32 bytes."""
    parts = (fingerprint, msgspec.msgpack.encode(hello), msgspec.msgpack.encode(offer))
    return _hash(b"sabtui handshake", *parts)


def join_statement(seen: bytes, client_share: bytes, host_share: bytes) -> bytes:
    """Make what a joining client signs with its new seat key."""
    return _hash(b"sabtui join", seen, client_share, host_share)


def return_statement(seen: bytes) -> bytes:
    """Make what a returning client signs with its seat key."""
    return _hash(b"sabtui return", seen)


def client_mac(secret: bytes, statement: bytes, key: bytes, signature: bytes) -> bytes:
    """Make the client's proof of the room code."""
    said = _hash(b"sabtui client", statement, key, signature)
    return hmac.digest(secret, said, "sha256")


def host_mac(secret: bytes, proof: bytes) -> bytes:
    """Make the host's proof of the room code, an answer to the client's."""
    return hmac.digest(secret, _hash(b"sabtui host", proof), "sha256")


def _hash(*parts: bytes) -> bytes:
    """Hash parts so that no two lists of them give the same input."""
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


class Outdated(StrEnum):
    """Which side is too old for the other."""

    CLIENT = "client"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Versions:
    """All versions from `low` to `high`, both spoken."""

    low: int
    high: int


def agree(client: Versions, host: Versions) -> int | Outdated:
    """Give the newest version that both speak, or the side that needs an update.

    That both saw the same two ranges is proven later: they are part of the transcript.
    """
    version = min(client.high, host.high)
    if version >= max(client.low, host.low):
        return version
    return Outdated.CLIENT if client.high < host.low else Outdated.HOST
