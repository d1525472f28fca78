"""Who may come to a table: sent away, a new code, locked, too many, and without end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from net.discovery import advert
from net.protocol.lobby import Presence, Settings
from net.protocol.lobby_events import CodeRenewed
from net.protocol.messages import (
    NOTHING_SEEN,
    ClientCommand,
    ClientMessage,
    CloseReason,
    Closing,
    Code,
    CommandRefused,
    EnterTable,
    HostMessage,
    Ping,
    Refusal,
    StepAway,
    StepFrame,
)
from net.protocol.requests import ChangeSettings, Kick, Leave, Lock, NewCode
from net.room import inputs
from net.room.effects import Effects, SendFrame
from net.room.room import Room
from net.room.sessions import TABLE_LIMITS
from net.room.state import TableCreated
from net.secure.code import RoomCode
from net.secure.limits import home_of
from tests.net.room.room_fixture import Guest, Table, key_of, playing, three_at_a_table

HOME = "192.168.1.7"


def refusal_of(connected: Guest) -> Refusal | CloseReason | None:
    """Why somebody may not come in."""
    last = connected.got[-1] if connected.got else None
    return last.reason if isinstance(last, CommandRefused | Closing) else None


def codes(table: Table, name: str) -> list[str]:
    """The room codes that somebody was told."""
    return [message.code for message in table.people[name].got if isinstance(message, Code)]


def kick(table: Table, name: str) -> Refusal | None:
    """The host sends somebody away."""
    return table.wants("Ann", Kick(table.people[name].member))


def stage(table: Table) -> advert.AdvertStage:
    """How far the table is, as strangers are told."""
    return table.room.stage


def test_who_is_sent_away_comes_back_with_neither_key_nor_code() -> None:
    table = three_at_a_table()
    assert kick(table, "Ben") is None
    assert table.room.state.member_with(key_of("Ben")) is None, (
        "the key alone opens the table no more"
    )
    (code,) = codes(table, "Ann")
    assert code == table.room.state.code
    assert str(RoomCode.parse(code)) == code
    assert codes(table, "Cleo") == [code], "who has a seat may go on with the table"
    assert codes(table, "Wim") == [], "who watches might show it"
    told = [
        message.lobby_events
        for message in table.people["Cleo"].numbered
        if isinstance(message, StepFrame)
    ]
    assert CodeRenewed() in told[-1], "and all that there is another"
    del table.people["Ben"]
    assert refusal_of(table.come("Ben")) is CloseReason.KICKED
    table.crash()
    assert table.room.state.code == code
    table.come("Ann")
    assert codes(table, "Ann") == [code], "the host learns it again"
    del table.people["Ben"]
    assert refusal_of(table.come("Ben")) is CloseReason.KICKED


def test_whoever_the_host_tells_a_newer_code_is_let_back() -> None:
    table = three_at_a_table()
    kick(table, "Ben")
    table.seed = bytes(32)
    assert table.wants("Ann", NewCode()) is None
    first, second = codes(table, "Ann")
    assert first != second
    assert table.room.state.code == second
    del table.people["Ben"]
    assert refusal_of(table.come("Ben")) is None


def test_an_open_table_has_no_code_to_renew_and_locks_its_door_instead() -> None:
    table = three_at_a_table(Settings(seats=3, rounds=1, is_open=True))
    assert table.wants("Ann", NewCode()) is Refusal.NO_CODE
    kick(table, "Ben")
    assert table.room.state.code == ""
    assert codes(table, "Ann") == []
    del table.people["Ben"]
    assert refusal_of(table.come("Ben")) is CloseReason.KICKED


def test_an_open_table_that_needs_a_code_again_has_a_new_one_and_readmits_nobody() -> None:
    table = three_at_a_table()
    settings = table.lobby.settings
    assert table.wants("Ann", NewCode()) is None
    (known,) = codes(table, "Ann")
    assert table.wants("Ann", ChangeSettings(replace(settings, is_open=True))) is None
    kick(table, "Ben")
    table.seed = bytes(32)
    assert table.wants("Ann", ChangeSettings(settings)) is None
    assert codes(table, "Ann") == [known, table.room.state.code]
    assert table.room.state.code != known
    del table.people["Ben"]
    assert refusal_of(table.come("Ben")) is CloseReason.KICKED, "a club's table has no other bar"


def test_at_a_locked_table_nobody_is_new_and_everybody_comes_back() -> None:
    table = three_at_a_table(Settings(seats=4, rounds=1))
    assert stage(table) is advert.AdvertStage.LOBBY
    assert table.wants("Ben", Lock(locked=True)) is Refusal.HOST_ONLY
    assert table.wants("Ann", Lock(locked=False)) is Refusal.NOT_NOW
    assert table.wants("Ann", Lock(locked=True)) is None
    assert table.lobby.locked
    assert stage(table) is advert.AdvertStage.LOCKED
    assert refusal_of(table.come("Dede")) is Refusal.LOCKED
    assert refusal_of(table.come("Eva", watch=True)) is Refusal.LOCKED
    assert refusal_of(table.come("Ben")) is None
    table.crash()
    assert table.lobby.locked, "its journal knows"
    for name in ("Ann", "Cleo", "Wim"):
        assert refusal_of(table.come(name)) is None
    assert table.wants("Ann", Lock(locked=False)) is None
    del table.people["Dede"]
    assert refusal_of(table.come("Dede")) is None


def come_from(table: Table, name: str, address: str) -> Refusal | CloseReason | None:
    """Somebody comes from an address, to watch."""
    connected = table.people[name] = table.near(name, watch=True, address=address)
    table.say(connected, connected.client.begin_connection())
    return refusal_of(connected)


def test_one_address_takes_no_more_than_half_of_all_places() -> None:
    table = three_at_a_table()
    for number in range(TABLE_LIMITS.per_address):
        assert come_from(table, f"mallory {number}", HOME) is None
    assert come_from(table, "one more", HOME) is Refusal.CROWDED
    assert come_from(table, "somebody else", "192.168.1.8") is None
    assert table.wants("mallory 0", Leave()) is None
    del table.people["one more"]
    table.wait(1 / TABLE_LIMITS.of_address.rate)
    assert come_from(table, "one more", HOME) is None


def test_ten_friends_on_one_box_play_and_come_back() -> None:
    table = Table(Settings(seats=10))
    for number in range(10):
        assert come_from(table, "Ann" if not number else f"friend {number}", "127.0.0.1") is None
    for number in range(1, 10):
        assert come_from(table, f"friend {number}", "127.0.0.1") is None


def test_a_bot_that_plays_on_has_a_name_that_nobody_has() -> None:
    table = playing()
    assert table.wants("Ben", Leave()) is None
    assert table.lobby.name_at(1) == "Borin"
    kick(table, "Cleo")
    assert table.lobby.name_at(2) == "Dagna"


def test_who_has_proven_the_earlier_code_and_not_entered_yet_has_to_prove_the_new_one() -> None:
    table = three_at_a_table()
    # The second has a seat, the third is the host.
    waiting = {name: table.near(name) for name in ("spare", "Cleo", "Ann")}
    assert kick(table, "Ben") is None
    assert {name for name, guest in waiting.items() if guest.ended} == {"spare"}
    table.say(waiting["spare"], waiting["spare"].client.begin_connection())
    assert [person.name for person in table.lobby.people] == ["Ann", "Cleo", "Wim"]


def test_who_has_not_entered_an_open_table_before_it_needs_a_code_has_to_prove_that() -> None:
    table = three_at_a_table()
    settings = table.lobby.settings
    before = {name: table.near(name) for name in ("early", "Cleo")}
    assert table.wants("Ann", ChangeSettings(replace(settings, is_open=True))) is None
    assert not [name for name, guest in before.items() if guest.ended], "it has become no harder"
    later = {name: table.near(name) for name in ("late",)}
    assert table.wants("Ann", ChangeSettings(settings)) is None
    assert {name for name, guest in (before | later).items() if guest.ended} == {"early", "late"}


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
            effect.message
            for effect in effects.do
            if isinstance(effect, SendFrame) and self.connections in effect.connections
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
        refused = [message for message in self.last if isinstance(message, CommandRefused)]
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
        if not any(isinstance(message, Closing) for message in self.last):
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
