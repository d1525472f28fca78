"""The handshake with somebody in between, who changes, repeats, reorders and makes up messages.

A host that trusts has heard word for word what one client said, and a client who joins what one
host said that trusts. Who comes back knows the host by its certificate, which the connection has
checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec
from hypothesis import strategies as st

from net.protocol import Versions
from net.protocol.framing import Message
from net.secure.code import RoomCode
from net.secure.handshake import (
    Accept,
    ClientHandshake,
    HandshakeFromClient,
    HandshakeFromHost,
    HandshakeRefused,
    Hello,
    HostProof,
    Known,
    Offer,
    OtherVersion,
    Proof,
    Purpose,
    RejectReason,
    ReturnRequest,
    Share,
    SlowDown,
    TableTrust,
)
from net.secure.keys import SeatKey
from net.secure.limits import GuessLimiter
from tests.fuzz.fuzzing import fuzz
from tests.net.secure.test_handshake import Client, Host

CODE, OTHER_CODE = RoomCode("lantern", "tiger"), RoomCode("tiger", "lantern")
TABLE, OTHER_TABLE = b"\x01" * 32, b"\x02" * 32  # fingerprints
SEATED, STRANGER = SeatKey(b"\x01" * 32), SeatKey(b"\x02" * 32)
SPOKEN = Versions(1, 3)

Act = tuple[str, bool, int, int]
"""How somebody meddles, whether on the way up, on which connection, and a number to choose by."""

MessageT = TypeVar("MessageT", bound=Message)
Up = list[HandshakeFromClient]
Down = list[HandshakeFromHost]

MADE_UP: Up = [
    Hello(1, 3, Purpose.JOIN, bytes(32)),
    Hello(1, 1, Purpose.RETURN, bytes(32)),
    Share(b"A" + bytes(32)),
    Proof(SEATED.public, bytes(64), bytes(32)),
    ReturnRequest(SEATED.public, bytes(64)),
]
MADE_DOWN: Down = [
    Offer(1, 3, 3, is_open=False, nonce=bytes(32)),
    Offer(1, 3, 3, is_open=True, nonce=bytes(32)),
    Share(b"B" + bytes(32)),
    HostProof(bytes(32)),
    Known(),
    HandshakeRefused(RejectReason.WRONG_CODE),
    OtherVersion(1, 1),
    SlowDown(3000),
]


@dataclass
class HostEnd:
    """A host's side of one connection, what it was told and what it said."""

    host: Host
    heard: Up = field(default_factory=list)
    said: Down = field(default_factory=list)

    @property
    def over(self) -> bool:
        """True if the handshake has ended."""
        return self.host.outcome is not None

    @property
    def trusts(self) -> bool:
        """True if it has let the client in."""
        return isinstance(self.host.outcome, Accept)

    def hear(self, message: HandshakeFromClient) -> None:
        """Take in a message, unless the connection is over."""
        if not self.over:
            self.heard.append(message)
            self.said.append(self.host.hear(message))


@dataclass
class ClientEnd:
    """A client's side of one connection, who comes back or `joins`."""

    client: Client
    joins: bool
    heard: Down = field(default_factory=list)
    said: Up = field(default_factory=list)

    def __post_init__(self) -> None:
        self.said.append(self.client.hello)

    @property
    def over(self) -> bool:
        """True if the handshake has ended."""
        return self.client.trusts or self.client.why is not None

    @property
    def trusts(self) -> bool:
        """True if it trusts its host."""
        return self.client.trusts

    def hear(self, message: HandshakeFromHost) -> None:
        """Take in a message, unless the connection is over."""
        if self.over:
            return
        self.heard.append(message)
        said = self.client.hear(message)
        if said is not None:
            self.said.append(said)


def client(kind: int) -> ClientEnd:
    """A client: one who comes back, who joins, a stranger, and two who are at the wrong table."""
    come_back, join = ClientHandshake.come_back, ClientHandshake.join
    handshake = (
        come_back(TABLE, SPOKEN, SEATED),
        join(TABLE, SPOKEN, STRANGER, CODE),
        come_back(TABLE, SPOKEN, STRANGER),
        come_back(OTHER_TABLE, SPOKEN, SEATED),
        join(TABLE, SPOKEN, STRANGER, OTHER_CODE),
    )[kind]
    return ClientEnd(Client(handshake), joins=kind in (1, 4))


def host() -> HostEnd:
    """A host of a table with a code."""
    is_seated = frozenset({SEATED.public}).__contains__
    return HostEnd(Host(TableTrust(TABLE, SPOKEN, CODE, GuessLimiter(), is_seated)))


def change_message(message: MessageT, where: int) -> MessageT:
    """The message with one bit or number of it changed, if there is anything to change."""
    fields = message.__struct_fields__
    if not fields:
        return message
    name = fields[where % len(fields)]
    value = getattr(message, name)
    if isinstance(value, bytes):
        at = where % len(value)
        value = value[:at] + bytes([value[at] ^ 1 << where % 8]) + value[at + 1 :]
    elif isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value = value % 3 + 1
    return msgspec.structs.replace(message, **{name: value})


def meddle(
    how: str, honest: MessageT, every: Sequence[MessageT], made_up: Sequence[MessageT], which: int
) -> MessageT:
    """What comes through of a message, or in place of it."""
    alike = [message for message in made_up if type(message) is type(honest)]
    match how:
        case "any":
            return every[which % len(every)]
        case "changed":
            return change_message(honest, which)
        case "forged" if alike:
            return alike[which % len(alike)]
        case "made up":
            return made_up[which % len(made_up)]
        case _:
            return honest


meddling = st.tuples(
    st.sampled_from(["pass on", "any", "changed", "forged", "made up"]),
    st.booleans(),
    st.integers(0, 1),
    st.integers(0, 999),
)


def run_with(meddled_at: list[tuple[int, str, Act]]) -> list[Act]:
    """An honest run, up and down by turns, but for what somebody does instead or besides."""
    acts: list[Act] = [("pass on", up, 0, 0) for _ in range(3) for up in (True, False)]
    for where, how, act in meddled_at:
        at = where % (len(acts) + 1)
        match how:
            case "besides":
                acts.insert(at, act)
            case "never":
                del acts[at : at + 1]
            case _:
                acts[at : at + 1] = [(act[0], acts[at][1] if at < len(acts) else act[1], *act[2:])]
    return acts


steps = st.tuples(st.integers(0, 6), st.sampled_from(["instead", "besides", "never"]), meddling)
acts = st.lists(steps, max_size=3).map(run_with) | st.lists(meddling, max_size=12)


@fuzz(st.tuples(st.integers(0, 4), st.integers(0, 4), acts), so_many=75)
def test_who_is_trusted_heard_word_for_word_what_the_other_side_said(
    example: tuple[int, int, list[Act]],
) -> None:
    one, two, done = example
    clients, hosts = (client(one), client(two)), (host(), host())
    for how, up, whom, which in done:
        there, place = clients[whom], hosts[whom]
        if up:
            every = [message for each in clients for message in each.said]
            honest = there.said[len(place.heard) % len(there.said)]
            place.hear(meddle(how, honest, every, MADE_UP, which))
        else:
            answers = [message for each in hosts for message in each.said] or MADE_DOWN
            said = place.said or MADE_DOWN
            answer = said[len(there.heard) % len(said)]
            there.hear(meddle(how, answer, answers, MADE_DOWN, which))
    trusting = [each for each in hosts if each.trusts]
    assert all(any(each.heard == client.said for client in clients) for each in trusting)
    for each in clients:
        if each.trusts and each.joins:
            assert any(each.heard == client.said for client in trusting)


def test_somebody_in_between_who_only_passes_on_is_harmless() -> None:
    for kind, trusted in enumerate((True, True, False, False, False)):
        one, other = client(kind), host()
        while not (one.over or other.over):
            other.hear(one.said[len(other.heard)])
            one.hear(other.said[len(one.heard)])
        assert one.trusts is other.trusts is trusted
