"""What its shell tells a room: a full disk, a dead host, and doors beside the table."""

import msgspec
import pytest

from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.framing import BadFrame
from net.protocol.lobby import Presence
from net.protocol.messages import (
    Accepted,
    ClientCommand,
    CommandRefused,
    Disk,
    DiskStatus,
    Ping,
    Pong,
    Refusal,
    Resync,
    Snapshot,
    Welcome,
)
from net.protocol.requests import Chat, GoUnsaved, SwitchDoor
from net.room import inputs
from tests.net.room.room_fixture import play_on, playing, three_at_a_table


def test_a_full_disk_stops_all_that_would_have_to_be_saved() -> None:
    table = playing()
    table.happen(inputs.note_disk(table.room, 0.0, DiskStatus.FULL))
    assert all(
        connected.client.status.disk is DiskStatus.FULL for connected in table.people.values()
    )
    before = table.room.state
    assert table.wants("Ben", Chat("hm")) is Refusal.DISK_FULL
    assert table.plays(table.name_to_act(), table.move()) is Refusal.DISK_FULL
    newcomer = table.come("New")
    assert newcomer.got == [CommandRefused(0, Refusal.DISK_FULL)]
    del table.people["New"]
    table.wait(12, "Cleo")
    assert table.people["Cleo"].ended
    assert table.room.state == before
    assert table.room.bot_turn() is None
    back = table.come("Cleo")
    assert back.client.entered
    table.happen(inputs.note_disk(table.room, table.now, DiskStatus.UNSAVED))
    assert table.wants("Ben", Chat("on we go")) is None
    assert any(message == Disk(DiskStatus.UNSAVED) for message in table.people["Ann"].got)
    assert isinstance(table.come("Late").got[1], Snapshot)
    assert table.people["Late"].client.status.disk is DiskStatus.UNSAVED


def test_only_the_host_goes_on_unsaved_and_only_while_the_disk_is_full() -> None:
    table = playing()
    assert table.wants("Ann", GoUnsaved()) is Refusal.NOT_NOW
    table.happen(inputs.note_disk(table.room, 0.0, DiskStatus.FULL))
    assert table.wants("Ben", GoUnsaved()) is Refusal.HOST_ONLY
    ann = table.people["Ann"]
    (wanted,) = ann.client.request(GoUnsaved())
    effects = table.say(ann, wanted)
    assert (effects.go_unsaved, effects.after, effects.steps) == (True, 0, ())
    assert ann.got[-1] == Accepted(ann.client.last_id)
    table.happen(inputs.note_disk(table.room, 0.0, DiskStatus.UNSAVED))
    again = table.say(ann, wanted)
    assert not again.go_unsaved
    assert ann.got[-1] == Accepted(ann.client.last_id)
    assert table.wants("Ben", Chat("on we go")) is None


def test_a_dead_host_comes_back_as_it_was_and_nobody_is_there_yet() -> None:
    table = playing()
    play_on(table, 10)
    before = table.room.state
    table.crash()
    assert table.room.state.game == before.game
    assert table.room.state.talk == before.talk
    assert {person.presence for person in table.lobby.people} == {Presence.GONE}
    connected = table.come("Ben")
    assert [type(message) for message in connected.got] == [Welcome, Snapshot, Pong]
    table.wait(1)
    there = {person.name for person in table.lobby.people if person.presence is Presence.THERE}
    assert there == {"Ben"}, "nobody else was heard of in this life"
    table.come_all("Ann", "Cleo", "Wim")
    play_on(table)
    assert table.people["Wim"].client.status.view == table.room.state.view(None)


def test_a_move_decided_upon_in_steps_that_were_lost_is_dropped() -> None:
    table = playing()
    name = table.name_to_act()
    client = table.people[name].client
    saved = table.room.state.number
    assert table.wants(name, Chat("never saved")) is None
    client.end_connection()
    client.request(client.status.move_request(table.move()))
    client.request(Chat("kept"))
    del table.disk[saved:]
    table.crash()
    table.come(name)
    assert not client.commands
    assert [line.text for line in table.room.state.talk] == ["kept"]
    assert client.status.view is not None
    assert client.status.view.to_act == client.status.seat, "it is still their turn"
    client.end_connection()
    client.request(client.status.move_request(table.move()))
    table.crash()
    table.crash()
    table.come(name)
    assert not client.commands, "what happened two lives ago, nobody knows"


def test_a_journal_that_is_none_is_refused() -> None:
    table = three_at_a_table()
    with pytest.raises(msgspec.DecodeError):
        inputs.resume(b"junk", (), 1, lambda: bytes(32), 0.0)
    with pytest.raises(msgspec.DecodeError):
        inputs.resume(table.kept, (b"junk",), 1, lambda: bytes(32), 0.0)


def test_an_outcome_tells_which_step_has_to_be_on_disk_before_it_leaves() -> None:
    table = playing()
    connected = table.people["Ben"]
    ping = inputs.receive(table.room, 0.0, connected.connection, Ping(0))
    assert (ping.after, ping.steps) == (0, ())
    answer = inputs.receive(table.room, 0.0, connected.connection, Resync())
    assert answer.after == table.room.state.number
    said = inputs.receive(table.room, 0.0, connected.connection, ClientCommand(99, Chat("x")))
    assert [step.number for step in said.steps] == [said.after] == [table.room.state.number]


OPEN = SwitchDoor(DoorKind.SSH, open=True)
NOW = DoorNow(DoorKind.SSH, 7351, "SHA256:16xFdUggOZ5qrsD4ayHENzgPR0qYTkpfDh26Z11TYDI")


def test_only_the_host_switches_a_door_which_makes_no_step_and_waits_for_no_disk() -> None:
    table = playing()
    before = table.room.state
    assert table.wants("Ben", OPEN) is Refusal.HOST_ONLY
    table.happen(inputs.note_disk(table.room, 0.0, DiskStatus.FULL))
    ann = table.people["Ann"]
    (wanted,) = ann.client.request(OPEN)
    effects = table.say(ann, wanted)
    assert (effects.switches, effects.steps) == ((OPEN,), ())
    assert ann.got[-1] == Accepted(ann.client.last_id)
    assert table.room.state == before
    assert inputs.tick(table.room, table.now).switches == (), "an order is given once"


@pytest.mark.parametrize("name", ["Ann", "Ben"])
def test_everybody_is_told_of_each_door_now_and_whenever_they_come_back(name: str) -> None:
    table = three_at_a_table()
    table.happen(inputs.note_door(table.room, table.now, NOW))
    assert table.people[name].client.status.doors == (NOW,)
    table.wait(12, name)
    closed = DoorNow(DoorKind.SSH, trouble=DoorTrouble.ENDED)
    other = DoorNow(DoorKind.WEB, 7361)
    for now in (closed, other):
        table.happen(inputs.note_door(table.room, table.now, now))
    assert set(table.come(name).client.status.doors) == {closed, other}


def test_a_hosts_fingerprint_that_is_no_clean_text_is_refused() -> None:
    table = three_at_a_table()
    with pytest.raises(BadFrame):
        table.people["Ann"].client.receive(DoorNow(DoorKind.SSH, 7351, "\x1b[2J"))
