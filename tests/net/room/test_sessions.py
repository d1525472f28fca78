"""Connections of a room: who comes, comes back, is silent or slow, and what each is sent."""

from net.protocol.lobby import Presence
from net.protocol.messages import (
    CloseReason,
    EnterTable,
    Mark,
    Ping,
    Pong,
    Snapshot,
    StepAway,
    StepFrame,
    Welcome,
)
from net.protocol.requests import Chat
from net.room import inputs
from net.room.effects import SendFrame
from net.room.sessions import REPLAY_FRAMES
from tests.net.room.room_fixture import key_of, play_on, playing, three_at_a_table


def test_every_step_gives_everybody_exactly_one_frame() -> None:
    table = playing()
    table.come("Late", watch=True)
    play_on(table, 9)
    table.wants("Ben", Chat("so"))
    for name in ("Ann", "Ben", "Cleo", "Wim", "Late"):
        steps = [frame.step for frame in table.people[name].numbered]
        assert steps == list(range(steps[0], table.room.state.number + 1))


def test_the_newest_link_of_a_person_takes_over_at_once() -> None:
    table = playing()
    old = table.people["Ben"]
    new = table.come("Ben")
    assert old.farewell is CloseReason.REPLACED
    assert old.ended
    assert [type(message) for message in new.got] == [Welcome], "nothing was missed"
    assert not table.say(old, Ping(0)).do, "the old connection is not heard"
    inputs.drop_connection(table.room, table.now, old.connection)
    assert table.wants("Ben", Chat("still here")) is None


def test_who_comes_back_gets_what_they_missed_or_a_snapshot() -> None:
    table = playing()
    ben = table.people["Ben"]
    inputs.drop_connection(table.room, table.now, ben.connection)
    for number in range(3):
        table.wants("Ann", Chat(f"{number}"))
    back = table.come("Ben")
    assert [type(message) for message in back.got] == [Welcome, StepFrame, StepFrame, StepFrame]
    inputs.drop_connection(table.room, table.now, back.connection)
    for number in range(REPLAY_FRAMES + 1):
        table.now += 1
        table.wants("Ann", Chat(f"{number}"))
    back = table.come("Ben")
    assert [type(message) for message in back.got] == [Welcome, Snapshot, Pong]
    assert back.client.status.view == table.room.state.view(back.client.status.seat)


def test_who_claims_to_have_seen_the_future_gets_a_snapshot() -> None:
    table = playing()
    table.connections += 1
    inputs.add_connection(table.room, 0, table.connections, key_of("Ben"))
    effects = inputs.receive(
        table.room,
        0,
        table.connections,
        EnterTable("Ben", watch=False, incarnation=1, seen=Mark(999, bytes(16))),
    )
    sent = [
        do.message
        for do in effects.do
        if isinstance(do, SendFrame) and table.connections in do.connections
    ]
    assert [type(message) for message in sent] == [Welcome, Snapshot]


def test_who_leaves_for_now_is_away_at_once_until_they_come_back() -> None:
    table = three_at_a_table()
    ben = table.people["Ben"]

    table.say(ben, StepAway())
    assert table.presence("Ben") is Presence.AWAY
    assert table.presence("Ben").is_gone
    inputs.drop_connection(table.room, 0, ben.connection)
    table.wait(30, "Ben")
    assert table.presence("Ben") is Presence.AWAY, "their silence says nothing new"
    table.come("Ben")
    assert table.presence("Ben") is Presence.THERE


def test_silence_is_told_to_all_and_ends_the_link_and_coming_back_too() -> None:
    table = three_at_a_table()
    ben = table.people["Ben"]

    table.wait(4.5, "Ben")
    assert table.presence("Ben") is Presence.THERE
    table.wait(1, "Ben")
    assert table.presence("Ben") is Presence.SHAKY
    table.say(ben, ben.client.ping())
    assert table.presence("Ben") is Presence.THERE
    table.wait(10, "Ben")
    assert table.presence("Ben") is Presence.GONE
    assert ben.farewell is CloseReason.TOO_SLOW
    back = table.come("Ben")
    assert table.presence("Ben") is Presence.THERE
    assert back.client.status.lobby == table.lobby


def test_who_takes_nothing_in_is_cut_off() -> None:
    table = three_at_a_table()
    ben = table.people["Ben"]
    table.wait(2)
    table.wants("Ann", Chat("hear this"))
    for _ in range(24):
        table.now += 0.5
        if not ben.ended:
            table.happen(inputs.receive(table.room, table.now, ben.connection, Ping(1)))
        for name in ("Ann", "Cleo"):
            table.say(table.people[name], table.people[name].client.ping())
        table.happen(inputs.tick(table.room, table.now))
    assert ben.farewell is CloseReason.TOO_SLOW
    assert not table.people["Cleo"].ended


def test_a_clock_that_jumps_does_no_harm() -> None:
    table = playing()
    before = table.room.state.number
    table.happen(inputs.tick(table.room, -1000.0))
    assert table.room.state.number == before
    table.happen(inputs.tick(table.room, 1e9))
    shown = {person.presence for person in table.lobby.people}
    assert shown == {Presence.SHAKY}, "the host slept, and nobody was heard since"
    assert not table.room.may_play, "the table may be elsewhere by now"
    table.now = 5.0
    table.wait(4.5, "Ben")
    presence = {person.name: person.presence for person in table.lobby.people}
    assert presence.pop("Ben") is Presence.SHAKY, "time goes on from wherever the clock is"
    assert set(presence.values()) == {Presence.THERE}
