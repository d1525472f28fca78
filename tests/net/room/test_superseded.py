"""A table that goes on with another host: to whom it can be given, and that the older one ends."""

from __future__ import annotations

from net.protocol.election import Electors, HandingOver, Standby, Superseded
from net.protocol.lobby import Settings, Stage
from net.protocol.lobby_events import HostChanged
from net.protocol.messages import CloseReason, Refusal
from net.protocol.requests import Chat, Close, GiveHost
from net.room import inputs
from net.room.electors import HANDING_OVER_S
from tests.net.room.room_fixture import Table, three_at_a_table
from tests.net.room.sealed_table import member, seat_people

STANDBY = Standby(bytes(32), 7350, (b"\x7f\x00\x00\x01",))


def test_a_table_is_given_to_those_alone_whose_programs_have_said_where_they_listen() -> None:
    table = three_at_a_table()
    ben = table.people["Ben"].client.status.member
    assert table.wants("Ann", GiveHost(ben)) is Refusal.NO_STANDBY
    table.say(table.people["Ben"], STANDBY)
    assert table.wants("Ann", GiveHost(ben)) is None


def test_who_is_away_is_not_asked_to_go_on_with_a_table_that_is_given_away() -> None:
    table = three_at_a_table()
    ben, cleo = table.people["Ben"], table.people["Cleo"]
    for guest in (ben, cleo):
        table.say(guest, STANDBY)
    table.wait(11, "Cleo")
    assert table.wants("Ann", GiveHost(ben.client.status.member)) is None
    assert HandingOver(ben.client.status.member) in ben.got
    assert HandingOver(ben.client.status.member) not in cleo.got


def test_nothing_happens_at_a_table_that_is_being_given_away_until_that_has_failed() -> None:
    table = three_at_a_table()
    table.say(table.people["Ben"], STANDBY)
    assert table.wants("Ann", GiveHost(table.people["Ben"].client.status.member)) is None
    assert table.wants("Cleo", Chat("Ben?")) is Refusal.NOT_NOW
    table.wait(int(HANDING_OVER_S))
    assert table.wants("Cleo", Chat("Ann?")) is None


def farewells(table: Table) -> list[CloseReason | None]:
    """The last words to everybody at a table."""
    return [guest.farewell for guest in table.people.values()]


def test_a_host_who_has_found_the_newer_table_ends_the_older_one_and_sends_all_there() -> None:
    table = three_at_a_table()
    for name, term in (("Ben", 3), ("Ann", 0)):  # not the host, and no newer term
        assert not table.say(table.people[name], Superseded(term)).finished
        assert {*farewells(table)} == {None}
    assert table.say(table.people["Ann"], Superseded(1)).finished
    assert {*farewells(table)} == {CloseReason.MOVED}


def test_a_sealed_table_ends_too_where_its_host_has_found_the_newer_one() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    table.come("Ann")
    assert table.say(table.people["Ann"], Superseded(1)).finished
    assert table.people["Ann"].farewell is CloseReason.MOVED


def test_a_sealed_table_of_a_new_host_ends_where_that_one_has_found_a_newer_one() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill(HostChanged(member("Ben"), 1))
    ann, ben = table.come("Ann"), table.come("Ben")
    assert not table.say(ben, Superseded(1)).finished, "that is this table"
    assert not table.say(ann, Superseded(2)).finished
    assert ann.farewell is CloseReason.OUT_OF_ORDER
    assert table.say(ben, Superseded(2)).finished
    assert ben.farewell is CloseReason.MOVED


def test_a_sealed_table_is_given_up_by_a_program_that_seals_nothing_itself() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    table.room = inputs.resume(table.kept, table.disk, 9, lambda: table.seed, table.now)
    table.happen(inputs.reopen(table.room, table.now))
    table.come("Ann")
    assert table.wants("Ann", Close()) is None
    assert table.lobby.stage is Stage.CLOSED


def test_two_people_have_no_successors_and_are_told_of_none() -> None:
    table = Table(Settings(seats=3, rounds=1))
    for name in ("Ann", "Ben"):
        table.come(name)
        table.say(table.people[name], STANDBY)
    assert not any(isinstance(one, Electors) for one in table.people["Ann"].got)
    table.come("Cleo")
    told = [one for one in table.people["Ann"].got if isinstance(one, Electors)]
    assert [one.port for one in told[-1].electors] == [7350, 7350, 0]


def test_a_program_that_has_voted_takes_no_step_of_a_lower_term() -> None:
    table = three_at_a_table()
    ben = table.people["Ben"].client
    ben.bound = 1
    before = ben.status.game_state
    assert table.wants("Ann", Chat("who hears this?")) is None
    assert ben.status.game_state == before
