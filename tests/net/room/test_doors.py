"""Doors beside a table, as the room sees them: the host switches them and is told of them."""

import pytest

from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.framing import BadFrame
from net.protocol.messages import Accepted, DiskStatus, Refusal
from net.protocol.requests import SwitchDoor
from net.room import inputs
from tests.net.room.room_fixture import playing, three_at_a_table

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
