"""The client's side: what fits is folded, what does not is asked for anew, what is bad ends it."""

import msgspec
import pytest
from msgspec.structs import replace

from engine import Phase
from engine.cards import PATHS
from engine.events import Drew, GoldDrawn, Laid, TurnBegan
from net.client.session import Received
from net.protocol import lobby_events as tidings
from net.protocol.events import (
    read_event,
    write_event,
)
from net.protocol.fields import HAND, NUGGETS, ROLES
from net.protocol.framing import MAX_HOST_FRAME_BYTES, BadFrame, decode, pack
from net.protocol.lobby import MAX_PEOPLE, Person, Presence, Settings, Taken
from net.protocol.messages import (
    HOST_KINDS,
    Accepted,
    Disk,
    DiskStatus,
    Ping,
    Resync,
    Snapshot,
    StepFrame,
    Welcome,
    hash_of_all,
)
from net.protocol.requests import Chat, Start
from net.room import inputs
from net.room.broadcast import snapshot
from tests.net.room.room_fixture import Table, bots, play_on, playing, three_at_a_table


def test_codes_that_are_none_are_refused() -> None:
    assert (HAND.read(b""), ROLES.read(b""), NUGGETS.read(b"")) == ((), (), ())
    for read, code in ((HAND.read, b"\x1b"), (ROLES.read, b"\x02"), (NUGGETS.read, b"\x00")):
        with pytest.raises(BadFrame):
            read(code)


@pytest.mark.level("broad")
def test_a_snapshot_at_ten_players_after_the_longest_round_is_far_below_the_cap() -> None:
    table = Table(Settings(seats=10, rounds=1, edition="france"))
    table.come("Ann")
    bots(table, range(1, 10))
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
    snapshot_frame = snapshot(state, table.lobby.host, 1, DiskStatus.OK)
    assert sum(isinstance(read_event(event), TurnBegan) for event in snapshot_frame.history) == 67
    assert len(msgspec.msgpack.encode(snapshot_frame)) < 44 * 1024
    assert len(pack(snapshot_frame, MAX_HOST_FRAME_BYTES)) <= 4 + 64 * 1024
    assert decode(msgspec.msgpack.encode(snapshot_frame), *HOST_KINDS) == snapshot_frame


def last_frame(table: Table, name: str) -> StepFrame:
    """The last step that somebody was told."""
    frame = table.people[name].numbered[-1]
    assert isinstance(frame, StepFrame)
    return frame


def test_a_gap_another_life_or_another_hash_asks_for_a_snapshot_once() -> None:
    table = playing()
    client = table.people["Ben"].client
    table.wants("Ann", Chat("now"))
    frame = last_frame(table, "Ben")
    assert not client.receive(frame).send, "told before"
    follows = replace(frame, step=frame.step + 1)
    for bad, disagreed in (
        (replace(follows, step=frame.step + 2), False),
        (replace(follows, incarnation=2), False),
        (replace(follows, hash=bytes(8)), True),
        (replace(follows, events=(write_event(Laid(9, PATHS[0], (1, 0))),)), True),
        (replace(follows, lobby_events=(tidings.ReadyChanged(9, ready=True),)), True),
        (
            replace(
                follows, lobby_events=(tidings.StoodUp(0), tidings.ReadyChanged(0, ready=True))
            ),
            True,
        ),
        (replace(follows, lobby_events=(tidings.Said(99, "who?"),)), True),
        (replace(follows, lobby_events=(tidings.SatDown(0, 99),)), True),
    ):
        held = client.status.game_state
        received = client.receive(bad)
        assert held is not None
        assert received.send == (Resync(),)
        assert (received.disagreed) is disagreed
        assert client.receive(bad).send == (), "asked once"
        assert client.status.game_state is held
        client.receive(snapshot(table.room.state, client.status.member, 1, DiskStatus.OK))
    assert client.status.view == table.room.state.view(client.status.seat)


def test_an_event_without_a_game_or_a_first_step_without_a_snapshot_is_asked_about() -> None:
    table = three_at_a_table()
    client = table.people["Ben"].client
    assert client.status.game_state is not None
    frame = StepFrame(
        client.status.game_state.step + 1, 1, 0, (), (write_event(Drew(0)),), bytes(8)
    )
    assert client.receive(frame).disagreed
    newcomer = table.come("New")
    newcomer.forget()
    fresh = newcomer.client
    fresh.begin_connection()
    assert fresh.receive(frame).send == (Resync(),)
    assert fresh.ping() == Ping(0)


def test_a_snapshot_that_does_not_fit_itself_ends_the_connection() -> None:
    table = playing()
    client = table.people["Ben"].client
    good = snapshot(table.room.state, client.status.member, 1, DiskStatus.OK)
    assert good.public is not None
    assert good.own is not None
    people = (*good.lobby.people, Person(1, "Twin", Presence.THERE))
    chairs = (Taken(99, ready=True), *good.lobby.chairs[1:])
    shown = good.public
    for bad in (
        replace(good, hash=bytes(8)),
        replace(good, lobby=replace(good.lobby, people=people)),
        replace(good, lobby=replace(good.lobby, chairs=chairs)),
        replace(good, own=replace(good.own, seat=3)),
        replace(good, own=replace(good.own, ledger=(write_event(Drew(0)),))),
        replace(good, public=replace(shown, table=replace(shown.table, edition="atlantis"))),
        replace(good, public=replace(shown, table=replace(shown.table, broken=(0,)))),
    ):
        with pytest.raises(BadFrame):
            client.receive(bad)


def test_what_was_wanted_is_said_again_until_it_is_answered() -> None:
    table = playing()
    ben = table.people["Ben"]
    client = ben.client
    inputs.drop_connection(table.room, 0.0, ben.connection)
    client.end_connection()
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


def test_a_client_that_was_started_anew_goes_on_where_it_was() -> None:
    table = playing()
    table.wants("Ben", Chat("one"))
    table.people["Ben"].client = type(table.people["Ben"].client)("Ben")
    connected = table.come("Ben")
    assert connected.client.last_id >= 2
    assert connected.client.status.view == table.room.state.view(1)
    assert table.wants("Ben", Chat("two")) is None


def test_the_hash_is_of_all_that_everybody_holds_and_of_no_secret() -> None:
    table = playing()
    view = table.game.view(0)
    hashed = hash_of_all(table.lobby, view)
    assert hashed == hash_of_all(table.lobby, view._replace(history=()))
    assert hashed == hash_of_all(table.lobby, table.room.state.view(1))
    score = view.score.after(GoldDrawn(1))
    others = {
        hash_of_all(table.lobby, None),
        hash_of_all(replace(table.lobby, paused=True), view),
        hash_of_all(table.lobby, view._replace(score=score)),
    }
    assert len(others) == 3
    assert hashed not in others


def test_a_snapshot_in_the_lobby_holds_no_game() -> None:
    table = three_at_a_table()
    told = table.people["Wim"].got[1]
    assert isinstance(told, Snapshot)
    assert (told.public, told.own, told.history, told.record) == (None, None, (), "")
