"""Frames and messages, both ways, and the handshake with somebody in between.

A bad frame ends a connection; nothing else is ever raised. Who meddles with a handshake changes,
repeats, reorders and makes up messages: a host that trusts has heard word for word what one client
said, and a client who joins what one host said that trusts. Who comes back knows the host by its
certificate, which the connection has checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeVar, cast

import msgspec
from hypothesis import strategies as st
from msgspec import inspect, msgpack, structs

from net.client.state import ClientState
from net.protocol import Versions
from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_HOST_FRAME_BYTES,
    MAX_UNTRUSTED_FRAME_BYTES,
    BadFrame,
    Message,
    decode,
    pack,
)
from net.protocol.lobby import Settings
from net.protocol.messages import (
    CLIENT_KINDS,
    HOST_KINDS,
    ClientMessage,
    HostMessage,
    StepFrame,
    hash_of_all,
)
from net.room import inputs
from net.secure import handshake
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
from tests.fuzz.fuzzing import PIECES, edits, fuzz, spoilt
from tests.kept import vary
from tests.net.protocol.frames import Stream
from tests.net.room.room_fixture import (
    Table,
    key_of,
    play_on,
    seat_bots,
    three_in_game,
    three_in_lobby,
)
from tests.net.secure.test_handshake import Client, Host

MOVES: Final = 25
KINDS: Final[tuple[tuple[type[Message], ...], ...]] = (
    CLIENT_KINDS,
    HOST_KINDS,
    handshake.HANDSHAKE_CLIENT_KINDS,
    handshake.HANDSHAKE_HOST_KINDS,
)


def lively() -> Table:
    """A table in the midst of a game, at which much was said."""
    table = three_in_game(Settings(seats=3, rounds=2))
    play_on(table, MOVES)
    return table


Point = tuple[ClientState, HostMessage]
"""What somebody holds, and what they are told next."""


def points(table: Table) -> list[Point]:
    """All that was told at a table, each with who was told."""
    found: list[Point] = []
    for guest in table.people.values():
        client = ClientState(guest.name)
        client.begin_connection()
        for message in guest.got:
            found.append((copy(client), message))
            client.receive(message)
    return found


@cache
def from_host() -> tuple[Point, ...]:
    """What a host says in a lobby, and in a game."""
    table = three_in_lobby(Settings(seats=4, rounds=1))
    seat_bots(table, [3])
    return (*points(table), *points(lively()))


@cache
def from_client() -> tuple[ClientMessage, ...]:
    """A message of each kind that clients say, with a request of each kind."""
    kinds = map(inspect.type_info, CLIENT_KINDS)
    return tuple(cast("ClientMessage", message) for kind in kinds for message in vary(kind, set()))


def paths(value: object, here: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """All places in a plain value."""
    children: list[object] = []
    if isinstance(value, list):
        children = value
    elif isinstance(value, dict):
        children = list(value.values())
    found = [here]
    for number, child in enumerate(children):
        found += paths(child, (*here, number))
    return found


def change_value(value: object, path: tuple[int, ...], to: object, how: str) -> object:
    """A plain value with another one in a place, or nothing there, or the same twice."""
    if not path:
        return to
    if isinstance(value, list):
        inner = change_value(value[path[0]], path[1:], to, how)
        kept = [] if how == "drop" and len(path) == 1 else [inner]
        twice = kept * 2 if how == "twice" and len(path) == 1 else kept
        return [*value[: path[0]], *twice, *value[path[0] + 1 :]]
    assert isinstance(value, dict)
    key = list(value)[path[0]]
    inner = change_value(value[key], path[1:], to, how)
    rest = {name: each for name, each in value.items() if name != key}
    if len(path) == 1 and how == "drop":
        return rest
    return {**rest, key: inner} | ({f"{key}2": inner} if how == "twice" else {})


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.integers(-2, 12)
    | st.floats()
    | st.text(max_size=12)
    | st.binary(max_size=40)
)
plain: st.SearchStrategy[object] = (
    scalars | st.lists(scalars, max_size=4) | st.dictionaries(st.text(max_size=4), scalars)
)
changes = st.lists(
    st.tuples(st.integers(0, 9999), plain, st.sampled_from(["put", "put", "drop", "twice"])),
    min_size=1,
    max_size=3,
)


def bend_message(message: HostMessage | ClientMessage, how: list[tuple[int, object, str]]) -> bytes:
    """A message, with some of it changed."""
    value: object = msgpack.decode(msgpack.encode(message))
    for where, to, what in how:
        places = paths(value)
        value = change_value(value, places[where % len(places)], to, what)
    return msgpack.encode(value)


numbers = st.integers(0, 9999)
kinds = st.sampled_from((MAX_UNTRUSTED_FRAME_BYTES, MAX_CLIENT_FRAME_BYTES, MAX_HOST_FRAME_BYTES))


@fuzz(
    st.tuples(st.lists(numbers, min_size=1, max_size=3), edits(PIECES), kinds, numbers), so_many=100
)
def test_spoilt_frames_end_the_link(
    example: tuple[list[int], list[tuple[str, int, bytes]], int, int],
) -> None:
    chosen, how, limit, cut = example
    stream = b"".join(
        pack(from_client()[each % len(from_client())], MAX_CLIENT_FRAME_BYTES)
        if each % 2
        else pack(from_host()[each % len(from_host())][1], MAX_HOST_FRAME_BYTES)
        for each in chosen
    )
    data = spoilt(stream, how)
    stream_of = Stream(limit)
    with suppress(BadFrame):
        for part in (data[: cut % (len(data) + 1)], data[cut % (len(data) + 1) :]):
            for value in stream_of.feed(part):
                for known in KINDS:
                    with suppress(BadFrame):
                        decode(value, *known)


@fuzz(st.tuples(numbers, changes), so_many=150)
def test_whatever_a_host_says_a_client_takes_it_in_or_ends_the_connection(
    example: tuple[int, list[tuple[int, object, str]]],
) -> None:
    which, how = example
    client, message = from_host()[which % len(from_host())]
    client = copy(client)
    with suppress(BadFrame):
        said: HostMessage = decode(bend_message(message, how), *HOST_KINDS)
        client.receive(said)
        client.ping()
        client.begin_connection()


@fuzz(st.tuples(numbers, numbers, numbers), so_many=100)
def test_what_was_said_of_another_step_is_taken_in_or_asked_for_again(
    example: tuple[int, int, int],
) -> None:
    which, other, part = example
    client, message = from_host()[which % len(from_host())]
    _, elsewhere = from_host()[other % len(from_host())]
    if client.status.game_state is None or not isinstance(elsewhere, StepFrame):
        return
    follows = structs.replace(elsewhere, step=client.status.game_state.step + 1)
    if isinstance(message, StepFrame) and part % 3:
        lobby_events = follows.lobby_events if part % 3 == 1 else message.lobby_events
        follows = structs.replace(
            message, step=follows.step, lobby_events=lobby_events, events=follows.events
        )
    told = copy(client)
    received = told.receive(follows)
    held = told.status.game_state
    assert (
        received.disagreed
        or held == client.status.game_state
        or (held is not None and hash_of_all(held.lobby, held.view) == follows.hash)
    )


@fuzz(st.tuples(st.lists(st.tuples(numbers, changes), max_size=6), numbers), so_many=60)
def test_whatever_a_guest_says_a_room_takes_it_in_and_stays_sound(
    example: tuple[list[tuple[int, list[tuple[int, object, str]]]], int],
) -> None:
    bad, moves = example
    table = three_in_game(Settings(seats=3, rounds=1))
    play_on(table, moves % MOVES)
    guest = table.people["Ben"]
    stranger = table.connections + 1
    inputs.add_connection(table.room, table.now, stranger, key_of("Dora"))
    for number, (which, how) in enumerate(bad):
        with suppress(BadFrame):
            said: ClientMessage = decode(
                bend_message(from_client()[which % len(from_client())], how), *CLIENT_KINDS
            )
            inputs.receive(
                table.room, table.now, guest.connection if number % 2 else stranger, said
            )
    inputs.tick(table.room, table.now + 1)
    assert table.room.lobby.is_sound


# The handshake with somebody in between.

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

    def receive(self, message: HandshakeFromClient) -> None:
        """Take in a message, unless the connection is over."""
        if not self.over:
            self.heard.append(message)
            self.said.append(self.host.receive(message))


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

    def receive(self, message: HandshakeFromHost) -> None:
        """Take in a message, unless the connection is over."""
        if self.over:
            return
        self.heard.append(message)
        said = self.client.receive(message)
        if said is not None:
            self.said.append(said)


def client(kind: int) -> ClientEnd:
    """A client: one who comes back, who joins, a stranger, and two who are at the wrong table."""
    come_back, join = ClientHandshake.rejoin, ClientHandshake.join
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
def test_somebody_who_is_trusted_heard_word_for_word_what_the_other_side_said(
    example: tuple[int, int, list[Act]],
) -> None:
    one, two, done = example
    clients, hosts = (client(one), client(two)), (host(), host())
    for how, up, whom, which in done:
        there, place = clients[whom], hosts[whom]
        if up:
            every = [message for each in clients for message in each.said]
            honest = there.said[len(place.heard) % len(there.said)]
            place.receive(meddle(how, honest, every, MADE_UP, which))
        else:
            answers = [message for each in hosts for message in each.said] or MADE_DOWN
            said = place.said or MADE_DOWN
            answer = said[len(there.heard) % len(said)]
            there.receive(meddle(how, answer, answers, MADE_DOWN, which))
    trusting = [each for each in hosts if each.trusts]
    assert all(any(each.heard == client.said for client in clients) for each in trusting)
    for each in clients:
        if each.trusts and each.joins:
            assert any(each.heard == client.said for client in trusting)


def test_somebody_in_between_who_only_passes_on_is_harmless() -> None:
    for kind, trusted in enumerate((True, True, False, False, False)):
        one, other = client(kind), host()
        while not (one.over or other.over):
            other.receive(one.said[len(other.heard)])
            one.receive(other.said[len(one.heard)])
        assert one.trusts is other.trusts is trusted
