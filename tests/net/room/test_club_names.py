"""The names of a club's people: whose they are, and whose is forgotten."""

from __future__ import annotations

import pytest

from net.protocol.hall import EnterHall, HallEntered
from net.protocol.messages import Refusal
from net.room import club_names
from tests.net.room.lobbyists import ROOM, Lobbyists, key_of


def test_names_belong_to_keys_and_are_told_to_the_disk_once() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2, "ANN")
    assert club.refusal(2) is Refusal.NAME_TAKEN
    club.say(2, EnterHall("Ben"))
    assert club.refusal(2) is None
    club.hall.depart(2)
    club.come(2, "Somebody Else")
    assert club.told[2][0] == HallEntered("0" * 16, "The Nugget", "Ben")
    assert [name for _key, name in club.named] == ["Ann", "Ben"]
    club.come(3, "\x07 ")
    assert club.refusal(3) is Refusal.NO_NAME


def test_a_club_that_knows_too_many_forgets_who_was_away_the_longest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(club_names, "MAX_NAMES", 3)
    club = Lobbyists()
    for number, name in enumerate(("Ann", "Ben", "Cleo"), 1):
        club.come(number, name)
    club.hall.depart(2)
    club.hall.depart(3)
    club.hall.depart(2)
    club.come(2, "Ben")
    club.hall.depart(2)
    club.come(4, "Dan")
    assert list(club.hall.names.values()) == ["Ann", "Ben", "Dan"], "Ann is there, Ben was later"
    assert club.named[-1][1] == ""


def test_newcomers_from_one_address_are_counted_and_those_who_are_known_are_not() -> None:
    club = Lobbyists()
    for number in range(1, 32):
        club.come(number, f"P{number}", "10.0.0.1")
    assert club.refusal(31) is Refusal.BUSY
    assert club.refusal(30) is None
    club.come(40, "Far", "10.0.0.2")
    assert club.refusal(40) is None
    club.hall.depart(1)
    club.come(1, "P1", "10.0.0.1")
    assert club.refusal(1) is None


def test_the_name_of_who_sits_at_a_table_is_not_forgotten_for_that_of_a_newcomer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(club_names, "MAX_NAMES", 2)
    club = Lobbyists()
    for number, name in enumerate(("Ben", "Ann", "Cleo"), 1):
        club.come(number, name)
        club.hall.depart(number)
        club.hall.show("a" * 16, ROOM)
    assert list(club.hall.names.values()) == ["Ben", "Cleo"]


def test_nobody_is_called_at_a_table_by_a_name_that_is_somebody_elses_in_the_club() -> None:
    club = Lobbyists()
    club.come(1, "Ana")
    club.come(2, "ana 2")
    ana = key_of(1)
    assert club.hall.names.may_be_called(ana, "Ana")
    assert club.hall.names.may_be_called(ana, "Ana 3")
    assert not club.hall.names.may_be_called(ana, "Ana 2")
