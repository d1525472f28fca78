"""The client's side: what fits is folded, what does not is asked for again, what is bad ends it.

Hosts here are somebody's own program, and tell of a game or a lobby what cannot be; their hashes
fit. `tests/fuzz/test_fuzz_hostile_host.py` changes any field of any frame; here are those by name.
"""

from __future__ import annotations

import dataclasses
from typing import TypeAlias

import pytest
from msgspec import msgpack
from msgspec.structs import asdict, replace

from engine import Phase, events
from engine.cards import GOALS, PATHS, Card
from net.client.session import Received
from net.client.trail import after_frame, follows_from_history, is_possible_lobby, is_settled
from net.protocol import lobby_events as tidings
from net.protocol.chat import ChatLine
from net.protocol.framing import MAX_HOST_FRAME_BYTES, BadFrame, Message, decode, pack
from net.protocol.game_wire import MAX_ROUND_EVENTS, read_event, write_event
from net.protocol.lobby import (
    MAX_PEOPLE,
    BotChair,
    Person,
    Presence,
    Settings,
    TableClaim,
    TablePhase,
    Taken,
    Topic,
)
from net.protocol.messages import (
    HOST_KINDS,
    Accepted,
    Code,
    Disk,
    DiskStatus,
    Notice,
    Ping,
    Resync,
    Snapshot,
    StepFrame,
    Welcome,
    hash_of_all,
)
from net.protocol.requests import Chat, NextRound, Start
from net.room import inputs
from net.room.broadcast import snapshot
from tests.net.protocol.test_cleaning import NEWER
from tests.net.room.room_fixture import (
    Table,
    awaiting,
    play_on,
    seat_bots,
    set_hash,
    three_after_moves,
    three_in_game,
    three_in_lobby,
)

HOSTILE = "\x1b[2Jbob"
Fields: TypeAlias = dict[str, object]


def under_way(moves: int = 20) -> Table:
    """A game under way."""
    return three_after_moves(moves, Settings(seats=3, rounds=2), level="greedy")


def whole(table: Table) -> Snapshot:
    """The snapshot that Ben would be sent now."""
    return snapshot(table.room.state, 2, 1, table.room.disk)


def alter_fields(snapshot: Snapshot, table: Fields, score: Fields) -> Snapshot:
    """The same with other fields of what all know."""
    public = snapshot.public
    assert public is not None
    new_table, new_score = replace(public.table, **table), replace(public.score, **score)
    return replace(snapshot, public=replace(public, table=new_table, score=new_score))


def check_link_ends(table: Table, *snapshots: Snapshot) -> None:
    """None of these is a snapshot that Ben's program takes in."""
    for bad in snapshots:
        with pytest.raises(BadFrame):
            awaiting(table.people["Ben"].client).receive(bad)


# Snapshots.


@pytest.mark.level("broad")
def test_a_snapshot_at_ten_players_after_the_longest_round_is_far_below_the_cap() -> None:
    table = Table(Settings(seats=10, rounds=1, edition="france"))
    table.come("Ann")
    seat_bots(table, range(1, 10))
    table.wants("Ann", Start())
    for number in range(MAX_PEOPLE - 1):
        there = table.come(f"{number:02}" + "金" * 11, watch=True)
        inputs.drop_connection(table.room, table.now, there.connection)  # nothing more is sent
    play_on(table, 60, seed=2)
    for line in range(60):  # 50 are kept
        table.now += 1
        table.wants("Ann", Chat(f"{line}" + "x" * 150))
    play_on(table, seed=2)
    state = table.room.state
    assert len(state.lobby.people) == MAX_PEOPLE
    assert state.phase is Phase.OVER
    assert len(state.talk) == 50
    sent = snapshot(state, table.lobby.host, 1, DiskStatus.OK)
    assert sum(isinstance(read_event(event), events.TurnBegan) for event in sent.history) == 67
    assert len(msgpack.encode(sent)) < 44 * 1024
    assert len(pack(sent, MAX_HOST_FRAME_BYTES)) <= 4 + 64 * 1024
    assert decode(msgpack.encode(sent), *HOST_KINDS) == sent


def test_a_snapshot_in_the_lobby_holds_no_game() -> None:
    (told,) = three_in_lobby().people["Wim"].find(Snapshot)
    assert (told.public, told.own, told.history, told.record) == (None, None, (), "")


@pytest.mark.parametrize(
    ("table", "score"),
    [
        ({"broken": (127, 0, 0)}, {}),
        ({"broken": (0,)}, {}),
        ({"looks": (9, 0, 0)}, {}),
        ({"turn": 3}, {}),
        ({"hands": (6, 6)}, {}),
        ({"hands": (), "broken": (), "buried": (), "looks": ()}, {"cards": (), "chits": ()}),
        ({}, {"gold": (b"", b"")}),
        ({"edition": "no such"}, {}),
    ],
)
def test_a_snapshot_of_a_table_that_cannot_be_is_not_read(table: Fields, score: Fields) -> None:
    at = under_way()
    told = msgpack.encode(alter_fields(whole(at), table, score))
    with pytest.raises(BadFrame):
        awaiting(at.people["Ben"].client).receive(decode(told, Snapshot))


def test_a_round_that_ended_for_fewer_than_play_is_not_even_read() -> None:
    table = under_way(1000)
    honest = whole(table)
    assert honest.public is not None
    told = read_event(asdict(honest.public.table)["end"])
    assert isinstance(told, events.RoundEnded)
    end = write_event(dataclasses.replace(told, roles=told.roles[:2]))
    check_link_ends(table, alter_fields(honest, {"end": end}, {}))


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
    table: Fields, score: Fields
) -> None:
    at = under_way()
    awaiting(at.people["Ben"].client).receive(whole(at))
    check_link_ends(at, set_hash(alter_fields(whole(at), table, score)))


def test_a_snapshot_of_a_history_or_of_gold_that_cannot_be_ends_the_connection() -> None:
    table = under_way(1000)
    assert table.wants("Ann", NextRound()) is None
    honest = whole(table)
    assert honest.own is not None
    ledger = asdict(honest.own)["ledger"]
    assert ledger
    awaiting(table.people["Ben"].client).receive(honest)
    gold = write_event(events.GoldTaken(2))
    strange = (
        replace(honest, history=honest.history[1:]),
        replace(honest, history=(*honest.history, write_event(events.Drew(0)))),
        replace(honest, own=replace(honest.own, ledger=(gold, *ledger))),
        replace(honest, own=replace(honest.own, ledger=ledger[1:])),
    )
    check_link_ends(table, *map(set_hash, strange))


def test_a_snapshot_whose_table_is_not_that_of_its_game_ends_the_connection() -> None:
    table = under_way()
    honest = whole(table)
    lobby, own = honest.lobby, honest.own
    assert own is not None
    twins = (*lobby.people, Person(1, "Twin", Presence.THERE))
    strange = (
        replace(honest, lobby=replace(lobby, chairs=(*lobby.chairs[1:], lobby.chairs[0]))),
        replace(honest, lobby=replace(lobby, stage=TablePhase.LOBBY)),
        replace(honest, lobby=replace(lobby, host=77)),
        replace(honest, lobby=replace(lobby, people=twins)),
        replace(honest, lobby=replace(lobby, chairs=(Taken(99, ready=True), *lobby.chairs[1:]))),
        replace(honest, record="\x1b]0;owned\x07"),
        replace(honest, member=3),
        replace(honest, public=None, own=None, history=()),
    )
    check_link_ends(table, *map(set_hash, strange))
    drew = replace(own, ledger=(write_event(events.Drew(0)),))
    wrong_seat, no_gold = replace(honest, own=replace(own, seat=3)), replace(honest, own=drew)
    check_link_ends(table, replace(honest, hash=bytes(8)), wrong_seat, no_gold)


def test_a_snapshot_with_text_that_no_host_lets_in_ends_the_link_wherever_it_is() -> None:
    table = three_in_lobby()
    honest = whole(table)
    lobby = honest.lobby
    awaiting(table.people["Ben"].client).receive(honest)
    chairs = (*lobby.chairs[:2], BotChair(HOSTILE, "random"))
    people = (*lobby.people[:2], replace(lobby.people[2], name=HOSTILE))
    spoilt = (
        replace(honest, lobby=replace(lobby, name=HOSTILE)),
        replace(honest, lobby=replace(lobby, chairs=chairs)),
        replace(honest, lobby=replace(lobby, people=people)),
        replace(honest, talk=(ChatLine(HOSTILE, 0, "hello"),)),
        replace(honest, talk=(ChatLine("Ann", 0, "\x07"),)),
        replace(honest, talk=(ChatLine("Ann", 0, "", TableClaim(Topic.STONE_AT, 9)),)),
    )
    check_link_ends(table, *map(set_hash, spoilt))


# Steps.


def next_step(
    table: Table, *news: tidings.LobbyEvent, event: events.Event | None = None
) -> StepFrame:
    """The step that would come next, with this news, and a hash that does not fit."""
    last = table.people["Ben"].numbered[-1]
    happened = () if event is None else (write_event(event),)
    return StepFrame(table.room.state.number + 1, last.incarnation, 0, news, happened, bytes(8))


def test_a_gap_another_life_or_another_hash_asks_for_a_snapshot_once() -> None:
    table = three_in_game()
    client = table.people["Ben"].client
    table.wants("Ann", Chat("now"))
    frame = table.people["Ben"].find(StepFrame)[-1]
    assert not client.receive(frame).send, "told before"
    follows = replace(frame, step=frame.step + 1)
    stood, ready = tidings.StoodUp(0), tidings.ReadyChanged(0, ready=True)
    for bad, disagreed in (
        (replace(follows, step=frame.step + 2), False),
        (replace(follows, incarnation=2), False),
        (replace(follows, hash=bytes(8)), True),
        (next_step(table, event=events.Laid(9, PATHS[0], (1, 0))), True),
        (next_step(table, event=events.TurnBegan(7)), True),
        (next_step(table, tidings.ReadyChanged(9, ready=True)), True),
        (next_step(table, stood, ready), True),
        (next_step(table, tidings.Said(99, "who?")), True),
        (next_step(table, tidings.SatDown(0, 99)), True),
        (next_step(table, tidings.Claimed(1, TableClaim(Topic.GOLD_AT, 3))), True),
        (next_step(table, tidings.BotClaimed(1, TableClaim(Topic.HELP_ME, 9))), True),
        (next_step(table, tidings.BotClaimed(1, TableClaim(Topic.WHO_ME, 1))), True),
    ):
        held = client.status.game_state
        received = client.receive(bad)
        assert held is not None
        assert received.send == (Resync(),)
        assert received.disagreed is disagreed
        assert client.receive(bad).send == (), "asked once"
        assert client.status.game_state is held
        client.receive(whole(table))
    assert client.status.view == table.room.state.view(client.status.seat)


def test_an_event_without_a_game_or_a_first_step_without_a_snapshot_is_asked_about() -> None:
    table = three_in_lobby()
    frame = next_step(table, event=events.Drew(0))
    assert table.people["Ben"].client.receive(frame).disagreed
    newcomer = table.come("New")
    newcomer.forget()
    fresh = newcomer.client
    fresh.begin_connection()
    assert fresh.receive(frame).send == (Resync(),)
    assert fresh.ping() == Ping(0)


@pytest.mark.parametrize(
    "event",
    [
        tidings.Entered(9, "x" * 25, is_host=False),
        tidings.BotSat(1, HOSTILE, "random"),
        tidings.BotRetired("random", "fa\u202eir"),
        tidings.Said(1, " "),
    ],
)
def test_news_with_text_that_no_host_lets_in_ends_the_connection(event: tidings.LobbyEvent) -> None:
    table = three_in_lobby()
    with pytest.raises(BadFrame):
        table.people["Ben"].client.receive(next_step(table, event))


def test_a_step_with_a_hash_that_fits_and_a_table_that_cannot_be_ends_the_connection() -> None:
    table = three_in_lobby()
    ruled = tidings.SettingsChanged(replace(table.lobby.settings, youngest=9))
    hashed = hash_of_all(ruled.change(table.people["Ben"].held.lobby), None)
    with pytest.raises(BadFrame):
        table.people["Ben"].client.receive(replace(next_step(table, ruled), hash=hashed))


def test_a_round_without_end_fills_no_memory() -> None:
    table = three_in_game()
    client = table.people["Ben"].client
    turns = (events.TurnBegan(table.game.to_act or 0),) * 60

    def receive_turns() -> None:
        held = client.status.game_state
        assert held is not None
        told = tuple(map(write_event, turns))
        frame = StepFrame(held.step + 1, held.incarnation, 0, (), told, bytes(8))
        after = after_frame(held, frame, turns, client.status.member, client.share)
        client.receive(replace(frame, hash=hash_of_all(after.lobby, after.view)))

    for _ in range((MAX_ROUND_EVENTS - len(table.people["Ben"].view.history)) // 60):
        receive_turns()
    with pytest.raises(BadFrame):
        receive_turns()


# Other messages.


def test_nobody_becomes_somebody_else_at_a_table_unless_it_went_on_elsewhere() -> None:
    ben = under_way().people["Ben"].client
    with pytest.raises(BadFrame):
        ben.receive(Welcome(3, 1, gone=0, last=0))
    ben.is_elsewhere = True  # where newcomers were numbered by another host
    ben.receive(Welcome(3, 1 << 16, gone=0, last=0))
    assert ben.status.member == 3


def test_other_text_of_a_host_ends_the_link_too_but_for_letters_that_newer_pythons_know() -> None:
    client = three_in_lobby().people["Ann"].client
    for bad in (Code("tiger\x1b[2J"), Notice("Olga\n", "x"), Notice("Olga", "x\n")):
        with pytest.raises(BadFrame):
            client.receive(bad)
    notice = Notice("Olga", f"the bar is open {NEWER}")
    assert client.receive(notice).notice == notice


# What a program asks, and what it holds.


def test_what_was_wanted_is_said_again_until_it_is_answered() -> None:
    table = three_in_game()
    client = table.people["Ben"].client
    table.drop("Ben")
    assert client.request(Chat("one")) == ()
    assert client.request(Chat("two")) == ()
    table.come("Ben")
    assert not client.commands
    assert [line.text for line in table.room.state.talk] == ["one", "two"]
    client.request(Chat("three"))
    assert client.receive(Accepted(client.last_id)).settled == client.last_id
    client.request(Chat("four"))
    client.receive(Welcome(client.status.member, 1, gone=0, last=client.last_id))
    assert not client.commands
    assert client.receive(Disk(DiskStatus.FULL)) == Received()
    assert client.status.disk is DiskStatus.FULL


def test_a_disk_that_fails_in_a_later_version_s_way_counts_as_full() -> None:
    class OtherDisk(Message, frozen=True, tag="disk"):
        disk: str = "melted"

    client = three_in_game().people["Ben"].client
    client.receive(decode(msgpack.encode(OtherDisk()), *HOST_KINDS))
    assert client.status.disk is DiskStatus.FULL


def test_a_client_that_was_started_again_goes_on_where_it_was() -> None:
    table = three_in_game()
    table.wants("Ben", Chat("one"))
    table.people["Ben"].client = type(table.people["Ben"].client)("Ben")
    ben = table.come("Ben")
    assert ben.client.last_id >= 2
    assert ben.view == table.room.state.view(1)
    assert table.wants("Ben", Chat("two")) is None


def test_the_hash_is_of_all_that_everybody_holds_and_of_no_secret() -> None:
    table = three_in_game()
    view = table.game.view(0)
    hashed = hash_of_all(table.lobby, view)
    assert hashed == hash_of_all(table.lobby, view._replace(history=()))
    assert hashed == hash_of_all(table.lobby, table.room.state.view(1))
    others = {
        hash_of_all(table.lobby, None),
        hash_of_all(replace(table.lobby, paused=True), view),
        hash_of_all(table.lobby, view._replace(score=view.score.after(events.GoldDrawn(1)))),
    }
    assert len(others) == 3
    assert hashed not in others


def test_what_a_program_knows_is_of_the_cards_in_the_box_and_of_what_has_happened() -> None:
    table = under_way()
    for name in ("Ann", "Ben", "Cleo"):
        view = table.people[name].view
        assert is_settled(view)
        assert follows_from_history(view)
        assert not is_settled(view._replace(hand=(Card.DEAD_N,) * len(view.hand)))
        hands = list(view.table.hands)
        hands[view.table.turn or 0] = 0
        without = view.table._replace(hands=tuple(hands))
        assert not is_settled(view._replace(table=without)), "who is to move has cards"
        odd = (*view.history, events.HandDealt(99, ()))
        assert not follows_from_history(view._replace(history=odd)), "no game has it"
    play_on(table, 200, "greedy")
    over = table.people["Ann"].view
    assert over.table.end is not None
    assert is_settled(over)
    forged = dataclasses.replace(over.table.end, goals=(GOALS[0],) * 3)
    boxed = over._replace(table=over.table._replace(end=forged))
    assert not is_settled(boxed), "the goals are those of the box"


def test_a_lobby_is_of_an_edition_that_there_is() -> None:
    lobby = three_in_lobby().lobby
    assert is_possible_lobby(lobby)
    for edition in ("atlantis", "\x1b[2J", "?"):
        strange = replace(lobby, settings=replace(lobby.settings, edition=edition))
        assert not is_possible_lobby(strange), edition
