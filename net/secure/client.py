"""The client's side of the handshake: takes the host's messages, returns the next steps.

The client trusts nothing that the host says before the host has proven itself. A refusal may come
from anyone on the network path: it is advice to the player, and nothing acts on it unasked.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import TypeAlias, assert_never

from net.protocol import Outdated, Versions, agree
from net.secure.code import RoomCode
from net.secure.handshake import (
    BadShare,
    Compute,
    Exchange,
    HandshakeFromHost,
    HandshakeRefused,
    Hello,
    HostClaim,
    HostProof,
    Known,
    Offer,
    OtherVersion,
    PakeSide,
    Proof,
    Purpose,
    RejectReason,
    ReturnRequest,
    SendMessage,
    Share,
    SlowDown,
    begin_exchange,
    client_mac,
    host_mac,
    join_statement,
    return_statement,
    transcript,
)
from net.secure.keys import SeatKey


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


class _Stage(Enum):
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
        self._stage = _Stage.OFFER
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
        stage, self._stage = self._stage, _Stage.NOTHING
        match message:
            case Offer() if stage is _Stage.OFFER:
                return self._take_offer(message)
            case Share() if stage is _Stage.SHARE:
                return Compute(lambda: self._prove(message.share))
            case HostProof() if stage is _Stage.HOST_PROOF:
                if not hmac.compare_digest(self._expected, message.mac):
                    return Rejected(Rejection.HOST_UNPROVEN)
                return Trusted()
            case Known() if stage is _Stage.KNOWN:
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
            self._stage = _Stage.KNOWN
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
        self._stage = _Stage.SHARE
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
        self._stage = _Stage.HOST_PROOF
        return SendMessage(Proof(public, signature, mac))
