"""What the tests of the handshake share: a table, somebody who joins, and what is said between."""

from collections.abc import Callable

from net.secure.client import ClientHandshake, ClientStep, Rejected, Trusted
from net.secure.code import RoomCode
from net.secure.guesses import GuessLimiter
from net.secure.host import HostHandshake, HostStep, TableTrust, TurnAway, Welcome
from net.secure.messages import (
    Claim,
    FromClient,
    FromHost,
    Hello,
    Offer,
    Proof,
    Refusal,
    Refused,
    Say,
    Share,
    Work,
)
from net.secure.seatkey import SeatKey
from net.secure.versions import Versions

CODE, OTHER_CODE = RoomCode("lantern", "tiger"), RoomCode("tiger", "lantern")

TABLE, OTHER_TABLE = b"\x01" * 32, b"\x02" * 32  # fingerprints

V1 = Versions(1, 1)

KEY, OTHER_KEY = SeatKey(b"\x01" * 32), SeatKey(b"\x02" * 32)

SEATED = frozenset({KEY.public})

Up = Callable[[FromClient], FromClient]

Down = Callable[[FromHost], FromHost]


def table(
    code: RoomCode | None = CODE, versions: Versions = V1, fingerprint: bytes = TABLE
) -> TableTrust:
    return TableTrust(fingerprint, versions, code, GuessLimiter(), SEATED.__contains__)


def join(
    code: RoomCode | None = CODE, versions: Versions = V1, seen: bytes = TABLE, key: SeatKey = KEY
) -> ClientHandshake:
    return ClientHandshake.join(seen, versions, key, code)


def host_step(step: HostStep) -> Say[Offer] | Say[Share] | Welcome | TurnAway:
    return step.run() if isinstance(step, Work) else step


def client_step(
    step: ClientStep,
) -> Say[Hello] | Say[Share] | Say[Proof] | Say[Claim] | Trusted | Rejected:
    return step.run() if isinstance(step, Work) else step


def play(
    client: ClientHandshake,
    trust: TableTrust,
    *,
    up: Up = lambda message: message,
    down: Down = lambda message: message,
    now: float = 0.0,
) -> tuple[Welcome | TurnAway | None, Trusted | Rejected]:
    """Let both sides talk, through whoever sits between them; what each ends with."""
    host = HostHandshake(trust)
    outcome: Welcome | TurnAway | None = None
    step = client_step(client.start())
    while isinstance(step, Say):
        answer = host_step(host.receive(up(step.message), now))
        if not isinstance(answer, Say):
            outcome = answer
        step = client_step(client.receive(down(answer.message)))
    return outcome, step


def turned_away(why: Refusal) -> TurnAway:
    return TurnAway(Refused(why))
