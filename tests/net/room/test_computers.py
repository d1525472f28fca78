"""Computers at a table: who plays at which, and that each has one vote and one share."""

from __future__ import annotations

from itertools import combinations

import pytest

from net.protocol.lobby import Lobby, Settings
from net.protocol.lobby_events import ComputerChanged, HostChanged
from net.protocol.requests import SetReady, StandUp, Start
from net.room.computers import UNKNOWN, Origin, computer_of
from net.room.copies import keeps_copy
from net.room.fold import apply
from net.room.sealing import SealedLog
from net.room.succession import (
    find_entitled,
    has_successors,
    is_majority,
    is_outnumbered,
    successors,
)
from net.secure.sealing import SealBroken, open_share, threshold
from tests.net.room.room_fixture import Guest, Table, bots
from tests.net.room.sealed_table import SealedTable, seat_key

HERE = Origin("127.0.0.1", is_here=True)
WEST, EAST = Origin("10.0.0.2"), Origin("10.0.0.3")
ANN, BEN, CLEO, DAN = 1, 2, 3, 4


def at_home(mark: bytes, address: str = "10.0.0.9") -> Origin:
    """The origin of an account's program."""
    return Origin(address, account=mark)


def come(table: Table, name: str, origin: Origin) -> Guest:
    """Let somebody come from a place."""
    if name not in table.people:
        table.people[name] = Guest(name, 0, watch=False)
    table.people[name].client.account_mark = origin.account
    return table.come(name, origin=Origin(origin.address, origin.is_here))


def numbers(lobby: Lobby) -> dict[str, int]:
    """The computers of all people, by name."""
    return {person.name: person.computer for person in lobby.people}


def test_who_comes_from_the_hosts_own_address_plays_at_the_hosts_computer() -> None:
    table = Table(Settings(seats=5))
    come(table, "Ann", HERE)
    come(table, "Ben", Origin("192.168.1.20", is_here=True))
    come(table, "Cleo", WEST)
    come(table, "Dan", EAST)
    assert numbers(table.lobby) == {"Ann": 0, "Ben": 0, "Cleo": 1, "Dan": 2}
    assert find_entitled(table.lobby) == (ANN, CLEO, DAN)
    assert successors(table.lobby) == (CLEO, DAN)
    assert not keeps_copy(table.lobby, BEN), "it would die with the host"
    assert keeps_copy(table.lobby, DAN)


def test_two_seats_from_one_address_or_of_one_account_are_one_computer() -> None:
    table = Table(Settings(seats=6))
    come(table, "Ann", HERE)
    come(table, "Ben", WEST)
    come(table, "Cleo", WEST)
    come(table, "Dan", at_home(b"m" * 16))
    come(table, "Eve", at_home(b"m" * 16, "fe80::1"))
    come(table, "Fay", at_home(b"n" * 16, "10.0.0.8"))
    assert numbers(table.lobby) == {"Ann": 0, "Ben": 1, "Cleo": 1, "Dan": 2, "Eve": 2, "Fay": 3}
    assert successors(table.lobby) == (BEN, DAN, 6)
    assert table.wants("Ben", StandUp()) is None
    assert successors(table.lobby) == (CLEO, DAN, 6), "the next there with a seat"


def test_a_second_window_of_the_hosts_own_account_is_at_the_hosts_computer() -> None:
    table = Table(Settings(seats=5))
    come(table, "Ann", Origin("127.0.0.1", is_here=True, account=b"m" * 16))
    come(table, "Ben", at_home(b"m" * 16, "10.0.0.77"))
    assert numbers(table.lobby) == {"Ann": 0, "Ben": 0}


def test_who_comes_back_from_elsewhere_gets_another_number_if_that_proves_it() -> None:
    table = Table(Settings(seats=5))
    come(table, "Ann", HERE)
    come(table, "Ben", HERE)
    come(table, "Cleo", WEST)
    come(table, "Ben", EAST)
    assert numbers(table.lobby)["Ben"] == 2, "a tunnel no more"
    come(table, "Cleo", Origin("10.0.0.200"))
    assert numbers(table.lobby)["Cleo"] == 1, "a new address alone proves nothing"
    come(table, "Ben", Origin("10.0.0.200"))
    assert numbers(table.lobby)["Ben"] == 1
    come(table, "Ben", HERE)
    assert numbers(table.lobby)["Ben"] == 0
    come(table, "Ann", EAST)
    assert numbers(table.lobby)["Ann"] == 0, "the host is at the host's computer"


def test_a_new_hosts_computer_becomes_the_hosts() -> None:
    table = Table(Settings(seats=5))
    for name, origin in (("Ann", HERE), ("Ben", HERE), ("Cleo", WEST), ("Dan", EAST)):
        come(table, name, origin)
    lobby = apply(table.lobby, HostChanged(CLEO, 1))
    assert numbers(lobby) == {"Ann": 1, "Ben": 1, "Cleo": 0, "Dan": 2}
    assert successors(lobby) == (ANN, DAN)
    assert numbers(apply(lobby, ComputerChanged(BEN, 3)))["Ben"] == 3


def test_numbers_are_used_again_and_what_is_not_known_is_a_computer_of_its_own() -> None:
    table = Table(Settings(seats=5))
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    assert sorted(numbers(table.lobby).values()) == [0, 1, 2]
    assert computer_of(UNKNOWN, table.lobby, {}) == 3
    assert computer_of(UNKNOWN, table.lobby, {}, CLEO) == 2
    assert computer_of(WEST, table.lobby, {BEN: WEST}, CLEO) == 1
    assert not UNKNOWN.is_same(UNKNOWN)


def test_where_all_others_play_at_the_hosts_computer_nobody_succeeds() -> None:
    table = Table(Settings(seats=5))
    for name in ("Ann", "Ben", "Cleo"):
        come(table, name, HERE)
    assert find_entitled(table.lobby) == (ANN,)
    assert not has_successors(table.lobby)
    assert not is_outnumbered(table.lobby)


def test_two_programs_and_guests_at_doors_are_not_outnumbered_when_the_doors_are_gone() -> None:
    table = Table(Settings(seats=6))
    for name, origin in (
        ("Ann", HERE),
        ("Ben", WEST),
        ("Cleo", EAST),
        ("Dan", HERE),
        ("Eve", HERE),
    ):
        come(table, name, origin)
    table.wait(12, "Ann", "Dan", "Eve")
    assert set(table.lobby.electors) == {ANN, BEN, CLEO}
    assert not is_outnumbered(table.lobby), "two of three are there"


def what_opens(table: SealedTable, *names: str) -> bool:
    """Return True if these seat keys and the journal open the last epoch of a table.

    As somebody would who found them on a disk: by all shares that any of the keys opens.
    """
    log = SealedLog(table.steps)
    for step in table.steps:
        for held in () if step.epoch is None else step.epoch.shares:
            for name in names:
                try:
                    share = open_share(seat_key(name), held.sealed)
                except SealBroken:
                    continue
                log.give(held.member, share)
        assert step.epoch is None or not step.epoch.key, "the key itself lies there"
    if log.needed:
        return False
    return bool(log.open_steps(log.key()))


def sealed_game(*origins: tuple[str, Origin]) -> SealedTable:
    """A sealed game of these people, from these places."""
    table = SealedTable(Settings(seats=max(3, len(origins)), rounds=1))
    for name, origin in origins:
        table.people[name] = Guest(name, 0, watch=False)
        table.people[name].client.key = seat_key(name)
        come(table, name, origin)
    bots(table, range(len(origins), table.lobby.settings.seats))
    for name, _ in origins:
        assert table.wants(name, SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    return table


def test_the_seat_keys_of_guests_at_the_hosts_doors_open_nothing() -> None:
    table = sealed_game(("Ann", HERE), ("Ben", HERE), ("Cleo", HERE), ("Dan", WEST), ("Eve", EAST))
    assert any(step.sealed for step in table.steps)
    assert not what_opens(table, "Ann", "Ben", "Cleo")
    assert what_opens(table, "Dan", "Eve")


def test_the_two_seats_of_one_account_open_nothing() -> None:
    mine = at_home(b"m" * 16)
    table = sealed_game(("Ann", HERE), ("Ben", mine), ("Cleo", mine), ("Dan", WEST))
    assert not what_opens(table, "Ben", "Cleo")
    assert what_opens(table, "Ben", "Dan")


@pytest.mark.parametrize("others", range(1, 6))
def test_more_than_half_of_the_computers_open_a_game_and_no_fewer(others: int) -> None:
    names = ["Ben", "Cleo", "Dan", "Eve", "Fay"][:others]
    table = sealed_game(("Ann", HERE), *((name, Origin(f"10.0.0.{name}")) for name in names))
    needed = others // 2 + 1
    assert SealedLog(table.steps).needed == needed
    assert all(what_opens(table, *some) for some in combinations(names, needed))
    assert not any(what_opens(table, *some) for some in combinations(names, needed - 1))


@pytest.mark.parametrize("others", range(2, 10))
def test_an_election_without_the_host_brings_enough_shares(others: int) -> None:
    holders = range(2, others + 2)
    for electors in (holders, (1, *holders)):  # the host may have no seat
        votes = next(n for n in range(others + 2) if is_majority(holders[:n], electors))
        assert votes >= threshold(others)
