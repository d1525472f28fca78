"""Ten minutes of people who come and go without end: what a table writes, keeps and tells of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from net.protocol.lobby import Presence, Settings
from net.protocol.messages import (
    NOTHING_SEEN,
    ClientCommand,
    ClientMessage,
    Closing,
    CommandRefused,
    EnterTable,
    HostMessage,
    Ping,
    Refusal,
    StepAway,
)
from net.protocol.requests import Leave
from net.room import inputs
from net.room.effects import Effects, SendFrame
from net.room.room import Room
from net.room.sessions import TABLE_LIMITS
from net.room.state import TableCreated
from net.secure.limits import home_of
from tests.net.room.room_fixture import Table, key_of

FLOOD_S = 600
A_SECOND = 5
"""Attempts in a second: many more than are ever let in."""


class Flood:
    """A table whose host is there, and one who comes to it again and again."""

    def __init__(self) -> None:
        created = TableCreated("Gold Rush", key_of("Ann"), Settings(seats=10))
        self.room = Room(created, 1, lambda: bytes(32), 0.0)
        self.now, self.connections, self.written = 0.0, 0, 0
        self.last: list[HostMessage] = []
        self.arrive("Ann", "192.168.1.1")

    def happen(self, effects: Effects) -> None:
        """Count what is written, and note what the last connection is told."""
        self.written += sum(len(step.payload) for step in effects.steps)
        self.last += [
            one.message
            for one in effects.do
            if isinstance(one, SendFrame) and self.connections in one.connections
        ]

    def arrive(self, name: str, address: str, key: str = "") -> Refusal | None:
        """Somebody connects and enters; return why they may not."""
        self.connections += 1
        self.last = []
        key = key or name
        self.happen(
            inputs.add_connection(
                self.room, self.now, self.connections, key_of(key), home_of(address)
            )
        )
        self.say(EnterTable(name, watch=True, incarnation=0, seen=NOTHING_SEEN))
        refused = [one for one in self.last if isinstance(one, CommandRefused)]
        return refused[0].reason if refused else None

    def say(self, message: ClientMessage) -> None:
        """The last who came says something."""
        self.happen(inputs.receive(self.room, self.now, self.connections, message))

    def ping(self) -> None:
        """The last who came has seen all."""
        self.say(Ping(self.room.state.number))

    def leave(self) -> None:
        """The last who came leaves for good, as far as they are there."""
        self.say(ClientCommand(1, Leave()))
        if not any(isinstance(one, Closing) for one in self.last):
            inputs.drop_connection(self.room, self.now, self.connections)

    def last_for(self, seconds: float, once: Callable[[int], None]) -> None:
        """Do something `A_SECOND` times a second, while the host pings."""
        for number in range(int(seconds * A_SECOND)):
            self.now += 1 / A_SECOND
            if number % A_SECOND == 0:
                self.happen(inputs.receive(self.room, self.now, 1, Ping(self.room.state.number)))
                self.happen(inputs.tick(self.room, self.now))
            once(number)


def come_and_go(flood: Flood, name: str, address: str, number: int) -> None:
    """Come under this name from this address, with a new key, and leave."""
    flood.arrive(name.format(number), address.format(number % 250), key=f"key {number}")
    flood.leave()


@pytest.mark.level("broad")
def test_ten_minutes_of_one_address_write_no_more_than_16_kilobytes() -> None:
    flood = Flood()
    flood.last_for(FLOOD_S, partial(come_and_go, flood, "mallory {}", "192.168.1.66"))
    assert flood.room.state.number < 250
    assert flood.written < 16 * 1024
    assert len(flood.room.lobby.people) == 1


def test_the_addresses_of_one_household_count_as_one() -> None:
    flood = Flood()
    flood.last_for(60, partial(come_and_go, flood, "mallory {}", "2001:db8:0:7::{:x}"))
    assert flood.room.state.number < 80


@pytest.mark.level("broad")
def test_ten_minutes_of_all_names_from_everywhere_write_no_more_than_64_kilobytes() -> None:
    flood = Flood()
    flood.last_for(FLOOD_S, partial(come_and_go, flood, "mallory {}", "10.0.0.{}"))
    assert flood.room.state.number < 800
    assert flood.written < 64 * 1024


def test_who_steps_away_and_comes_back_without_end_is_told_of_a_few_times_a_minute() -> None:
    flood = Flood()
    assert flood.arrive("Fay", "192.168.1.66") is None
    start = flood.room.state.number
    flood.last_for(FLOOD_S, lambda number: flood.say(StepAway()) if number % 2 else flood.ping())
    assert 2 * FLOOD_S // 10 <= flood.room.state.number - start <= 2 * (6 + FLOOD_S // 10)


def test_who_comes_back_on_ever_new_connections_is_told_of_a_few_times_a_minute() -> None:
    flood = Flood()
    flood.arrive("Fay", "192.168.1.66")
    start = flood.room.state.number

    def flap(number: int) -> None:
        if number % 10 == 0:
            flood.say(StepAway())
            inputs.drop_connection(flood.room, flood.now, flood.connections)
            flood.arrive("Fay", "192.168.1.66")

    flood.last_for(FLOOD_S, flap)
    assert 2 * FLOOD_S // 10 <= flood.room.state.number - start <= 2 * (6 + FLOOD_S // 10)


def test_who_steps_away_too_often_counts_as_gone_after_ten_seconds_and_is_there_when_back() -> None:
    table = Table(Settings(seats=4))
    table.come("Ann")
    fay = table.come("Fay")
    for _ in range(7):
        table.say(fay, StepAway())
        table.say(fay, Ping(0))
    table.say(fay, StepAway())
    assert table.presence("Fay") is Presence.THERE, "so far as all were told"
    table.wait(11, "Fay")
    assert table.presence("Fay") is Presence.GONE
    table.come("Fay")
    assert table.presence("Fay") is Presence.THERE


def test_a_whole_club_comes_in_at_once_from_one_address_and_a_flood_is_told_when_to_try() -> None:
    flood = Flood()
    for number in range(TABLE_LIMITS.per_address):
        assert flood.arrive(f"friend {number}", "203.0.113.5") is None
        flood.leave()
    assert flood.arrive("one more", "203.0.113.5") is Refusal.BUSY
    assert flood.arrive("Bea", "203.0.113.6") is None, "others come in"
    flood.last_for(11, lambda _: None)
    assert flood.arrive("one more", "203.0.113.5") is None


def test_who_comes_back_by_their_key_is_not_counted_nor_is_the_host() -> None:
    flood = Flood()
    flood.arrive("Fay", "192.168.1.66")
    for _ in range(100):
        inputs.drop_connection(flood.room, flood.now, flood.connections)
        flood.now += 2
        assert flood.arrive("Fay", "192.168.1.66") is None
    assert any(person.name == "Fay" for person in flood.room.lobby.people)
