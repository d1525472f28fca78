"""Frames and messages, both ways: a bad frame ends a connection; nothing else is ever raised."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from functools import cache
from typing import Final, cast

from hypothesis import strategies as st
from msgspec import inspect, msgpack, structs

from net.client.state import ClientState
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
from tests.fuzz.fuzzing import PIECES, edits, fuzz, spoilt
from tests.kept import vary
from tests.net.protocol.frames import Stream
from tests.net.room.room_fixture import Table, bots, key_of, play_on, playing, three_at_a_table

MOVES: Final = 25
KINDS: Final[tuple[tuple[type[Message], ...], ...]] = (
    CLIENT_KINDS,
    HOST_KINDS,
    handshake.HANDSHAKE_CLIENT_KINDS,
    handshake.HANDSHAKE_HOST_KINDS,
)


def lively() -> Table:
    """A table in the midst of a game, at which much was said."""
    table = playing(Settings(seats=3, rounds=2))
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
    table = three_at_a_table(Settings(seats=4, rounds=1))
    bots(table, [3])
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
def test_what_was_said_of_another_step_is_taken_in_or_asked_for_anew(
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
    table = playing(Settings(seats=3, rounds=1))
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
