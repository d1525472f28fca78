"""A host that is somebody's own program, and tells of a game what cannot be. Its hashes fit.

`tests/fuzz/test_fuzz_hostile_host.py` changes any field of any frame; here are the ones by name.
"""

from __future__ import annotations

import dataclasses

import pytest
from msgspec import msgpack
from msgspec.structs import asdict, replace

from engine import events
from net.protocol.events import read_event, read_view, write_event
from net.protocol.framing import BadFrame, decode
from net.protocol.lobby import Settings, Stage
from net.protocol.lobby_events import (
    SettingsChanged,
    apply,
)
from net.protocol.messages import Code, Snapshot, StepFrame, Welcome, hash_of_all
from net.protocol.requests import NextRound
from net.room.broadcast import snapshot
from tests.net.room.room_fixture import Table, awaiting, play_on, playing, three_at_a_table


def set_hash(snapshot: Snapshot) -> Snapshot:
    """The same with the hash that its receiver works out."""
    assert snapshot.public is not None
    assert snapshot.own is not None
    view = read_view(snapshot.public, snapshot.own, snapshot.history)
    return replace(snapshot, hash=hash_of_all(snapshot.lobby, view))


def midway(moves: int = 20) -> Table:
    """A game under way."""
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, moves, "greedy")
    return table


def whole(table: Table) -> Snapshot:
    """The snapshot that Ben would be sent now."""
    return snapshot(table.room.state, 2, 1, table.room.disk)


def alter_fields(
    snapshot: Snapshot, table: dict[str, object], score: dict[str, object]
) -> Snapshot:
    """The same with other fields of what all know."""
    public = snapshot.public
    assert public is not None
    public = replace(
        public, table=replace(public.table, **table), score=replace(public.score, **score)
    )
    return replace(snapshot, public=public)


@pytest.mark.parametrize(
    ("table", "score"),
    [
        ({"broken": (127, 0, 0)}, {}),
        ({"looks": (9, 0, 0)}, {}),
        ({"turn": 3}, {}),
        ({"hands": (6, 6)}, {}),
        ({"hands": (), "broken": (), "buried": (), "looks": ()}, {"cards": (), "chits": ()}),
        ({}, {"gold": (b"", b"")}),
        ({"edition": "no such"}, {}),
    ],
)
def test_a_snapshot_of_a_table_that_cannot_be_is_not_even_read(
    table: dict[str, object], score: dict[str, object]
) -> None:
    at = midway()
    told = msgpack.encode(alter_fields(whole(at), table, score))
    with pytest.raises(BadFrame):
        awaiting(at.people["Ben"].client).receive(decode(told, Snapshot))


def test_a_round_that_ended_for_fewer_than_play_is_not_even_read() -> None:
    table = midway(1000)
    snapshot = whole(table)
    assert snapshot.public is not None
    told = read_event(asdict(snapshot.public.table)["end"])
    assert isinstance(told, events.RoundEnded)
    with pytest.raises(BadFrame):
        awaiting(table.people["Ben"].client).receive(
            alter_fields(
                snapshot, {"end": write_event(dataclasses.replace(told, roles=told.roles[:2]))}, {}
            )
        )


@pytest.mark.parametrize(
    ("table", "score"),
    [
        ({"pile": 3}, {}),
        ({"starter": -1}, {}),
        ({"board": ((1, 0, 9), (8, 0, 9))}, {}),
        ({}, {"number": 2}),
        ({}, {"number": 0}),
        ({}, {"chits": (1, 0, 0)}),
        ({}, {"rounds": 3}),
        ({}, {"wins": b"\0"}),
    ],
)
def test_a_snapshot_that_its_own_history_does_not_lead_to_ends_the_connection(
    table: dict[str, object], score: dict[str, object]
) -> None:
    at = midway()
    client = at.people["Ben"].client
    awaiting(client).receive(whole(at))
    with pytest.raises(BadFrame):
        awaiting(client).receive(set_hash(alter_fields(whole(at), table, score)))


def test_a_snapshot_of_a_history_or_of_gold_that_cannot_be_ends_the_connection() -> None:
    table = midway(1000)
    assert table.wants("Ann", NextRound()) is None
    snapshot, client = whole(table), table.people["Ben"].client
    assert snapshot.own is not None
    ledger = asdict(snapshot.own)["ledger"]
    assert ledger
    awaiting(client).receive(snapshot)
    gold = write_event(events.GoldTaken(2))
    strange = [
        replace(snapshot, history=snapshot.history[1:]),
        replace(snapshot, history=(*snapshot.history, write_event(events.Drew(0)))),
        replace(snapshot, own=replace(snapshot.own, ledger=(gold, *ledger))),
        replace(snapshot, own=replace(snapshot.own, ledger=ledger[1:])),
    ]
    for one in strange:
        with pytest.raises(BadFrame):
            awaiting(client).receive(set_hash(one))


def test_a_snapshot_whose_table_is_not_that_of_its_game_ends_the_connection() -> None:
    table = midway()
    client, snapshot = table.people["Ben"].client, whole(table)
    lobby = snapshot.lobby
    for strange in (
        replace(snapshot, lobby=replace(lobby, chairs=(*lobby.chairs[1:], lobby.chairs[0]))),
        replace(snapshot, lobby=replace(lobby, stage=Stage.LOBBY)),
        replace(snapshot, lobby=replace(lobby, host=77)),
        replace(snapshot, record="\x1b]0;owned\x07"),
        replace(snapshot, member=3),
    ):
        with pytest.raises(BadFrame):
            awaiting(client).receive(set_hash(strange))


def test_a_game_without_what_is_known_of_it_ends_the_connection() -> None:
    table = midway()
    snapshot = whole(table)
    without = replace(
        snapshot, public=None, own=None, history=(), hash=hash_of_all(snapshot.lobby, None)
    )
    with pytest.raises(BadFrame):
        awaiting(table.people["Ben"].client).receive(without)


def test_nobody_becomes_somebody_else_at_a_table_unless_it_went_on_elsewhere() -> None:
    ben = midway().people["Ben"].client
    with pytest.raises(BadFrame):
        ben.receive(Welcome(3, 1, gone=0, last=0))
    ben.is_elsewhere = True  # where newcomers were numbered by another host
    ben.receive(Welcome(3, 1 << 16, gone=0, last=0))
    assert ben.status.member == 3


def test_a_step_with_a_hash_that_fits_and_a_table_that_cannot_be_ends_the_connection() -> None:
    table = three_at_a_table()
    client = table.people["Ben"].client
    assert client.status.game_state is not None
    ruled = SettingsChanged(replace(table.lobby.settings, youngest=9))
    lobby = apply(client.status.game_state.lobby, ruled)
    frame = StepFrame(
        client.status.game_state.step + 1, 1, 0, (ruled,), (), hash_of_all(lobby, None)
    )
    with pytest.raises(BadFrame):
        client.receive(frame)


def test_a_step_of_what_has_no_place_in_the_game_is_asked_for_anew() -> None:
    table = midway()
    client = table.people["Ben"].client
    assert client.status.game_state is not None
    no_such_seat = write_event(events.TurnBegan(7))
    received = client.receive(
        StepFrame(client.status.game_state.step + 1, 1, 0, (), (no_such_seat,), bytes(8))
    )
    assert received.disagreed


def test_a_room_code_with_control_characters_ends_the_connection() -> None:
    table = three_at_a_table()
    with pytest.raises(BadFrame):
        table.people["Ann"].client.receive(Code("tiger\x1b[2J"))
