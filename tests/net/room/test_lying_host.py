"""A host that is somebody's own program, and tells of a game or a lobby what cannot be.

Its hashes fit. `tests/fuzz/test_fuzz_hostile_host.py` changes any field of any frame; here are the
ones by name, and what a table refuses.
"""

from __future__ import annotations

import dataclasses
from dataclasses import replace as replace_fields

import pytest
from msgspec import msgpack
from msgspec.structs import asdict, replace

from engine import events
from engine.cards import GOALS, Card
from engine.events import HandDealt
from net.client.trail import follows_from_history, is_possible_lobby, is_settled
from net.protocol.chat import ChatLine
from net.protocol.events import read_event, read_view, write_event
from net.protocol.framing import BadFrame, decode
from net.protocol.lobby import (
    BotChair,
    Relocation,
    Settings,
    Stage,
    TableClaim,
    Topic,
)
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSat,
    BroughtBack,
    Claimed,
    Entered,
    LobbyEvent,
    Said,
    SettingsChanged,
    apply,
)
from net.protocol.messages import Code, Snapshot, StepFrame, Welcome, hash_of_all
from net.protocol.requests import NextRound
from net.room.broadcast import snapshot
from tests.net.room.room_fixture import Table, awaiting, midway, play_on, three_at_a_table


def set_hash(snapshot: Snapshot) -> Snapshot:
    """The same with the hash that its receiver works out."""
    assert snapshot.public is not None
    assert snapshot.own is not None
    view = read_view(snapshot.public, snapshot.own, snapshot.history)
    return replace(snapshot, hash=hash_of_all(snapshot.lobby, view))


def under_way(moves: int = 20) -> Table:
    """A game under way."""
    return midway(moves, Settings(seats=3, rounds=2), level="greedy")


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
    at = under_way()
    told = msgpack.encode(alter_fields(whole(at), table, score))
    with pytest.raises(BadFrame):
        awaiting(at.people["Ben"].client).receive(decode(told, Snapshot))


def test_a_round_that_ended_for_fewer_than_play_is_not_even_read() -> None:
    table = under_way(1000)
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
    at = under_way()
    client = at.people["Ben"].client
    awaiting(client).receive(whole(at))
    with pytest.raises(BadFrame):
        awaiting(client).receive(set_hash(alter_fields(whole(at), table, score)))


def test_a_snapshot_of_a_history_or_of_gold_that_cannot_be_ends_the_connection() -> None:
    table = under_way(1000)
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
    for value in strange:
        with pytest.raises(BadFrame):
            awaiting(client).receive(set_hash(value))


def test_a_snapshot_whose_table_is_not_that_of_its_game_ends_the_connection() -> None:
    table = under_way()
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
    table = under_way()
    snapshot = whole(table)
    without = replace(
        snapshot, public=None, own=None, history=(), hash=hash_of_all(snapshot.lobby, None)
    )
    with pytest.raises(BadFrame):
        awaiting(table.people["Ben"].client).receive(without)


def test_nobody_becomes_somebody_else_at_a_table_unless_it_went_on_elsewhere() -> None:
    ben = under_way().people["Ben"].client
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
    table = under_way()
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


HOSTILE = "\x1b[2Jbob"
TOO_WIDE = "x" * 25


def next_step(table: Table, *lobby_events: LobbyEvent) -> StepFrame:
    """The step that would come next, with this news."""
    last = table.people["Ben"].numbered[-1]
    return StepFrame(table.room.state.number + 1, last.incarnation, 0, lobby_events, (), bytes(8))


@pytest.mark.parametrize(
    "event",
    [
        Entered(9, HOSTILE, is_host=False),
        Entered(9, TOO_WIDE, is_host=False),
        BotSat(1, HOSTILE, "random"),
        BotSat(1, "Bo", "\x1b[31mrandom"),
        BotRetired("\x1b[31m", "medium"),
        BotRetired("random", "fa\u202eir"),
        Said(1, "look: \u202eevil"),
        Said(1, " "),
    ],
)
def test_news_with_text_that_no_host_lets_in_ends_the_connection(event: LobbyEvent) -> None:
    table = three_at_a_table()
    with pytest.raises(BadFrame):
        table.people["Ben"].client.receive(next_step(table, event))


@pytest.mark.parametrize(
    "event",
    [
        Claimed(1, TableClaim(Topic.GOLD_AT, 3)),
        BotClaimed(1, TableClaim(Topic.HELP_ME, 9)),
        BotClaimed(1, TableClaim(Topic.WHO_ME, 1)),
    ],
)
def test_a_claim_about_what_no_table_has_is_not_taken_in(event: LobbyEvent) -> None:
    table = three_at_a_table()
    client = table.people["Ben"].client
    assert client.receive(next_step(table, event)).disagreed
    assert client.lost


def test_a_snapshot_with_such_text_ends_the_link_wherever_it_is() -> None:
    table = three_at_a_table()
    honest = whole(table)
    lobby = honest.lobby
    client = table.people["Ben"].client
    awaiting(client).receive(honest)
    chairs = (*lobby.chairs[:2], BotChair(HOSTILE, "random"))
    people = (*lobby.people[:2], replace(lobby.people[2], name=HOSTILE))
    spoilt = [
        replace(honest, lobby=replace(lobby, name=HOSTILE)),
        replace(honest, lobby=replace(lobby, chairs=chairs)),
        replace(honest, lobby=replace(lobby, people=people)),
        replace(honest, talk=(ChatLine(HOSTILE, 0, "hello"),)),
        replace(honest, talk=(ChatLine("Ann", 0, "\x07"),)),
        replace(honest, talk=(ChatLine("Ann", 0, "", TableClaim(Topic.STONE_AT, 9)),)),
    ]
    for spoiled in spoilt:
        # Its hash fits: the host is the one who lies.
        with pytest.raises(BadFrame):
            awaiting(client).receive(set_hash_of_lobby(spoiled))


def set_hash_of_lobby(snapshot: Snapshot) -> Snapshot:
    """The same with the hash that it would have."""
    return replace(snapshot, hash=hash_of_all(snapshot.lobby, None))


# The game.


def test_nobody_knows_more_copies_of_a_card_than_the_deck_has() -> None:
    table = under_way()
    for name in ("Ann", "Ben", "Cleo"):
        view = table.people[name].view
        assert is_settled(view)
        assert len(view.hand) > 1
        assert not is_settled(view._replace(hand=(Card.DEAD_N,) * len(view.hand)))


def test_who_is_to_move_has_cards_and_the_goals_of_an_ended_round_are_those_of_the_box() -> None:
    table = under_way()
    view = table.people["Ann"].view
    hands = tuple(
        0 if seat == view.table.turn else held for seat, held in enumerate(view.table.hands)
    )
    assert not is_settled(view._replace(table=view.table._replace(hands=hands)))
    play_on(table, 200, "greedy")
    over = table.people["Ann"].view
    assert over.table.end is not None
    assert is_settled(over)
    forged = replace_fields(over.table.end, goals=(GOALS[0], GOALS[0], GOALS[0]))
    assert not is_settled(over._replace(table=over.table._replace(end=forged)))


def test_a_history_of_events_that_no_game_has_is_not_where_a_view_comes_from() -> None:
    view = under_way().people["Ann"].view
    assert follows_from_history(view)
    assert not follows_from_history(view._replace(history=(*view.history, HandDealt(99, ()))))


# The lobby.


def test_a_lobby_is_of_an_edition_that_there_is() -> None:
    lobby = three_at_a_table().lobby
    assert is_possible_lobby(lobby)
    for edition in ("atlantis", "\x1b[2J", "?"):
        strange = replace(lobby, settings=replace(lobby.settings, edition=edition))
        assert not is_possible_lobby(strange), edition


def test_nobody_is_brought_back_at_a_table_that_never_moved() -> None:
    lobby = three_at_a_table().lobby
    with pytest.raises(LookupError):
        apply(lobby, BroughtBack(1))
    moved = replace(lobby, relocations=(Relocation(10, 1, anew=(0, 1)),))
    assert apply(moved, BroughtBack(1)).relocations == (Relocation(10, 1, anew=(0,)),)
