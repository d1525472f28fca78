"""The host's side of the handshake: takes the client's messages, returns the next steps.

The host sends nothing that depends on the room code before the client has proven that it knows it.
"""

from __future__ import annotations

import hmac
import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from net.protocol import Outdated, Versions, agree
from net.secure.code import RoomCode
from net.secure.handshake import (
    BadShare,
    Compute,
    HandshakeFromClient,
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
from net.secure.keys import is_signed
from net.secure.limits import GuessLimiter


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


class _Stage(Enum):
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
        self._stage = _Stage.HELLO
        self._transcript = b""
        self._statement = b""  # what a joining client has to sign
        self._secret = b""  # of the key exchange

    def receive(self, message: HandshakeFromClient, now: float) -> HostStep:
        """Return the next step, given the client's next message; `now` is in seconds."""
        stage, self._stage = self._stage, _Stage.NOTHING
        match stage, message:
            case _Stage.HELLO, Hello():
                return self._offer(message)
            case _Stage.SHARE, Share():
                return self._admit_guess(message, now)
            case _Stage.PROOF, Proof():
                return self._check_proof(message, now)
            case _Stage.RETURN, ReturnRequest():
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
        self._stage = _Stage.SHARE if hello.purpose is Purpose.JOIN else _Stage.RETURN
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
        self._stage = _Stage.PROOF
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
