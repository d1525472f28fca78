"""What the tests of the handshake share: a table, somebody who joins, and what is said between."""

from collections.abc import Callable

from net.protocol import Versions
from net.secure.code import RoomCode
from net.secure.handshake import (
    Accept,
    ClientHandshake,
    ClientStep,
    Compute,
    HandshakeFromClient,
    HandshakeFromHost,
    HandshakeRefused,
    Hello,
    HostHandshake,
    HostStep,
    Offer,
    Proof,
    Reject,
    Rejected,
    RejectReason,
    ReturnRequest,
    SendMessage,
    Share,
    TableTrust,
    Trusted,
)
from net.secure.keys import SeatKey
from net.secure.limits import GuessLimiter

CODE, OTHER_CODE = RoomCode("lantern", "tiger"), RoomCode("tiger", "lantern")

TABLE, OTHER_TABLE = b"\x01" * 32, b"\x02" * 32  # fingerprints

V1 = Versions(1, 1)

KEY, OTHER_KEY = SeatKey(b"\x01" * 32), SeatKey(b"\x02" * 32)

SEATED = frozenset({KEY.public})

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


def host_step(step: HostStep) -> SendMessage[Offer] | SendMessage[Share] | Accept | Reject:
    return step.run() if isinstance(step, Compute) else step


def client_step(
    step: ClientStep,
) -> (
    SendMessage[Hello]
    | SendMessage[Share]
    | SendMessage[Proof]
    | SendMessage[ReturnRequest]
    | Trusted
    | Rejected
):
    return step.run() if isinstance(step, Compute) else step


def play(
    client: ClientHandshake,
    trust: TableTrust,
    *,
    up: Up = lambda message: message,
    down: Down = lambda message: message,
    now: float = 0.0,
) -> tuple[Accept | Reject | None, Trusted | Rejected]:
    """Let both sides talk, through whoever sits between them; what each ends with."""
    host = HostHandshake(trust)
    outcome: Accept | Reject | None = None
    step = client_step(client.start())
    while isinstance(step, SendMessage):
        answer = host_step(host.receive(up(step.message), now))
        if not isinstance(answer, SendMessage):
            outcome = answer
        step = client_step(client.receive(down(answer.message)))
    return outcome, step


def expect_reject(why: RejectReason) -> Reject:
    return Reject(HandshakeRefused(why))
