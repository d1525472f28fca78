"""Connections of a room: who comes back, is silent or slow, or says too much; the disk and doors.

What its shell tells a room is here, too: a full disk, a dead host, and doors beside the table.
"""

from __future__ import annotations

import msgspec
import pytest

from net.protocol import messages
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.framing import BadFrame, decode
from net.protocol.lobby import Presence
from net.protocol.messages import (
    CLIENT_KINDS,
    NOTHING_SEEN,
    Accepted,
    ClientCommand,
    CloseReason,
    DiskStatus,
    EnterTable,
    Ping,
    Pong,
    Refusal,
    Resync,
    Snapshot,
    StepFrame,
    Welcome,
)
from net.protocol.requests import Chat, GoUnsaved, Kick, Start, SwitchDoor
from net.room import inputs
from net.room.effects import SendFrame
from net.room.sessions import REPLAY_FRAMES, TABLE_LIMITS
from tests.net.room.room_fixture import Guest, Table, play_on, three_in_game, three_in_lobby


def kinds_told(guest: Guest) -> list[type[messages.HostMessage]]:
    """The kinds of messages that somebody was sent, in order."""
    return [type(message) for message in guest.got]


def presences(table: Table) -> dict[str, Presence]:
    """How far each person is there, as all are told."""
    return {person.name: person.presence for person in table.lobby.people}


def test_the_newest_link_of_a_person_takes_over_at_once() -> None:
    table = three_in_game()
    old = table.people["Ben"]
    new = table.come("Ben")
    assert old.farewell is CloseReason.REPLACED
    assert old.ended
    assert kinds_told(new) == [Welcome], "nothing was missed"
    assert not table.say(old, Ping(0)).do, "the old connection is not heard"
    inputs.drop_connection(table.room, table.now, old.connection)
    assert table.wants("Ben", Chat("still here")) is None


def test_somebody_who_comes_back_gets_what_they_missed_or_a_snapshot() -> None:
    table = three_in_game()
    table.drop("Ben")
    for number in range(3):
        table.wants("Ann", Chat(f"{number}"))
    assert kinds_told(table.come("Ben")) == [Welcome, StepFrame, StepFrame, StepFrame]
    table.drop("Ben")
    for number in range(REPLAY_FRAMES + 1):
        table.now += 1
        table.wants("Ann", Chat(f"{number}"))
    back = table.come("Ben")
    assert kinds_told(back) == [Welcome, Snapshot, Pong]
    assert back.view == table.room.state.view(back.client.status.seat)
    table.drop("Ben")
    back = table.near("Ben")
    back.client.begin_connection()
    future = messages.Mark(999, bytes(16))
    table.say(back, EnterTable("Ben", watch=False, incarnation=1, seen=future))
    assert kinds_told(back)[:2] == [Welcome, Snapshot], "nobody has seen the future"


def test_somebody_who_leaves_for_now_is_away_at_once_until_they_come_back() -> None:
    table = three_in_lobby()
    ben = table.people["Ben"]
    table.say(ben, messages.StepAway())
    assert table.presence("Ben") is Presence.AWAY
    assert table.presence("Ben").is_gone
    inputs.drop_connection(table.room, 0, ben.connection)
    table.wait(30, "Ben")
    assert table.presence("Ben") is Presence.AWAY, "their silence says nothing new"
    table.come("Ben")
    assert table.presence("Ben") is Presence.THERE


def test_silence_is_told_to_all_and_ends_the_link_and_coming_back_too() -> None:
    table = three_in_lobby()
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


def test_somebody_who_takes_nothing_in_is_cut_off() -> None:
    table = three_in_lobby()
    ben = table.people["Ben"]
    table.wait(2)
    table.wants("Ann", Chat("hear this"))
    for _ in range(24):
        if not ben.ended:
            table.say(ben, Ping(1))
        table.wait(0.5, "Ben")
    assert ben.farewell is CloseReason.TOO_SLOW
    assert not table.people["Cleo"].ended


def test_a_clock_that_jumps_does_no_harm() -> None:
    table = three_in_game()
    before = table.room.state.number
    table.apply(inputs.tick(table.room, -1000.0))
    assert table.room.state.number == before
    table.apply(inputs.tick(table.room, 1e9))
    shaky = set(presences(table).values())
    assert shaky == {Presence.SHAKY}, "the host slept, and nobody was heard since"
    assert not table.room.may_play, "the table may be elsewhere by now"
    table.now = 5.0
    table.wait(4.5, "Ben")
    shown = presences(table)
    assert shown.pop("Ben") is Presence.SHAKY, "time goes on from wherever the clock is"
    assert set(shown.values()) == {Presence.THERE}


# Guests who say what makes no sense, too much, too early or nothing at all.


@pytest.mark.parametrize("message", [ClientCommand(1, Start()), Resync()])
def test_somebody_who_has_not_entered_may_only_do_that(message: messages.ClientMessage) -> None:
    table = three_in_game()
    before = table.room.state
    near = table.near("Ben")
    table.say(near, Ping(5))
    assert near.got == [Pong(0)]
    table.say(near, message)
    assert near.farewell is CloseReason.OUT_OF_ORDER
    assert near.ended
    assert table.room.state == before
    inputs.drop_connection(table.room, 0.0, near.connection)


def test_a_link_that_never_enters_is_ended() -> None:
    table = three_in_game()
    inputs.drop_connection(table.room, 0.0, 77)
    inputs.drop_connection(table.room, 0.0, table.near("Eve").connection)
    for pings in (False, True):
        eve = table.near("Eve")
        for _ in range(19):
            table.wait(0.5)
            assert not eve.ended
            if pings:
                table.say(eve, Ping(0))
        table.wait(0.5)
        assert eve.farewell is CloseReason.TOO_SLOW


def test_of_many_links_that_never_enter_the_oldest_have_to_go() -> None:
    table = three_in_game()
    many = [table.near("Eve") for _ in range(TABLE_LIMITS.unentered + 2)]
    assert [eve.farewell for eve in many[:3]] == [CloseReason.TOO_SLOW, CloseReason.TOO_SLOW, None]
    assert table.come("Dede").client.entered
    assert table.wants("Ben", Chat("nobody here has noticed")) is None


def test_somebody_who_enters_twice_or_asks_for_snapshots_without_end_is_cut_off() -> None:
    table = three_in_game()
    ben, cleo = table.people["Ben"], table.people["Cleo"]
    table.say(ben, ben.client.begin_connection())
    assert ben.farewell is CloseReason.OUT_OF_ORDER
    for _ in range(7):
        table.ask(cleo)
    assert cleo.farewell is CloseReason.TOO_MUCH
    assert not table.people["Wim"].ended


def test_a_player_who_asks_for_everything_without_end_has_to_wait_and_stays_connected() -> None:
    table = three_in_game()
    before = table.people["Cleo"]
    for _ in range(6):
        before = table.people["Cleo"]
        before.forget()
        assert table.come("Cleo").farewell is None
    kept = table.people["Cleo"]
    assert before.farewell is CloseReason.REPLACED
    kept.forget()
    late = table.come("Cleo")
    assert late.farewell is CloseReason.TOO_MUCH
    assert len(late.got) == 1, "not a word of the table"
    assert kept.farewell is None
    table.wait(2)
    late.forget()
    assert table.come("Cleo").farewell is None
    for _ in range(9):
        assert table.come("Cleo").farewell is None, "who has seen it all takes little"


def test_somebody_who_was_kicked_is_heard_no_more() -> None:
    table = three_in_game()
    ben = table.people["Ben"]
    table.wants("Ann", Kick(ben.member))
    before = table.room.state
    enter = EnterTable("Ben", watch=False, incarnation=0, seen=NOTHING_SEEN)
    for message in (ClientCommand(99, Chat("!")), Ping(1), Resync(), enter):
        assert not table.say(ben, message).do
    assert table.room.state == before


def command(*request: object, number: int = 1) -> dict[str, object]:
    """A command on the wire."""
    return {"is": "command", "id": number, "request": request}


def enter(name: str) -> dict[str, object]:
    """The message of who enters, on the wire."""
    seen = [0, bytes(16)]
    return {"is": "enter", "name": name, "watch": False, "incarnation": 0, "seen": seen}


SETTINGS = ["international", 3, 5, -1, False, 1, 0, "medium", True]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (command("chat", "x" * 160), command("chat", "x" * 161)),
        (command("chat", "x", number=2**31 - 1), command("chat", "x", number=2**63)),
        (command("chat", "x"), command("chat", "x", number=0)),
        (command("sit", 9), command("sit", 10)),
        (command("sit", 0), command("sit", -1)),
        (command("start"), command("dance")),
        (command("stand-up"), command("sit", 1, 1)),
        (command("move", 0, ["keep", 3]), command("move", 0, ["keep", 4])),
        (command("settings", SETTINGS), command("settings", [*SETTINGS, "x"])),
        (enter("x" * 56), enter("x" * 57)),
        ({"is": "ping", "seen": 2**31 - 1}, {"is": "ping", "seen": 2**31}),
        ({"is": "resync"}, {"is": "step"}),
    ],
)
def test_a_value_at_its_bounds_is_a_message_and_one_beyond_is_none(
    good: dict[str, object], bad: dict[str, object]
) -> None:
    assert isinstance(decode(msgspec.msgpack.encode(good), *CLIENT_KINDS), CLIENT_KINDS)
    with pytest.raises(BadFrame):
        decode(msgspec.msgpack.encode(bad), *CLIENT_KINDS)


# What the shell tells a room.


def test_wrong_codes_are_told_to_the_host_alone_and_once() -> None:
    table = three_in_game()
    alarm = messages.GuessAlarm
    effects = table.apply(inputs.note_wrong_codes(table.room, 0.0, 5))
    assert effects.do == (SendFrame((table.people["Ann"].connection,), alarm(5)),)
    assert effects.after == 0
    assert table.people["Ann"].client.receive(alarm(5)).alarm == 5
    table.drop("Ann")
    for tried in (10, 20):
        assert inputs.note_wrong_codes(table.room, 0.0, tried).do == ()
    assert not table.come("Ben").find(alarm)
    assert table.come("Ann").find(alarm) == [alarm(20)]
    assert not table.come("Ann").find(alarm)


def test_the_host_alone_is_told_whether_the_table_is_announced_now_and_on_coming() -> None:
    table = three_in_game()
    announcing = messages.Announcing
    effects = table.apply(inputs.note_announcing(table.room, 0.0, works=False))
    assert effects.do == (SendFrame((table.people["Ann"].connection,), announcing(works=False)),)
    assert effects.after == 0
    assert not table.people["Ann"].client.status.announced
    table.drop("Ann")
    assert inputs.note_announcing(table.room, 0.0, works=True).do == ()
    assert not table.come("Ben").find(announcing)
    assert announcing(works=True) in table.come("Ann").got


def set_disk(table: Table, disk: DiskStatus) -> None:
    """The disk is full, or no longer."""
    table.apply(inputs.note_disk(table.room, table.now, disk))


def test_a_full_disk_stops_all_that_would_have_to_be_saved() -> None:
    table = three_in_game()
    set_disk(table, DiskStatus.FULL)
    assert {guest.client.status.disk for guest in table.people.values()} == {DiskStatus.FULL}
    before = table.room.state
    assert table.wants("Ben", Chat("hm")) is Refusal.DISK_FULL
    assert table.plays(table.name_to_act(), table.move()) is Refusal.DISK_FULL
    assert table.come("New").got == [messages.CommandRefused(0, Refusal.DISK_FULL)]
    del table.people["New"]
    table.wait(12, "Cleo")
    assert table.people["Cleo"].ended
    assert table.room.state == before
    assert table.room.bot_turn() is None
    assert table.come("Cleo").client.entered
    set_disk(table, DiskStatus.UNSAVED)
    assert table.wants("Ben", Chat("on we go")) is None
    assert table.people["Ann"].find(messages.Disk)[-1] == messages.Disk(DiskStatus.UNSAVED)
    late = table.come("Late")
    assert isinstance(late.got[1], Snapshot)
    assert late.client.status.disk is DiskStatus.UNSAVED


def test_only_the_host_goes_on_unsaved_and_only_while_the_disk_is_full() -> None:
    table = three_in_game()
    assert table.wants("Ann", GoUnsaved()) is Refusal.NOT_NOW
    set_disk(table, DiskStatus.FULL)
    assert table.wants("Ben", GoUnsaved()) is Refusal.HOST_ONLY
    ann = table.people["Ann"]
    (wanted,) = ann.client.request(GoUnsaved())
    effects = table.say(ann, wanted)
    assert (effects.go_unsaved, effects.after, effects.steps) == (True, 0, ())
    assert ann.got[-1] == Accepted(ann.client.last_id)
    set_disk(table, DiskStatus.UNSAVED)
    again = table.say(ann, wanted)
    assert not again.go_unsaved
    assert ann.got[-1] == Accepted(ann.client.last_id)
    assert table.wants("Ben", Chat("on we go")) is None


def test_a_dead_host_comes_back_as_it_was_and_nobody_is_there_yet() -> None:
    table = three_in_game()
    play_on(table, 10)
    before = table.room.state
    table.crash()
    assert table.room.state.game == before.game
    assert table.room.state.talk == before.talk
    assert set(presences(table).values()) == {Presence.GONE}
    assert kinds_told(table.come("Ben")) == [Welcome, Snapshot, Pong]
    table.wait(1)
    there = {name for name, presence in presences(table).items() if presence is Presence.THERE}
    assert there == {"Ben"}, "nobody else was heard of in this life"
    table.come_all("Ann", "Cleo", "Wim")
    play_on(table)
    assert table.people["Wim"].view == table.room.state.view(None)


def test_a_move_decided_upon_in_steps_that_were_lost_is_dropped() -> None:
    table = three_in_game()
    name = table.name_to_act()
    client = table.people[name].client
    saved = table.room.state.number
    assert table.wants(name, Chat("never saved")) is None
    client.end_connection()
    client.request(client.status.move_request(table.move()))
    client.request(Chat("kept"))
    del table.disk[saved:]
    table.crash()
    assert table.come(name).view.to_act == client.status.seat, "it is still their turn"
    assert not client.commands
    assert [line.text for line in table.room.state.talk] == ["kept"]
    client.end_connection()
    client.request(client.status.move_request(table.move()))
    table.crash()
    table.crash()
    table.come(name)
    assert not client.commands, "what happened two lives ago, nobody knows"


def test_a_journal_that_is_none_is_refused() -> None:
    for kept, steps in ((b"junk", ()), (three_in_lobby().kept, (b"junk",))):
        with pytest.raises(msgspec.DecodeError):
            inputs.resume(kept, steps, 1, lambda: bytes(32), 0.0)


def test_an_outcome_tells_which_step_has_to_be_on_disk_before_it_leaves() -> None:
    table = three_in_game()
    ben = table.people["Ben"]
    ping = table.say(ben, Ping(0))
    assert (ping.after, ping.steps) == (0, ())
    answer = inputs.receive(table.room, table.now, ben.connection, Resync())
    assert answer.after == table.room.state.number
    said = table.say(ben, ClientCommand(99, Chat("x")))
    assert [step.number for step in said.steps] == [said.after] == [table.room.state.number]


OPEN = SwitchDoor(DoorKind.SSH, open=True)
NOW = DoorNow(DoorKind.SSH, 7351, "SHA256:16xFdUggOZ5qrsD4ayHENzgPR0qYTkpfDh26Z11TYDI")


def test_only_the_host_switches_a_door_which_makes_no_step_and_waits_for_no_disk() -> None:
    table = three_in_game()
    before = table.room.state
    assert table.wants("Ben", OPEN) is Refusal.HOST_ONLY
    set_disk(table, DiskStatus.FULL)
    ann = table.people["Ann"]
    (wanted,) = ann.client.request(OPEN)
    effects = table.say(ann, wanted)
    assert (effects.switches, effects.steps) == ((OPEN,), ())
    assert ann.got[-1] == Accepted(ann.client.last_id)
    assert table.room.state == before
    assert inputs.tick(table.room, table.now).switches == (), "an order is given once"


@pytest.mark.parametrize("name", ["Ann", "Ben"])
def test_everybody_is_told_of_each_door_now_and_whenever_they_come_back(name: str) -> None:
    table = three_in_lobby()
    table.apply(inputs.note_door(table.room, table.now, NOW))
    assert table.people[name].client.status.doors == (NOW,)
    table.wait(12, name)
    closed = DoorNow(DoorKind.SSH, trouble=DoorTrouble.ENDED)
    other = DoorNow(DoorKind.WEB, 7361)
    for now in (closed, other):
        table.apply(inputs.note_door(table.room, table.now, now))
    newcomer = table.come(name).client
    assert newcomer.status.doors == (closed, other)
    for door in (other, NOW):  # whichever opens again last
        newcomer.receive(door)
    assert newcomer.status.doors == (NOW, other)
