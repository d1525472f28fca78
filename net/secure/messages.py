"""What is said before two sides trust each other, and what each step of a handshake may be.

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
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Generic, TypeAlias, TypeVar

from msgspec import Meta

from net.frames import Message
from net.secure.pake import SHARE

Bytes32: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Bytes64: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=64)]
ShareBytes: TypeAlias = Annotated[bytes, Meta(min_length=SHARE, max_length=SHARE)]
Version: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]


class Purpose(StrEnum):
    """What a link is for."""

    JOIN = "join"
    RETURN = "return"


class Refusal(StrEnum):
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


class Confirm(Message, frozen=True):
    """The host's proof of the code. From here on both trust the link."""

    mac: Bytes32


class Claim(Message, frozen=True):
    """The returning client's seat key, and its signature under the transcript."""

    key: Bytes32
    signature: Bytes64


class Known(Message, frozen=True):
    """The host knows the seat. Who the host is, the client's pin has told before."""


class Refused(Message, frozen=True):
    """The host ends the link."""

    why: Refusal


class OtherVersion(Message, frozen=True):
    """The host ends the link, as it speaks only these versions."""

    low: Version
    high: Version


class SlowDown(Message, frozen=True):
    """The host ends the link: too many wrong codes were tried here. Milliseconds to wait."""

    wait_ms: Annotated[int, Meta(ge=1, le=60_000)]


FromClient: TypeAlias = Hello | Share | Proof | Claim
CLIENT_KINDS: Final[tuple[type[FromClient], ...]] = (Hello, Share, Proof, Claim)
FromHost: TypeAlias = Offer | Share | Confirm | Known | Refused | OtherVersion | SlowDown
HOST_KINDS: Final[tuple[type[FromHost], ...]] = (
    Offer,
    Share,
    Confirm,
    Known,
    Refused,
    OtherVersion,
    SlowDown,
)

StepT_co = TypeVar("StepT_co", covariant=True)
MessageT_co = TypeVar("MessageT_co", bound=Message, covariant=True)


@dataclass(frozen=True, slots=True)
class Say(Generic[MessageT_co]):
    """Send this, and pass on what comes back."""

    message: MessageT_co


@dataclass(frozen=True, slots=True)
class Work(Generic[StepT_co]):
    """Call `run` in any thread (it takes about 10 ms) and go on with the step that it returns."""

    run: Callable[[], StepT_co]
