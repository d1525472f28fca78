"""A dwarf of one's own: picked before a game, kept by who comes with it, never two the same."""

from __future__ import annotations

from msgspec import msgpack

from net.protocol.fields import NOBODY
from net.protocol.framing import is_readable
from net.protocol.lobby import MAX_LOOKS, Dwarf, Lobby, Settings
from net.protocol.lobby_events import DwarfPicked
from net.protocol.messages import ClientCommand, Refusal
from net.protocol.requests import PickDwarf, PutBot, StandUp
from net.room.handlers import seat_steps
from tests.net.room.room_fixture import Guest, Table, key_of, three_in_game

ANN = 1


def come_as(table: Table, name: str, dwarf: Dwarf) -> Guest:
    """Somebody comes whose program has kept a dwarf."""
    guest = table.near(name)
    guest.client.dwarf = dwarf
    table.people[name] = guest
    table.say(guest, guest.client.begin_connection())
    return guest


def dwarf_of(name: str, lobby: Lobby) -> Dwarf:
    """How all see somebody who sits."""
    return next(dwarf for seat, dwarf in enumerate(lobby.dwarves) if lobby.name_at(seat) == name)


def test_somebody_who_comes_with_a_face_or_a_colour_that_somebody_has_gets_the_next_free() -> None:
    table = Table(Settings(seats=4))
    table.come("Ann")
    come_as(table, "Ben", Dwarf(3, 9))
    cleo = come_as(table, "Cleo", Dwarf(3, 9))
    assert dwarf_of("Ben", table.lobby) == Dwarf(3, 9)
    assert dwarf_of("Cleo", table.lobby) == Dwarf(4, 0), "after the last colour comes the first"
    assert dwarf_of("Ann", table.lobby) == Dwarf(0, 1), "who has picked nothing gives way"
    assert cleo.held.lobby.dwarves == table.lobby.dwarves, "all see the same"


def test_of_two_who_pick_the_same_the_later_gets_the_next_free_whoever_came_first() -> None:
    table = Table(Settings(seats=4))
    table.come_all("Ann", "Ben")
    assert table.wants("Ben", PickDwarf(Dwarf(5, 5))) is None
    assert table.wants("Ann", PickDwarf(Dwarf(colour=5))) is None
    assert table.people["Ben"].news[-1] == DwarfPicked(ANN, Dwarf(colour=6))
    assert dwarf_of("Ben", table.lobby) == Dwarf(5, 5)
    assert table.wants("Ben", PickDwarf(Dwarf(5, 6))) is None
    assert dwarf_of("Ben", table.lobby) == Dwarf(5, 7)
    assert table.wants("Ann", StandUp()) is None
    assert table.wants("Ben", PickDwarf(Dwarf(5, 6))) is None
    assert dwarf_of("Ben", table.lobby) == Dwarf(5, 6), "who only watches needs none"


def test_a_bot_gives_way_to_what_somebody_picks() -> None:
    table = Table(Settings(seats=4))
    table.come("Ann")
    assert table.wants("Ann", PutBot(1, "Borin", "random")) is None
    assert dwarf_of("Borin", table.lobby) == Dwarf(9, 9)
    assert table.wants("Ann", PickDwarf(Dwarf(9))) is None
    assert dwarf_of("Ann", table.lobby) == Dwarf(9, 0)
    assert dwarf_of("Borin", table.lobby) == Dwarf(0, 9)


def test_nobody_changes_their_dwarf_in_a_game_and_it_outlives_the_program() -> None:
    table = Table(Settings(seats=3))
    table.come_all("Ann", "Ben", "Cleo")
    assert table.wants("Ben", PickDwarf(Dwarf(8, 7))) is None
    table.crash()
    assert dwarf_of("Ben", table.lobby) == Dwarf(8, 7)
    assert three_in_game().wants("Ben", PickDwarf(Dwarf(8, 7))) is Refusal.NOT_NOW


def test_somebody_who_comes_to_a_seat_that_was_drawn_for_them_brings_their_dwarf() -> None:
    table = Table(Settings(seats=3))
    for step in seat_steps([(key_of("Ann"), "Ann"), (key_of("Ben"), "Ben")], bytes(32)):
        table.room.apply(step)
    come_as(table, "Ben", Dwarf(4, 2))
    assert dwarf_of("Ben", table.lobby) == Dwarf(4, 2)
    table.drop("Ben")
    come_as(table, "Ben", Dwarf(1, 1))
    assert dwarf_of("Ben", table.lobby) == Dwarf(4, 2), "what was picked here stays"


def test_only_the_numbers_of_faces_and_colours_are_read_and_all_are_as_long() -> None:
    for wrong in (Dwarf(MAX_LOOKS), Dwarf(colour=MAX_LOOKS), Dwarf(NOBODY - 1)):
        assert not is_readable(ClientCommand(1, PickDwarf(wrong)))
    looks = range(NOBODY, MAX_LOOKS)
    assert all(is_readable(ClientCommand(1, PickDwarf(Dwarf(look, look)))) for look in looks)
    assert len({len(msgpack.encode(Dwarf(look, look))) for look in looks}) == 1
