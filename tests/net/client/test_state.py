"""A client's state: a step that the host keeps back is asked for, once."""

from __future__ import annotations

import pytest

from net.client.state import PATIENCE
from net.protocol.messages import Disk, DiskStatus, HostMessage, Pong, Resync, StepFrame
from net.protocol.requests import Chat
from tests.net.client.unfair_table import UnfairTable
from tests.net.room.room_fixture import Guest


def withheld(table: UnfairTable, name: str) -> StepFrame:
    kept: list[StepFrame] = []
    hear = table.hear

    def hear_some(connected: Guest, message: HostMessage) -> None:
        if connected is table.people[name] and isinstance(message, StepFrame):
            kept.append(message)
        else:
            hear(connected, message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "hear", hear_some)
        assert table.wants("Ann", Chat("hello")) is None
    (step,) = kept
    return step


def beat(table: UnfairTable, guest: Guest) -> None:
    table.say(guest, guest.client.ping())


def test_a_step_that_the_host_keeps_back_is_asked_for_after_some_heartbeats() -> None:
    table = UnfairTable()
    ben = table.people["Ben"]
    step = withheld(table, "Ben")
    for _ in range(PATIENCE - 1):
        beat(table, ben)
        assert Resync() not in ben.sent, "it may be on its way"
    beat(table, ben)
    assert ben.sent.count(Resync()) == 1
    assert ben.client.last_seen.step == step.step == table.room.state.number


def test_a_step_that_comes_between_heartbeats_or_waits_for_the_disk_is_not_asked_for() -> None:
    table = UnfairTable()
    ben = table.people["Ben"]
    for _ in range(2):
        step = withheld(table, "Ben")
        for _ in range(PATIENCE - 1):
            beat(table, ben)
        table.hear(ben, step)
    full = withheld(table, "Ben")
    table.hear(ben, Disk(DiskStatus.FULL))
    for _ in range(PATIENCE + 1):
        beat(table, ben)
    assert Resync() not in ben.sent
    table.hear(ben, Disk(DiskStatus.OK))
    table.hear(ben, full)
    assert ben.client.last_seen.step == table.room.state.number


def test_while_the_answer_to_one_question_is_awaited_no_other_is_asked() -> None:
    table = UnfairTable()
    ben = table.people["Ben"]
    step = withheld(table, "Ben")
    (asked,) = ben.client._resync().send
    for _ in range(PATIENCE + 1):
        assert ben.client.receive(Pong(step.step)).send == ()
    table.say(ben, asked)
    assert ben.client.last_seen.step == step.step
