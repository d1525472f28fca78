"""The links of a club's hall: how many there may be, and when one ends."""

from __future__ import annotations

import pytest

from net.protocol.hall import EnterHall
from net.protocol.messages import CloseReason, Closing, Ping, Refusal
from net.room import hall_links
from net.room.sessions import ENTER_TIMEOUT_S, GONE_AFTER_S
from tests.net.room.lobbyists import Lobbyists


def test_one_address_cannot_fill_the_hall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_links, "MAX_LINKS_PER_ADDRESS", 2)
    monkeypatch.setattr(hall_links, "MAX_LINKS", 3)
    club = Lobbyists()
    for number, address in enumerate("aaabc", 1):
        club.come(number, f"P{number}", address)
    assert [club.refusal(number) for number in range(1, 6)] == [
        None,
        None,
        Refusal.CROWDED,
        None,
        Refusal.CROWDED,
    ]


def test_who_is_there_already_comes_back_to_a_hall_that_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hall_links, "MAX_LINKS", 2)
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2, "Ben")
    club.come(3, "Ann", as_number=1)
    assert club.refusal(3) is None
    assert club.closed == [1], "the connection that it replaces does not count"


def test_a_newer_connection_of_a_person_takes_the_place_of_an_older_one() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(3, "Ann", as_number=1)
    assert club.told[1][-1] == Closing(CloseReason.REPLACED)
    assert club.closed == [1]
    assert club.names() == ["Ann"]


def test_who_falls_silent_or_never_says_where_they_go_is_let_go() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2)
    for _ in range(int(ENTER_TIMEOUT_S)):
        club.wait(1)
        club.say(1, Ping(0))
    assert club.closed == [2]
    club.wait(GONE_AFTER_S)
    assert club.closed == [2, 1]
    assert club.told[1][-1] == Closing(CloseReason.TOO_SLOW)


def test_a_club_whose_computer_slept_lets_nobody_go_for_that() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.wait(1)
    club.now += 3600
    club.wait(0.5)
    assert club.closed == []


def test_strangers_without_end_drive_out_each_other_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_links, "MAX_STRANGERS", 2)
    club = Lobbyists()
    club.come(1, "Ann")
    for number in (2, 3, 4):
        club.come(number)
    club.take(club.hall.collect())
    assert club.closed == [2]


def test_who_is_gone_already_is_told_nothing() -> None:
    club = Lobbyists()
    club.come(1)
    club.hall.reject(1, CloseReason.NO_TABLE)
    club.hall.reject(1, CloseReason.NO_TABLE)
    club.say(1, EnterHall("Ann"))
    assert club.told[1] == [Closing(CloseReason.NO_TABLE)]
    assert club.closed == [1]
