"""What the tests of the handshake share: a table, somebody who joins, and what is said between."""

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from net.protocol import Versions
from net.protocol.framing import Message
from net.secure.code import RoomCode
from net.secure.handshake import (
    Accept,
    AuthenticationFailed,
    ClientHandshake,
    HandshakeFromClient,
    HandshakeFromHost,
    HandshakeRefused,
    HandshakeSide,
    Hello,
    Reject,
    Rejection,
    RejectReason,
    TableTrust,
    welcome,
)
from net.secure.keys import SeatKey
from net.secure.limits import GuessLimiter

CODE, OTHER_CODE = RoomCode("lantern", "tiger"), RoomCode("tiger", "lantern")

TABLE, OTHER_TABLE = b"\x01" * 32, b"\x02" * 32  # fingerprints
V1 = Versions(1, 1)
KEY, OTHER_KEY = SeatKey(b"\x01" * 32), SeatKey(b"\x02" * 32)
SEATED = frozenset({KEY.public})

T = TypeVar("T")
Up = Callable[[HandshakeFromClient], HandshakeFromClient]
Down = Callable[[HandshakeFromHost], HandshakeFromHost]


def table(
    code: RoomCode | None = CODE, versions: Versions = V1, fingerprint: bytes = TABLE
) -> TableTrust:
    return TableTrust(fingerprint, versions, code, GuessLimiter(), SEATED.__contains__)


def join(
    code: RoomCode | None = CODE, versions: Versions = V1, seen: bytes = TABLE, key: SeatKey = KEY
) -> ClientHandshake:
    return ClientHandshake.join(seen, versions, key, code)


class Talk(Generic[T]):
    """One side of a handshake, message by message, until it has `ended`."""

    def __init__(self, side: HandshakeSide[T]) -> None:
        self.ended = False
        self.end: T | None = None
        self._side = side

    def hear(self, answer: object) -> Message | None:
        try:
            step = self._side.send(answer)
            while not isinstance(step, Message):
                step = self._side.send(step())
        except StopIteration as over:
            self.ended, self.end = True, over.value
            return None
        return step


class Host:
    """The host's side of a handshake, and how that ended."""

    def __init__(self, trust: TableTrust, now: float = 0.0) -> None:
        self.outcome: Accept | Reject | None = None
        self._trust = trust
        self._now = now
        self._talk: Talk[Accept | Reject] | None = None

    def hear(self, message: HandshakeFromClient) -> HandshakeFromHost:
        if self._talk is None:
            self._talk = Talk(welcome(self._trust, "", lambda: self._now, message))
            said = self._talk.hear(None)
        else:
            said = self._talk.hear(message)
        self.outcome = self._talk.end
        return cast("HandshakeFromHost", said if self.outcome is None else self.outcome.message)


class Client:
    """The client's side of a handshake: `hello`, whether it trusts its host, or why it does not."""

    def __init__(self, handshake: ClientHandshake) -> None:
        self.why: Rejection | None = None
        self.trusts = False
        self._talk = Talk(handshake.run())
        self.hello = cast("Hello", self._talk.hear(None))

    def hear(self, message: HandshakeFromHost) -> HandshakeFromClient | None:
        try:
            said = self._talk.hear(message)
        except AuthenticationFailed as failed:
            self.why = failed.why
            return None
        self.trusts = self._talk.ended
        return cast("HandshakeFromClient | None", said)


def play(
    handshake: ClientHandshake,
    trust: TableTrust,
    *,
    up: Up = lambda message: message,
    down: Down = lambda message: message,
    now: float = 0.0,
) -> tuple[Accept | Reject | None, Rejection | None]:
    """Let both sides talk, through whoever sits between them; what each ends with.

    A client ends with the reason why it does not trust its host, `None` if it does.
    """
    client, host = Client(handshake), Host(trust, now)
    said: HandshakeFromClient | None = client.hello
    while said is not None:
        said = client.hear(down(host.hear(up(said))))
    assert client.trusts is (client.why is None)
    return host.outcome, client.why


def noting(said: list[T]) -> Callable[[T], T]:
    """Return what passes all on, and notes it."""

    def note(message: T) -> T:
        said.append(message)
        return message

    return note


def expect_reject(why: RejectReason) -> Reject:
    return Reject(HandshakeRefused(why))
